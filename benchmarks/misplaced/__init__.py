"""Answers that say of one thing what a source says of another."""
