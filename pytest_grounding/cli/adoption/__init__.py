"""From recorded answers to a green build: what stands there, what it costs, and the files that hold it."""
