"""Hold all cards as the rules use them: indices instead of ids, operations numbered so that frames can name them."""

import msgspec

from engine.games.europe_divided import vocabulary as v
from engine.games.europe_divided.data import (
    BARRED,
    CONTESTED,
    ENERGY_SECTOR,
    KINDS,
    counted,
    records,
    refuse,
    region,
    regions,
)
from engine.games.europe_divided.ids import (
    EU,
    EUROPE,
    FACTIONS,
    FACTIONS_OF,
    NONE,
    RUSSIA,
    SEAT_OF,
    SIDES,
    Faction,
    RegionKind,
)


class Condition(msgspec.Struct, frozen=True):
    """Hold that one of some dice in a region shows enough."""

    region: int
    factions: tuple[int, ...]
    at_least: int


class Op(msgspec.Struct, frozen=True):
    """Hold an operation: what it does, for which seat, and the limits it is given.

    `factions` are the dice it may touch; `follows` says where they come from when the card leaves that open: "trigger"
    or "condition". `regions` are the places it may touch, those with an own die alone if `own_die`, only the region of
    the trigger if `at_trigger`. `optional`: it may be declined; `places`: without a die one may be bought instead.
    """

    kind: str
    seat: int
    factions: tuple[int, ...] = ()
    follows: str = ""
    condition: Condition | None = None
    regions: tuple[int, ...] = ()
    own_die: bool = False
    at_trigger: bool = False
    amount: int = 0
    floor: int = 0
    cost: int = 0
    needs: tuple[int, int] | None = None
    to: tuple[int, ...] = ()
    max_steps: int = v.MOST_STEPS
    free_steps: int = 1
    count: int = 1
    most: int = 0
    each: bool = False
    draws_back: int = 0
    optional: bool = False
    places: bool = False


class Special(msgspec.Struct, frozen=True):
    """Hold a special text; `ops` are indices into OPS; an effect or reaction has the action that sets it off."""

    kind: str
    ops: tuple[int, ...]
    trigger: str = ""
    faction: int = NONE
    condition: Condition | None = None


class CardAction(msgspec.Struct, frozen=True):
    """Hold an action symbol of a card; `where` is the region in which it builds."""

    op: str
    faction: int
    amount: int
    cost: int
    where: int


class Card(msgspec.Struct, frozen=True):
    """Hold an action card; `region` is its region, `space` where money tokens raise its income; NONE for neither."""

    id: str
    name: str
    owner: int
    grey: bool
    region: int
    space: int
    initiative: int
    actions: tuple[CardAction, ...]
    action: Special | None
    effects: tuple[Special, ...]
    reactions: tuple[Special, ...]

    @property
    def specials(self) -> tuple[Special, ...]:
        """Return all special texts."""
        return (*(() if self.action is None else (self.action,)), *self.effects, *self.reactions)


class Advantage(msgspec.Struct, frozen=True):
    """Hold an advantage card."""

    id: str
    name: str
    owner: int
    money: int
    ops: tuple[int, ...]


_ops: list[Op] = []
_ALL_CONTESTED = tuple(range(CONTESTED))


def _number(op: Op) -> int:
    _ops.append(op)
    return len(_ops) - 1


def _factions(table: str, record: str, seat: int, whose: str) -> tuple[int, ...]:
    """Return the factions that a word names, the seat's own; none when trigger or condition decide."""
    if whose == "any_own":
        return FACTIONS_OF[seat]
    if whose in ("same_as_trigger", "faction_of_condition"):
        return ()
    faction = FACTIONS.index(Faction(whose))
    if SEAT_OF[faction] != seat:
        raise refuse(table, f"{record}: faction {whose} is not {SIDES[seat]}'s")
    return (faction,)


_FOLLOWS = {"same_as_trigger": "trigger", "faction_of_condition": "condition"}


def _compile(
    table: str, record: str, seat: int, entry: v.Operation, special: Special | None, *, grey: bool = False
) -> Op:
    """Return an operation for a seat; `special` is the text that it stands in, None for an advantage card."""
    reacts = special is not None and special.kind != "action"
    _refer(table, record, entry, special, grey=grey)
    base = Op(kind=str(type(entry).__struct_config__.tag), seat=seat, optional=reacts, places=reacts)
    replace = msgspec.structs.replace
    match entry:
        case v.PlaceInfluence() | v.IncreaseInfluence() | v.DistributeInfluence():
            base = replace(
                base,
                factions=_factions(table, record, seat, entry.faction),
                follows=_FOLLOWS.get(entry.faction, ""),
                condition=special.condition if special else None,
            )
            base = _at(table, record, base, entry.regions)
            match entry:
                case v.PlaceInfluence():
                    return replace(base, cost=entry.cost)
                case v.IncreaseInfluence():
                    return replace(base, amount=entry.amount, each=entry.each)
            return replace(base, amount=entry.total)
        case v.ReduceInfluence():
            return replace(
                _at(table, record, base, entry.regions),
                factions=FACTIONS_OF[1 - seat],
                amount=entry.amount,
                floor=entry.floor,
            )
        case v.BuildArmy():
            needs = None
            if entry.needs is not None:
                needs = (_factions(table, record, seat, entry.needs.faction)[0], entry.needs.at_least)
            return replace(_at(table, record, base, entry.where, any_kind=True), cost=entry.cost, needs=needs)
        case v.MoveArmy():
            return replace(
                base,
                to=regions(table, record, entry.to),
                max_steps=entry.max_steps,
                free_steps=entry.free_steps,
                count=entry.count,
            )
        case v.GainMoney():
            return replace(base, amount=entry.amount)
        case v.GainMoneyPerRegion():
            return replace(
                base, factions=FACTIONS_OF[seat], amount=entry.amount, floor=entry.own_die_at_least, most=entry.max
            )
        case v.PlaceFracture() if seat == EUROPE:
            raise refuse(table, f"{record}: place_fracture is for russia alone")
        case v.PlayExtraActionCard() if special is not None and special.kind == "reaction":
            raise refuse(table, f"{record}: play_extra_action_card is for the own turn, not for a reaction")
        case v.PlayExtraActionCard() | v.OpponentDiscardRandomActionCard():
            return replace(base, count=entry.count, draws_back=entry.draws_back)
    return base


def _refer(table: str, record: str, entry: v.Operation, special: Special | None, *, grey: bool) -> None:
    """See that a word which refers to the text around it finds what it means there.

    The dice of trigger and condition are the owner's, so that no reaction can raise them. A region in which the trigger
    happens is sure for dice, and for the army and the money of a grey card.
    """
    kind, trigger = ("", "") if special is None else (special.kind, special.trigger)
    condition = special is not None and special.condition is not None
    here = trigger.endswith("_influence") or (grey and trigger in ("build_army", "gain_money"))
    found = {
        "same_as_trigger": kind == "effect",
        "faction_of_condition": condition and kind != "reaction",
        "trigger_region": here and not getattr(entry, "each", False),
    }
    for field in ("faction", "regions", "where"):
        word = getattr(entry, field, None)
        if isinstance(word, str) and not found.get(word, True):
            raise refuse(table, f"{record}: {word} has nothing to refer to")


def _at(table: str, record: str, op: Op, where: v.Where, *, any_kind: bool = False) -> Op:
    """Return an operation with its places; armies may be built in any kind of region, dice lie in contested ones."""
    replace = msgspec.structs.replace
    if where == "any_contested":
        return replace(op, regions=_ALL_CONTESTED)
    if where == "any_contested_with_own_die":
        return replace(op, regions=_ALL_CONTESTED, own_die=True)
    if where == "trigger_region":
        return replace(op, regions=_ALL_CONTESTED, at_trigger=True)
    return replace(op, regions=regions(table, record, where, None if any_kind else RegionKind.CONTESTED))


def _special(table: str, card: v.CardRecord, owner: int, entry: v.SpecialRecord, *, grey: bool) -> Special:
    record = f"{card.id}, special {entry.kind}"
    if (entry.kind == "action") == (entry.trigger is not None):
        raise refuse(table, f"{record}: an effect or reaction has a trigger, an action has none")
    condition = None
    if entry.condition is not None:
        asked = entry.condition
        condition = Condition(
            region(table, record, asked.region, RegionKind.CONTESTED),
            _factions(table, record, owner, asked.faction),
            asked.at_least,
        )
    trigger, faction = "", NONE
    if entry.trigger is not None:
        trigger = entry.trigger.op
        faction = NONE if entry.trigger.faction is None else FACTIONS.index(entry.trigger.faction)
    special = Special(entry.kind, (), trigger, faction, condition)
    seat = 1 - owner if entry.kind == "reaction" else owner
    compiled = [_compile(table, record, seat, op, special, grey=grey) for op in entry.do]
    compiled = [msgspec.structs.replace(op, optional=op.optional and entry.optional) for op in compiled]
    return msgspec.structs.replace(special, ops=tuple(map(_number, compiled)))


def _action(table: str, card: str, owner: int, entry: v.ActionRecord) -> CardAction:
    record = f"{card}, action {entry.op}"
    needed = {
        "place_influence": ("cost",),
        "increase_influence": ("amount",),
        "gain_money": ("amount",),
        "build_army": ("cost", "where"),
        "move_army": (),
    }[entry.op]
    for field in ("amount", "cost", "where"):
        if (getattr(entry, field) is not None) != (field in needed):
            raise refuse(table, f"{record}: {field} {'is missing' if field in needed else 'has no meaning here'}")
    if entry.op == "increase_influence" and (entry.amount or 0) > v.MOST_RAISE:
        raise refuse(table, f"{record}: amount must be at most {v.MOST_RAISE}")
    where = NONE if entry.where is None else region(table, record, entry.where)
    if where != NONE and KINDS[where] is BARRED[owner]:
        raise refuse(table, f"{record}: where must not be the opponent's home")
    return CardAction(
        op=entry.op,
        faction=_factions(table, record, owner, entry.faction)[0],
        amount=entry.amount or 0,
        cost=entry.cost or 0,
        where=where,
    )


def _actions(table: str, card: v.CardRecord, owner: int) -> tuple[CardAction, ...]:
    """Return the actions of a card; each stands on it once, a die's once for each faction."""
    for entry in card.actions:
        if card.region is not None and entry.where not in (None, card.region):
            raise refuse(table, f"{card.id}, action {entry.op}: where must be the region of the card")
    found = tuple(_action(table, card.id, owner, entry) for entry in card.actions)
    keys = [(a.op, a.faction if a.op.endswith("influence") else NONE) for a in found]
    if len(set(keys)) != len(keys):
        raise refuse(table, f"{card.id}: an action stands on the card twice")
    return found


def _cards(table: str, owner: int, count: int, kind: RegionKind | None) -> list[Card]:
    """Return the cards of a table; `kind` is the kind of their regions, None where cards have none."""
    found = records(v.CardRecord, table, "cards")
    counted(table, "cards", len(found), count)
    cards = []
    for card in found:
        if (card.region is None) != (kind is None):
            raise refuse(table, f"{card.id}: region {'is missing' if kind else 'has no meaning here'}")
        here = NONE if card.region is None else region(table, card.id, card.region, kind)
        space = ENERGY_SECTOR if card.id == "energy_sector" else here
        specials = [_special(table, card, owner, entry, grey=kind is RegionKind.CONTESTED) for entry in card.special]
        actions = [special for special in specials if special.kind == "action"]
        if len(actions) > 1:
            raise refuse(table, f"{card.id}: more than one special action")
        cards.append(
            Card(
                id=card.id,
                name=card.name,
                owner=owner,
                grey=kind is RegionKind.CONTESTED,
                region=here,
                space=space,
                initiative=card.initiative,
                actions=_actions(table, card, owner),
                action=actions[0] if actions else None,
                effects=tuple(special for special in specials if special.kind == "effect"),
                reactions=tuple(special for special in specials if special.kind == "reaction"),
            )
        )
    if kind is not None and len({card.region for card in cards}) != count:
        raise refuse(table, "two cards have the same region")
    return sorted(cards, key=lambda card: card.region) if kind is RegionKind.CONTESTED else cards


_green = _cards("europe_action_cards", EUROPE, 13, RegionKind.EUROPE)
_grey = (
    _cards("contested_europe_cards", EUROPE, CONTESTED, RegionKind.CONTESTED),
    _cards("contested_russia_cards", RUSSIA, CONTESTED, RegionKind.CONTESTED),
)
_red = _cards("russia_action_cards", RUSSIA, 7, None)
if not any(card.id == "energy_sector" for card in _red):
    raise refuse("russia_action_cards", "no card is called energy_sector")
#: Every action card; state and frames hold indices into it.
CARDS: tuple[Card, ...] = (*_green, *_grey[EUROPE], *_red, *_grey[RUSSIA])
#: By seat: the cards that a side starts with, and its grey card of each contested region.
START_CARDS: tuple[tuple[int, ...], ...] = tuple(
    tuple(i for i, card in enumerate(CARDS) if card.owner == seat and not card.grey) for seat in (EUROPE, RUSSIA)
)
GREY_CARDS: tuple[tuple[int, ...], ...] = tuple(
    tuple(i for i, card in enumerate(CARDS) if card.owner == seat and card.grey) for seat in (EUROPE, RUSSIA)
)
#: By seat: a card's index by its id; the two sides have grey cards of the same ids.
CARD_INDEX: tuple[dict[str, int], ...] = tuple(
    {card.id: i for i, card in enumerate(CARDS) if card.owner == seat} for seat in (EUROPE, RUSSIA)
)
if any(len(names) != len(START_CARDS[seat]) + CONTESTED for seat, names in enumerate(CARD_INDEX)):
    raise refuse("russia_action_cards", "a card has the id of another card of its side")
#: The green cards that have EU actions: where the fracture marker may be placed.
FRACTURABLE: tuple[int, ...] = tuple(
    card for card in START_CARDS[EUROPE] if any(action.faction == EU for action in CARDS[card].actions)
)


def _advantages() -> list[Advantage]:
    found = records(v.AdvantageRecord, "advantage_cards", "cards")
    cards = []
    for seat in (EUROPE, RUSSIA):
        own = [card for card in found if card.owner is SIDES[seat]]
        counted("advantage_cards", f"cards of {SIDES[seat]}", len(own), 7)
        for card in own:
            ops = tuple(_number(_compile("advantage_cards", card.id, seat, op, None)) for op in card.do)
            cards.append(Advantage(card.id, card.name, seat, card.money, ops))
    return cards


#: Every advantage card; state holds indices into it.
ADVANTAGES: tuple[Advantage, ...] = tuple(_advantages())
ADVANTAGE_INDEX: dict[str, int] = {card.id: i for i, card in enumerate(ADVANTAGES)}
#: By seat: its advantage cards.
ADVANTAGES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(i for i, card in enumerate(ADVANTAGES) if card.owner == seat) for seat in (EUROPE, RUSSIA)
)
OPS: tuple[Op, ...] = tuple(_ops)

#: The card on which each operation is printed: an index into CARDS or, for the second, into ADVANTAGES; NONE for none.
SOURCES: tuple[tuple[int, int], ...] = tuple(
    source
    for _, source in sorted(
        [(op, (i, NONE)) for i, card in enumerate(CARDS) for special in card.specials for op in special.ops]
        + [(op, (NONE, i)) for i, card in enumerate(ADVANTAGES) for op in card.ops]
    )
)
