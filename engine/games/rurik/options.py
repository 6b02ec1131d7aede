"""Hold every action object that can be made at load, so that listing legal actions is looking them up."""

from engine.games.rurik import actions as a
from engine.games.rurik.data import AGENDAS, DEEDS, LEADERS, REGIONS, SCHEMES
from engine.games.rurik.ids import COLOURS, COLUMNS, GOODS, PRIORITIES, STRUCTURES, MarketBonus

CHOOSE_LEADER = tuple(a.ChooseLeader(leader) for leader in LEADERS)
CHOOSE_AGENDA = tuple(a.ChooseAgenda(agenda.id) for agenda in AGENDAS)
CHOOSE_COLOUR = tuple(a.ChooseColour(colour) for colour in COLOURS)
PLACE_TROOP = tuple(a.PlaceTroop(r) for r in REGIONS)
PLACE_LEADER = tuple(a.PlaceLeader(r) for r in REGIONS)

#: By advisor number (0 unused) and column.
PLACE_ADVISOR = tuple(tuple(a.PlaceAdvisor(n, c) for c in COLUMNS) for n in range(6))
#: By column and row (from 0).
TAKE_ACTION = tuple(tuple(a.TakeAction(c, row + 1) for row in range(4)) for c in COLUMNS)
FORFEIT_ACTION = tuple(tuple(a.ForfeitAction(c, row + 1) for row in range(4)) for c in COLUMNS)
PLAY_SCHEME = tuple(a.PlayScheme(card.id) for card in SCHEMES)
ACCOMPLISH_DEED = tuple(a.AccomplishDeed(deed.id) for deed in DEEDS)
RECOVER_TROOPS = tuple(a.RecoverTroops(r) for r in REGIONS)
END_TURN = a.EndTurn()
DONE = a.Done()

MUSTER_TROOP = tuple(a.MusterTroop(r) for r in REGIONS)
MUSTER_LEADER = tuple(a.MusterLeader(r) for r in REGIONS)
#: By source and target.
MOVE_TROOP = tuple(tuple(a.MoveTroop(s, t) for t in REGIONS) for s in REGIONS)
#: By source, target and escorts.
MOVE_LEADER = tuple(tuple(tuple(a.MoveLeader(s, t, n) for n in range(3)) for t in REGIONS) for s in REGIONS)
ATTACK_REBEL = tuple(a.AttackRebel(r) for r in REGIONS)
#: By region and seat.
ATTACK_PLAYER = tuple(tuple(a.AttackPlayer(r, seat) for seat in range(4)) for r in REGIONS)
ATTACK_NEUTRAL = tuple(a.AttackNeutral(r) for r in REGIONS)
CHOOSE_DECK = (a.ChooseDeck(0), a.ChooseDeck(1))
REMOVE_TROOP = tuple(a.RemoveTroop(r) for r in REGIONS)
REMOVE_LEADER = tuple(a.RemoveLeader(r) for r in REGIONS)
COLLECT_GOOD = tuple(a.CollectGood(r) for r in REGIONS)
#: With an own market: the two bonuses, by region.
COLLECT_WITH_MARKET = tuple((a.CollectGood(r, MarketBonus.GOOD), a.CollectGood(r, MarketBonus.COIN)) for r in REGIONS)
#: By structure and region.
BUILD_STRUCTURE = tuple(tuple(a.BuildStructure(s, r) for r in REGIONS) for s in STRUCTURES)
REMOVE_STRUCTURE = tuple(tuple(a.RemoveStructure(s, r) for r in REGIONS) for s in STRUCTURES)
CONVERT_REBEL = a.ConvertRebel()
CONVERT_NEUTRAL = a.ConvertNeutral()
CONVERT_TROOP = tuple(a.ConvertTroop(seat) for seat in range(4))
KEEP_SCHEME = tuple(a.KeepScheme(card.id) for card in SCHEMES)
PUT_BACK_SCHEME = tuple(a.PutBackScheme(card.id) for card in SCHEMES)
DISCARD_SCHEME = tuple(a.DiscardScheme(card.id) for card in SCHEMES)
GIVE_MARKER = tuple(a.GiveMarker(seat) for seat in range(4))
SPEND_GOOD = tuple(a.SpendGood(good) for good in GOODS)
RELOCATE_TROOP = tuple(tuple(a.RelocateTroop(s, t) for t in REGIONS) for s in REGIONS)
RELOCATE_LEADER = tuple(tuple(tuple(a.RelocateLeader(s, t, n) for n in range(3)) for t in REGIONS) for s in REGIONS)
TAKE_DEED = tuple(a.TakeDeed(deed.id) for deed in DEEDS)
#: By victim and target.
MOVE_OPPONENT_TROOP = tuple(tuple(a.MoveOpponentTroop(seat, r) for r in REGIONS) for seat in range(4))
MOVE_OPPONENT_LEADER = tuple(tuple(a.MoveOpponentLeader(seat, r) for r in REGIONS) for seat in range(4))
UNLOCK_BONUS = tuple(map(a.UnlockBonus, PRIORITIES))

_BRIBES = tuple(a.AddBribe(coins) for coins in range(64))


def bribes(coins: int) -> tuple[a.AddBribe, ...]:
    """Return every bribe that a purse of `coins` allows."""
    return _BRIBES[: coins + 1] if coins < len(_BRIBES) else tuple(a.AddBribe(n) for n in range(coins + 1))
