"""Importers: from a file or an object that somebody has to a Transcript."""
