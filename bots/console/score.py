"""Write the end of a match: who won, each seat's points by source, the tie-breaks. Pure functions."""

from collections.abc import Sequence

from bots.console.text import WIDTH, paint
from veche.v1 import common_pb2

_KINDS = {
    common_pb2.SEAT_KIND_OPEN: "open",
    common_pb2.SEAT_KIND_CLIENT: "player",
    common_pb2.SEAT_KIND_BOT: "bot",
    common_pb2.SEAT_KIND_AUTOMA: "automa",
}


def seat_names(match: common_pb2.Match, called: Sequence[str] = ()) -> list[str]:
    """Return what each seat is called: by `called`, else by number, and in brackets its name or what plays it."""
    names = []
    for seat in match.seats:
        who = seat.name or " ".join(filter(None, [seat.policy or _KINDS.get(seat.kind, ""), seat.difficulty]))
        title = called[seat.seat] if called else f"seat {seat.seat}"
        names.append(f"{title} ({who})" if who else title)
    return names


def breakdown(outcome: common_pb2.Outcome, names: Sequence[str]) -> list[str]:
    """Return the final scores as a table: a line a source, a column a seat, best places named below."""
    results = sorted(outcome.results, key=lambda r: r.seat)
    sources = list(dict.fromkeys(source for r in results for source in sorted(r.breakdown)))
    label = max([len("total"), *(len(s) for s in sources)]) + 2
    heads = [names[r.seat] if r.seat < len(names) else f"seat {r.seat}" for r in results]
    wide = label + sum(len(head) + 2 for head in heads) > WIDTH
    columns = [head.partition(" (")[0] for head in heads] if wide else heads
    widths = [max(len(column), 5) + 2 for column in columns]

    def row(title: str, values: Sequence[str]) -> str:
        return f"{title.replace('_', ' '):<{label}}" + "".join(f"{v:>{w}}" for v, w in zip(values, widths, strict=True))

    lines = [paint("FINAL SCORE", "bold"), row("", columns)]
    lines += [row(source, [str(r.breakdown.get(source, 0)) for r in results]) for source in sources]
    lines.append(row("total", [str(r.score) for r in results]))
    lines.append(row("place", [str(r.rank) for r in results]))
    lines += [f"tie-break: {text}" for text in outcome.tie_break]
    winners = [heads[i] for i, r in enumerate(results) if r.rank == 1]
    lines.append(f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'share the win'}")
    return lines
