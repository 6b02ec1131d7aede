"""Offers that a client words go through the service; bad ones are told exactly, and change no stored byte."""

import random
from typing import Any

import grpc
import pytest

from tests.services.conftest import Stored
from tests.services.table import DEADLINE, Client, Seats, bearer, refusal
from veche.games.masters_of_europe.v1 import masters_of_europe_pb2 as moe
from veche.v1 import match_pb2

CODE = grpc.StatusCode
GAME = "masters_of_europe"
ACTION = "submissions[0].action"
NUMBER = moe.CARD_KIND_NUMBER


class Trade:
    """Hold a match of three claimed seats in its first trade phase."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats

    @classmethod
    async def begin(cls, client: Client) -> "Trade":
        seats = await client.create(3, game=GAME, seed="5")
        dice = random.Random(1)
        while (view := await seats.on_turn()).choice.decision.kind == "place_token":
            await seats.submit(seats.answer(view, dice.randrange(len(view.choice.legal_actions))), view.seat)
        assert view.choice.decision.kind == "trade"
        return cls(seats)

    async def hand(self, seat: int) -> list[str]:
        view = await self.seats.view(seat)
        return list(view.table.masters_of_europe.players[seat].hand)

    async def request(self, seat: int, **action: Any) -> Any:
        """Return the request of a seat that plays an action of its own words."""
        request = self.seats.answer(await self.seats.view(seat))
        request.submissions[0].action.masters_of_europe.CopyFrom(moe.Action(**action))
        return request

    async def play(self, seat: int, **action: Any) -> Any:
        return await self.seats.submit(await self.request(seat, **action), seat)

    async def refused(
        self, stored: Stored, seat: int, code: grpc.StatusCode, reason: str, field: str, **action: Any
    ) -> str:
        """Check that an action is refused in exactly this way and leaves every key as it was; return what is said."""
        request = await self.request(seat, **action)
        before = stored.dump()
        told = await refusal(self.seats.submit(request, seat))
        assert (told.code, told.reason, told.field) == (code, reason, field), told
        assert stored.dump() == before
        return told.message

    async def illegal(self, stored: Stored, seat: int, **action: Any) -> str:
        """Check that an action is refused as illegal; return what is said."""
        return await self.refused(stored, seat, CODE.FAILED_PRECONDITION, "ILLEGAL_ACTION", ACTION, **action)


def offer(to: int | None, give: Any, want: Any) -> dict[str, Any]:
    return {"make_offer": moe.MakeOffer(to=to, give=give, want=want)}


def cards(*names: str) -> moe.Bundle:
    return moe.Bundle(cards=names)


async def test_decisions_say_which_kinds_of_action_the_client_may_word(client: Client) -> None:
    trade = await Trade.begin(client)
    for seat in range(3):
        view = await trade.seats.view(seat)
        assert list(view.choice.decision.open) == ["make_offer", "counter_offer"]
        assert [list(decision.open) for decision in view.pending] == [["make_offer", "counter_offer"]] * 3


async def test_an_offer_in_ones_own_words_is_made_answered_and_met(client: Client) -> None:
    trade = await Trade.begin(client)
    mine, theirs = await trade.hand(0), await trade.hand(1)
    worded = offer(1, cards(*mine[:2]), cards(theirs[0]))
    listed = (await trade.seats.view(0)).choice.legal_actions
    assert moe.Action(**worded) not in [legal.action.masters_of_europe for legal in listed]
    assert (await trade.play(0, **worded)).applied == 1
    for seat, reads in ((0, True), (1, True), (2, False)):
        (standing,) = (await trade.seats.view(seat)).table.masters_of_europe.offers
        assert (standing.seat, standing.to, standing.HasField("give")) == (0, 1, reads)
    reply = await trade.play(1, accept_offer=moe.AcceptOffer(offer=1))
    assert reply.applied == 1
    assert sorted(await trade.hand(1)) == sorted([*theirs[1:], *mine[:2]])
    assert sorted(await trade.hand(0)) == sorted([*mine[2:], theirs[0]])


async def test_a_counter_offer_in_ones_own_words_is_made(client: Client) -> None:
    trade = await Trade.begin(client)
    mine, theirs = await trade.hand(0), await trade.hand(1)
    await trade.play(0, **offer(None, cards(mine[0]), moe.Bundle(kinds=[NUMBER] * 3)))
    await trade.play(1, counter_offer=moe.CounterOffer(offer=1, give=cards(theirs[0]), want=cards(mine[0])))
    await trade.play(0, accept_offer=moe.AcceptOffer(offer=2))
    assert theirs[0] in await trade.hand(0)


async def test_one_seats_offer_leaves_the_decisions_of_seats_open_that_it_does_not_concern(client: Client) -> None:
    trade = await Trade.begin(client)
    mine, request = await trade.hand(0), await trade.request(2, finish_trading=moe.FinishTrading())
    await trade.play(0, **offer(1, cards(mine[0]), moe.Bundle(kinds=[NUMBER])))
    assert (await trade.seats.submit(request, 2)).applied == 1


async def seen_by_third_seats(trade: Trade) -> list[bytes]:
    """Return all that seat 2 and a spectator read of the match, without what names the match or the moment."""
    seen = []
    for seat in (2, None):
        view = await trade.seats.view(seat)
        view.ClearField("match_id")
        seen.append(view.SerializeToString(deterministic=True))
        token = None if seat is None else trade.seats.tokens[seat]
        request = match_pb2.GetRecordRequest(match_id=trade.seats.id, page_size=1000)
        reply = await trade.seats.client.matches.GetRecord(request, timeout=DEADLINE, metadata=bearer(token))
        for entry in reply.entries:
            entry.ClearField("time")
        seen += [entry.SerializeToString(deterministic=True) for entry in reply.entries]
    return seen


async def test_third_seats_read_the_same_bytes_whatever_two_others_offer_and_hand_over(client: Client) -> None:
    seen = []
    for choice in (0, 1):
        trade = await Trade.begin(client)
        mine = sorted(set(await trade.hand(0)))
        await trade.play(0, **offer(1, cards(mine[choice]), moe.Bundle(kinds=[NUMBER])))
        seen.append([await seen_by_third_seats(trade)])
        view = await trade.seats.view(1)
        ways = [n for n, legal in enumerate(view.choice.legal_actions) if legal.text.startswith("Accept")]
        assert len(ways) > 1
        await trade.seats.submit(trade.seats.answer(view, ways[choice]), 1)
        seen[-1].append(await seen_by_third_seats(trade))
    assert seen[0] == seen[1]


BAD = {
    "an offer to oneself": (offer(0, moe.Bundle(), moe.Bundle(kinds=[NUMBER])), "oneself"),
    "a seat that is not there": (offer(3, moe.Bundle(), moe.Bundle(kinds=[NUMBER])), "no seat 3"),
    "more chips than one has": (offer(1, moe.Bundle(chips=1), moe.Bundle(kinds=[NUMBER])), "has 0 chips"),
    "a card that does not exist": (offer(1, cards("atlantis"), moe.Bundle(chips=1)), "no card 'atlantis'"),
    "a wish for a card that does not exist": (offer(1, moe.Bundle(), cards("War")), "no card 'War'"),
    "a gift by type": (offer(1, moe.Bundle(kinds=[NUMBER]), moe.Bundle(chips=1)), "name the cards"),
    "nothing for nothing": (offer(1, moe.Bundle(), moe.Bundle()), "give or ask for something"),
    "too many types": (offer(1, moe.Bundle(), moe.Bundle(kinds=[NUMBER] * 4)), "3 by type"),
    "an offer that never was": ({"accept_offer": moe.AcceptOffer(offer=9)}, "offer 9 has lapsed"),
    "to decline nothing": ({"decline_offer": moe.DeclineOffer(offer=9)}, "offer 9 has lapsed"),
    "to withdraw nothing": ({"withdraw_offer": moe.WithdrawOffer(offer=9)}, "no standing offer 9"),
    "to counter nothing": (
        {"counter_offer": moe.CounterOffer(offer=9, give=moe.Bundle(), want=moe.Bundle(chips=1))},
        "offer 9 has lapsed",
    ),
    "a move of another phase": ({"end_turn": moe.EndTurn()}, "not among the"),
}


@pytest.mark.parametrize("what", BAD)
async def test_an_offer_against_the_rules_is_illegal_and_says_why(client: Client, stored: Stored, what: str) -> None:
    action, says = BAD[what]
    trade = await Trade.begin(client)
    message = await trade.illegal(stored, 0, **action)
    assert says in message


async def test_cards_one_does_not_hold_cannot_be_offered(client: Client, stored: Stored) -> None:
    trade = await Trade.begin(client)
    mine = await trade.hand(0)
    for names in ([next(name for name in await trade.hand(1) if name not in mine)], [mine[0]] * 9):
        message = await trade.illegal(
            stored,
            0,
            **offer(1, cards(*names), moe.Bundle(chips=1)),
        )
        assert "does not hold all the cards it offers" in message


MALFORMED = {
    "negative chips given": (offer(1, moe.Bundle(chips=-1), moe.Bundle(kinds=[NUMBER])), "make_offer.give.chips"),
    "negative chips wanted": (offer(1, moe.Bundle(), moe.Bundle(chips=-5)), "make_offer.want.chips"),
    "endless chips": (offer(1, moe.Bundle(), moe.Bundle(chips=1001)), "make_offer.want.chips"),
    "a type that is none": (offer(1, moe.Bundle(), moe.Bundle(kinds=[NUMBER, 9])), "make_offer.want.kinds[1]"),
    "one side alone": ({"make_offer": moe.MakeOffer(to=1, want=moe.Bundle(chips=1))}, "make_offer.give"),
    "negative chips in a counter-offer": (
        {"counter_offer": moe.CounterOffer(offer=1, give=moe.Bundle(), want=moe.Bundle(chips=-1))},
        "counter_offer.want.chips",
    ),
}


@pytest.mark.parametrize("what", MALFORMED)
async def test_an_offer_that_cannot_be_read_names_the_field(client: Client, stored: Stored, what: str) -> None:
    action, field = MALFORMED[what]
    trade = await Trade.begin(client)
    where = f"{ACTION}.{GAME}.{field}"
    await trade.refused(stored, 0, CODE.INVALID_ARGUMENT, "INVALID_FIELD", where, **action)


async def test_a_lapsed_offer_cannot_be_accepted(client: Client, stored: Stored) -> None:
    trade = await Trade.begin(client)
    card = (await trade.hand(0))[0]
    for to in (1, 2):
        for _ in range((await trade.hand(0)).count(card) if to == 1 else 1):
            await trade.play(0, **offer(to, cards(card), moe.Bundle()))
    offers = [standing.id for standing in (await trade.seats.view(0)).table.masters_of_europe.offers]
    for number in offers[:-1]:
        await trade.play(1, accept_offer=moe.AcceptOffer(offer=number))
    message = await trade.illegal(
        stored,
        2,
        accept_offer=moe.AcceptOffer(offer=offers[-1]),
    )
    assert "has lapsed" in message


async def test_a_withdrawn_offer_cannot_be_accepted(client: Client, stored: Stored) -> None:
    trade = await Trade.begin(client)
    await trade.play(0, **offer(1, cards((await trade.hand(0))[0]), moe.Bundle()))
    late = await trade.request(1, accept_offer=moe.AcceptOffer(offer=1))
    await trade.play(0, withdraw_offer=moe.WithdrawOffer(offer=1))
    before = stored.dump()
    told = await refusal(trade.seats.submit(late, 1))
    assert (told.code, told.reason) == (CODE.ABORTED, "DECISION_CLOSED")
    assert stored.dump() == before
    answer = {"accept_offer": moe.AcceptOffer(offer=1)}
    await trade.illegal(stored, 1, **answer)


async def test_cards_that_pay_for_no_type_are_not_accepted(client: Client, stored: Stored) -> None:
    trade = await Trade.begin(client)
    await trade.play(0, **offer(1, moe.Bundle(cards=(await trade.hand(0))[:1]), moe.Bundle(kinds=[NUMBER])))
    for names in ([], ["atlantis"], ["war"], ["one"] * 2):
        answer = {"accept_offer": moe.AcceptOffer(offer=1, cards=names)}
        await trade.illegal(stored, 1, **answer)


async def test_an_offer_beyond_the_cap_is_refused(client: Client, stored: Stored) -> None:
    trade = await Trade.begin(client)
    card = (await trade.hand(0))[0]
    for _ in range(12):
        await trade.play(0, **offer(None, cards(card), moe.Bundle(chips=3)))
    more = offer(None, cards(card), moe.Bundle(chips=3))
    message = await trade.illegal(stored, 0, **more)
    assert "made its 12 offers" in message


async def test_a_record_of_worded_offers_plays_on_in_another_view(client: Client) -> None:
    """What a seat words is kept in the log like any move: the match goes on and ends."""
    trade = await Trade.begin(client)
    for seat in range(3):
        await trade.play(seat, **offer(None, cards(*(await trade.hand(seat))[:3]), moe.Bundle(kinds=[NUMBER])))
    assert await trade.seats.play(150, random.Random(4)) == 150
