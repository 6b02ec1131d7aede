"""Be the command line of Veche: start the parts as processes, keep them together, leave none behind."""
