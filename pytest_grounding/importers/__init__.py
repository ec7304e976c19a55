"""Importers: convert a foreign file or object to a Transcript."""
