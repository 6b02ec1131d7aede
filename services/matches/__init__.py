"""Do what clients ask of matches: create, play, watch, read. Here a match is a head and an engine state."""
