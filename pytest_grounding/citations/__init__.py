"""Citations: one file a syntax; `extract` finds, merges, orders and resolves them; `clean` removes."""
