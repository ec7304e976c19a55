"""Answers that say what a source denies, or deny what it says."""
