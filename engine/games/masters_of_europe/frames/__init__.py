"""Hold the sub-procedures of the rulebook, one module each."""
