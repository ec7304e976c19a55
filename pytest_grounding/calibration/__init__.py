"""Use people's labels of answers: fit the confidence, and choose settings."""
