"""A text is read once: what is made of it is kept with it, and goes when it goes.

A `Reading` is a text in one language. Its parts (words, sentences, facts, the index of a chunk) are made
when they are first asked for, by the packages above: each hands `Reading.part` a function that
takes a reading. So what is read from a text is kept here, and not beside each function.

Two folds stand side by side on purpose, because one of them would move verdicts:
`reading.words.fold` drops accents, to find words; `reading.normalize.fold` keeps them and leads back
to each character, to find quotations.
"""

from pytest_grounding.reading.text_cache import Reading, base_language, masks_of, reading_of

__all__ = ["Reading", "base_language", "masks_of", "reading_of"]
