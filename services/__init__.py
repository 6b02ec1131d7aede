"""Host matches: one stateless process, many identical pods; every byte of match state is in Redis.

`server` puts the parts together and `config` reads their settings; `api` speaks gRPC, `matches` does what is asked,
`store` keeps it. `security` knows what a token is, `errors` what a refusal says, `telemetry` what is counted and
logged. `cli` is the launcher, a program of its own.
"""

__version__ = "0.1.0"
