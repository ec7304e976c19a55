"""Output for people and programs: one file per format."""
