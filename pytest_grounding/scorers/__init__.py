"""Scorers: who answers "how relevant is this chunk" and "how well is this claim supported"."""
