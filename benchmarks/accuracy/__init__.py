"""Accuracy on human labels: ``python -m benchmarks.accuracy`` writes ``docs/accuracy.md``."""
