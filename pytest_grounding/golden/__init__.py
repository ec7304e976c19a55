"""Goldens: accepted recordings; a new recording is compared with its golden by claims and citations.

`golden_store` stores them, `diff` finds changes in meaning, `golden_policy` decides by policy, `review_steps`
accepts and rejects. Nothing here depends on a terminal or pytest.
"""
