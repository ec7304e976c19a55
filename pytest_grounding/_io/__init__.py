"""Files, JSON, locks, words and logs: what every room may use."""
