"""Host matches: one stateless process, many identical pods; every byte of match state is in Redis."""
