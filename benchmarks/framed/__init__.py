"""Answers that state as plain fact what a source says was, may be, or was only meant to be."""
