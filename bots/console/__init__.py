"""Let a person play in a terminal through the same contract as a bot, and tell matches in lines of text."""
