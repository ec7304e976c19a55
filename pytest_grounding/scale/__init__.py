"""Runs that are cut into parts: one function checks a part, in worker processes or on Dask."""
