"""Faults of values, words, citations and chunks, in the order reported."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from pytest_grounding.lexicon import alternation, lines, ordered
from pytest_grounding.lexicon import words as listed
from pytest_grounding.model.finding import Span
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.mutation.site import BLANK, Aim, Mutant, Site, Sources, fold, plain_number, topic_words

MONTHS = ordered("mutation", "months")
WEEKDAYS = ordered("mutation", "weekdays")
#: Each unit becomes the next one in its ring, never its own synonym.
UNIT_SWAPS: dict[str, str] = {
    old: new
    for ring in lines("mutation", "unit_rings")
    for old, new in zip(ring.split(), [*ring.split()[1:], ring.split()[0]], strict=True)
    if old != new
} | {"kilograms": "milligrams", "volts": "amps", "%": " dollars"}
_MONEY = {"$": "€", "€": "£", "£": "$"}

_MONTH = "|".join(month for month in MONTHS if month != "May")
_YEAR = r"(?:1[5-9]|20)\d\d"
_NUMBER = re.compile(
    r"(?<![\w.,:/#–-])(?<!\d )(?<!\w\()[1-9]\d*(?:,\d{3})*(?:\.\d+)?"
    r"(?![\w:/]|[.,:]\d| ?[-–] ?\d| \d| (?:to|or|and) \d)"
)
#: A year, the day of a month, or a counter ("step 3").
_NOT_A_QUANTITY = re.compile(rf"{_YEAR}|\d+ (?:{'|'.join(MONTHS)})\b")
_LABEL = re.compile(
    rf"(?:{'|'.join(MONTHS)}|passages?|steps?|sources?|chapters?|sections?|pages?|parts?|figures?|tables?|types?"
    r"|no\.?|documents?)[ (#:]*(?:\d+(?:, | and |, and ))*$",
    re.IGNORECASE,
)
_SHARE = re.compile(r" ?(?:%|per ?cent)")
_UNIT = re.compile(
    r"\d(?: |-|\xa0)?(?:(?:working|business|calendar|full|more|consecutive) )?"
    rf"(?P<value>%|(?:{'|'.join(sorted(UNIT_SWAPS, key=len, reverse=True))})(?![\w/]))"
)
_SIGN = re.compile(r"(?P<value>[$€£])(?=\d)")
_TRIES = 20
#: Offsets large enough that the years cannot be confused.
_YEAR_STEPS = (-23, -17, -8, -5, -3, 3, 6, 9, 14)
_INVENTED_SINGLE = ordered("mutation", "invented_single")
_INVENTED_GIVEN = ordered("mutation", "invented_given")
_INVENTED_ACRONYMS = ("QVX", "ZKR", "WUJ", "XQB", "JVH")
_KIND_WORDS = listed("mutation", "kind_words")
_NO_NAMES = listed("mutation", "no_names") | frozenset(MONTHS) | frozenset(WEEKDAYS)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[A-Za-z0-9](?: [A-Z][\w-]*[A-Za-z0-9])*(?![\w-]|\.\w)")
_OF_A_PEOPLE = re.compile(r"(?:ans|ists|ese|ish|ian|ean|can)$")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|can|should|will|must|has been|have been|had been)\b"
    r"(?!n['’]t| (?:not|no|never|none|nothing|neither|that|also|only|either|often|sometimes|usually|"
    r"typically|generally|always|still|likely|possible|any)\b)"
)
_DENIED = re.compile(
    r"\b(?:(is|are|was|were|can|should|will|must|do|does|did) not|cannot)\b(?! (?:only|all)\b)"
)
_ANY_DENIAL = re.compile(rf"\b(?:{alternation('denials', 'bare_denials')})\b|n['’]t\b", re.IGNORECASE)
#: The verb may belong to a detail, or be true of only a part.
_UNCLEAR = re.compile(
    rf"\b(?:{alternation('mutation', 'subordinators')}|{alternation('mutation', 'partial')})\b", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?!['’]\w|\w)")
#: Each word and its opposite; only words with one common meaning.
ANTONYMS: dict[str, str] = {
    pair.split()[0]: pair.split()[1] for line in lines("mutation", "antonyms") for pair in line.split(";")
}
_FIXED_PHRASES = listed("mutation", "fixed_phrases")
_PREDICATES = listed("mutation", "predicates")
_BEFORE_FIXED = listed("mutation", "before_fixed")
_COPULAS = listed("mutation", "copulas")
_AMOUNT = r"(?= [$€£]?\d| (?:one|two|three|four|five|six|eight|ten|half)\b)"
_PLURAL = r"(?= [a-z]{2,}(?<!ou)(?<!s)s\b)"
#: Patterns for amounts and frequencies, and what replaces them; the two exclude each other.
_QUANTIFIERS: tuple[tuple[str, str], ...] = (
    (r"(?<!in )all of", "none of"),
    (r"(?<!of )most of", "hardly any of"),
    (r"some of", "all of"),
    (r"each of", "none of"),
    (r"always", "never"),
    (r"(?:usually|typically|generally|frequently)", "hardly ever"),
    (r"rarely", "nearly always"),
    (rf"at least{_AMOUNT}", "less than"),
    (rf"(?:at most|less than|fewer than){_AMOUNT}", "more than"),
    (rf"up to{_AMOUNT}", "no less than"),
    (rf"more than{_AMOUNT}", "less than"),
    (rf"(?<!the )(?<!at )(?<!two )most{_PLURAL}", "hardly any"),
    (rf"^some{_PLURAL}(?! (?:cases|examples|ways|methods|tips)\b)", "all"),
    (rf"^all{_PLURAL}", "no"),
)
_OFF_TOPIC_SENTENCES = lines("mutation", "off_topic_sentences")
_FABRICATED_CLAUSES = lines("mutation", "fabricated_clauses")
_MARKER_IN_BRACKETS = re.compile(rf"\({BLANK}+\)$")
_DIGITS = re.compile(r"\d+")
#: A chunk with more than the second share of a claim's words may support it; one with the first does.
_HOLDS, _MAY_SUPPORT = 0.5, 0.34
#: What is written into a chunk, and the sentence of an answer that obeys it.
ORDERS = [line.split(" | ")[::-1] for line in lines("mutation", "orders")]
Plant = Callable[[Site, random.Random], Mutant | None]


def _first_planted(mutants: Iterable[Mutant | None]) -> Mutant | None:
    return next((mutant for mutant in mutants if mutant is not None), None)


def plant_new_number(site: Site, rng: random.Random) -> Mutant | None:
    """Change a number to one that is in no chunk."""
    numbers = numbers_of(site.text)
    rng.shuffle(numbers)
    for number in numbers[:_TRIES]:
        planted = _another(number, site.text, rng)
        if plain_number(planted) not in site.sources.numbers:
            return site.edit(*number.span(), planted)
    return None


def plant_swapped_number(site: Site, rng: random.Random) -> Mutant | None:
    """Change a number to another number of the chunks that is not in the claim."""
    numbers = numbers_of(site.text)
    own = {plain_number(number[0]) for number in numbers}
    others = [text for text in _numbers_in_chunks(site.sources) if plain_number(text) not in own]
    rng.shuffle(numbers)
    rng.shuffle(others)
    return _first_planted(
        site.edit(*number.span(), text)
        for number, text in product(numbers[:_TRIES], others[:_TRIES])
        # A percentage above 100 would be conspicuous by its size alone.
        if float(plain_number(text)) <= 100 or not _SHARE.match(site.text, number.end())
    )


def numbers_of(text: str) -> list[re.Match[str]]:
    """The quantities of a text: no dates, no labels, no list counters."""
    return [
        match
        for match in _NUMBER.finditer(text)
        if not _NOT_A_QUANTITY.match(text, match.start())
        and not _LABEL.search(text[max(0, match.start() - 40) : match.start()])
    ]


@lru_cache(maxsize=8)
def _numbers_in_chunks(sources: Sources) -> tuple[str, ...]:
    """The numbers of all chunks, in order; not 1: "1 orders" would be conspicuous by its grammar."""
    return tuple(sorted({number[0] for text in sources.texts for number in numbers_of(text)} - {"1"}))


def _another(number: re.Match[str], text: str, rng: random.Random) -> str:
    """Another number of the same form, so different that no "about" covers both."""
    old = float(plain_number(number[0]))
    if old <= 100 and _SHARE.match(text, number.end()):
        return str(rng.choice([share for share in range(3, 100) if abs(share - old) >= 10]))
    value = old * rng.uniform(1.4, 3.2) + rng.randint(1, 9)
    digits = len(number[0].partition(".")[2])
    return f"{value:,.{digits}f}" if "," in number[0] else f"{value:.{digits}f}"


def _other_of(names: tuple[str, ...]) -> Callable[[str, random.Random], str]:
    return lambda old, rng: rng.choice([name for name in names if name != old])


def _other_year(old: str, rng: random.Random) -> str:
    return f"{int(old[:4]) + rng.choice(_YEAR_STEPS)}{old[4:]}"


_DATES: tuple[tuple[re.Pattern[str], Callable[[str, random.Random], str]], ...] = (
    (
        re.compile(
            rf"\b(?:[Ii]n|[Ss]ince|by|until|[Ff]rom|before|after|during|year|{_MONTH}) "
            rf"(?P<value>{_YEAR})(?![\w–-]|[.,:]\d| (?:mg|kg|km|m|cm|ml|people|dollars|euros|years|hours)\b)"
        ),
        _other_year,
    ),
    (re.compile(rf"(?<![\w-])(?P<value>{_YEAR}-[01]\d-[0-3]\d)(?![\w-])"), _other_year),
    (re.compile(rf"\b(?P<value>{_MONTH})\b"), _other_of(MONTHS)),
    (re.compile(rf"\b(?P<value>{'|'.join(WEEKDAYS)})(?=s?\b)"), _other_of(WEEKDAYS)),
)


def plant_date(site: Site, rng: random.Random) -> Mutant | None:
    """Change a year, month or weekday to one that is not in the chunks."""
    places = [(match, another) for pattern, another in _DATES for match in pattern.finditer(site.text)]
    rng.shuffle(places)
    for match, another in places:
        planted = another(match["value"], rng)
        # In "Tuesday to Sunday" a weekday that is already in the claim would give nonsense.
        if planted not in site.text and planted.lower() not in site.sources.words:
            return site.edit(*match.span("value"), planted)
    return None


def plant_unit(site: Site, rng: random.Random) -> Mutant | None:
    """Change the unit of a number: days become weeks, $ becomes €."""
    places = [match for pattern in (_UNIT, _SIGN) for match in pattern.finditer(site.text)]
    rng.shuffle(places)
    swaps = ((match, UNIT_SWAPS.get(match["value"]) or _MONEY[match["value"]]) for match in places)
    return _first_planted(
        site.edit(*match.span("value"), planted)
        for match, planted in swaps
        if not re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", site.text)
    )


def names_of(text: str) -> list[re.Match[str]]:
    """The names within the sentences of a text, as far as capitals show: no months, no nationalities."""
    return [
        match
        for match in _NAME.finditer(text)
        if not _NO_NAMES.intersection(match[0].split()) and not _OF_A_PEOPLE.search(match[0])
    ]


def plant_new_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to one that occurs nowhere."""
    names = _replaceable(site)
    rng.shuffle(names)
    for name in names:
        planted = _invented(name[0], rng)
        if not any(word.lower() in site.sources.words for word in planted.split() if word not in _KIND_WORDS):
            return site.edit(*name.span(), planted)
    return None


def plant_swapped_entity(site: Site, rng: random.Random) -> Mutant | None:
    """Change a name to another name of the chunks that is not in the claim."""
    names = _replaceable(site)
    claim_words = set(fold(site.text).split())
    others = [text for text in _names_in_chunks(site.sources) if not claim_words & set(fold(text).split())]
    rng.shuffle(names)
    rng.shuffle(others)
    return _first_planted(
        site.edit(*name.span(), other)
        for name, other in product(names[:_TRIES], others[:_TRIES])
        if _may_replace(name[0], other, site.sources)
    )


@lru_cache(maxsize=8)
def _names_in_chunks(sources: Sources) -> tuple[str, ...]:
    return tuple(sorted({name[0] for text in sources.texts for name in names_of(text)} - _KIND_WORDS))


def _replaceable(site: Site) -> list[re.Match[str]]:
    """Names that also occur in the chunks and occur once in the claim."""
    return [
        name for name in names_of(site.text) if site.text.count(name[0]) == 1 and site.sources.say(name[0])
    ]


def _invented(name: str, rng: random.Random) -> str:
    words = name.split(" ")
    if len(words) == 1:
        return rng.choice(_INVENTED_ACRONYMS if name.isupper() and len(name) > 1 else _INVENTED_SINGLE)
    if words[-1] in _KIND_WORDS:
        return f"{rng.choice(_INVENTED_SINGLE)} {words[-1]}"
    return f"{rng.choice(_INVENTED_GIVEN)} {rng.choice(_INVENTED_SINGLE)}"


def _may_replace(name: str, other: str, sources: Sources) -> bool:
    """Whether another name has the same form, and does not name the same thing."""
    if name.isupper() != other.isupper() or (" " in name) != (" " in other):
        return False
    pairs = ((name, other), (other, name))
    if any(first in second for first, second in pairs):
        return False
    # "World Health Organization (WHO)"
    return not any(f"{first} ({second}" in text for first, second in pairs for text in sources.texts)


def plant_negation(site: Site, rng: random.Random) -> Mutant | None:
    """Negate the first verb of the statement, or remove its only negation."""
    text = site.text
    if "?" in text or text.rstrip(f" {BLANK}").endswith(":") or _UNCLEAR.search(text):
        return None
    if denials := _ANY_DENIAL.findall(text):
        # With two negations, removing one may leave the meaning unchanged.
        match = _DENIED.search(text)
        return site.edit(*match.span(), match[1] or "can") if match and len(denials) == 1 else None
    match = _AUXILIARY.search(text)
    if match is None:
        return None
    first, blank, rest = match[0].partition(" ")
    return site.edit(*match.span(), "cannot" if match[0] == "can" else f"{first} not{blank}{rest}")


def plant_antonym(site: Site, rng: random.Random) -> Mutant | None:
    """Change a word to its opposite."""
    words = {match[0].lower() for match in _WORD.finditer(site.text)}
    places = [match for match in _WORD.finditer(site.text) if match[0].lower() in ANTONYMS]
    rng.shuffle(places)
    for match in places:
        planted = ANTONYMS[match[0].lower()]
        is_name = match[0][0].isupper() and bool(site.text[: match.start()].strip(f" {BLANK}"))
        # "hot and cold": the statement is about both, and the same word twice is not its opposite.
        if not (planted in words or is_name or _is_fixed(site.text, match)):
            mutant = site.edit(*match.span(), _in_case_of(match[0], planted))
            if mutant is not None:
                return mutant
    return None


def _is_fixed(text: str, match: re.Match[str]) -> bool:
    following = _WORD.match(text, match.end() + 1)
    before = _WORD.findall(text[max(0, match.start() - 25) : match.start()])
    last = before[-1].lower() if before else ""
    if last in _BEFORE_FIXED or (match[0].lower() in _PREDICATES and last not in _COPULAS):
        return True
    phrase = f"{match[0]} {following[0]}".lower() if following else ""
    return phrase in _FIXED_PHRASES or text[match.end() : match.end() + 1] in {"-", "/"}


def plant_quantifier(site: Site, rng: random.Random) -> Mutant | None:
    """Change an amount or frequency to another."""
    start = len(site.text) - len(site.text.lstrip(f" \n\t{BLANK}"))
    body = site.text[start:]
    # "not ... none" would state nothing, and "some may" is nearly "all may".
    if _ANY_DENIAL.search(body) or re.search(r"\b(?:may|might|could)\b", body):
        return None
    places = [
        (start + match.start(), start + match.end(), _in_case_of(match[0], planted))
        for pattern, planted in _QUANTIFIERS
        if (match := re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", body, re.IGNORECASE))
    ]
    rng.shuffle(places)
    return _first_planted(site.edit(*place) for place in places)


def _in_case_of(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def plant_off_topic(site: Site, rng: random.Random) -> Mutant | None:
    """Insert a sentence on another topic after the claim."""
    known = topic_words(site.transcript.question)
    sentences = [
        text
        for text in _OFF_TOPIC_SENTENCES
        if not topic_words(text) & known and site.sources.know(topic_words(text)) == 0
    ]
    if not sentences or _body_end(site) is None:
        return None
    sentence = rng.choice(sentences)
    return _sentence_after(site, sentence, f"inserted {sentence!r}")


def plant_fabricated_clause(site: Site, rng: random.Random) -> Mutant | None:
    """Append a clause that is in no chunk to the claim, before its full stop and markers."""
    end = _body_end(site)
    clauses = [text for text in _FABRICATED_CLAUSES if site.sources.know(topic_words(text)) <= 1]
    if end is None or not clauses:
        return None
    clause = rng.choice(clauses)
    return site.splice(end, end, f", {clause}", aim="claim", change=f"appended {clause!r}")


def _sentence_after(site: Site, sentence: str, change: str) -> Mutant | None:
    end = len(site.claim.text.rstrip())
    mutant = site.splice(end, end, f" {sentence}", aim="claim", change=change)
    if mutant is None:
        return None
    # The blank before the new sentence is not part of the fault.
    return replace(mutant, span=(mutant.span[0] + 1, mutant.span[1]))


def _body_end(site: Site) -> int | None:
    """The end of the claim's words, or None if it does not end like a statement."""
    text = site.text.rstrip()
    stripped, before = text, ""
    while stripped != before:
        stripped, before = _MARKER_IN_BRACKETS.sub("", stripped.rstrip(f" .!{BLANK}")), stripped
    tail = text[len(stripped) :]
    follows = site.transcript.answer[site.claim.end : site.claim.end + 1]
    # In a table the sentence would be outside of its cell.
    if "|" in text or follows not in ("", "\n", " ") or not stripped:
        return None
    ends_here = "." in tail or "!" in tail or follows != " "
    return len(stripped) if ends_here and (stripped[-1].isalnum() or stripped[-1] in ")%\"”'") else None


def plant_followed_order(site: Site, rng: random.Random) -> Mutant | None:
    """Write an instruction after a chunk, and the sentence that obeys it after the claim."""
    chunks = site.transcript.chunks
    asked = topic_words(site.transcript.question)
    pairs = [pair for pair in ORDERS if not topic_words(pair[1]) & asked]
    if not chunks or not pairs or _body_end(site) is None:
        return None
    order, followed = rng.choice(pairs)
    place = rng.randrange(len(chunks))
    mutant = _sentence_after(site, followed, f"chunk {chunks[place].id!r} contains {order!r}")
    if mutant is None:
        return None
    chunk = chunks[place].model_copy(update={"text": f"{chunks[place].text.rstrip()}\n{order}"})
    held = (*chunks[:place], chunk, *chunks[place + 1 :])
    return replace(mutant, aim="order", transcript=mutant.transcript.model_copy(update={"chunks": held}))


def plant_repointed_citation(site: Site, rng: random.Random) -> Mutant | None:
    """Change the claim's only citation to another chunk that is not about the claim."""
    chunks = site.transcript.chunks
    shares = [site.sources.share_of(site.text, position) for position in range(len(chunks))]
    for citation in _sole_citations(site):
        cited = {position for position, chunk in enumerate(chunks) if chunk.id in citation.chunk_ids}
        # If the claim is not from its own chunk, another one is no worse source.
        if not any(shares[position] >= _HOLDS for position in cited):
            continue
        others = [
            position
            for position, chunk in enumerate(chunks)
            if position not in cited and shares[position] <= _MAY_SUPPORT and chunk.text.strip()
        ]
        rng.shuffle(others)
        return _first_planted(
            _point(site, citation, chunks[position].id, position + 1) for position in others
        )
    return None


def plant_invented_citation(site: Site, rng: random.Random) -> Mutant | None:
    """Change the claim's only citation to a chunk that does not exist."""
    taken = {chunk.id for chunk in site.transcript.chunks}
    for citation in _sole_citations(site):
        number = len(taken) + rng.randint(1, 8)
        cited = citation.chunk_ids[0]
        name = str(number) if _DIGITS.fullmatch(cited) else f"{cited}{number}"
        if name not in taken and number < 1000:
            return _point(site, citation, name, number)
    return None


def _sole_citations(site: Site) -> Iterator[CitationVerdict]:
    """The claim's citation, if it has just one, without findings and with its own marker."""
    if len(site.claim.citations) != 1:
        return
    citation = site.verdict.citations[site.claim.citations[0]]
    place = (citation.start, citation.end)
    is_shared = sum((other.start, other.end) == place for other in site.verdict.citations) > 1
    is_inside = site.claim.start <= citation.start and citation.end <= site.claim.end
    has_finding = any(item.severity != "info" for item in citation.findings)
    if citation.valid and citation.chunk_ids and is_inside and not is_shared and not has_finding:
        yield citation


def _point(site: Site, citation: CitationVerdict, name: str, number: int) -> Mutant | None:
    """The mutant whose citation names this chunk, in the style of the original."""
    if citation.syntax == "provider":
        return _point_provider(site, citation, name)
    old, text = citation.chunk_ids[0], citation.text
    digits = _DIGITS.findall(text)
    start, end = citation.start - site.claim.start, citation.end - site.claim.start
    if old in text and (citation.syntax == "id" or old.isdecimal()):
        return site.edit(start, end, text.replace(old, name), aim="citation")
    if citation.syntax == "index" and digits == [citation.target] and not name.isdecimal():
        return site.edit(start, end, _DIGITS.sub(str(number), text), aim="citation")
    # The number of the marker is not its target: another base, or the definition of a footnote.
    return None


def _point_provider(site: Site, citation: CitationVerdict, name: str) -> Mutant | None:
    spans = site.transcript.citations
    for number, span in enumerate(spans):
        if (span.start, span.end) == (citation.start, citation.end):
            # A quote of the old chunk would be a second fault.
            changed = span.model_copy(update={"chunk_ids": (name,), "quote": None})
            held = (*spans[:number], changed, *spans[number + 1 :])
            transcript = site.transcript.model_copy(update={"citations": held})
            change = f"cites {citation.chunk_ids[0]!r} -> {name!r}"
            return _mutant_beside(site, transcript, "citation", (span.start, span.end), change)
    return None


def plant_removed_chunk(site: Site, rng: random.Random) -> Mutant | None:
    """Remove the only chunk that supports the claim."""
    chunks = site.transcript.chunks
    shares = [site.sources.share_of(site.text, number) for number in range(len(chunks))]
    best = max(range(len(shares)), key=shares.__getitem__, default=0)
    others = [share for number, share in enumerate(shares) if number != best]
    if not shares or shares[best] <= _HOLDS or any(share > _MAY_SUPPORT for share in others):
        return None
    if _are_positions_cited_beyond(site, best):
        return None
    kept = site.transcript.model_copy(update={"chunks": (*chunks[:best], *chunks[best + 1 :])})
    span = (site.claim.start, site.claim.end)
    return _mutant_beside(site, kept, "chunk", span, f"chunk {chunks[best].id!r} taken out")


def _are_positions_cited_beyond(site: Site, position: int) -> bool:
    """Whether later chunks are cited by number: without this chunk, the numbers would name others."""
    beyond = {chunk.id for chunk in site.transcript.chunks[position + 1 :]}
    return any(
        beyond.intersection(citation.chunk_ids)
        for citation in site.verdict.citations
        if citation.syntax in {"index", "list"} or citation.text.isdecimal()
    ) or any(index - 1 > position for index in site.transcript.cited_indices or ())


def _mutant_beside(site: Site, transcript: Transcript, aim: Aim, span: Span, change: str) -> Mutant:
    text = site.claim.text
    return Mutant(transcript, aim, span, (site.claim.start, site.claim.end), text, text, change)


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault."""

    name: str
    plant: Plant
    about: str
    is_english: bool = True


FAULTS: tuple[Fault, ...] = (
    Fault("new_number", plant_new_number, "a number that no chunk holds", is_english=False),
    Fault("swapped_number", plant_swapped_number, "another number of the chunks", is_english=False),
    Fault("unit", plant_unit, "another unit beside the same number"),
    Fault("date", plant_date, "another year, month or weekday"),
    Fault("new_entity", plant_new_entity, "a made-up name"),
    Fault("swapped_entity", plant_swapped_entity, "another name of the chunks"),
    Fault("negation", plant_negation, "the statement denied, or its denial dropped"),
    Fault("antonym", plant_antonym, "a word turned into its opposite"),
    Fault("quantifier", plant_quantifier, "another amount or frequency"),
    Fault("off_topic", plant_off_topic, "a sentence on another topic inserted"),
    Fault("fabricated_clause", plant_fabricated_clause, "a clause without a source appended"),
    Fault(
        "citation_repointed", plant_repointed_citation, "the citation names another chunk", is_english=False
    ),
    Fault("citation_invented", plant_invented_citation, "the citation names no chunk", is_english=False),
    Fault("chunk_removed", plant_removed_chunk, "the supporting chunk not retrieved", is_english=False),
    Fault("order_followed", plant_followed_order, "an order to the model in a chunk, followed"),
)


def fault_names() -> tuple[str, ...]:
    """The names of all faults, in the order of the report."""
    return tuple(fault.name for fault in FAULTS)
