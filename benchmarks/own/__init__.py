"""Answers that we wrote ourselves, one file for each kind of mistake; see README.md."""
