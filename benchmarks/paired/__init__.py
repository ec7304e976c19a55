"""Answers that give one thing the value of the thing beside it."""
