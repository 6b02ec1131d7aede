"""Draw Europe Divided, and let greedy judge it."""

import random

import pytest

from bots.console import europe_divided as drawing
from bots.console import screen
from bots.console.text import HEIGHT, WIDTH, ascii_only, plain, width
from bots.games import evaluation
from engine.core.registry import GAMES
from tests.games.europe_divided.scenario import EU, EUROPE, NATO, RUS, RUSSIA, headlines, play, scenario, using

RULES = GAMES["europe_divided"]


def states(seed, every=9):
    rng = random.Random(seed)
    state = RULES.initial_state(RULES.config(2, {}), seed)
    number = 0
    while pending := RULES.pending(state):
        if number % every == 0:
            yield state
        number += 1
        seat = pending[0].seat
        state = RULES.apply(state, seat, rng.choice(RULES.legal_actions(state, seat))).state
    yield state


@pytest.mark.parametrize("seed", range(3))
def test_every_screen_fits_and_is_plain_text(seed):
    for state in states(seed):
        for own in (None, EUROPE, RUSSIA):
            table = RULES.observe(state, own).table
            moves = [f"Place EU influence in Czechia and Slovakia by way {i}" for i in range(40)]
            shown, _ = screen.compose(drawing.draw(table, own), ["News."] * 9, "Take an action.", moves, 0)
            assert len(shown) < HEIGHT
            for line in [*drawing.draw(table, own), *drawing.cards(table, own), *drawing.borders(table, own)]:
                assert width(line) <= WIDTH
                assert "_" not in plain(line)
                assert ascii_only(plain(line)).isprintable()


def test_the_board_shows_dice_armies_tokens_and_the_power_at_sea():
    state = scenario(
        dice={EU: {"poland": 6}, NATO: {"poland": 2}, RUS: {"poland": 1}},
        armies={EUROPE: {"poland": 2, "germany": 1, "baltic_sea": 1}, RUSSIA: {"moscow": 3}},
        tokens={"poland": 2, "energy_sector": 1},
    )
    text = "\n".join(plain(line) for line in drawing.draw(RULES.observe(state, None).table, None))
    assert " Poland                6    2    1    E2      $2" in text
    assert "Germany E1" in text
    assert "Moscow R3" in text
    assert "Energy Sector $1" in text
    assert "Baltic Sea: held by EU (EU 6, NATO 2, RUS 1) E1" in text


def test_a_headline_is_marked_with_its_side_and_where_it_holds():
    state = headlines(scenario(dice={RUS: {"moldova": 1}}), "dodons_election", "rose_revolution")
    text = "\n".join(plain(line) for line in drawing.draw(RULES.observe(state, None).table, None))
    assert "now  *R Dodon's Election 1" in text
    assert "now   E Rose Revolution 2" in text


def test_the_other_hand_is_not_drawn():
    state = next(iter(states(1)))
    table = RULES.observe(state, EUROPE).table
    text = "\n".join(map(plain, [*drawing.draw(table, EUROPE), *drawing.cards(table, EUROPE)]))
    assert "hand: " in text
    for name in ("News Media", "Security Services", "The President"):
        assert name not in text


def test_cards_that_are_chosen_or_played_now_say_what_they_do():
    choosing = next(state for state in states(1, every=1) if RULES.pending(state)[0].kind == "choose_cards")
    table = RULES.observe(choosing, EUROPE).table
    text = [plain(line) for line in drawing.draw_hand(table, EUROPE)]
    hand = table.players[EUROPE].hand
    assert [line.partition(" (")[0] for line in text[: len(hand)]] == [
        f"hand: {drawing._card(EUROPE, name).name}" for name in hand
    ]
    assert all("): " in line for line in text[: len(hand)])
    legal = RULES.legal_actions(choosing, EUROPE)
    chosen = RULES.observe(RULES.apply(choosing, EUROPE, legal[0]).state, EUROPE).table
    text = [plain(line) for line in drawing.draw_hand(chosen, EUROPE)]
    assert text[0].startswith("hand: ")
    assert "):" not in text[0]
    assert [line.partition(": ")[0] for line in text[1:3]] == ["chosen", "chosen"]
    assert all("): " in line for line in text[1:3])


def test_prestige_counts_more_than_means():
    evaluate = evaluation("europe_divided")
    plain_state = scenario()
    ahead = scenario()
    ahead.players[EUROPE].prestige[0] = 1
    assert evaluate(ahead, EUROPE) - evaluate(plain_state, EUROPE) == pytest.approx(1)
    assert evaluate(ahead, RUSSIA) - evaluate(plain_state, RUSSIA) == pytest.approx(-1)


def test_an_army_on_its_way_promises_what_it_can_reach():
    evaluate = evaluation("europe_divided")

    def promise(**position):
        state = using(scenario(armies={EUROPE: {"germany": 1}}, **position), EUROPE, "germany")
        return evaluate(play(state, EUROPE, RULES.legal_actions(state, EUROPE)[-1]), EUROPE) - evaluate(state, EUROPE)

    assert promise() > 0
    assert promise(dice={RUS: {"poland": 6}}) > promise(dice={RUS: {"poland": 5}}) > promise()


def test_the_best_answer_by_judgement_beats_random_play():
    rng = random.Random(1)
    evaluate = evaluation("europe_divided")
    wins = 0
    for seed in range(4):
        state = RULES.initial_state(RULES.config(2, {}), seed)
        while pending := RULES.pending(state):
            seat = pending[0].seat
            legal = RULES.legal_actions(state, seat)
            action = rng.choice(legal)
            if seat == seed % 2 and len(legal) > 1:
                guess = RULES.determinize(RULES.observe(state, seat), rng)
                worth = []
                for option in legal:
                    after = guess.clone()
                    RULES.advance(after, seat, option)
                    worth.append(evaluate(after, seat))
                action = legal[worth.index(max(worth))]
            RULES.advance(state, seat, action)
        wins += RULES.outcome(state).ranks[seed % 2] == 1
    assert wins == 4
