"""Scorers and judges behind a service or a local model, recorded in a cassette."""
