"""Files, JSON, locks, words and logs, available to every package."""
