"""Be a worker: subscribe to the engine, think in other processes, answer, and lose nothing when anybody dies.

`config` reads flags and environment, `pool` thinks, `turns` plays one offered turn, `worker` keeps the subscription,
`metrics` counts.
"""
