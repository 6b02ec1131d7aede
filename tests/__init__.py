"""Hold the tests, and the tools that play, measure and compare: fuzz, golden, bench."""
