"""Hold every game to the engine contract."""
