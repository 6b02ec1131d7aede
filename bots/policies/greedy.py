"""Take the move with the best immediate score: the game's own evaluation, ties at random.

A move is worth the best position that its own turn leads to from there by always taking the next best step, so that a
move that only buys points to spend is judged by what they buy. What the seat cannot see is filled in at random
(`determinize`), a few times over, so that a move that draws something is judged by its average, not by one lucky deal.
"""

from random import Random
from typing import Any

from bots.games import Evaluation, evaluation
from engine.core.registry import GAMES
from engine.core.rules import Rules, View

#: Deals looked at for each decision.
DEALS = 2
#: With more options than this one deal must do, and no move is followed up.
WIDE = 30
#: How many further steps of the own turn are followed, and only while the decision's share of positions lasts: what a
#: move may cost must not depend on how much it leads to.
STEPS = 5
POSITIONS = 1000
#: Scores closer than this are equal: they are sums of floats.
CLOSE = 1e-9


def choose(view: View, rng: Random) -> int:
    """Return the index of the best-scoring legal action."""
    options = len(view.legal)
    if options == 1:
        return 0
    deals = 1 if options > WIDE else DEALS
    share = 0 if options > WIDE else POSITIONS // (deals * options)
    totals = [0.0] * options
    for _ in range(deals):
        for index, score in enumerate(_scores(view, rng, share)):
            totals[index] += score
    best = max(totals)
    return rng.choice([index for index, total in enumerate(totals) if total >= best - CLOSE])


def _scores(view: View, rng: Random, share: int) -> list[float]:
    rules, evaluate = GAMES[view.game], evaluation(view.game)
    seat = view.seat if view.seat is not None else 0
    deal = rules.determinize(view, rng)
    scores = []
    for action in view.legal:
        state = deal.clone()
        rules.advance(state, seat, action)
        scores.append(_worth(rules, evaluate, state, seat, share))
    return scores


def _worth(rules: Rules, evaluate: Evaluation, state: Any, seat: int, share: int) -> float:
    """Return the best score on the way that takes the next best step each time, judging up to `share` positions."""
    best = evaluate(state, seat)
    for _ in range(STEPS):
        pending = rules.pending(state)
        if len(pending) != 1 or pending[0].seat != seat:
            break
        options = rules.legal_actions(state, seat)
        share -= len(options)
        if share < 0:
            break
        score, state = max(
            (_step(rules, evaluate, state, seat, action) for action in options), key=lambda pair: pair[0]
        )
        best = max(best, score)
    return best


def _step(rules: Rules, evaluate: Evaluation, state: Any, seat: int, action: Any) -> tuple[float, Any]:
    after = state.clone()
    rules.advance(after, seat, action)
    return evaluate(after, seat), after
