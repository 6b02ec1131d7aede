"""Hold one package per game; games never import each other."""
