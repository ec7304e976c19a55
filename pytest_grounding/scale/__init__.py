"""Runs that are cut into parts: one pure function over a part, whoever drives it, and results that add up."""
