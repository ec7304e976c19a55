"""The pytest plugin: hooks only."""
