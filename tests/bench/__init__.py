"""Measure engine and service beside their yardsticks."""
