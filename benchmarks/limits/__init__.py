"""Answers that widen a limit of a source."""
