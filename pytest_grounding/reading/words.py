"""Tokens with offsets, stems and stop words; the lists are in ``words.json`` beside this module."""

from __future__ import annotations

import json
import re
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.lexicon import table
from pytest_grounding.reading import base_language, read_once
from pytest_grounding.reading.facts.numerals import as_spelled, with_plain_dates

_DATA: dict[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
NUMBER_WORDS: dict[str, str] = dict(_DATA["numbers"])
# Scripts without blanks between words: Thai, Lao, Burmese, Khmer, kana, Han with its extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them; `\w` excludes them, which would split Hindi words.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51\u0a70\u0a71\u0a81-\u0a83\u0abc-\u0acd"
    "\u0b01-\u0b03\u0b3c-\u0b57\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6"
    "\u0d00-\u0d03\u0d3b-\u0d4d\u0d82\u0d83\u0dca-\u0ddf\u1dc0-\u1dff\u200c\u200d\u20d0-\u20ff\ufe20-\ufe2f"
)
_UNSEEN = "\u00ad\u200b\u2060"  # inside a word: soft hyphens, as PDF extraction leaves them, and similar
_WITHOUT_ACCENTS = dict.fromkeys([*range(0x300, 0x370), *map(ord, _UNSEEN)])
# Names of countries, with and without dots; each starts with a letter, so that others are rejected quickly.
_DOTTED = r"U(?<=\bU)\.(?:S\.(?:A\.)?|K\.|N\.|A\.E\.)|E(?<=\bE)\.U\."
# Compiled on demand, which takes longer than reading a text.
_TOKEN = lazy(
    rf"(?P<unspaced>[{_UNSPACED}]+)"
    r"|(?P<number>\d+(?:[.,]\d+)*)"
    rf"|(?P<word>{_DOTTED}|(?:(?:[A-Za-z]+|(?![{_UNSPACED}\d_])[\w{_MARKS}])(?:[{_UNSEEN}]+(?=[^\W\d_]))?)+"
    rf"(?:['’](?:[A-Za-z]+|(?![{_UNSPACED}\d_])[\w{_MARKS}])+)*)"
)
# The same for ASCII, several times as fast.
_ASCII_TOKEN = lazy(rf"(\d+(?:[.,]\d+)*|{_DOTTED}|[A-Za-z]+(?:'[A-Za-z]+)*)")
#: "Boxes 1,2,3" is a list of numbers. Two may be one with a decimal comma, and "1,00,000" is one too.
_LISTED = lazy(r"\d{1,2}(?:,\d{1,2}){2,}")
#: Signs outside of ASCII that are part of no word.
_SIGNS = lazy("[\u00a0\u00a3\u00ab\u00b0\u00b7\u00bb\u2013\u2014\u2018\u201c-\u201e\u2022\u2026\u20ac]")
#: Only English words with these ends have a stem that differs; stemming takes long.
_CHANGED_ENDS = tuple("' s e y i ed ing er ator al ful ll ic ism ist ion ant ent".split())
_POSSESSIVE = lazy(r"['’]s?$")
_SENTENCE_END = ".!?:;\n•*\"“'‘(-–—#|>"
#: The properties of a word that do not depend on its position: ``norm``, ``stem``, ``is_stop`` and
#: ``is_number`` as in `Token`, and whether its capitals make it a name: 0 never, 1 inside a sentence
#: only, 2 always. A plain tuple, which the garbage collector skips.
_Word = tuple[str, str, bool, bool, int]
#: Known words and numbers of each language: they recur in every text. Plain dictionaries, which are twice
#: as fast as a cached function; a full one is emptied.
_known: dict[str, dict[str, _Word]] = {}
_MOST_KNOWN = 65536
_MOST_LANGUAGES = 64
_CLAIM_LENGTH = 600
_SAMPLE = 2000  # characters that are enough to detect the script of a text
# Some characters of scripts that identify a language, or at least exclude English.
_SCRIPTS = (
    ("ja", lazy("[\u3040-\u30ff]")),
    ("zh", lazy("[\u3400-\u9fff]")),
    ("ko", lazy("[\uac00-\ud7af]")),
    ("th", lazy("[\u0e00-\u0e7f]")),
    ("ar", lazy("[\u0600-\u06ff]")),
    ("he", lazy("[\u0590-\u05ff]")),
    ("hi", lazy("[\u0900-\u097f]")),
    ("el", lazy("[\u0370-\u03ff]")),
    ("ru", lazy("[\u0400-\u04ff]")),
    ("hy", lazy("[\u0530-\u058f]")),
    ("ta", lazy("[\u0b80-\u0bff]")),
)
_ANY_LETTER = lazy(r"[^\W\d_]")
_ANY_SCRIPT = lazy("[\u0370-\u1fff\u3040-\ud7af]")  # all of these scripts, and others
_LANGUAGE_SAMPLE = 1200
_EDGES = ".,;:!?()[]\"'“”‘’«»"
_FEWEST_WORDS = 6
_MARGIN = 2.0
_UNSURE = ("en", "und")  # "en" is also the default without a language; "und" is BCP 47 for undetermined


def _words(rows: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(rows).split())


def _bases_of(section: str) -> dict[str, str]:
    entries = [entry.split(":") for entry in " ".join(_DATA[section]).split()]
    return {form: base for base, forms in entries for form in forms.split(",")}


STOP_WORDS = {str(tag): _words(rows) for tag, rows in _DATA["stop"].items()}
#: Irregular forms of English verbs and their base, and those with nouns and adjectives.
IRREGULAR_VERBS = _bases_of("irregular")
IRREGULAR = IRREGULAR_VERBS | _bases_of("irregular_others")
FRAMING = _words(_DATA["framing"])  # about the answer or the sources: "according", "passage", "therefore"
GENERIC = _words(_DATA["generic"])  # words that add little in any answer: "various", "important", "include"
FIRST_PERSON = _words(_DATA["first_person"])  # words with which an answer refers to itself
NEGATIONS = _words(_DATA["negations"])
VERBS = _words(_DATA["verbs"])  # common verb forms that may look like nouns: "retains", "refer"
KINDS = _words(_DATA["kinds"])  # kinds of things, which summarise more than they add: "movie", "length"
BEFORE_VERBS, AFTER_VERBS = _words(_DATA["before_verbs"]), _words(_DATA["after_verbs"])


class Token(NamedTuple):
    """A word of a text."""

    text: str  # verbatim
    norm: str  # folded: case, compatibility forms, Latin accents; numbers without thousands separators
    stem: str  # common to all inflections; equal to ``norm`` without a stemmer for the language
    start: int  # start offset
    end: int  # end offset, exclusive
    is_stop: bool  # a stop word ("the", "of")
    is_number: bool  # a number in digits or an English number word
    is_name: bool  # probably a name: capitals inside a sentence, or all capitals


@lru_cache(maxsize=1)
def _snowball() -> str:
    """The package with the languages of snowballstemmer; importing that itself would load them all."""
    spec = find_spec("snowballstemmer")
    assert spec is not None
    name = "pytest_grounding_snowball"
    sys.modules[name] = module_from_spec(spec)
    return name


class _Entries:
    def __init__(self, table: Sequence[Any]) -> None:
        self.by_letters: dict[str, Any] = {entry.s: entry for entry in table}
        self.lengths: list[int] = sorted(set(map(len, self.by_letters)), reverse=True)  # falling
        self.last_letters: set[str] = {entry.s[-1:] for entry in table}  # "" for an empty entry


class _Endings:
    """Finds the endings of a stemmer by dictionary: its own search goes letter by letter, in Python."""

    current: str
    cursor: int
    limit_backward: int

    def __init__(self) -> None:
        super().__init__()
        self._read: dict[int, _Entries] = {}  # table of the stemmer, by identity -> its entries

    def find_among_b(self, table: Sequence[Any]) -> int:
        """The result of the longest entry that ends at the cursor, which moves before it; 0 without one."""
        entries = self._read.get(id(table)) or self._entries(table)
        end, current, letters = self.cursor, self.current, entries.last_letters
        if current[end - 1 : end] not in letters and "" not in letters:
            return 0
        for length in entries.lengths:
            start = end - length
            if start < self.limit_backward:
                continue
            entry = entries.by_letters.get(current[start:end])
            if entry is not None and self._takes(entry, start):
                return int(entry.result)
        return 0

    def _entries(self, table: Sequence[Any]) -> _Entries:
        read = self._read[id(table)] = _Entries(table)
        return read

    def _takes(self, entry: Any, at: int) -> bool:
        self.cursor = at
        if entry.method is None:
            return True
        applies = bool(entry.method(self))
        self.cursor = at
        return applies


@lru_cache(maxsize=64)
def _stemmer(language: str) -> Callable[[str], str]:
    name = "english" if language == "en" else table("languages", "stemmers").get(language)
    if name is None:
        return str
    try:
        module = import_module(f"{_snowball()}.{name}_stemmer")
    except ModuleNotFoundError:
        return str  # a language that this version does not have
    made = getattr(module, f"{name.title()}Stemmer")
    engine, guard = type("Quick", (_Endings, made), {})(), threading.Lock()

    def stem(word: str) -> str:
        if name == "english" and word[0] != "'" and not word.endswith(_CHANGED_ENDS):
            return word
        # A stemmer keeps its current word as state: two threads would mix theirs.
        with guard:
            return str(engine.stemWord(word))

    return stem


def fold(text: str) -> str:
    """Fold case, compatibility forms and Latin accents. The length may change."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = plain.translate(_WITHOUT_ACCENTS)
    return unicodedata.normalize("NFKC", kept).casefold().replace("’", "'")


def _known_of(language: str) -> dict[str, _Word]:
    known = _known.get(language)
    if known is None:
        if len(_known) >= _MOST_LANGUAGES:
            _known.clear()
        known = _known[language] = {}
    return known


def _keep(text: str, language: str) -> _Word:
    known = _known_of(language)
    if len(known) >= _MOST_KNOWN:
        known.clear()
    if text[0].isdecimal():
        norm = _number(text)
        found = norm, norm, False, True, 0
    else:
        found = _word(text, language)
    known[text] = found
    return found


def _word(text: str, language: str) -> _Word:
    # Folding may leave nothing of a lone accent; a word is never empty.
    folded = fold(text).replace(".", "") or text
    norm = _POSSESSIVE.sub("", folded) or folded
    shape = 0
    if text[0].isupper():
        shape = 2 if len(text) > 1 and not text[1:].islower() else 1
    stops = STOP_WORDS.get(language, frozenset())
    # "US" and "IT" in capitals are not stop words.
    may_stop = not (shape == 2 and is_acronym(text))
    if language == "en":
        if norm in NUMBER_WORDS:
            value = NUMBER_WORDS[norm]
            return value, value, norm == "one" and may_stop, True, shape
        if norm in IRREGULAR:
            base = IRREGULAR[norm]
            stop = (base in stops or norm in stops) and may_stop
            return norm, _stemmer("en")(base), stop, False, shape
    stop = norm in stops or (len(norm) == 1 and norm.isascii())
    return norm, _stemmer(language)(norm), stop and may_stop, False, shape


def _number(text: str) -> str:
    """A number without thousands separators and without zeros at either end."""
    norm = text
    if not text.isascii():
        norm = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
    if re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", norm):
        norm = norm.replace(",", "")
    if "." in norm and norm.count(".") == 1:
        norm = norm.rstrip("0").rstrip(".")
    elif norm.isdigit():
        norm = norm.lstrip("0") or "0"
    return norm


def _listed(raw: str, offset: int) -> list[Token]:
    found = []
    for number in raw.split(","):
        norm = _number(number)
        found.append(Token(number, norm, norm, offset, offset + len(number), False, True, False))
        offset += len(number) + 1
    return found


def tokenize(text: str, language: str = "en") -> list[Token]:
    """Split a text into words."""
    # The scorer, the conflict search and several checks read a claim; a whole chunk is cached by its index.
    if len(text) <= _CLAIM_LENGTH:
        return list(_words_of(text, language))
    return _split(text, base_language(language))


def tokenize_once(text: str, language: str = "en") -> list[Token]:
    """The same for a text that is read once: nothing is kept."""
    return _split(text, base_language(language))


@read_once
def _words_of(text: str, language: str) -> tuple[Token, ...]:
    return tuple(_split(text, language))


@read_once
def content_stems(text: str, language: str = "en") -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset([token.stem for token in tokenize(text, language) if not token.is_stop])


def stem_of(word: str, language: str = "en") -> str:
    """The stem of one word in lower case, letters only."""
    return (_known_of(language).get(word) or _keep(word, language))[1]


@lru_cache(maxsize=256)
def stems_of(words: str) -> frozenset[str]:
    """The stems of some English words, cached."""
    return frozenset(token.stem for token in tokenize(words))


def with_plain_signs(text: str) -> str:
    """The text, at equal length, with straight apostrophes, and blanks for other signs outside of ASCII."""
    return text if text.isascii() else _SIGNS.sub(" ", text.replace("’", "'"))


def _split(text: str, language: str) -> list[Token]:
    text = with_plain_dates(as_spelled(text))
    plain = with_plain_signs(text)
    return _split_ascii(text, plain, language) if plain.isascii() else _split_any(text, language)


def _split_ascii(text: str, plain: str, language: str) -> list[Token]:
    tokens: list[Token] = []
    # Nearly every text passes here: making the named tuple through the tuple class halves the time.
    make, add = tuple.__new__, tokens.append
    known = _known_of(language)
    # Separators and words in turn, so that their lengths add up to the offsets.
    pieces = _ASCII_TOKEN.split(plain)
    is_own = plain is text
    end = 0
    for between, raw in zip(pieces[::2], pieces[1::2], strict=False):
        start = end + len(between)
        end = start + len(raw)
        raw = raw if is_own else text[start:end]
        found = known.get(raw)
        if found is None:
            if raw.count(",") > 1 and _LISTED.fullmatch(raw) is not None:
                tokens.extend(_listed(raw, start))
                continue
            found = _keep(raw, language)
        norm, stem, is_stop, is_number, shape = found
        is_name = shape > 0 and (shape == 2 or _is_inside_sentence(text, start))
        add(make(Token, (raw, norm, stem, start, end, is_stop, is_number, is_name)))
    return tokens


def _split_any(text: str, language: str) -> list[Token]:
    tokens: list[Token] = []
    make, add = tuple.__new__, tokens.append
    known = _known_of(language)
    for match in _TOKEN.finditer(text):
        raw = match[0]
        start = match.start()
        if match.lastgroup == "unspaced":
            tokens.extend(_pairs(raw, start))
            continue
        found = known.get(raw)
        if found is None:
            if raw.count(",") > 1 and _LISTED.fullmatch(raw) is not None:
                tokens.extend(_listed(raw, start))
                continue
            found = _keep(raw, language)
        norm, stem, is_stop, is_number, shape = found
        is_name = shape == 2 or (shape == 1 and _is_inside_sentence(text, start))
        add(make(Token, (raw, norm, stem, start, start + len(raw), is_stop, is_number, is_name)))
    return tokens


def is_acronym(word: str) -> bool:
    """Whether a word is two or more letters, all capitals, with or without dots."""
    if not word.isupper():
        return False
    word = word.replace(".", "")
    return len(word) > 1 and word.isalpha()


def _is_inside_sentence(text: str, start: int) -> bool:
    """Whether a word follows neither the start of the text nor the end of a sentence."""
    position = start - 1
    while position >= 0 and text[position] in " \t\r\xa0":
        position -= 1
    return position >= 0 and text[position] not in _SENTENCE_END


def _pairs(run: str, offset: int) -> list[Token]:
    """Overlapping pairs of characters of a run without blanks; one token for a single character."""
    folded = unicodedata.normalize("NFKC", run)
    if len(folded) != len(run):
        folded = run
    if len(run) == 1:
        return [Token(run, folded, folded, offset, offset + 1, False, False, False)]
    pairs = [(run[i : i + 2], folded[i : i + 2], offset + i) for i in range(len(run) - 1)]
    return [Token(raw, norm, norm, start, start + 2, False, False, False) for raw, norm, start in pairs]


def script_language(text: str) -> str:
    """Language that the script of a text indicates, or "" for Latin and where no script prevails."""
    if text.isascii():
        return ""
    head = text[:_SAMPLE]
    if _ANY_SCRIPT.search(head) is None:
        return ""
    letters = _ANY_LETTER.findall(head)[:400]
    if not letters:
        return ""
    sample = "".join(letters)
    for language, pattern in _SCRIPTS:
        # Japanese mixes kana with Han: a tenth of kana distinguishes it from Chinese.
        share = 0.1 if language == "ja" else 0.5
        if len(pattern.findall(sample)) > share * len(letters):
            return language
    return ""


def language_in_force(sample: str, language: str) -> str:
    """First part of the BCP 47 tag to use."""
    said = base_language(language)
    script = script_language(sample)
    if script:
        # Han and Cyrillic are used by many languages: an explicit tag takes precedence over the script.
        return script if said in _UNSURE else said
    if said not in _UNSURE:
        return said
    # Splitting at blanks is rough but sufficient.
    words = sample[:_LANGUAGE_SAMPLE].lower().split()
    if len(words) < _FEWEST_WORDS:
        return said
    # Words without punctuation at their edges mostly decide it.
    if said == "en" and sum(map(STOP_WORDS["en"].__contains__, words)) >= len(words) / 5:
        return said
    words = [word.strip(_EDGES) for word in words]
    english = sum(word in STOP_WORDS["en"] for word in words)
    if said == "en" and english >= len(words) / 5:
        return said
    counts = {tongue: sum(map(stops.__contains__, words)) for tongue, stops in STOP_WORDS.items()}
    best = max(sorted(counts), key=lambda tongue: counts[tongue])
    if counts[best] >= _MARGIN * max(1, english) and counts[best] >= len(words) / 5:
        return best
    return said
