"""Score countries and rank the seats at the end (Score Phase, Victory)."""

from engine.core.frames import Ctx
from engine.core.rules import Outcome
from engine.games.masters_of_europe import events as e
from engine.games.masters_of_europe.data import COUNTRIES, POINTS, VICTORY_CHIPS
from engine.games.masters_of_europe.ids import NONE, Phase
from engine.games.masters_of_europe.state import Rolls, State, controlled, controller, ends_now, is_won

#: Faces of a die.
DIE = 6


def score_countries(ctx: Ctx) -> None:
    """Give the controller of each country 5 or 2 chips and one for each industry cube (Score Phase)."""
    state = ctx.state
    for country, points in enumerate(POINTS):
        seat = controller(state, country)
        if seat == NONE:
            continue
        chips = points + state.cubes[country]
        state.players[seat].chips += chips
        ctx.emit(e.CountryScored, seat, COUNTRIES[country].id, chips)
        if ends_now(state):
            return


def roll_off(ctx: Ctx, seats: list[int]) -> tuple[int, Rolls]:
    """Let seats roll a die each, those tied for high again, until one is highest; return it and all the rolls."""
    rolls: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    while True:
        dice = tuple(1 + ctx.rng.below("dice", DIE) for _ in seats)
        rolls.append((tuple(seats), dice))
        high = max(dice)
        seats = [seat for seat, die in zip(seats, dice, strict=True) if die == high]
        if len(seats) == 1:
            return seats[0], tuple(rolls)


def first_by_chips_and_countries(state: State) -> list[int]:
    """Return the seats that are first by chips and, among those, by countries controlled."""
    keys = _keys(state)
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def _keys(state: State) -> list[tuple[int, int]]:
    return [(player.chips, controlled(state, seat)) for seat, player in enumerate(state.players)]


def wrestle(ctx: Ctx) -> None:
    """Break a last tie for first place by arm wrestling: both roll until one is higher (Victory)."""
    tied = first_by_chips_and_countries(ctx.state)
    if len(tied) > 1:
        _, ctx.state.wrestling = roll_off(ctx, tied)
        for seats, dice in ctx.state.wrestling:
            ctx.emit(e.ArmsWrestled, seats, dice)


def open_points(state: State, seat: int) -> dict[str, int]:
    """Return what a seat has, by source: its chips."""
    return {"chips": state.players[seat].chips}


def outcome(state: State) -> Outcome | None:
    """Return the result, or None before the end."""
    return final(state) if state.phase is Phase.OVER else None


def final(state: State) -> Outcome:
    """Return ranks by chips, then countries, then (for the first place) arm wrestling."""
    keys = _keys(state)
    winner = _wrestled(state)
    strengths = [(*key, seat == winner) for seat, key in enumerate(keys)]
    ranks = tuple(1 + sum(other > own for other in strengths) for own in strengths)
    scores = tuple(player.chips for player in state.players)
    breakdown = tuple(open_points(state, seat) for seat in range(len(scores)))
    reason = f"more than {VICTORY_CHIPS} chips" if is_won(state) else f"end of round {state.round}"
    return Outcome(ranks, scores, breakdown, _trail(state, keys), reason)


def _wrestled(state: State) -> int:
    """Return who won the arm wrestling, or NONE when there was none."""
    if not state.wrestling:
        return NONE
    seats, dice = state.wrestling[-1]
    return seats[dice.index(max(dice))]


def _trail(state: State, keys: list[tuple[int, int]]) -> tuple[str, ...]:
    """Return the tie-breaks that the first place needed, in words."""
    most = max(chips for chips, _ in keys)
    tied = [seat for seat, (chips, _) in enumerate(keys) if chips == most]
    if len(tied) == 1:
        return ()
    trail = [f"seats {', '.join(map(str, tied))} tied at {most} chips"]
    countries = max(keys[seat][1] for seat in tied)
    leading = [seat for seat in tied if keys[seat][1] == countries]
    trail.append(f"most countries controlled: {countries}, by seats {', '.join(map(str, leading))}")
    trail += [
        f"arm wrestling: seats {', '.join(map(str, seats))} rolled {', '.join(map(str, dice))}"
        for seats, dice in state.wrestling
    ]
    return tuple(trail)
