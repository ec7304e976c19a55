"""A text is read once: what is computed from it is cached with it.

A `Reading` is a text in one language. Its parts (words, sentences, facts, the index of a chunk) are computed
on demand by the packages above: each passes `Reading.part` a function that
takes a reading. So the cache is here, and not beside each function.

There are two fold functions on purpose, because merging them would change verdicts:
`reading.words.fold` drops accents, to match words; `reading.normalize.fold` keeps them and maps back
to each character, to find quotations.
"""

from pytest_grounding.reading.text_cache import Reading, base_language, masks_of, reading_of

__all__ = ["Reading", "base_language", "masks_of", "reading_of"]
