"""English words that are taken as their own stems are those that the stemmer leaves as they are."""

import re
from itertools import product
from pathlib import Path

import snowballstemmer

from pytest_grounding.reading.words import stem_of

BEGINNINGS = ("b", "bo", "geo", "market", "nation", "syr", "trav", "un")
MIDDLES = ("", "a", "al", "at", "ic", "iz", "log", "ous", "ul", "y")
ENDS = (
    *("ance", "ant", "ate", "ator", "ed", "ement", "ence", "ent", "er", "ful", "g", "ic", "ing", "ion"),
    *("ism", "ist", "ive", "k", "l", "less", "ll", "ly", "ment", "ness", "ogi", "ogist", "ship", "th", "w"),
)


def test_a_word_is_its_own_stem_only_where_the_stemmer_says_so():
    texts = Path(__file__).with_name("answers.jsonl").read_text(encoding="utf-8")
    words = set(re.findall(r"[a-z]{3,}", texts.lower())) | set(
        map("".join, product(BEGINNINGS, MIDDLES, ENDS))
    )
    # `stem_of` knows irregular forms and number words besides.
    stemmer = snowballstemmer.stemmer("english")
    kept = {word for word in words if stem_of(word) == word}
    assert len(kept) > 500
    assert [word for word in sorted(kept) if stemmer.stemWord(word) != word] == []
