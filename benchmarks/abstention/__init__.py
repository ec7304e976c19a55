"""How well is it seen that an answer declines, and whether it should have."""
