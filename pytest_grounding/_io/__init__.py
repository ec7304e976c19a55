"""Files, JSON, locks, words and logs: what every package may use."""
