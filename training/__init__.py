"""Scripts that write the trained files of the built-in engine: background first, then train."""
