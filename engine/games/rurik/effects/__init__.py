"""Hold what printed effects do: the operations of the vocabulary, and the deeds."""
