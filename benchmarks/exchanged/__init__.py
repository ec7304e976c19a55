"""Answers in which what stands in a relation has changed places."""
