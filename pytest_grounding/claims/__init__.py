"""Split an answer into claims, and mark the pieces that claim nothing."""
