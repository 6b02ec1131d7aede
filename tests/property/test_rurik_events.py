"""Rebuild the table of Rurik from what a spectator is told: events leave nothing out and make nothing up."""

from typing import Any

import pytest

from engine.core.events import seen_by
from engine.games.rurik import events as e
from engine.games.rurik.data import REGION_INDEX
from engine.games.rurik.ids import GOODS, NONE, STRUCTURES, TRACKS, MarketBonus
from tests.conformance.cases import GAME_CASES, Case
from tests.conformance.walk import begin, told, walk

SEEDS = range(700, 706)


class Shadow:
    """Follow the public side of a game by events alone, from the state at the first decision."""

    def __init__(self, state: Any) -> None:
        self.players = [player.clone() for player in state.players]
        self.hands = [len(player.hand) for player in state.players]
        self.neutrals = state.neutrals.copy()
        self.rebels = [sticker != NONE for sticker in state.rebels]
        self.goods = state.goods.copy()
        self.built = [owners.copy() for owners in state.built]
        self.icons = state.icons
        self.marker = state.marker
        self.round = state.round

    def troops(self, seat: int, region: str, count: int) -> None:
        self.players[seat].troops[REGION_INDEX[region]] += count
        self.players[seat].supply -= count

    def lose(self, seat: int, region: str, leader: bool) -> None:
        if leader:
            assert self.players[seat].leader_at == REGION_INDEX[region]
            self.players[seat].leader_at = NONE
        else:
            self.troops(seat, region, -1)

    def hear(self, event: Any) -> None:  # noqa: C901 - an arm for each kind of event
        seat = getattr(event, "seat", NONE)
        player = self.players[seat]
        match event:
            case e.TroopPlaced():
                self.troops(seat, event.region, 1)
            case e.LeaderPlaced():
                player.leader_at = REGION_INDEX[event.region]
            case e.AdvisorPlaced():
                player.coins -= event.coins
                player.advisors.remove(event.advisor)
            case e.CoinsGained():
                player.coins += event.coins
            case e.CoinsSpent():
                player.coins -= event.coins
            case e.TroopMustered(leader=True):
                player.leader_at = REGION_INDEX[event.region]
            case e.TroopMustered():
                self.troops(seat, event.region, 1)
            case e.TroopMoved():
                self.move(player, event)
            case e.OpponentMoved():
                self.move(self.players[event.victim], event)
            case e.RebelDefeated(good=None):
                self.rebels[REGION_INDEX[event.region]] = False
                player.coins += event.amount
            case e.RebelDefeated():
                self.rebels[REGION_INDEX[event.region]] = False
                player.goods[GOODS.index(event.good)] += event.amount
            case e.PlayerAttacked():
                self.lose(event.victim, event.region, event.leader)
                player.warfare = event.warfare
            case e.NeutralRemoved():
                self.neutrals[REGION_INDEX[event.region]] -= 1
            case e.TroopRemoved():
                self.lose(seat, event.region, event.leader)
            case e.CoinStolen():
                player.coins += 1
                self.players[event.victim].coins -= 1
            case e.GoodTaxed():
                self.goods[REGION_INDEX[event.region]] = False
                player.goods[GOODS.index(event.good)] += 1 + (event.market == MarketBonus.GOOD)
                player.coins += event.market == MarketBonus.COIN
                assert GOODS[self.icons[REGION_INDEX[event.region]]] == event.good
            case e.GoodSpent():
                player.goods[GOODS.index(event.good)] -= 1
            case e.StructureBuilt():
                self.built[STRUCTURES.index(event.structure)][REGION_INDEX[event.region]] = seat
            case e.StructureRemoved():
                self.built[STRUCTURES.index(event.structure)][REGION_INDEX[event.region]] = NONE
            case e.ChurchConverted(victim=None, neutral=True):
                self.neutrals[REGION_INDEX[event.region]] -= 1
            case e.ChurchConverted(victim=None):
                self.rebels[REGION_INDEX[event.region]] = False
            case e.ChurchConverted():
                self.lose(event.victim, event.region, leader=False)
            case e.SchemeKept():
                assert event.card is None
                self.hands[seat] += 1
            case e.SchemePlayed() | e.SchemeDiscarded():
                self.hands[seat] -= 1
            case e.MarkerGiven():
                self.marker = event.to
            case e.DeedTaken():
                player.deeds.append(event.deed)
            case e.DeedAccomplished():
                player.deeds.remove(event.deed)
                player.accomplished.append(event.deed)
            case e.TroopsRecovered():
                player.leader_at = REGION_INDEX[event.region]
                self.troops(seat, event.region, 1)
            case e.ClaimAdvanced():
                player.claims[TRACKS.index(event.track)] = event.space
            case e.IncomeEarned():
                player.coins += event.markers + event.columns
            case e.GoodsReplenished():
                for region in event.regions:
                    self.goods[REGION_INDEX[region]] = True
            case e.PhaseStarted():
                self.round = event.round
                if event.phase == "strategy":
                    self.new_advisors()

    def move(self, player: Any, event: Any) -> None:
        source, target = REGION_INDEX[event.source], REGION_INDEX[event.target]
        if event.leader:
            assert player.leader_at == source
            player.leader_at = target
        count = getattr(event, "escorts", 0) if event.leader else 1
        player.troops[source] -= count
        player.troops[target] += count

    def new_advisors(self) -> None:
        if self.round > 1:
            numbers = [1, 2, 4, 5] + [2] * (self.round >= 3) + [3] * (self.round >= 4 and len(self.players) < 4)
            for player in self.players:
                player.advisors = sorted(numbers)

    def check(self, state: Any) -> None:
        for seat, (mine, true) in enumerate(zip(self.players, state.players, strict=True)):
            for name in ("troops", "supply", "leader_at", "coins", "goods", "warfare", "claims", "advisors"):
                assert getattr(mine, name) == getattr(true, name), f"seat {seat}: {name}"
            assert self.hands[seat] == len(true.hand), f"seat {seat}: schemes"
            assert len(mine.deeds) == len(true.deeds)
            assert len(mine.accomplished) == len(true.accomplished)
        assert self.neutrals == state.neutrals
        assert self.rebels == [sticker != NONE for sticker in state.rebels]
        assert self.goods == state.goods
        assert self.built == state.built
        assert self.marker == state.marker
        assert self.round == state.round


@pytest.mark.parametrize("case", [case for case in GAME_CASES if case.game == "rurik"], ids=str)
def test_a_spectator_can_follow_every_public_change(case: Case) -> None:
    for seed in SEEDS:
        with told(case, seed):
            shadow = Shadow(begin(case, seed)[1])
            for moment in walk(case, seed):
                for emitted in moment.step.events:
                    event = seen_by(emitted, None)
                    if event is not None:
                        shadow.hear(event)
                shadow.check(moment.step.state)
