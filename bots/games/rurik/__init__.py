"""Judge positions of Rurik."""
