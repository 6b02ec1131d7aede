"""Compare games with the playthroughs and node counts written down here."""
