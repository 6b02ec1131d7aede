"""Keep matches in Redis: one table of keys, one script per change, one caller."""
