"""What the sources say: their words, sentences and values, and the facts of a claim settled against them."""
