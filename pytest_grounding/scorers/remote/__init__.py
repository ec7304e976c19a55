"""Scorers and judges that use a service or a local model, recorded on a cassette."""
