"""Advance on the claim tracks and score the end of the game (3. Claim Phase A, End of the Game)."""

from engine.core.frames import Ctx
from engine.core.rules import Outcome
from engine.games.rurik import events as e
from engine.games.rurik.data import AGENDA_VP, AGENDAS, CLAIMS, DEEDS, REGION_INDEX, WARFARE_VP
from engine.games.rurik.ids import BUILD_TRACK, FUR, HONEY, NONE, RULE_TRACK, TRACKS, TRADE_TRACK, Phase
from engine.games.rurik.state import (
    State,
    boat,
    clockwise,
    is_rebellion,
    largest_group,
    occupied,
    rules,
)

#: The Rebellion scores a point for this many coins, and for this many goods on its dock, rounded up.
REBELLION_SHARE = 3


def reached(state: State, seat: int, track: int) -> int:
    """Return the best space of a claim track whose condition a seat meets now; 0 for none."""
    ruled: list[int] = []
    if track == RULE_TRACK:
        ruled = rules(state, seat)
        measure = len(ruled)
    elif track == BUILD_TRACK:
        measure = largest_group(state, seat)
    else:
        measure = sum(boat(state.players[seat]))
    spaces = CLAIMS[track]
    for number in range(len(spaces), 0, -1):
        space = spaces[number - 1]
        if measure >= space.needs and all(REGION_INDEX[r] in ruled for r in space.must_include):
            return number
    return 0


def advance_claims(ctx: Ctx) -> None:
    """Move claim markers up to the best spaces reached, never down (step A)."""
    state = ctx.state
    for seat in clockwise(state, state.first_player):
        claims = state.players[seat].claims
        for track in (RULE_TRACK, BUILD_TRACK, TRADE_TRACK):
            space = reached(state, seat, track)
            if space > claims[track]:
                claims[track] = space
                ctx.emit(e.ClaimAdvanced, seat, TRACKS[track], space)


def claim_points(space: int, track: int) -> int:
    """Return the victory points of a space of a claim track."""
    return CLAIMS[track][space - 1].vp if space else 0


def warfare_points(state: State) -> list[int]:
    """Return each seat's points for the warfare track.

    First place scores 3, second 1; tied firsts all score 3 and nobody is second; a marker below the track has no place.
    """
    first, second = WARFARE_VP
    places = [player.warfare for player in state.players]
    best = max(places)
    if best == 0:
        return [0] * len(places)
    runner_up = max([p for p in places if p < best], default=0) if places.count(best) == 1 else 0
    return [first if p == best else second if p == runner_up and p else 0 for p in places]


def metric(state: State, seat: int, name: str) -> int:
    """Return what an agenda card counts for a seat (Agenda Card Reference)."""
    player = state.players[seat]
    match name:
        case "goods_total":
            return sum(player.goods)
        case "track_build":
            return player.claims[BUILD_TRACK]
        case "track_warfare":
            return player.warfare
        case "defeated_rebels":
            return len(player.rebels)
        case "accomplished_deeds":
            return len(player.accomplished)
        case "occupied_regions":
            return len(occupied(player))
        case "track_trade":
            return player.claims[TRADE_TRACK]
        case "structures_in_ruled_regions":
            return sum(owners[r] != NONE for r in rules(state, seat) for owners in state.built)
        case "fur_plus_honey":
            return player.goods[FUR] + player.goods[HONEY]
        case "track_rule":
            return player.claims[RULE_TRACK]
        case _:
            return player.coins


def meets_agenda(state: State, seat: int, agenda: int) -> bool:
    """Return whether a seat is first or tied for first in an agenda's metric; nothing of it is not enough."""
    name = AGENDAS[agenda].metric
    own = metric(state, seat, name)
    return own > 0 and own == max(metric(state, other, name) for other in range(len(state.players)))


def open_points(state: State, seat: int) -> dict[str, int]:
    """Return a seat's victory points by source as they stand, without what is hidden (agendas)."""
    player = state.players[seat]
    points = {track.value: claim_points(player.claims[i], i) for i, track in enumerate(TRACKS)}
    points["warfare"] = warfare_points(state)[seat]
    if is_rebellion(state, seat):
        dock = sum(player.goods) - sum(boat(player))
        points["coins"] = -(-player.coins // REBELLION_SHARE)
        points["dock"] = -(-dock // REBELLION_SHARE)
    else:
        points["deeds"] = sum(DEEDS[card].vp for card in player.accomplished)
    return points


def outcome(state: State) -> Outcome | None:
    """Return the result, or None before the end."""
    return final(state) if state.phase == Phase.OVER else None


def final(state: State) -> Outcome:
    """Return ranks and scores by source; ties go to most regions ruled, then to most coins, then are shared."""
    seats = range(len(state.players))
    breakdown = []
    for seat in seats:
        points = open_points(state, seat)
        if not is_rebellion(state, seat):
            points["agenda"] = AGENDA_VP * meets_agenda(state, seat, state.players[seat].agenda)
        breakdown.append(points)
    scores = [sum(points.values()) for points in breakdown]
    ruled = [len(rules(state, seat)) for seat in seats]
    # The Rebellion's coins are all scored, so none is left to break a tie.
    coins = [0 if is_rebellion(state, seat) else state.players[seat].coins for seat in seats]
    keys = [(scores[seat], ruled[seat], coins[seat]) for seat in seats]
    ranks = tuple(1 + sum(other > keys[seat] for other in keys) for seat in seats)
    return Outcome(ranks, tuple(scores), tuple(breakdown), _trail(scores, ruled, coins), "end of round 4")


def _trail(scores: list[int], ruled: list[int], coins: list[int]) -> tuple[str, ...]:
    """Return the tie-breaks that the first place needed, in words."""
    tied = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if len(tied) == 1:
        return ()
    names = ", ".join(map(str, tied))
    trail = [f"seats {names} tied at {max(scores)} points"]
    most = max(ruled[seat] for seat in tied)
    tied = [seat for seat in tied if ruled[seat] == most]
    trail.append(f"most regions ruled: {most}, by seats {', '.join(map(str, tied))}")
    if len(tied) > 1:
        richest = max(coins[seat] for seat in tied)
        tied = [seat for seat in tied if coins[seat] == richest]
        trail.append(f"most coins: {richest}, by seats {', '.join(map(str, tied))}")
    if len(tied) > 1:
        trail.append("the title is shared")
    return tuple(trail)
