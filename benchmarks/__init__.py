"""Measurements of speed, growth, accuracy and statistics; a defect that they meet is raised."""

import os

os.environ.setdefault("GROUNDING_INTERNAL_ERRORS", "raise")
