"""Count for Prometheus what a worker does; nothing of a match is in it."""

from prometheus_client import Counter, Gauge, Histogram

#: `answered` moves were stored; `overtaken` turns were decided elsewhere meanwhile; `handed_back` and `lost` ones go to
#: another worker; `withdrawn` ones were taken back by the engine, or left at the end of the worker.
TURNS = Counter("veche_worker_turns_total", "Turns by policy and by what came of them", ("policy", "result"))
RANDOM_ANSWERS = Counter(
    "veche_worker_random_answers_total",
    "Answers at random for policies that failed or chose what is illegal",
    ("policy",),
)
THOUGHT_SECONDS = Histogram(
    "veche_worker_thought_seconds",
    "Time until a policy has chosen, waiting for a process included",
    ("policy",),
    buckets=(0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300),
)
HELD = Gauge("veche_worker_turns_held", "Turns in work")
SUBSCRIBED = Gauge("veche_worker_subscribed", "1 while an engine gives this worker turns, else 0")
