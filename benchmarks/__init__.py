"""Measurements of speed, growth, accuracy and statistics."""

import os

os.environ.setdefault("GROUNDING_INTERNAL_ERRORS", "raise")
