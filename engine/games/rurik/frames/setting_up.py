"""Set the game up by decisions (Setup 8, 10, 11, 16, 17)."""

from typing import Any

from engine.core.frames import Ctx, Frame
from engine.games.rurik import events as e
from engine.games.rurik import options as o
from engine.games.rurik.data import AGENDA_INDEX, LEADERS, REGION_INDEX, REGIONS, STARTING_TROOPS
from engine.games.rurik.ids import COLOURS, NONE
from engine.games.rurik.state import State, clockwise, is_rebellion


def people(state: State) -> list[int]:
    """Return the seats that are not the Rebellion's, clockwise from the first player."""
    return [seat for seat in clockwise(state, state.first_player) if not is_rebellion(state, seat)]


class PickLeaders(Frame, tag="choose_leader"):
    """Let each seat in turn take a leader (Setup 8)."""

    turn: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        return tuple(people(state)[self.turn : self.turn + 1])

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the leaders nobody has; the Rebellion always has Sviatopolk (Rebellion Setup 2)."""
        taken = {player.leader for player in state.players}
        return tuple(o.CHOOSE_LEADER[i] for i in range(len(LEADERS)) if i not in taken)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Give the leader out."""
        give_leader(ctx, seat, LEADERS.index(action.leader))
        self.turn += 1

    def run(self, ctx: Ctx) -> None:
        """End when all have a leader."""
        ctx.pop()


def give_leader(ctx: Ctx, seat: int, leader: int) -> None:
    """Make a leader the seat's own; the Rebellion's Sviatopolk has the solo leader card instead of his ability."""
    ctx.state.players[seat].leader = leader
    if not is_rebellion(ctx.state, seat):
        ctx.state.leaders[leader] = seat
    ctx.emit(e.LeaderChosen, seat, LEADERS[leader])


class PickAgendas(Frame, tag="choose_agenda"):
    """Let all seats keep one of two agenda cards, in secret and at the same time (Setup 10)."""

    secret = True

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seats that have not chosen."""
        return tuple(sorted(s for s in people(state) if state.players[s].agenda == NONE))

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the two cards dealt."""
        return tuple(o.CHOOSE_AGENDA[i] for i in state.players[seat].agendas)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Keep the card."""
        ctx.state.players[seat].agenda = AGENDA_INDEX[action.agenda]
        ctx.tell(seat, e.AgendaChosen(seat, action.agenda), e.AgendaChosen(seat, None))

    def run(self, ctx: Ctx) -> None:
        """End when all have chosen."""
        ctx.pop()


class PickColours(Frame, tag="choose_colour"):
    """Let each seat in turn take a colour (Setup 11)."""

    turn: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        return tuple(people(state)[self.turn : self.turn + 1])

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the colours nobody has."""
        taken = {player.colour for player in state.players}
        return tuple(o.CHOOSE_COLOUR[i] for i in range(len(COLOURS)) if i not in taken)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Give the colour out."""
        ctx.state.players[seat].colour = COLOURS.index(action.colour)
        ctx.emit(e.ColourChosen, seat, action.colour)
        self.turn += 1

    def run(self, ctx: Ctx) -> None:
        """End when all have a colour; the Rebellion takes the first one left."""
        state = ctx.state
        if state.rebellion is not None:
            taken = {player.colour for player in state.players}
            colour = next(i for i in range(len(COLOURS)) if i not in taken)
            state.players[state.rebellion.seat].colour = colour
            ctx.emit(e.ColourChosen, state.rebellion.seat, COLOURS[colour])
        ctx.pop()


class PlaceTroops(Frame, tag="place_troop"):
    """Place three troops each, one at a time in turn order (Setup 16)."""

    turn: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        order = people(state)
        return (order[self.turn % len(order)],) if self.turn < STARTING_TROOPS * len(order) else ()

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the regions in play; in solo not the three of the rebels (Game Board Setup)."""
        return tuple(o.PLACE_TROOP[r] for r in range(len(state.icons)) if not _held_by_rebellion(state, r))

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place the troop."""
        player = ctx.state.players[seat]
        player.supply -= 1
        player.troops[REGION_INDEX[action.region]] += 1
        ctx.emit(e.TroopPlaced, seat, action.region)
        self.turn += 1

    def run(self, ctx: Ctx) -> None:
        """End when all troops stand."""
        ctx.pop()


def _held_by_rebellion(state: State, region: int) -> bool:
    return state.rebellion is not None and state.players[state.rebellion.seat].troops[region] > 0


class PlaceLeaders(Frame, tag="place_leader"):
    """Place the leaders in turn order, each beside an own troop (Setup 17)."""

    turn: int = 0

    def deciders(self, state: State) -> tuple[int, ...]:
        """Return the seat whose turn it is."""
        return tuple(people(state)[self.turn : self.turn + 1])

    def options(self, state: State, seat: int) -> tuple[Any, ...]:
        """Return the regions that hold own troops."""
        return tuple(o.PLACE_LEADER[r] for r, count in enumerate(state.players[seat].troops) if count)

    def resolve(self, ctx: Ctx, seat: int, action: Any) -> None:
        """Place the leader."""
        region = REGION_INDEX[action.region]
        ctx.state.players[seat].leader_at = region
        ctx.emit(e.LeaderPlaced, seat, REGIONS[region])
        self.turn += 1

    def run(self, ctx: Ctx) -> None:
        """End when all leaders stand."""
        ctx.pop()
