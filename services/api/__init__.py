"""Speak gRPC: one thin servicer per service, wire in, use case, wire out."""
