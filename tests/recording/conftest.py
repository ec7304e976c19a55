"""Runs of pytest inside the tests; what they load stays loaded, so that each is quick."""
