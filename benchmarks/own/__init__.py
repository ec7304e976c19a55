"""Answers that we wrote ourselves, one file for each kind of mistake; README.md says what they hold."""
