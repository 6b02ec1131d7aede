import random

from engine.games.europe_divided import RULES
from engine.games.europe_divided import actions as a
from engine.games.europe_divided.cards import CARDS
from engine.games.europe_divided.flow import HeadlinesSegment
from engine.games.europe_divided.frames.cards import DrawCards
from engine.games.europe_divided.frames.initiative import Initiative
from engine.games.europe_divided.ids import HIDDEN
from engine.games.europe_divided.stakes import HEADLINES
from engine.games.europe_divided.state import audit
from engine.games.europe_divided.view import SECRETS, redact
from tests.games.europe_divided.scenario import EUROPE, RUSSIA, asked, hand, legal, play, ready, scenario, turn


def announced():
    state = hand(scenario(), RUSSIA, "the_president", "news_media", "energy_sector", "kaliningrad")
    state = ready(state, HeadlinesSegment(), DrawCards(), Initiative())
    state = play(state, EUROPE, legal(state, EUROPE)[0])
    return play(state, RUSSIA, a.ChooseCards("the_president", "energy_sector"))


def test_guessed_cards_have_the_announced_sum():
    view = RULES.observe(announced(), EUROPE)
    found = set()
    for seed in range(40):
        guess = RULES.determinize(view, random.Random(seed))
        assert audit(guess) == []
        chosen = guess.players[RUSSIA].chosen
        assert sum(CARDS[card].initiative for card in chosen) == 7
        found.add(tuple(sorted(chosen)))
    assert len(found) > 1


def test_guessed_hands_hold_what_everybody_knows_is_there():
    state = scenario()
    player = state.players[RUSSIA]
    player.held = player.hand[:2]
    view = RULES.observe(ready(state, HeadlinesSegment(), DrawCards(), Initiative()), EUROPE)
    for seed in range(20):
        guess = RULES.determinize(view, random.Random(seed))
        assert set(player.held) <= set(guess.players[RUSSIA].hand)


def test_nothing_hidden_is_left_in_a_redacted_state():
    state = announced()
    shown = redact(state, EUROPE)
    other = shown.players[RUSSIA]
    for cards in (other.hand, other.chosen, other.deck, other.advantages, other.set_aside, other.headlines):
        assert set(cards) <= {HIDDEN}
    assert set(shown.headline_deck) == {HIDDEN}
    assert shown.rng.seed == b""
    assert shown.players[EUROPE].hand == state.players[EUROPE].hand
    assert set(shown.players[EUROPE].deck) == {HIDDEN}


def test_a_spectator_sees_no_hand():
    shown = redact(announced(), None)
    for player in shown.players:
        assert set(player.hand) <= {HIDDEN}
        assert set(player.chosen) <= {HIDDEN}


def test_secrets_deal_the_other_sides_hidden_cards_anew():
    state = announced()
    twins = [SECRETS(state, EUROPE, random.Random(seed)) for seed in range(10)]
    assert any(twin.players[RUSSIA].hand != state.players[RUSSIA].hand for twin in twins)
    assert all(twin.players[EUROPE].hand == state.players[EUROPE].hand for twin in twins)
    assert all(audit(twin) == [] for twin in twins)


def test_guessed_headlines_keep_the_periods_apart():
    rng = random.Random(8)
    state = RULES.initial_state(RULES.config(2, {}), 8)
    while state.turn < 17:
        for seat in (None, EUROPE, RUSSIA):
            guess = RULES.determinize(RULES.observe(state, seat), rng)
            for player, truth in zip(guess.players, state.players, strict=True):
                for mine, theirs in ((player.shelved, truth.shelved), (player.headlines, truth.headlines)):
                    periods = [sorted(HEADLINES[card].period for card in cards) for cards in (mine, theirs)]
                    assert periods[0] == periods[1]
        seat = RULES.pending(state)[0].seat
        state = play(state, seat, rng.choice(legal(state, seat)))


def test_who_has_advantage_cards_is_asked_whatever_they_are():
    for cards in (["eu_funds"], ["summit"], ["us_sanctions"]):
        state = turn(scenario(advantages={EUROPE: cards}), EUROPE, "sweden")
        assert asked(state) == ((EUROPE, "turn"),)


def test_the_card_just_revealed_is_asked_for_even_with_one_action():
    state = play(turn(scenario(money={EUROPE: 0}), EUROPE, "norway", "sweden"), EUROPE, a.PlayCard("norway"))
    assert asked(state) == ((EUROPE, "use_card"),)
    assert legal(state, EUROPE) == (a.ForgoCard(),)


def test_the_default_action_is_harmless():
    state = turn(scenario(advantages={EUROPE: ["eu_funds"]}), EUROPE, "sweden")
    assert RULES.default_action(state, EUROPE) == a.PlayCard("sweden")
    state = play(state, EUROPE, a.PlayCard("sweden"))
    assert RULES.default_action(state, EUROPE) == a.GainMoney(2)
    state = play(state, EUROPE, a.GainMoney(2))
    assert RULES.default_action(state, EUROPE) == a.EndTurn()
