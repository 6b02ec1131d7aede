"""Test the mechanism of the engine with a toy game."""
