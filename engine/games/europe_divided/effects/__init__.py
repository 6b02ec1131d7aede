"""Say what the words of the cards do."""
