"""Hold the protos of Veche and the wire layer that converts between them and the engine's types."""
