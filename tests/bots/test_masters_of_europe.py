"""Draw Masters of Europe, read offers that a person words, and let greedy play it.

`python -m tests.bots.test_masters_of_europe` writes the screens in screens/ anew.
"""

import random
from pathlib import Path

import pytest

from bots.console import masters_of_europe as drawing
from bots.console import score, screen
from bots.console.masters_of_europe_offers import Unclear, word
from bots.console.text import HEIGHT, WIDTH, ascii_only, plain, width
from bots.games import evaluation
from bots.policies import BLIND, SIGHTED
from engine.core.registry import GAMES
from engine.games.masters_of_europe import actions as a
from engine.games.masters_of_europe.ids import CardKind, MeldAction
from tests.games.masters_of_europe.scenario import act, cards, coins, kinds, play, scenario, trade, turn
from veche.v1 import common_pb2

RULES = GAMES["masters_of_europe"]
SCREENS = Path(__file__).parent / "screens"
NUMBER, ACTION, COUNTRY = CardKind.NUMBER, CardKind.ACTION, CardKind.COUNTRY
COUNTRIES = ("england", "france", "netherlands", "portugal", "hungary")


def busy(seats=3):
    """Return a trade with offers of all sorts, the longest names in hand."""
    hands = {
        0: ("netherlands", "major_power", "absolutism", "revolution", "four", "four", "one", "war"),
        1: ("england", "marriage", "two", "three"),
        2: ("spain", "treaty", "one"),
    }
    board = {seat: {name: (seat + i) % 4 for i, name in enumerate(COUNTRIES)} for seat in range(seats)}
    state = scenario(
        seats,
        tokens=board,
        hands=hands,
        chips={seat: 5 + 12 * seat for seat in range(seats)},
        cubes={"england": 3, "hungary": 12},
        leader=1,
    )
    return play(
        trade(state),
        (0, a.MakeOffer(1, a.Bundle(("netherlands",), (), 3), kinds(NUMBER, NUMBER))),
        (1, a.MakeOffer(2, cards("marriage"), coins(5))),
        (2, a.MakeOffer(None, cards("treaty", "one"), a.Bundle(("war",), (COUNTRY,), 1))),
        (1, a.DeclineOffer(3)),
    )


def compose(state, seat, question="Seat 0: make or answer offers, or finish trading"):
    view = RULES.observe(state, seat)
    moves = [RULES.describe(action, view) for action in view.legal]
    return screen.compose(drawing.draw(view.table, seat), ["Seat 1 declined offer 3."], question, moves, 0)[0]


def trading():
    return compose(busy(), 0)


def eight():
    return compose(busy(8), 0)


def melding():
    hands = {0: ("italy", "spain", "war", "two", "two", "one")}
    state = turn(scenario(4, hands=hands, tokens={1: {"italy": 3}, 2: {"italy": 1}}, chips={3: 100}))
    state = act(state, 0, a.StartMeld(MeldAction.WAR)).state
    state = play(state, (0, a.ChooseCountry("italy", "italy")), (0, a.ChooseNumber("two")))
    return compose(state, 0, "Seat 0: remove a token")


def watching():
    return list(drawing.draw(RULES.observe(busy(), None).table, None))


def pages():
    table = RULES.observe(busy(), 0).table
    return [*drawing.cards(table, 0), "", *drawing.others(table, 0), "", *drawing.GLOSSARY]


DRAWN = {
    "masters_trading": trading,
    "masters_eight": eight,
    "masters_melding": melding,
    "masters_watching": watching,
    "masters_pages": pages,
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_screen_looks_as_written_down(name):
    assert plain("\n".join(DRAWN[name]())) + "\n" == (SCREENS / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", DRAWN)
def test_a_screen_fits_100_by_40_with_its_prompt(name):
    lines = DRAWN[name]()
    assert max(map(width, lines)) <= WIDTH
    assert len(lines) + 1 <= HEIGHT or name == "masters_pages"
    assert "?" not in ascii_only(plain("\n".join(lines)))


@pytest.mark.parametrize("seats", range(3, 9))
def test_every_moment_of_a_game_can_be_drawn(seats):
    rng = random.Random(seats)
    state = RULES.initial_state(RULES.config(seats, {"offer_cap": 3}), seats)
    while pending := RULES.pending(state):
        seat = rng.choice(pending).seat
        for viewer in (None, seat):
            lines = drawing.draw(RULES.observe(state, viewer).table, viewer)
            assert len(lines) <= 30
            assert max(map(width, lines)) <= WIDTH
        state = RULES.apply(state, seat, rng.choice(RULES.legal_actions(state, seat))).state


def test_the_final_score_of_eight_seats_fits_100_columns():
    results = [common_pb2.SeatResult(seat=n, rank=n + 1, score=101 - n, breakdown={"chips": 101 - n}) for n in range(8)]
    names = [f"seat {n} (greedy)" for n in range(8)]
    lines = [plain(line) for line in score.breakdown(common_pb2.Outcome(results=results), names)]
    assert max(map(len, lines)) <= WIDTH
    assert lines[1].split() == [word for n in range(8) for word in ("seat", str(n))]
    assert lines[-1] == "seat 0 (greedy) wins"


# Offers in words.


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("offer 2 give england, 3 chips want any number", a.MakeOffer(2, a.Bundle(("england",), (), 3), kinds(NUMBER))),
        ("offer all give two want 2 chips", a.MakeOffer(None, cards("two"), coins(2))),
        ("offer 1 give major power and war want nothing", a.MakeOffer(1, cards("major_power", "war"), a.Bundle())),
        (
            "counter 12 give 1 chip want any 2 numbers, any country card",
            a.CounterOffer(12, coins(1), kinds(NUMBER, NUMBER, COUNTRY)),
        ),
        (
            "offer 0  give  one want any 2 countries and any action",
            a.MakeOffer(0, cards("one"), kinds(COUNTRY, COUNTRY, ACTION)),
        ),
    ],
)
def test_a_person_words_an_offer(typed, action):
    assert word(typed) == action


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("offer", "offer SEAT"),
        ("offer 1 give england", "offer SEAT"),
        ("offer you give england want war", "'you' is no number"),
        ("counter all give england want war", "'all' is no number"),
        ("offer 1 give atlantis want war", "no card 'atlantis'"),
        ("offer 1 give england want any tank", "no cards of type 'tank'"),
        ("offer 1 give -3 chips want war", "no card '-3 chips'"),
        ("offer 1 give war want 1001 chips", "at most 1000 chips"),
    ],
)
def test_an_offer_that_cannot_be_read_says_why(typed, says):
    with pytest.raises(Unclear, match=says):
        word(typed)


@pytest.mark.parametrize("typed", ["", "n", "offering", "accept 3"])
def test_other_lines_word_no_offer(typed):
    assert word(typed) is None


# Greedy.


def match(seats, seed, greedy, options=None):
    """Play a match in which some seats are greedy; return the last state and the decisions of each trade phase."""
    rng = random.Random(seed)
    state = RULES.initial_state(RULES.config(seats, options or {}), seed)
    phases = {}
    while pending := RULES.pending(state):
        decision = rng.choice(pending)
        legal = RULES.legal_actions(state, decision.seat)
        if decision.kind == "trade":
            phases[state.round] = phases.get(state.round, 0) + 1
        if decision.seat in greedy and len(legal) > 1:
            index = SIGHTED["greedy"](RULES.observe(state, decision.seat), rng)
        else:
            index = BLIND["random"](len(legal), rng)
        state = RULES.apply(state, decision.seat, legal[index]).state
    return state, list(phases.values())


def test_greedy_beats_random():
    wins = 0
    for seed in range(6):
        state, _ = match(3, seed, {seed % 3}, {"offer_cap": 3})
        wins += RULES.outcome(state).ranks[seed % 3] == 1
    assert wins >= 5


def test_greedy_players_end_their_trade_phases_soon():
    phases = [count for seed in range(3) for count in match(3, seed, {0, 1, 2})[1]]
    assert sum(phases) / len(phases) < 12
    assert max(phases) < 60


def test_greedy_takes_an_offer_that_makes_its_meld():
    hands = {0: ("one", "one", "two"), 1: ("england", "royalty", "italy", "spain")}
    state = act(trade(scenario(hands=hands)), 0, a.MakeOffer(1, cards("two"), kinds(COUNTRY))).state
    view = RULES.observe(state, 1)
    assert isinstance(view.legal[SIGHTED["greedy"](view, random.Random(1))], a.AcceptOffer)


def test_greedy_declines_to_pay_for_what_it_does_not_need():
    hands = {0: ("war",), 1: ("england", "royalty", "two", "treaty")}
    state = trade(scenario(hands=hands, chips={1: 20}))
    view = RULES.observe(act(state, 0, a.MakeOffer(1, cards("war"), coins(9))).state, 1)
    assert not isinstance(view.legal[SIGHTED["greedy"](view, random.Random(1))], a.AcceptOffer)


def test_more_chips_are_worth_more_and_those_of_rivals_less():
    evaluate = evaluation("masters_of_europe")
    for seed in range(3):
        state = busy()
        worth = evaluate(state, 0)
        state.players[0].chips += seed + 1
        assert evaluate(state, 0) > worth
        state.players[0].chips -= seed + 1
        state.players[1].chips += seed + 1
        assert evaluate(state, 0) < worth


if __name__ == "__main__":
    for name, draw in DRAWN.items():
        (SCREENS / f"{name}.txt").write_text(plain("\n".join(draw())) + "\n")
