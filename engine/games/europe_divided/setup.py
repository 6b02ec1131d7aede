"""Lay the game out up to the first decision (Setup)."""

from engine.core import frames, rng
from engine.core.frames import Ctx, Flow
from engine.core.rng import Rng
from engine.games.europe_divided.cards import ADVANTAGES_OF, START_CARDS
from engine.games.europe_divided.config import Config
from engine.games.europe_divided.data import CONTESTED, HAND, REGIONS, SETUP, SPACES, START_ARMIES, START_MONEY
from engine.games.europe_divided.flow import Game
from engine.games.europe_divided.frames import advantage
from engine.games.europe_divided.ids import EUROPE, FACTIONS, NONE, RUSSIA, SIDES
from engine.games.europe_divided.stakes import HEADLINES, SEAS
from engine.games.europe_divided.state import Player, State, StateOf


def initial_state(config: Config, seed: int) -> State:
    """Return the state at the first decision; all chance comes from `seed`."""
    source = rng.from_seed(seed)
    deck, forthcoming = _headlines(source)
    players = [_player(source, seat) for seat in (EUROPE, RUSSIA)]
    for player in players:
        player.headlines = sorted(deck.pop() for _ in range(SETUP.headlines.hand))
    state: State = StateOf(
        config=config,
        rng=source,
        flow=Flow([Game()]),
        players=players,
        dice=[[0] * CONTESTED for _ in FACTIONS],
        armies=[_armies(seat) for seat in (EUROPE, RUSSIA)],
        tokens=[0] * len(SPACES),
        seas=[NONE] * len(SEAS),
        current=[],
        forthcoming=forthcoming,
        headline_deck=deck,
        missed=[],
    )
    advantage.deal(Ctx(state, None))
    frames.start(state)
    return state


def _headlines(source: Rng) -> tuple[list[int], list[int]]:
    """Return the headline deck, its top last, and the two forthcoming headlines (Setup: Headlines).

    Of each period's two colours some are removed unseen, and in the first period one is laid open; the rest is shuffled
    together, the first period on top of the second. The hands are dealt from it.
    """
    decks: list[list[int]] = []
    forthcoming: list[int] = []
    for period in SETUP.periods:
        rest: list[int] = []
        for seat in (EUROPE, RUSSIA):
            cards = [i for i, card in enumerate(HEADLINES) if (card.period, card.banner) == (period.period, seat)]
            source.shuffle(f"headlines_{period.period}_{SIDES[seat]}", cards)
            if not decks:
                shown = SETUP.headlines.forthcoming_per_colour
                forthcoming += cards[:shown]
                del cards[:shown]
            rest += cards[period.removed_per_colour :]
        rest.sort()
        source.shuffle(f"headlines_{period.period}", rest)
        decks.append(rest)
    return [*decks[1], *decks[0]], forthcoming


def _player(source: Rng, seat: int) -> Player:
    """Return a side with its action cards shuffled and its hand dealt (Setup: Starting Action Cards, Money)."""
    deck = list(START_CARDS[seat])
    source.shuffle(f"{SIDES[seat]}_actions", deck)
    return Player(
        money=START_MONEY[seat],
        hand=sorted(deck.pop() for _ in range(HAND[seat])),
        deck=deck,
        discard=[],
        chosen=[],
        played=[],
        extra=[],
        held=[],
        taken=[],
        advantages=[],
        advantage_deck=list(ADVANTAGES_OF[seat]),
        set_aside=[],
        spent=[],
        headlines=[],
        shelved=[],
        awarded=[],
        prestige=[0, 0, 0],
    )


def _armies(seat: int) -> list[int]:
    """Return where a side's armies start (Setup: Armies)."""
    return [int(region in START_ARMIES[seat]) for region in range(len(REGIONS))]
