"""Checks: each takes the context of one transcript and returns its findings."""
