"""Hold what bots know about Europe Divided."""
