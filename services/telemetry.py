"""Log as JSON lines and count for Prometheus. Neither ever holds a state, a view, an action or a secret."""

import logging
import sys
from typing import Any

import structlog
from prometheus_client import Counter, Gauge, Histogram

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

INFO = Gauge("veche_info", "1; the version of Veche as a label", ("version",))
RULES = Gauge("veche_rules_info", "1; what this pod plays as labels", ("game", "rules_version", "data_version"))
RPCS = Counter("veche_rpcs_total", "Calls ended, by method and status code", ("method", "code"))
RPC_SECONDS = Histogram(
    "veche_rpc_seconds", "Duration of unary calls, by method and status code", ("method", "code"), buckets=_SECONDS
)
STREAMS = Gauge("veche_streams", "Open streams of this pod", ("kind",))
MOVES = Counter("veche_moves_total", "Actions stored, by game and actor", ("game", "actor"))
CONFLICTS = Counter("veche_commit_conflicts_total", "Commits that lost a race and were worked out anew")
REPLAYS = Counter("veche_replays_total", "Requests answered from the record")
INCIDENTS = Counter("veche_incidents_total", "Moves on which the rules failed", ("game",))
DEFAULT_MOVES = Counter("veche_default_moves_total", "Default moves played for bots that gave no answer", ("game",))
OFFERS = Counter("veche_bot_offers_total", "Turns offered to workers, by policy", ("policy",))
MATCHES = Counter("veche_matches_total", "Matches that changed status, by game and new status", ("game", "status"))
STORE_ERRORS = Counter("veche_store_errors_total", "Commands that Redis refused (by its word) or lost", ("kind",))
STORE_SECONDS = Gauge("veche_store_ping_seconds", "How long Redis took to answer the last of this pod's pings")
STORE_FULLNESS = Gauge("veche_store_fullness", "What part of its memory limit Redis has used, 0 without a limit")
LAG_SECONDS = Gauge("veche_loop_lag_seconds", "How late this pod's event loop was the last time it looked")
READY = Gauge("veche_ready", "1 when this pod is ready, else 0")

# What every pod says of the whole deployment: take max() over the pods, not sum().
OPEN_DECISIONS = Gauge("veche_bot_open_decisions", "Bot decisions open in the whole deployment; max(), not sum()")
OLDEST_DECISION = Gauge(
    "veche_bot_oldest_decision_seconds", "Age of the oldest open bot decision in the whole deployment; max(), not sum()"
)
STRANDED_DECISIONS = Gauge(
    "veche_bot_stranded_decisions", "Bot decisions that nobody answers, of rules that this pod does not have"
)
QUEUED = Gauge(
    "veche_bot_queue_decisions",
    "Open bot decisions of a queue in the whole deployment; max(), not sum()",
    ("game", "rules_version", "policy"),
)
QUEUE_OLDEST = Gauge(
    "veche_bot_queue_oldest_seconds",
    "Age of the oldest open decision of a queue in the whole deployment; max(), not sum()",
    ("game", "rules_version", "policy"),
)
STORED = Gauge("veche_stored_matches", "Matches in the whole deployment by status; max(), not sum()", ("status",))


def configure(level: str) -> None:
    """Log JSON lines to standard error from `level` (debug, info, warning, error) on."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def where(error: BaseException) -> str:
    """Return the kind of an error and the place in the code; never its text, which may hold what nobody may see."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    frame: Any = trace.tb_frame
    return f"{type(error).__name__} at {frame.f_globals.get('__name__', '?')}.{frame.f_code.co_name}:{trace.tb_lineno}"
