"""Runs in parts: one function checks a part, in worker processes or on Dask."""
