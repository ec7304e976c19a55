"""Accuracy of the built-in engine on human labels: ``python -m benchmarks.accuracy`` writes docs/accuracy.md."""
