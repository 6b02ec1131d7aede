"""Keep matches in Redis: one table of keys, one script per change, one caller.

`keys` names every key, `rows` shapes what is in them, `changes` says what a commit writes, the *.lua scripts write it
and `store` calls them; `feed` wakes who waits. `connect` reaches a server, a Sentinel group or a Cluster, by way of
`wire` or the library. `embedded` starts a local server, which `keeper` ends with its parent.
"""
