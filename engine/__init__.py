"""Hold the rules engines: a library without I/O, clock, environment, logging or global randomness."""
