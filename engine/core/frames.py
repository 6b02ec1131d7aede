"""Run a game as a stack of plain-data frames: the top frame asks or acts, what lies below is the return address."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, ParamSpec, TypeVar

import msgspec

from engine.core.decision import Decision
from engine.core.errors import IllegalAction, RulesBug
from engine.core.events import Emitted
from engine.core.rules import Outcome, RulesInfo, Step, View

F = TypeVar("F")
P = ParamSpec("P")

#: Automatic steps between two decisions; more means the flow runs in a circle.
STEP_GUARD = 2000
_STEPS = range(STEP_GUARD)


class Frame(msgspec.Struct, array_like=True):
    """Be one step of a procedure: ids, integers and tuples of them, nothing else.

    A frame either asks (`deciders` not empty: `options` and `resolve` apply) or acts by itself (`run`). Fields are
    scalars or tuples, so that a shallow copy is a full one.
    """

    #: Set on frames whose number of options may tell what others must not know: such a decision is asked even when
    #: one option is left.
    secret: ClassVar[bool] = False

    #: Set on frames that act by themselves when the seat that would decide has no option; on others that is a dead end.
    lapses: ClassVar[bool] = False

    #: Kinds of action, by tag, that a seat words itself: `options` lists a sample of them, `refusal` defines them.
    open: ClassVar[tuple[str, ...]] = ()

    def deciders(self, state: Any) -> tuple[int, ...]:
        """Return the seats that must answer now; empty when the frame acts by itself."""
        return ()

    def options(self, state: Any, seat: int) -> tuple[Any, ...]:
        """Return what `seat` may answer: complete, ordered, without duplicates."""
        raise RulesBug(f"{type(self).__name__} asks nothing")

    def resolve(self, ctx: "Ctx", seat: int, action: Any) -> None:
        """Do what the answer says."""
        raise RulesBug(f"{type(self).__name__} takes no answer")

    def refusal(self, state: Any, seat: int, action: Any) -> str | None:
        """Return why an action that `options` does not list is refused; None allows it, for kinds in `open` only."""
        kind = type(self).__struct_config__.tag
        return f"not among the {len(legal_actions(state, seat))} legal actions of the open decision ({kind})"

    def stamps(self, state: Any, seats: Iterable[int]) -> dict[int, Any]:
        """Return, by seat, what makes its decision the same one after another seat's choice: its options.

        A frame may answer with something cheaper that changes whenever the options do. What is empty is a dead end.
        """
        return {seat: legal_actions(state, seat) for seat in seats}

    def run(self, ctx: "Ctx") -> None:
        """Act by itself: pop, push or change something, or the flow stands still."""
        raise RulesBug(f"{type(self).__name__} does not act by itself")

    def asks(self, state: Any, seat: int) -> bool:
        """Return whether a decision with a single option is asked all the same, lest its absence tell a secret."""
        return self.secret


class Flow(msgspec.Struct, Generic[F], array_like=True):
    """Hold where a game stands.

    `version` counts applied actions; `opened` maps each pending seat to the version at which its decision opened;
    `automa` lists the seats whose cards decide. `legal` caches the options of the pending seats and never leaves the
    process.
    """

    stack: list[F]
    automa: tuple[int, ...] = ()
    version: int = 0
    opened: dict[int, int] = {}
    legal: dict[int, tuple[Any, ...]] | None = None

    def clone(self) -> "Flow[F]":
        """Return an independent copy."""
        return Flow([frame.__copy__() for frame in self.stack], self.automa, self.version, self.opened, self.legal)  # type: ignore[attr-defined]


class Ctx:
    """Give frames the state, the stack and a place to tell events; `events` is None when nobody listens (search)."""

    __slots__ = ("events", "revealed", "rng", "stack", "state")

    def __init__(self, state: Any, events: list[Emitted] | None) -> None:
        self.state = state
        self.rng = state.rng
        self.stack: list[Any] = state.flow.stack
        self.events = events
        self.revealed = False

    def push(self, frame: Frame) -> None:
        """Put a frame on top: it runs next."""
        self.stack.append(frame)

    def pop(self) -> None:
        """Take the top frame off: the one below goes on."""
        self.stack.pop()

    def replace(self, frame: Frame) -> None:
        """Put a frame in the place of the top one."""
        self.stack[-1] = frame

    def emit(self, make: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> None:
        """Tell everybody an event, built only if somebody listens."""
        if self.events is not None:
            self.events.append(Emitted(make(*args, **kwargs)))

    def tell(self, seats: int | tuple[int, ...], event: Any, public: Any) -> None:
        """Tell a seat, or some, one event and all others its public form (None: nothing)."""
        self.revealed = True
        if self.events is not None:
            audience = (seats,) if isinstance(seats, int) else seats
            self.events.append(Emitted(event, audience, public))

    def reveal(self) -> None:
        """Mark that something hidden became known: undo stops here."""
        self.revealed = True


def settle(ctx: Ctx, asking: Frame | None = None) -> tuple[int, ...]:
    """Run automatic frames and forced moves up to the next real decision or the end; return the seats that decide.

    Raises RulesBug when the one seat that decides has no option, and when the flow runs in a circle. `asking` is a
    frame that asks several seats already: what is open in it is not taken from a seat as a forced move.
    """
    state, flow, stack = ctx.state, ctx.state.flow, ctx.stack
    for _ in _STEPS:
        if not stack:
            flow.legal = {}
            return ()
        frame: Frame = stack[-1]
        seats = frame.deciders(state)
        if not seats:
            frame.run(ctx)
            continue
        if len(seats) > 1:
            flow.legal = {}
            return seats
        seat = seats[0]
        options = frame.options(state, seat)
        if len(options) < 2:
            if not options:
                if not frame.lapses:
                    raise RulesBug(f"dead end: seat {seat} has no option in {type(frame).__name__}")
                frame.run(ctx)
                continue
            if seat not in flow.automa and frame is not asking and not frame.asks(state, seat):
                frame.resolve(ctx, seat, options[0])
                continue
        flow.legal = {seat: options}
        return seats
    raise RulesBug(f"runaway flow in {type(stack[-1]).__name__}")


def start(state: Any, events: list[Emitted] | None = None) -> None:
    """Run a state whose stack has just been laid out to its first decision, in place."""
    _open(state, settle(Ctx(state, events)), {})


def _open(state: Any, seats: tuple[int, ...], before: dict[int, Any]) -> None:
    """Note that the decisions of `seats` open at this version; raise RulesBug when one of several has no option.

    Another seat's choice must not close a decision: those with the stamp that they have in `before` keep the version at
    which they opened.
    """
    flow = state.flow
    if len(seats) < 2 and not before:
        flow.opened = {seats[0]: flow.version} if seats else {}
        return
    opened, flow.opened = flow.opened, dict.fromkeys(seats, flow.version)
    for seat, stamp in flow.stack[-1].stamps(state, seats).items():
        if not stamp:
            raise RulesBug(f"dead end: seat {seat} has no option in {type(flow.stack[-1]).__name__}")
        if seat in before and before[seat] == stamp:
            flow.opened[seat] = opened[seat]


def pending(state: Any) -> tuple[Decision, ...]:
    """Return the open decisions, by seat; empty exactly when the game is over."""
    flow = state.flow
    if not flow.stack:
        return ()
    top = flow.stack[-1]
    kind, automa = top.__struct_config__.tag, flow.automa
    decisions: tuple[Decision, ...] = ()
    for seat, opened in flow.opened.items():
        decisions += (Decision(seat, f"{opened}.{seat}", kind, seat in automa, top.open),)
    return decisions


def legal_actions(state: Any, seat: int) -> tuple[Any, ...]:
    """Return all that `seat` may do now, in a fixed order; empty when it has no open decision."""
    flow = state.flow
    if flow.legal is None:
        flow.legal = {}
    legal: tuple[Any, ...] | None = flow.legal.get(seat)
    if legal is None:
        legal = flow.stack[-1].options(state, seat) if seat in flow.opened else ()
        flow.legal[seat] = legal
    return legal


def _play(ctx: Ctx, seat: int, action: Any) -> None:
    state, flow = ctx.state, ctx.state.flow
    top, opened = flow.stack[-1], flow.opened
    before = top.stamps(state, [other for other in opened if other != seat]) if len(opened) > 1 else {}
    flow.version += 1
    flow.legal = None
    top.resolve(ctx, seat, action)
    seats = settle(ctx, top if before else None)
    if before and (not flow.stack or flow.stack[-1] is not top):
        before = {}
    _open(state, seats, before)


def advance(state: Any, seat: int, action: Any) -> None:
    """Play a legal action in place, unchecked and without events: for search on private copies."""
    _play(Ctx(state, None), seat, action)


def apply(state: Any, seat: int, action: Any) -> Step:
    """Play an action on a copy.

    The step's `barrier` says whether it told anybody anything that an undo could not take back: a draw, a private
    event, a reveal, or a decision passed to another seat. Raises IllegalAction when the action is not legal for the
    seat.
    """
    legal = legal_actions(state, seat)
    try:
        # The listed action is played, not the equal one that came: 1 and True, or an enum's member and its text, are
        # equal.
        action = legal[legal.index(action)]
    except ValueError:
        if not legal:
            raise IllegalAction(seat, None, f"seat {seat} has no open decision now") from None
        top = state.flow.stack[-1]
        refusal = top.refusal(state, seat, action)
        if refusal is not None:
            raise IllegalAction(seat, top.__struct_config__.tag, refusal) from None
    after = state.clone()
    events: list[Emitted] = []
    ctx = Ctx(after, events)
    _play(ctx, seat, action)
    barrier = ctx.revealed or after.rng.counters != state.rng.counters or tuple(after.flow.opened) != (seat,)
    return Step(after, tuple(events), barrier)


def view(
    info: RulesInfo,
    state: Any,
    seat: int | None,
    build_table: Callable[[], Any],
    flow: bytes,
    outcome: Outcome | None,
) -> View:
    """Return a seat's view (None: a spectator's): what a game shows of itself, and what the stack asks."""
    decisions = pending(state)
    own = next((decision for decision in decisions if decision.seat == seat), None)
    return View(
        game=info.id,
        rules_version=info.rules_version,
        data_version=info.data_version,
        version=state.flow.version,
        seat=seat,
        build_table=build_table,
        flow=flow,
        pending=decisions,
        decision=own,
        legal=() if own is None else legal_actions(state, own.seat),
        outcome=outcome,
    )


class FrameRules:
    """Answer what the stack answers alike for every game; the rules of a game add the rest of the contract."""

    pending = staticmethod(pending)
    legal_actions = staticmethod(legal_actions)
    apply = staticmethod(apply)
    advance = staticmethod(advance)
