"""Take the move with the best immediate score: one ply, the game's own evaluation, ties at random.

What the seat cannot see is filled in at random (`determinize`), a few times over, so that a move that draws or reveals
something is judged by its average and not by one lucky deal.
"""

from random import Random

from bots.games import evaluation
from engine.core.registry import GAMES
from engine.core.rules import View

#: Deals looked at for each decision.
DEALS = 2
#: With more options than this one deal must do, to keep a decision below a tenth of a second.
WIDE = 40
#: Scores closer than this are equal: the sums below are of floats.
CLOSE = 1e-9


def choose(view: View, rng: Random) -> int:
    """Return the index of the best-scoring legal action; raise KeyError for a game without an evaluation."""
    options = len(view.legal)
    if options == 1:
        return 0
    totals = [0.0] * options
    for _ in range(1 if options > WIDE else DEALS):
        for index, score in enumerate(_scores(view, rng)):
            totals[index] += score
    best = max(totals)
    return rng.choice([index for index, total in enumerate(totals) if total >= best - CLOSE])


def _scores(view: View, rng: Random) -> list[float]:
    rules, evaluate = GAMES[view.game], evaluation(view.game)
    seat = view.seat if view.seat is not None else 0
    deal = rules.determinize(view, rng)
    scores = []
    for action in view.legal:
        state = deal.clone()
        rules.advance(state, seat, action)
        scores.append(evaluate(state, seat))
    return scores
