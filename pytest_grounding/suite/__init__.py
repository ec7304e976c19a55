"""Figures of a whole suite: how they are computed, how sure they are, and what they decide."""
