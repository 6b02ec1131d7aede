"""Do what clients ask of matches. Here a match is a head and an engine state, never a message.

`tables` loads and keeps matches, `play` applies actions and stores them in one commit, `lifecycle` does the same
between games, after `plan` has checked what is asked; `watch` follows a match for all its streams, `record` reads what
was, and `work` gives the decisions of bots to workers.
"""
