"""The pipeline from a transcript to its verdict: the only orchestration."""
