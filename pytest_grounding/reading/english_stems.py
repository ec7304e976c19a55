"""Stems of English words: the Snowball algorithm "english" (Porter 2), as snowballstemmer 3.1 runs it."""

from __future__ import annotations

from pytest_grounding._io.lazy_patterns import lazy


def _pairs(text: str) -> dict[str, str]:
    """Words or endings, each with what it becomes."""
    return dict(pair.split(":") for pair in text.split())


_VOWELS = frozenset("aeiouy")
#: After one of these a final consonant does not close a short syllable.
_NOT_SHORT = frozenset("aeiouyYwx")
_VALID_LI = frozenset("cdeghkmnrt")
#: Words that follow no rule.
_WHOLE = _pairs("skis:ski skies:sky idly:idl gently:gentl ugly:ugli early:earli only:onli singly:singl")
_WHOLE |= {word: word for word in ("andes", "atlas", "bias", "cosmos", "howe", "news", "sky")}
# The regions R1 and R2 begin after the first consonant behind a vowel, but for some beginnings of words.
_REGION = lazy(r"[^aeiouy]*[aeiouy]+[^aeiouy]")
_FIRST_REGION = lazy(rf"arsen|commun|emerg|gener|inter|later|organ|past|univers|{_REGION.pattern}")
_KEEP_EED = frozenset({"succ", "proc", "exc"})
_KEEP_ING = frozenset({"even", "cann", "inn", "earr", "herr", "out"})
_PAST = ("eedly", "ingly", "edly", "eed", "ing", "ed")
_DOUBLES = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")
#: Endings of step 2 and what they become, longest first; those of "ogi" and "li" have conditions.
_STEP_2 = _pairs(
    "ational:ate ization:ize iveness:ive fulness:ful ousness:ous biliti:ble lessli:less tional:tion "
    "alism:al ation:ate aliti:al iviti:ive entli:ent ousli:ous fulli:ful ogist:og abli:able alli:al "
    "anci:ance enci:ence izer:ize ator:ate bli:ble ogi:og li:"
)
_STEP_3 = _pairs("ational:ate tional:tion icate:ic ative: alize:al iciti:ic ical:ic ness: ful:")
_STEP_4 = (
    *("ement", "ment", "able", "ance", "ence", "ible", "ant", "ate", "ent", "ion", "ism", "iti", "ive"),
    *("ize", "ous", "al", "er", "ic"),
)
_ENDS_2, _ENDS_3 = tuple(_STEP_2), tuple(_STEP_3)


def stem(word: str) -> str:
    """The stem of a word in lower case; what is no English word comes back in some form, never an error."""
    if len(word) < 3:
        return word
    whole = _WHOLE.get(word)
    if whole is not None:
        return whole
    if word[0] == "'":
        word = word[1:]
    if "y" in word:
        word = _mark(word)
    region = _FIRST_REGION.match(word)
    first = second = len(word)
    if region is not None:
        first = region.end()
        region = _REGION.match(word, first)
        if region is not None:
            second = region.end()
    word = _plural(word)
    if word.endswith(_PAST):
        word = _past(word, first)
    if word[-1:] in ("y", "Y") and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    if word.endswith(_ENDS_2):
        word = _step_2(word, first)
    if word.endswith(_ENDS_3):
        word = _step_3(word, first, second)
    if word.endswith(_STEP_4):
        word = _step_4(word, second)
    last = len(word) - 1
    if word.endswith("e"):
        if second <= last or (first <= last and not _ends_short(word[:-1])):
            word = word[:-1]
    elif word.endswith("ll") and second <= last:
        word = word[:-1]
    return word.replace("Y", "y")


def _mark(word: str) -> str:
    """The word with each y that is a consonant (the first letter, or after a vowel) as a capital."""
    letters = list(word)
    vowel = True
    for place, letter in enumerate(letters):
        if letter == "y" and vowel:
            letters[place] = "Y"
            vowel = False
        else:
            vowel = letter in _VOWELS
    return "".join(letters)


def _plural(word: str) -> str:
    """Step 1a: genitives and plurals."""
    if "'" in word:
        for ending in ("'s'", "'s", "'"):
            if word.endswith(ending):
                word = word[: -len(ending)]
                break
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if not word.endswith("s") or word.endswith(("us", "ss")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    return word if _VOWELS.isdisjoint(word[:-2]) else word[:-1]


def _past(word: str, first: int) -> str:
    """Step 1b: endings of the past and of participles."""
    ending = next(ending for ending in _PAST if word.endswith(ending))
    base = word[: -len(ending)]
    if ending in ("eed", "eedly"):
        return base + "ee" if first <= len(base) and base not in _KEEP_EED else word
    if ending == "ing":
        if base in _KEEP_ING:
            return word
        if len(base) == 2 and base[1] == "y" and base[0] not in _VOWELS:
            return base[0] + "ie"
    if _VOWELS.isdisjoint(base):
        return word
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if base.endswith(_DOUBLES):
        return base if len(base) == 3 and base[0] in "aeo" else base[:-1]
    return base + "e" if len(base) == first and _ends_short(base) else base


def _ends_short(word: str) -> bool:
    """Whether a word ends in a short syllable."""
    if len(word) == 2:
        return word[0] in _VOWELS and word[1] not in _VOWELS
    if len(word) < 3:
        return False
    if word[-1] not in _NOT_SHORT and word[-2] in _VOWELS and word[-3] not in _VOWELS:
        return True
    return word.endswith("past")


def _step_2(word: str, first: int) -> str:
    """Step 2: "-ization" and its like, in R1."""
    ending = next(ending for ending in _ENDS_2 if word.endswith(ending))
    base = word[: -len(ending)]
    if len(base) < first:
        return word
    if (ending == "ogi" and base[-1:] != "l") or (ending == "li" and base[-1:] not in _VALID_LI):
        return word
    return base + _STEP_2[ending]


def _step_3(word: str, first: int, second: int) -> str:
    """Step 3: "-ical" and its like, in R1; "-ative" in R2."""
    ending = next(ending for ending in _ENDS_3 if word.endswith(ending))
    base = word[: -len(ending)]
    if len(base) < (second if ending == "ative" else first):
        return word
    return base + _STEP_3[ending]


def _step_4(word: str, second: int) -> str:
    """Step 4: endings that go altogether, in R2."""
    ending = next(ending for ending in _STEP_4 if word.endswith(ending))
    base = word[: -len(ending)]
    if len(base) < second or (ending == "ion" and base[-1:] not in ("s", "t")):
        return word
    return base
