"""Figures of a whole suite: how they are computed, how certain they are, and what they decide."""
