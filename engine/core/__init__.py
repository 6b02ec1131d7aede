"""Hold the mechanism that every game shares: flow, randomness, codec, replay. No game noun occurs here."""
