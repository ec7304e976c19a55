"""A user's glossary: its rules, its terms in texts, and a scorer that reads claims in the sources' terms."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice, pairwise, product
from operator import itemgetter
from typing import NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.errors import SettingsError
from pytest_grounding.evidence.token_index import index_of, weigh
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading import base_language
from pytest_grounding.reading.facts import extract_facts
from pytest_grounding.reading.words import Token, is_acronym, language_in_force, tokenize
from pytest_grounding.scorers import ClaimText, RelevanceScore, Scorer, SupportScore
from pytest_grounding.settings import Settings

# What may separate two words of one term: "sign up" is "sign-up", and "24/7" and "AT&T" are terms.
_GAP = lazy(r"(?:[^\w\s]{1,2}|[^\w.!?;:,\n]*(?:\n[ \t]*)?)\Z")
_OWNER = ("'s", "’s")
# A term and the sign after it. A single hyphen or exclamation mark is part of a term: "e-mail", "Yahoo!".
_PIECE = lazy(r' ?("[^"]+"|(?:(?!->|!=)[^"=<>≠→↔⇒~])+) ?(=|->|!=|\Z)')
#: A word that no text contains and that resembles no other: it is never found.
NOWHERE = "zqxjkv"
#: Readings of one text that are tried at most.
_MOST = 8
#: Share of the rest of a claim, by weight, that a sentence about a rival must exceed: as for names.
_COVER = 0.75
#: Highest support of a claim whose source says the same of a term that never means it.
_CONTRADICTED = 0.5
_SAMPLE = 200


class Term(NamedTuple):
    """One term as the user wrote it."""

    text: str  # its words, without quotes
    exact: bool = False  # it was quoted: case and endings count

    def words(self, language: str) -> tuple[tuple[str, str], ...]:
        """For each word its stem, and its exact letters if they count, else ""."""
        tokens = tokenize(self.text, language)
        return tuple((t.stem, t.text if self.exact or is_acronym(t.text) else "") for t in tokens)

    def stands(self, text: str, tokens: Sequence[Token], language: str) -> bool:
        """Whether some tokens of a text are this term."""
        for token, (stem, letters) in zip(tokens, self.words(language), strict=True):
            bare = token.text[:-2] if token.text.endswith(_OWNER) else token.text
            same = bare == letters or (not self.exact and bare == f"{letters}s")
            if not (same if letters else token.stem == stem):
                return False
        return all(_GAP.match(text[left.end : right.start]) for left, right in pairwise(tokens))


class Rule(NamedTuple):
    """One line of a glossary."""

    sign: str  # ``=``, ``->`` or ``!=``
    terms: tuple[Term, ...]  # two terms, or more with ``=``
    text: str  # the line
    place: str  # ``terms.txt:7``, or ``glossary, line 7``


class Place(NamedTuple):
    """An occurrence of a term in a text."""

    term: Term
    start: int  # start offset
    end: int  # end offset, exclusive, without a genitive ending


class Reading(NamedTuple):
    """A text with some terms replaced."""

    text: str  # the text after replacement
    source: str  # the original
    #: The replacements, from left to right: start and end in the original, and in the reading.
    swaps: tuple[tuple[int, int, int, int], ...] = ()

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Map a stretch of the reading to the original; a part of a replacement maps to the whole term."""
        low, high = start, end
        for first, last, at, to in self.swaps:
            if at <= start:
                low = first if start < to else start - to + last
            if at < end:
                high = last if end <= to else end - to + last
        return low, max(low, high)

    @property
    def pairs(self) -> dict[str, str]:
        """The replacements: original -> replacement."""
        pairs = {self.source[start:end]: self.text[at:to] for start, end, at, to in self.swaps}
        return {old: new for old, new in pairs.items() if new.lower() != NOWHERE}


def replaced(text: str, places: Sequence[Place], words: dict[Term, str]) -> Reading:
    """Replace some terms of a text."""
    made = ""
    swaps: list[tuple[int, int, int, int]] = []
    copied = 0
    for place in places:
        if place.term not in words:
            continue
        word = words[place.term]
        if text[place.start].isupper() and not text[: place.start].strip():
            word = word[:1].upper() + word[1:]
        made += text[copied : place.start]
        swaps.append((place.start, place.end, len(made), len(made) + len(word)))
        made += word
        copied = place.end
    return Reading(made + text[copied:], text, tuple(swaps))


def conflict_in(conflict: Conflict, reading: Reading) -> Conflict:
    """A conflict of a reading in the words of the original text."""
    start = conflict.claim_start
    if start is None:
        return conflict
    low, high = reading.back(start, start + max(1, len(conflict.claim_text)))
    ours = reading.source[low:high]
    message = conflict.message.replace(f'"{conflict.claim_text}"', f'"{ours}"', 1)
    return conflict.model_copy(update={"claim_text": ours, "claim_start": low, "message": message})


def _rule(text: str, place: str, language: str) -> Rule:
    """Read one line of a glossary."""
    found = list(_PIECE.finditer(text))
    *signs, end = [match[2] for match in found] or [""]
    terms = [Term(match[1].strip('" '), match[1][0] == '"') for match in found]
    is_whole = "".join(match[0] for match in found) == text and not end
    is_known = len(set(signs)) == 1 and (len(signs) == 1 or signs[0] == "=")
    words = {term.words(language) for term in terms}
    if not is_whole or not is_known or () in words or len(words) < len(terms):
        raise SettingsError(
            f"{place}: {text!r} is not a rule; write A = B, A -> B or A != B, with words in each term, "
            "no term twice (whatever its endings), and the whole term or nothing of it in quotes"
        )
    return Rule(signs[0], tuple(terms), text, place)


class Glossary:
    """The user's terms and their relations; raises `SettingsError` where two rules contradict."""

    def __init__(self, rules: Sequence[Rule], language: str = "en") -> None:
        terms = sorted((term for rule in rules for term in rule.terms), reverse=True)
        chosen = {term.words(language): term for term in terms}
        self.terms: tuple[Term, ...] = tuple(sorted(chosen.values()))
        pairs = [
            (rule, chosen[one.words(language)], chosen[other.words(language)])
            for rule in sorted(rules, key=lambda rule: rule.text)
            for one, other in pairwise(rule.terms)
        ]
        direct: dict[Term, set[Term]] = defaultdict(set)
        for rule, one, other in pairs:
            # "annual leave -> leave": a claim may write "leave" where the source has "annual leave".
            if rule.sign != "!=":
                direct[other].add(one)
            if rule.sign == "=":
                direct[one].add(other)
        #: Term of a claim -> terms of a source that support it.
        self.sources_of = {term: _reached(term, direct) for term in self.terms}
        equals = {
            term: [term, *(other for other in others if term in self.sources_of[other])]
            for term, others in self.sources_of.items()
        }
        #: Term -> terms that it never means, with the rule; a rule for a term holds for its equals.
        self.never: dict[Term, dict[Term, str]] = defaultdict(dict)
        for rule, left, right in (pair for pair in pairs if pair[0].sign == "!="):
            if left in self.sources_of[right] or right in self.sources_of[left]:
                raise SettingsError(
                    f"{rule.place}: {rule.text!r} contradicts the rules by which one of the two may stand "
                    "for the other; delete this line or one of those"
                )
            for one, other in product(equals[left], equals[right]):
                self.never[one].setdefault(other, rule.text)
                self.never[other].setdefault(one, rule.text)

    @lru_cache(maxsize=32)  # noqa: B019 - one glossary a run, and a few languages
    def _by_stem(self, language: str) -> dict[str, list[tuple[Term, int]]]:
        """Stem of a first word -> the terms and their numbers of words, the longest and exact ones first."""
        found: dict[str, list[tuple[Term, int]]] = defaultdict(list)
        for term in self.terms:
            (stem, letters), *others = term.words(language)
            # "SLAs" may have another stem than SLA.
            plural = [token.stem for token in tokenize(f"{letters}s", language)] if letters else []
            for each in {stem, *plural}:
                found[each].append((term, 1 + len(others)))
        for same in found.values():
            same.sort(key=lambda item: (-item[1], not any(w for _, w in item[0].words(language))))
        return found

    def find(self, text: str, language: str) -> tuple[Place, ...]:
        """The terms in a text, from left to right, without overlaps; of two at one place the longer one."""
        tokens, by_stem = index_of(text, language).tokens, self._by_stem(language)
        places: list[Place] = []
        for at, first in enumerate(tokens):
            if places and first.start < places[-1].end:
                continue
            for term, length in by_stem.get(first.stem, ()):
                part = tokens[at : at + length]
                if len(part) == length and term.stands(text, part, language):
                    owner = 2 if part[-1].text.endswith(_OWNER) else 0
                    places.append(Place(term, first.start, part[-1].end - owner))
                    break
        return tuple(places)

    def terms_in(self, texts: Iterable[str], language: str) -> frozenset[Term]:
        """The terms in some texts."""
        return frozenset(place.term for text in texts for place in self.find(text, language))

    def readings(
        self, text: str, there: frozenset[Term], language: str, lost: frozenset[Term] = frozenset()
    ) -> list[Reading]:
        """The possible readings of a text for chunks with some terms, the plainest first.

        A term of ``lost`` without another name in the chunks becomes a word that is never found.
        """
        places = self.find(text, language)
        terms = list(dict.fromkeys(place.term for place in places))
        forms = [[one for one in (term, *self.sources_of[term]) if one in there] or [term] for term in terms]
        found = []
        for choice in islice(product(*forms), _MOST):
            words = {
                term: NOWHERE if new in lost else new.text
                for term, new in zip(terms, choice, strict=True)
                if new != term or term in lost
            }
            found.append(replaced(text, places, words))
        return found


def _reached(start: Term, direct: dict[Term, set[Term]]) -> tuple[Term, ...]:
    """What a term may be read as, by any number of rules."""
    found, waiting = {start}, [start]
    while waiting:
        new = direct.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return tuple(sorted(found - {start}))


def glossary_of(settings: Settings) -> Glossary | None:
    """The glossary of some settings, or None."""
    lines = settings.glossary_lines
    return _made(lines, settings.glossary_file, base_language(settings.language)) if lines else None


@lru_cache(maxsize=32)
def _made(lines: tuple[tuple[int, str], ...], source: str, language: str) -> Glossary:
    where = f"{source}:" if source else "glossary, line "
    return Glossary([_rule(text, f"{where}{number}", language) for number, text in lines], language)


class _Sentence(NamedTuple):
    """A sentence of a chunk that contains terms."""

    evidence: Evidence
    terms: dict[Term, str]  # each as it is first written there

    def cover(self, rest: Sequence[Token], language: str) -> float:
        """Share of some words, by weight, in the sentence, in [0, 1]; 0 if it lacks a number."""
        stems = {token.stem for token in tokenize(self.evidence.text, language)}
        if not rest or any(token.is_number and token.stem not in stems for token in rest):
            return 0.0
        weights = {token.stem: weigh(token, language) for token in rest}
        held = sum(weight for stem, weight in weights.items() if stem in stems)
        return held / (sum(weights.values()) or 1.0)

    def denies(self, claim: str) -> bool:
        """Whether one of the sentence and a claim is denied and the other is not."""
        texts = self.evidence.text, claim
        return sum(fact.kind == "negation" for text in texts for fact in extract_facts(text)) % 2 == 1


class Rivals:
    """Sentences of the chunks with terms that never mean the claim's terms."""

    def __init__(self, glossary: Glossary, chunks: Sequence[Chunk], language: str) -> None:
        self._glossary = glossary
        self._language = language
        #: (chunk id, offset) -> the sentence there, in the order of the chunks.
        self._sentences: dict[tuple[str, int], _Sentence] = {}
        for chunk in chunks:
            index = index_of(chunk.text, language)
            for place in glossary.find(chunk.text, language):
                number = max(0, bisect_right(index.sentences, place.start, key=itemgetter(0)) - 1)
                where = chunk.id, index.sentences[number][0]
                sentence = _Sentence(index.evidence(chunk.id, number), {})
                terms = self._sentences.setdefault(where, sentence).terms
                terms.setdefault(place.term, chunk.text[place.start : place.end])

    def _rival_in(self, sentence: _Sentence, term: Term, said: set[Term]) -> Term | None:
        """A rival that a sentence names instead of a claim's term, or None."""
        rivals = self._glossary.never.get(term, {}).keys()
        # "Unlike Silver, Gold ...": the claim itself distinguishes the two.
        is_own = said & rivals or sentence.terms.keys() & {term, *self._glossary.sources_of[term]}
        return None if is_own else min(rivals & sentence.terms.keys(), default=None)

    def about_another(self, conflict: Conflict, places: Sequence[Place]) -> str:
        """The rule by which the evidence of a conflict is about something else than the claim, or ""."""
        sentence = self._sentences.get((conflict.evidence.chunk_id, conflict.evidence.start))
        said = {place.term for place in places}
        found = ((term, self._rival_in(sentence, term, said)) for term in sorted(said) if sentence)
        return next((self._glossary.never[term][rival] for term, rival in found if rival), "")

    def conflicts(self, claim: str, places: Sequence[Place], reading: Reading) -> Iterator[Conflict]:
        """The conflicts of a claim, in text order, at most one for each term."""
        said = {place.term for place in places}
        for term in dict.fromkeys(place.term for place in places if place.term in self._glossary.never):
            own = [place for place in places if place.term == term]
            rest = [
                token
                for token in tokenize(reading.text, self._language)
                if not token.is_stop
                and not any(p.start <= reading.back(token.start, token.end)[0] < p.end for p in own)
            ]
            allied = {term, *self._glossary.sources_of[term]}
            covers = [(s, s.cover(rest, self._language)) for s in self._sentences.values()]
            most = max([_COVER, *(cover for s, cover in covers if s.terms.keys() & allied)])
            found = [
                (cover, s, rival)
                for s, cover in covers
                if cover > most and (rival := self._rival_in(s, term, said)) and not s.denies(claim)
            ]
            if not found:
                continue
            _, sentence, rival = max(found, key=itemgetter(0))
            ours = claim[own[0].start : own[0].end]
            theirs, rule = sentence.terms[rival], self._glossary.never[term][rival]
            yield Conflict(
                kind="term",
                severity="error",
                claim_text=ours,
                evidence_text=theirs,
                evidence=sentence.evidence,
                claim_start=own[0].start,
                message=f'term: the claim says "{ours}", the source says "{theirs}" (glossary: {rule})',
            )


class GlossaryScorer:
    """Scores each claim in the terms of its sources, and takes the best reading."""

    def __init__(self, scorer: Scorer, glossary: Glossary) -> None:
        self._scorer = scorer
        self._glossary = glossary

    @property
    def name(self) -> str:
        """Name of the inner scorer."""
        return self._scorer.name

    def relevance(
        self, question: str, chunks: Sequence[Chunk], *, language: str = "en"
    ) -> list[RelevanceScore]:
        """Relevance of each chunk to the question, by the best reading of the question."""
        tongue = language_in_force(question, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        readings = self._glossary.readings(question, there, tongue)
        texts = dict.fromkeys([question, *(reading.text for reading in readings)])
        scores = [self._scorer.relevance(text, chunks, language=language) for text in texts]
        return [
            max(some, key=lambda score: -1.0 if score.value is None else score.value)
            for some in zip(*scores, strict=False)
        ]

    def support(
        self,
        claims: Sequence[ClaimText],
        chunks: Sequence[Chunk],
        *,
        question: str = "",
        language: str = "en",
    ) -> list[SupportScore]:
        """Support of each claim by its best reading, reported in the claim's own words."""
        # The language that the built-in scorer detects for the same texts, so that they are read once.
        sample = " ".join([*(claim.text for claim in claims), *(c.text[:_SAMPLE] for c in chunks[:3])])
        tongue = language_in_force(sample, language)
        there = self._glossary.terms_in([chunk.text for chunk in chunks], tongue)
        plans = [self._readings(claim.text, there, tongue) for claim in claims]
        items = [
            replace(claim, text=reading.text)
            for claim, (readings, _) in zip(claims, plans, strict=True)
            for reading in readings
        ]
        scores = iter(self._scorer.support(items, chunks, question=question, language=language))
        rivals = Rivals(self._glossary, chunks, tongue)
        found = []
        for claim, (readings, own) in zip(claims, plans, strict=True):
            tried = list(islice(scores, len(readings)))
            best = _best(tried, own=own)
            places = self._glossary.find(claim.text, tongue)
            found.append(_reported(tried[best], readings[best], places, rivals))
        return found

    def _readings(self, claim: str, there: frozenset[Term], language: str) -> tuple[list[Reading], bool]:
        """A claim and its other readings; whether the claim itself is in the terms of its sources."""
        places = self._glossary.find(claim, language)
        # A shipped synonym must not lead from a term to one that it never means.
        away = {place.term for place in places} - there if self.name == "builtin" else set()
        lost = frozenset(term for term in away if not there.isdisjoint(self._glossary.never.get(term, ())))
        found = self._glossary.readings(claim, there, language, lost)
        others = [reading for reading in found if reading.pairs]
        itself = replaced(claim, places, dict.fromkeys(lost, NOWHERE))
        return [itself, *others], len(others) < len(found)


def _best(scores: Sequence[SupportScore], *, own: bool) -> int:
    """Index of the reading that counts: the most supported of those that are not contradicted."""
    supports = [score.probability or 0.0 for score in scores]
    contradicted = [any(item.severity == "error" for item in score.conflicts) for score in scores]
    # In other terms than its sources' own, a claim cannot be contradicted by them.
    order = range(len(scores)) if own else range(1, len(scores))
    clear = [at for at in order if not contradicted[at]]
    if own:
        clear = [at for at in clear if supports[at] >= supports[0]]
    elif clear and not contradicted[0]:
        clear.append(0)
    return max(clear or order, key=supports.__getitem__)


def _reported(score: SupportScore, reading: Reading, places: Sequence[Place], rivals: Rivals) -> SupportScore:
    """A score of a reading in the claim's own words, with the conflicts of its terms."""
    reason, probability, conflicts = score.reason, score.probability, []
    for old in score.conflicts:
        new = conflict_in(old, reading)
        rule = rivals.about_another(old, places)
        if not rule:
            conflicts.append(new)
            reason = reason.replace(old.message, new.message) if old.message else reason
        elif old.message and old.message in reason:
            reason = f"the nearest source is about something else (glossary: {rule})"
    written = {reading.text[at:to]: reading.source[start:end] for start, end, at, to in reading.swaps}
    for word in score.missing:
        reason = reason.replace(word, written.get(word, word))
    terms = list(rivals.conflicts(reading.source, places, reading))
    if terms:
        # A conflict of terms replaces those of the same words.
        starts = [(item.claim_start or 0, len(item.claim_text)) for item in terms]
        ours = {start + at for start, length in starts for at in range(length)}
        conflicts = [item for item in conflicts if item.claim_start not in ours] + terms
        conflicts.sort(key=lambda item: item.claim_start or 0)
        reason = terms[0].message
        probability = None if probability is None else min(probability, _CONTRADICTED)
    if reading.pairs:
        reason += "; the glossary reads " + ", ".join(f'"{a}" as "{b}"' for a, b in reading.pairs.items())
    # The claim itself is not in a source verbatim.
    is_other = score.method == "exact_match" and (terms or reading.swaps)
    return replace(
        score,
        probability=probability,
        conflicts=tuple(conflicts),
        method="lexical" if is_other else score.method,
        reason=reason,
        missing=tuple(dict.fromkeys(written.get(word, word) for word in score.missing)),
    )
