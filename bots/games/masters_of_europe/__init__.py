"""Judge positions of Masters of Europe."""
