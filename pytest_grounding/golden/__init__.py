"""Goldens: accepted recordings that a new one is reviewed against, by claim and citation.

`golden_store` keeps them, `diff` says what changed in meaning, `settle` decides by policy, `review_steps`
accepts and rejects. Nothing here knows a terminal or pytest.
"""
