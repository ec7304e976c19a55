"""The content words of a question part as they are looked for in chunks: stems, synonyms, weights."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

from pytest_grounding._frozen import frozen
from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.synonyms import SHORTEST_ROOT, same_family, synonyms_of
from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize
from pytest_grounding.text.grammar import has_finite_verb
from pytest_grounding.text.questions import QuestionInfo, QuestionPart

_DIGITS = 9
#: Share of the whole weight that the names of a question have together; that of names with numbers, and
#: that of the word that says what is asked. Without a number or that word, a text stays below 60 %.
_NAMES_SHARE = 0.38
_NUMBERS_SHARE = 0.42
_KEY_SHARE = 0.42
_WEAK = 0.5
#: Weight of the last word of a question by how, when, where or why: its verb or its object. Of three words
#: the other two stay below 60 %.
_LAST = 1.45
#: Weight of the verb in "how do I cancel ...".
_DEED = 2.0
_LAST_COUNTS = frozenset(["how", "when", "where", "why", "how_much", "how_many"])
_IMPLIED = 0.25
#: Stems of verbs and nouns that say little about what is asked.
_WEAK_STEMS = frozenset(
    t.stem
    for t in tokenize(
        "use make take work happen call called know find think say give get put keep main current currently "
        "new good best many different various certain specific general possible available way example "
        "considered typically usually first help"
    )
)
_IMPLIED_STEMS = frozenset(
    t.stem
    for t in tokenize(
        "cost price charge fee tall high wide deep heavy long last take height length weight size pay "
        "percentage number amount temperature age capacity distance date year time city country become "
        "detail information info overview example"
    )
)
#: Those of them that only a sum of money says.
_PRICED_STEMS = frozenset(t.stem for t in tokenize("cost price charge fee pay"))
#: Verbs that a place says by itself.
_SITED_STEMS = frozenset(t.stem for t in tokenize("stand lie located situated based sit found live"))

_POSTS = frozenset(
    t.stem
    for t in tokenize("president chancellor king queen minister ceo cto cfo chair head mayor pope director")
)
_SITE = lazy(r"\W*where(?:'s| is| are| was| were) (?:the |my |our |a |an |your )?(?:\w+ ){0,2}(\w+)\W*\Z")
_PAST = lazy(r"^\W*(?:when|what year)?\W*(?:was|were|did|had)\b|\b(?:when|year|date) (?:was|were|did|had)\b")

_WANTED = {
    "person": "a person or body",
    "thing": "what is asked for",
    "definition": "a definition",
    "date": "a date or time",
    "location": "a place",
    "reason": "a reason",
    "method": "a way to do it",
    "quantity": "an amount",
    "choice": "one of the choices",
    "polarity": "a statement on it",
}


@frozen
class AskedWord:
    """One content word of a question.

    Attributes:
        stem: its stem.
        stems: stems that count as it, its own among them.
        weight: what it weighs in the share.
        is_name: a name or a number.
    """

    stem: str
    stems: frozenset[str]
    weight: float
    is_name: bool


ORDINALS = frozenset(
    "first second third fourth fifth sixth last next previous new old current former upper lower left right".split()
)
#: Before a hyphen they make another thing of a word: "semi-final".
PREFIXES = frozenset("semi quarter vice sub non pre post anti ex deputy pseudo half mid co un".split())


@frozen
class Slot:
    """A word of a question with the word beside it: "version 4", "Pro plan", "chalk paint", "choir of Vik".

    Attributes:
        stems: what says the word: its stem and those of its synonyms.
        neighbour: the stem of the word beside it.
        side: 1 where the neighbour follows, -1 where it precedes.
        is_name: the word is a number or a name.
        linked: "of" stands between the two.
        named_only: only a number or a name can be its rival.
        ordinal: only another word of order can ("second" for "first").
    """

    stems: frozenset[str]
    neighbour: str
    side: int
    is_name: bool = False
    linked: bool = False
    named_only: bool = False
    ordinal: bool = False


class Asked:
    """One part of a question, ready to be looked for.

    Attributes:
        part: the part.
        words: its content words, each stem once.
        stems: stems of all words of the whole question: what is among them answers nothing.
        names: runs of names in the question, as sets of stems.
        text: the question's text, whose numbers and dates answer nothing.
        lower: the same in lower case.
        content: stems of its content words, with their synonyms.
        known: ``stems`` and ``content``: a word among them is no new thing.
        focus_stems: stems of the noun that is counted or named, with synonyms.
        named: stems of its names and numbers.
        years: those of them that are years, where it is not a date that is asked for.
        predicate: the bit of its verb or of the attribute that it asks for; 0 where none is made out.
        names_mask: the bits of its names and numbers.
        needed: bits, and how many of them a statement on a yes/no question holds at least.
        slots: words that tell one thing from another of its kind, with the word beside them.
        asks_identity: it asks who a named person is.
        asks_site: it asks where something is, and nothing else about it.
        verb: stem of a verb that is no content word and is asked about all the same ("use", "made"), or "".
        prefixed: stems of its words that "semi-" or the like makes another thing of.
        kinds: stems of the noun after "which".
        asks_past: it asks about something that happened.
    """

    def __init__(
        self, part: QuestionPart, words: tuple[AskedWord, ...], stems: frozenset[str],
        names: tuple[frozenset[str], ...],
        slots: tuple[Slot, ...],
        text: str,
        predicate: str = "",
    ) -> None:  # fmt: skip
        self.part = part
        self.words = words
        self.stems = stems
        self.names = names
        self.slots = slots
        self.text = text
        self.lower = text.lower().replace("’", "'")
        self.content = frozenset(stem for word in words for stem in word.stems)
        self.known = stems | self.content
        focus = {t.stem for t in tokenize(part.focus)}
        self.focus_stems = frozenset(focus).union(*(synonyms_of(stem) for stem in focus))
        self.asks_identity = (
            part.type == "who"
            and len(names) == 1
            and all(word.is_name for word in words)
            and not any(word.stem in _POSTS for word in words)
        )
        site = _SITE.match(part.text.lower())
        self.asks_site = bool(words) and part.type == "where" and (
            (site is not None and _PARTICIPLE.fullmatch(site[1]) is None)
            or all(w.is_name or w.stem in _SITED_STEMS for w in words)
        )
        self.kinds = _kinds(part) if part.type == "which" else frozenset()
        self.asks_past = bool(_PAST.search(part.text.lower()))
        self.named = frozenset(word.stem for word in words if word.is_name)
        self.years = frozenset(stem for stem in self.named if _YEAR.fullmatch(stem)) if part.expected != "date" else frozenset()
        verb = _PLAIN_DEED.search(part.text.lower())
        self.verb = tokenize(verb[1] or verb[2])[0].stem if verb else ""
        self.prefixed = frozenset(
            after.stem
            for before, after in pairwise(tokenize(part.text, "en"))
            if before.norm in PREFIXES and part.text[after.start - 1] == "-"
        )
        self.predicate = sum(1 << n for n, word in enumerate(words) if word.stem == predicate)
        self.names_mask = sum(1 << n for n, word in enumerate(words) if word.is_name)
        self.needed = _needed(part, words)
        self._total = sum(word.weight for word in words)
        self._shares: dict[int, float] = {}

    @property
    def expected_words(self) -> str:
        """The expected kind of answer, in words."""
        if self.part.expected == "quantity" and self.part.measure == "duration":
            return "a length of time"
        return _WANTED.get(self.part.expected, "the answer")

    def places(self, index: ChunkIndex) -> dict[str, int]:
        """The stems of a text that count as words of the question: stem -> bits in the order of ``words``."""
        positions = index.positions
        found: dict[str, int] = {}
        for number, word in enumerate(self.words):
            stems = [stem for stem in word.stems if stem in positions]
            if not stems and not word.is_name:
                root = word.stem[:SHORTEST_ROOT]
                stems = [s for s in positions if s.startswith(root) and same_family(word.stem, s)]
            for stem in stems:
                found[stem] = found.get(stem, 0) | 1 << number
        return found

    @staticmethod
    def masks(index: ChunkIndex, places: dict[str, int]) -> list[int]:
        """For each sentence of a text the words that it holds, as bits in the order of ``words``."""
        masks = [0] * len(index.sentences)
        positions, sentence_of = index.positions, index.sentence_of
        for stem, bits in places.items():
            for position in positions[stem]:
                masks[sentence_of[position]] |= bits
        return masks

    def is_topic(self, mask: int) -> bool:
        """Whether a text that holds these words is about what the question names."""
        return not self.names_mask or bool(mask & self.names_mask)

    def holds_needed(self, mask: int) -> bool:
        """Whether these words are enough for a statement on a yes/no question."""
        return all((mask & bits).bit_count() >= count for bits, count in self.needed)

    def share(self, mask: int) -> float:
        """Weight of the words of a mask as a share of the whole, rounded to 9 decimals."""
        known = self._shares.get(mask)
        if known is None:
            weight = sum(word.weight for number, word in enumerate(self.words) if mask >> number & 1)
            known = self._shares[mask] = round(weight / self._total, _DIGITS) if self._total else 0.0
        return known


_DO = frozenset(["do", "does", "did", "don't", "doesn't", "didn't"])


def _needed(part: QuestionPart, words: tuple[AskedWord, ...]) -> tuple[tuple[int, int], ...]:
    """For a yes/no question its subject, and after "does" the words up to the first function word.

    Returns:
        Pairs of bits and how many of them a statement on the question holds at least.
    """
    if part.type != "yes_no" or len(part.words) < 2:
        return ()
    run = 1
    for before, after in zip(part.words, part.words[1:], strict=False):
        if after.start - before.end > 1:
            break
        run += 1
    bits = {word.stem: 1 << number for number, word in enumerate(words)}
    found = [tokenize(word.text) for word in part.words[:run]]
    first = [bits[tokens[0].stem] for tokens in found if tokens and tokens[0].stem in bits]
    if not first:
        return ()
    subject = first[0] | first[1] if run > 2 and len(first) > 1 else first[0]
    needed = [(subject, 1)]
    verb = next((word.stem for word in words if bits[word.stem] == first[-1]), "")
    if part.text.split(maxsplit=1)[0].lower() in _DO and len(first) > 1 and verb not in _WEAK_STEMS:
        needed.append(
            (first[-1], 1) if len(first) == 2 else (sum(set(first)), math.ceil(0.6 * len(set(first))))
        )
    return tuple(needed)


def ask(part: QuestionPart, info: QuestionInfo) -> Asked:
    """A part of a question, ready to be looked for."""
    return _ask(part, info.question)


@lru_cache(maxsize=512)
def _ask(part: QuestionPart, question: str) -> Asked:
    tokens = tokenize(question, "en")
    wanted = sorted((word.start, word.end) for word in part.words)
    chosen = [t for t in tokens if any(start <= t.start < end for start, end in wanted)]
    content = [t for t in chosen if not t.is_stop] or chosen
    kept: dict[str, Token] = {}
    for token in content:
        kept.setdefault(token.stem, token)
    # A question in capitals throughout, or in title case, shows no names by them.
    titled = question.isupper() or (len(content) > 3 and all(t.text[0].isupper() for t in content))
    named = {
        stem
        for stem, t in kept.items()
        if t.is_number or (not titled and t.is_name) or _has_digit(t.text) or _is_identifier(question, t)
    }
    key = next((t.stem for t in content if t.start == part.key), "")
    last = content[-1].stem if content and part.type in _LAST_COUNTS and not key else ""
    kinds = dict.fromkeys(_kinds(part) - named, _IMPLIED) if part.expected == "choice" else {}
    if kinds and key in kinds:
        key = ""
    stressed = {**_kinds_of_names(content, named, key, last), **kinds, last: _LAST, next((t.stem for t in content if t.start == part.deed), ""): _DEED}
    words = tuple(_words(kept, named, key, part, stressed))
    stems = frozenset(t.stem for t in tokens)
    names = tuple(_name_runs(chosen, named))
    predicate = _predicate(part, content, key, named)
    return Asked(part, words, stems, names, _slots(tokens, chosen, named, part.focus.lower()), question, predicate)


_DONE_BY = lazy(r"\b(?:do|does|did|can|could|will|would|should|must|may) (?:i|you|we|they|one|he|she) (\w+)")
_INVERTED = lazy(r"\b(?:do|does|did|can|could|will|would|should|must|may|has|have|had)\b")
_PARTICIPLE = lazy(r"\w+(?:ed|en|wn|orn)|held|kept|made|built|sold|paid|sent|won|lost|found|left|met|read|set|cut|shot|lent|bought")
_YEAR = lazy(r"(?:1[5-9]|2[01])\d\d")


def _kinds(part: QuestionPart) -> frozenset[str]:
    """The stem of the noun after "which": "filter" in "which filter fits the pump"."""
    tokens = tokenize(part.text, "en")
    place = next((n for n, t in enumerate(tokens) if t.norm in {"which", "what"}), len(tokens))
    found = ""
    before = ""
    for token in tokens[place + 1 :]:
        verb = before and not before.endswith("s") and token.norm.endswith("s") and not token.norm.endswith("ss")
        if verb or token.is_stop or has_finite_verb([token.norm]):
            break
        found, before = token.stem, token.norm
    return frozenset({found} if found else ())


def _predicate(part: QuestionPart, content: list[Token], key: str, named: set[str]) -> str:
    """The stem of the word that a statement has to say itself, whatever it takes over from another one."""
    done = _DONE_BY.search(part.text.lower())
    if part.type == "who" or (part.type == "yes_no" and not done):
        return key if key not in _WEAK_STEMS else ""
    if not content:
        return ""
    if done:
        stem = next((t.stem for t in content if t.start == part.start + done.start(1)), "")
        return stem if stem not in _WEAK_STEMS | _IMPLIED_STEMS else ""
    passive = _PASSIVE.search(part.text.lower())
    if passive and _PARTICIPLE.fullmatch(passive[1]):
        stem = next((t.stem for t in content if t.start == part.start + passive.start(1)), "")
        if stem:
            return stem
    last = content[-1]
    if _ENDS_IN_DO.search(part.text.lower()) or last.stem in named or last.stem in _IMPLIED_STEMS:
        return ""
    if part.type == "which":
        if _INVERTED.search(part.text.lower()):
            return last.stem
        kinds = _kinds(part)
        deeds = [t.stem for before, t in pairwise(content) if before.stem in kinds and t.stem not in kinds]
        wanted = deeds[0] if deeds and deeds[0] not in _CONTAINS | named else last.stem
        return wanted if wanted not in _WEAK_STEMS and len(content) > 1 else ""
    inverted = part.type in {"what", "when", "where"} and _INVERTED.search(part.text.lower())
    return last.stem if inverted or _PARTICIPLE.fullmatch(last.norm) else ""


_PLAIN_DEED = lazy(r"\b(?:do|does|did)\b.*\b(use|need|make)\W*\Z|\b(?:is|are|was|were)\b.* (made|used)\b")
_ENDS_IN_DO = lazy(r"\b(?:do|does|did|done|doing)\W*\Z")
_CONTAINS = frozenset(t.stem for t in tokenize("include contain offer have support provide"))
_PASSIVE = lazy(
    r"\b(?:is|are|was|were|be|been)\b[^?]*? (\w+)(?= (?:in|on|at|by|to|for|from|of|with|as|into|about|under)\b|\W*\Z)"
)


def _kinds_of_names(content: list[Token], named: set[str], key: str, last: str) -> dict[str, float]:
    """The nouns that only say what a name is the name of: "the Starter plan" is "Starter" too."""
    return {
        after.stem: _IMPLIED
        for before, after in pairwise(content)
        if before.stem in named
        and not before.is_number
        and after.start - before.end == 1
        and after.text.islower()
        and after.stem not in {key, last, content[-1].stem, *named}
        and not has_finite_verb([after.norm])
    }


def _is_identifier(question: str, token: Token) -> bool:
    """Whether a word is a piece of "queue_size"."""
    return question[token.end : token.end + 1] == "_" or question[max(token.start - 1, 0) : token.start] == "_"


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _words(
    kept: dict[str, Token], named: set[str], key: str, part: QuestionPart, stressed: dict[str, float]
) -> list[AskedWord]:
    weights = {stem: _weigh(stem, part.expected, part.measure) for stem in kept}
    for stem, weight in stressed.items():
        if weights.get(stem, 0.0) >= 1.0:
            weights[stem] = weight
    groups = {
        "names": [stem for stem in kept if stem in named],
        "key": [key] if key in kept and key not in named and key not in _WEAK_STEMS else [],
    }
    groups["rest"] = [stem for stem in kept if stem not in groups["names"] and stem not in groups["key"]]
    numbers = any(kept[stem].is_number for stem in groups["names"])
    shares = {"names": _NUMBERS_SHARE if numbers else _NAMES_SHARE, "key": _KEY_SHARE}
    shares = {name: share for name, share in shares.items() if groups[name]}
    if shares and all(weights[stem] <= _IMPLIED for stem in groups["rest"]):
        # An answer of the expected kind says the rest by itself.
        shares = {name: share * 0.8 / sum(shares.values()) for name, share in shares.items()}
    left = 1.0 - sum(shares.values())
    if not groups["rest"]:
        shares = dict.fromkeys(shares, 1.0)
    for name, members in groups.items():
        whole = sum(weights[stem] for stem in members)
        group = shares.get(name, left)
        for stem in members if shares else ():
            weights[stem] *= group / whole
    return [
        AskedWord(
            stem,
            frozenset({stem}) if token.is_number else frozenset({stem}) | synonyms_of(stem),
            weights[stem],
            stem in named,
        )
        for stem, token in kept.items()
    ]


def _weigh(stem: str, expected: str, measure: str = "") -> float:
    if stem in _PRICED_STEMS and expected == "quantity" and measure not in {"money", "amount", "percent"}:
        # "How long does it take to pay": a length of time does not say "pay".
        return 1.0
    if stem in _IMPLIED_STEMS or (expected == "location" and stem in _SITED_STEMS):
        return _IMPLIED
    return _WEAK if stem in _WEAK_STEMS else 1.0


def _slots(tokens: list[Token], chosen: list[Token], named: set[str], focus: str) -> tuple[Slot, ...]:
    starts = {t.start for t in chosen}
    slots = []
    for before, after in pairwise(tokens):
        if after.start - before.end > 1 or not {before.start, after.start} <= starts:
            continue
        if before.stem in named and not before.is_number:
            only = after is chosen[-1] or after.stem in named
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, is_name=True, named_only=only))
        elif before.stem in named and after.stem not in named:
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, is_name=True, named_only=True))
        elif after.stem in named:
            slots.append(Slot(frozenset({after.stem}), before.stem, -1, is_name=True, named_only=True))
        elif before.norm in ORDINALS:
            slots.append(Slot(frozenset({before.stem}), after.stem, 1, ordinal=True))
        elif not before.is_stop and _weigh(before.stem, "") == 1.0:
            slots.append(Slot(frozenset({before.stem}) | synonyms_of(before.stem), after.stem, 1))
    for before, link, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if link.norm != "of" or before.is_stop or not {before.start, after.start} <= starts:
            continue
        if _weigh(before.stem, "") == 1.0 and before.norm != focus:
            stems = frozenset({before.stem}) | synonyms_of(before.stem)
            slots.append(Slot(stems, after.stem, 1, linked=True))
    return tuple(slots)


def _name_runs(tokens: list[Token], named: set[str]) -> list[frozenset[str]]:
    runs: list[frozenset[str]] = []
    run: set[str] = set()
    last = -2
    for token in tokens:
        if token.stem in named and not token.is_number:
            if run and token.start - last > 2:
                runs.append(frozenset(run))
                run = set()
            run.add(token.stem)
            last = token.end
    if run:
        runs.append(frozenset(run))
    return runs
