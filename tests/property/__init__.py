"""Test by generated input."""
