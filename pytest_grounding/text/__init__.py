"""Text: folding with a map back to offsets, sentences, claims, facts, questions."""
