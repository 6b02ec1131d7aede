"""Hold the sub-procedures of a turn, one module each."""
