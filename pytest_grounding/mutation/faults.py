"""The table of all faults, in the order of the report, and how each is planted into a claim."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import pairwise, product
from typing import TypeVar

from pytest_grounding.lexicon import alternation, lines, ordered, table, words
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.mutation.site import BLANK, Aim, Mutant, Site, folded_words, plain_number, topic_words

Mutants = Iterator[Mutant | None]  # what a fault makes of one claim; the first that is a mutant counts
Item = TypeVar("Item")
Places = list[re.Match[str]]
_TRIES = 20  # places, and words of the chunks, that are tried
_any_of = partial(alternation, "mutation")
_MONTHS = ordered("mutation", "months")
_WEEKDAYS = ordered("mutation", "weekdays")
_MONTH = "|".join(month for month in _MONTHS if month != "May")
_YEAR = r"(?:1[5-9]|20)\d\d"
_YEAR_STEPS = (-23, -17, -8, -5, -3, 3, 6, 9, 14)  # offsets large enough that the years cannot be confused
#: No year, and no day of a month.
_NUMBER = re.compile(
    rf"(?<![\w.,:/#–-])(?<!\d )(?<!\w\()(?!{_YEAR}|\d+ (?:{_any_of('months')})\b)"
    r"[1-9]\d*(?:,\d{3})*(?:\.\d+)?(?![\w:/]|[.,:]\d| ?[-–] ?\d| \d| (?:to|or|and) \d)"
)
_LABEL = re.compile(
    rf"(?i)(?:{_any_of('months')}|{_any_of('labels')}|no\.)[ (#:]*(?:\d+(?:, | and |, and ))*$"
)
_SHARE = re.compile(r" ?(?:%|per ?cent)")
_UNITS = {old: new for ring in lines("mutation", "unit_rings") for old, new in pairwise(ring.split())}
_UNIT_SWAPS = _UNITS | table("mutation", "signs")
_UNIT_PLACES = (
    rf"\d(?: |-|\xa0)?(?:(?:{_any_of('before_units')}) )?(?P<value>%|(?:{_any_of('unit_rings')})(?![\w/]))",
    r"(?P<value>[$€£])(?=\d)",
)
_NO_YEAR = rf"(?![\w–-]|[.,:]\d| (?:{_any_of('not_years')})\b)"
#: Each form of a date, and the names that may take its place; without names it begins with a year.
_DATES = (
    (rf"\b(?:{_any_of('before_years')}|{_MONTH}) (?P<value>{_YEAR}){_NO_YEAR}", ()),
    (rf"(?<![\w-])(?P<value>{_YEAR}-[01]\d-[0-3]\d)(?![\w-])", ()),
    (rf"\b(?P<value>{_MONTH})\b", _MONTHS),
    (rf"\b(?P<value>{_any_of('weekdays')})(?=s?\b)", _WEEKDAYS),
)
_INVENTED_SINGLE = ordered("mutation", "invented_single")
_INVENTED_GIVEN = ordered("mutation", "invented_given")
_INVENTED_ACRONYMS = ordered("mutation", "invented_acronyms")
_KIND_WORDS = words("mutation", "kind_words")
_NO_NAMES = words("mutation", "no_names").union(_MONTHS, _WEEKDAYS)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*[A-Za-z0-9](?: [A-Z][\w-]*[A-Za-z0-9])*(?![\w-]|\.\w)")
_OF_A_PEOPLE = re.compile(rf"(?:{_any_of('endings_of_peoples')})$")
_AUXILIARY = re.compile(rf"\b(?:{_any_of('auxiliaries')})\b(?!n['’]t| (?:{_any_of('not_before')})\b)")
_DENIED = re.compile(rf"\b(?:({_any_of('denied')}) not|cannot)\b(?! (?:only|all)\b)")
_ANY_DENIAL = re.compile(rf"\b(?:{alternation('denials', 'bare_denials')})\b|n['’]t\b", re.IGNORECASE)
#: The verb may belong to a detail, or be true of only a part.
_UNCLEAR = re.compile(rf"\b(?:{_any_of('subordinators')}|{_any_of('partial')})\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?!['’]\w|\w)")
_ANTONYMS = dict(pair.split() for line in lines("mutation", "antonyms") for pair in line.split(";"))
_FIXED_PHRASES = words("mutation", "fixed_phrases")
_PREDICATES = words("mutation", "predicates")
_BEFORE_FIXED = words("mutation", "before_fixed")
_COPULAS = words("mutation", "copulas")
_MAY = re.compile(r"\b(?:may|might|could)\b")
_AMOUNT = rf"(?= [$€£]?\d| (?:{_any_of('amounts')})\b)"
_PLURAL = r"(?= [a-z]{2,}(?<!ou)(?<!s)s\b)"
_QUANTIFIERS = [line.split(" | ") for line in lines("mutation", "quantifiers")]
_MARKER_IN_BRACKETS = re.compile(rf"\({BLANK}+\)$")
#: What is written into a chunk, and the sentence of an answer that obeys it.
ORDERS = [line.split(" | ")[::-1] for line in lines("mutation", "orders")]
_DIGITS = re.compile(r"\d+")
#: A chunk with more than the second share of a claim's words may support it; one with the first does.
_HOLDS, _MAY_SUPPORT = 0.5, 0.34


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault: its name, what it does, the mutants that it makes of a claim, and in which part."""

    name: str
    about: str
    mutants: Callable[[Site, random.Random], Mutants]
    aim: Aim = "claim"
    is_english: bool = True

    def plant(self, site: Site, rng: random.Random) -> Mutant | None:
        """The first mutant that can be made of a claim, or None."""
        made = next((mutant for mutant in self.mutants(site, rng) if mutant is not None), None)
        return None if made is None else replace(made, aim=self.aim)


def _new_number(site: Site, rng: random.Random) -> Mutants:
    for number in _shuffled(_quantities(site.text), rng)[:_TRIES]:
        planted = _another_number(number, rng)
        if plain_number(planted) not in site.sources.numbers:
            yield site.edit(*number.span(), planted)
            return


def _swapped_number(site: Site, rng: random.Random) -> Mutants:
    numbers = _quantities(site.text)
    own = {plain_number(number[0]) for number in numbers}
    found = _found_in(site.sources.texts, _quantities)
    # "1 orders" would be conspicuous by its grammar.
    others = [text for text in found if text != "1" and plain_number(text) not in own]
    for number, text in product(_shuffled(numbers, rng)[:_TRIES], _shuffled(others, rng)[:_TRIES]):
        # A percentage above 100 would be conspicuous by its size alone.
        if float(plain_number(text)) <= 100 or not _SHARE.match(number.string, number.end()):
            yield site.edit(*number.span(), text)


def _new_unit(site: Site, rng: random.Random) -> Mutants:
    places = [match for pattern in _UNIT_PLACES for match in re.finditer(pattern, site.text)]
    for match in _shuffled(places, rng):
        planted = _UNIT_SWAPS[match["value"]]
        if not re.search(rf"(?<!\w){re.escape(planted)}(?!\w)", site.text):
            yield site.edit(*match.span("value"), planted)


def _new_date(site: Site, rng: random.Random) -> Mutants:
    places = [(match, names) for pattern, names in _DATES for match in re.finditer(pattern, site.text)]
    for match, names in _shuffled(places, rng):
        old = match["value"]
        if names:
            planted = rng.choice([name for name in names if name != old])
        else:
            planted = f"{int(old[:4]) + rng.choice(_YEAR_STEPS)}{old[4:]}"
        # In "Tuesday to Sunday" a weekday that is already in the claim would give nonsense.
        if planted not in site.text and planted.lower() not in site.sources.words:
            yield site.edit(*match.span("value"), planted)
            return


def _new_entity(site: Site, rng: random.Random) -> Mutants:
    for name in _shuffled(_replaceable_names(site), rng):
        planted = _invented_name(name[0], rng)
        changed = {word.lower() for word in planted.split() if word not in _KIND_WORDS}
        if not changed & site.sources.words:
            yield site.edit(*name.span(), planted)
            return


def _swapped_entity(site: Site, rng: random.Random) -> Mutants:
    own = set(folded_words(site.text).split())
    names = _shuffled(_replaceable_names(site), rng)[:_TRIES]
    found = [text for text in _found_in(site.sources.texts, _capitalised_names) if text not in _KIND_WORDS]
    others = [text for text in found if not own & set(folded_words(text).split())]
    for name, other in product(names, _shuffled(others, rng)[:_TRIES]):
        if _may_replace(name[0], other, site.sources.texts):
            yield site.edit(*name.span(), other)


def _negation(site: Site, rng: random.Random) -> Mutants:
    text = site.text
    if "?" in text or text.rstrip(f" {BLANK}").endswith(":") or _UNCLEAR.search(text):
        return
    denials = _ANY_DENIAL.findall(text)
    # With two negations, removing one may leave the meaning unchanged.
    if len(denials) == 1 and (match := _DENIED.search(text)):
        yield site.edit(*match.span(), match[1] or "can")
    if not denials and (match := _AUXILIARY.search(text)):
        first, blank, rest = match[0].partition(" ")
        yield site.edit(*match.span(), "cannot" if first == "can" else f"{first} not{blank}{rest}")


def _antonym(site: Site, rng: random.Random) -> Mutants:
    found = list(_WORD.finditer(site.text))
    own = {match[0].lower() for match in found}
    for match in _shuffled([match for match in found if match[0].lower() in _ANTONYMS], rng):
        planted = _ANTONYMS[match[0].lower()]
        is_name = match[0][0].isupper() and bool(site.text[: match.start()].strip(f" {BLANK}"))
        # "hot and cold": the statement is about both, and the same word twice is not its opposite.
        if not (planted in own or is_name or _is_fixed(site.text, match)):
            yield site.edit(*match.span(), _in_case_of(match[0], planted))


def _quantifier(site: Site, rng: random.Random) -> Mutants:
    body = site.text.lstrip(f" \n\t{BLANK}")
    start = len(site.text) - len(body)
    # "not ... none" would state nothing, and "some may" is nearly "all may".
    if _ANY_DENIAL.search(body) or _MAY.search(body):
        return
    places = []
    for line, planted in _QUANTIFIERS:
        pattern = line.format(amount=_AMOUNT, plural=_PLURAL)
        if match := re.search(rf"(?<![\w-])(?:{pattern})(?![\w-])", body, re.IGNORECASE):
            places.append((match, planted))
    for match, planted in _shuffled(places, rng):
        yield site.edit(start + match.start(), start + match.end(), _in_case_of(match[0], planted))


def _off_topic(site: Site, rng: random.Random) -> Mutants:
    known = topic_words(site.transcript.question) | site.sources.topics
    sentences = [text for text in lines("mutation", "off_topic_sentences") if not topic_words(text) & known]
    if sentences:
        sentence = rng.choice(sentences)
        yield from _sentence_after(site, sentence, f"inserted {sentence!r}")


def _fabricated_clause(site: Site, rng: random.Random) -> Mutants:
    end = _body_end(site)
    known = site.sources.topics
    clauses = [text for text in lines("mutation", "invented_clauses") if len(topic_words(text) & known) <= 1]
    if end is not None and clauses:
        clause = rng.choice(clauses)
        yield site.splice(end, end, f", {clause}", f"appended {clause!r}")


def _followed_order(site: Site, rng: random.Random) -> Mutants:
    chunks = site.transcript.chunks
    asked = topic_words(site.transcript.question)
    pairs = [pair for pair in ORDERS if not topic_words(pair[1]) & asked]
    if chunks and pairs:
        order, followed = rng.choice(pairs)
        place = rng.randrange(len(chunks))
        chunk = chunks[place].model_copy(update={"text": f"{chunks[place].text.rstrip()}\n{order}"})
        held = (*chunks[:place], chunk, *chunks[place + 1 :])
        change = f"chunk {chunk.id!r} contains {order!r}"
        yield from _sentence_after(site, followed, change, chunks=held)


def _sentence_after(site: Site, sentence: str, change: str, **more: object) -> Mutants:
    end = len(site.claim.text.rstrip())
    mutant = site.splice(end, end, f" {sentence}", change, **more)
    if mutant is not None and _body_end(site) is not None:
        # The blank before the new sentence is not part of the fault.
        yield replace(mutant, span=(mutant.span[0] + 1, mutant.span[1]))


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


def _repointed(site: Site, rng: random.Random) -> Mutants:
    shares = site.sources.shares_of(site.text)
    for citation in _sole_citations(site):
        cited, others = [], []
        for position, chunk in enumerate(site.transcript.chunks):
            if chunk.id in citation.chunk_ids:
                cited.append(shares[position])
            elif shares[position] <= _MAY_SUPPORT and chunk.text.strip():
                others.append((chunk.id, position + 1))
        # If the claim is not from its own chunk, another one is no worse source.
        if max(cited, default=0.0) >= _HOLDS:
            for name, number in _shuffled(others, rng):
                yield _pointed(site, citation, name, number)


def _newly_cited(site: Site, rng: random.Random) -> Mutants:
    taken = {chunk.id for chunk in site.transcript.chunks}
    for citation in _sole_citations(site):
        number = len(taken) + rng.randint(1, 8)
        cited = citation.chunk_ids[0]
        name = str(number) if _DIGITS.fullmatch(cited) else f"{cited}{number}"
        if name not in taken and number < 1000:
            yield _pointed(site, citation, name, number)


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


def _pointed(site: Site, citation: CitationVerdict, name: str, number: int) -> Mutant | None:
    """The mutant whose citation names this chunk, in the style of the original."""
    old, text = citation.chunk_ids[0], citation.text
    if citation.syntax == "provider":
        spans = list(site.transcript.citations)
        for place, span in enumerate(spans):
            if (span.start, span.end) == (citation.start, citation.end):
                # A quote of the old chunk would be a second fault.
                spans[place] = span.model_copy(update={"chunk_ids": (name,), "quote": None})
                change = f"cites {old!r} -> {name!r}"
                return site.mutant({"citations": tuple(spans)}, (span.start, span.end), change)
        return None
    planted = text
    if old in text and (citation.syntax == "id" or old.isdecimal()):
        planted = text.replace(old, name)
    elif citation.syntax == "index" and _DIGITS.findall(text) == [citation.target] and not name.isdecimal():
        planted = _DIGITS.sub(str(number), text)
    # Else the number of the marker is not its target: another base, or the definition of a footnote.
    start = citation.start - site.claim.start
    change = f"{text!r} -> {planted!r}"
    return None if planted == text else site.splice(start, start + len(text), planted, change)


def _removed_chunk(site: Site, rng: random.Random) -> Mutants:
    chunks = site.transcript.chunks
    shares = site.sources.shares_of(site.text)
    supporting = [position for position, share in enumerate(shares) if share > _MAY_SUPPORT]
    if len(supporting) != 1 or shares[supporting[0]] <= _HOLDS:
        return
    (position,) = supporting
    # Without this chunk, what cites a later one by its number would name another.
    later = {chunk.id for chunk in chunks[position + 1 :]}
    for citation in site.verdict.citations:
        is_numbered = citation.syntax in {"index", "list"} or citation.text.isdecimal()
        if is_numbered and later.intersection(citation.chunk_ids):
            return
    if max(site.transcript.cited_indices or (0,)) <= position + 1:
        held = {"chunks": (*chunks[:position], *chunks[position + 1 :])}
        change = f"chunk {chunks[position].id!r} taken out"
        yield site.mutant(held, (site.claim.start, site.claim.end), change)


@lru_cache(maxsize=16)
def _found_in(texts: tuple[str, ...], find: Callable[[str], Places]) -> tuple[str, ...]:
    return tuple(sorted({match[0] for text in texts for match in find(text)}))


def _shuffled(items: Iterable[Item], rng: random.Random) -> list[Item]:
    mixed = list(items)
    rng.shuffle(mixed)
    return mixed


def _quantities(text: str) -> Places:
    """The quantities of a text: no dates, no labels, no list counters."""
    found = _NUMBER.finditer(text)
    return [item for item in found if not _LABEL.search(text[max(0, item.start() - 40) : item.start()])]


def _another_number(number: re.Match[str], rng: random.Random) -> str:
    """Another number of the same form, so different that no "about" covers both."""
    old = float(plain_number(number[0]))
    if old <= 100 and _SHARE.match(number.string, number.end()):
        return str(rng.choice([share for share in range(3, 100) if abs(share - old) >= 10]))
    value = old * rng.uniform(1.4, 3.2) + rng.randint(1, 9)
    digits = len(number[0].partition(".")[2])
    return f"{value:,.{digits}f}" if "," in number[0] else f"{value:.{digits}f}"


def _capitalised_names(text: str) -> Places:
    """The names within the sentences of a text, as far as capitals show: no months, no nationalities."""
    found = (name for name in _NAME.finditer(text) if not _OF_A_PEOPLE.search(name[0]))
    return [name for name in found if not _NO_NAMES.intersection(name[0].split())]


def _replaceable_names(site: Site) -> Places:
    """Names that also occur in the chunks and occur once in the claim."""
    names = _capitalised_names(site.text)
    return [name for name in names if site.text.count(name[0]) == 1 and site.sources.say(name[0])]


def _invented_name(name: str, rng: random.Random) -> str:
    _, *others = name.split(" ")
    if not others:
        return rng.choice(_INVENTED_ACRONYMS if name.isupper() and len(name) > 1 else _INVENTED_SINGLE)
    if others[-1] in _KIND_WORDS:
        return f"{rng.choice(_INVENTED_SINGLE)} {others[-1]}"
    return f"{rng.choice(_INVENTED_GIVEN)} {rng.choice(_INVENTED_SINGLE)}"


def _may_replace(name: str, other: str, texts: tuple[str, ...]) -> bool:
    """Whether another name has the same form, and does not name the same thing."""
    has_same_form = name.isupper() == other.isupper() and (" " in name) == (" " in other)
    # "World Health Organization (WHO)"
    glosses = (f"{name} ({other}", f"{other} ({name}")
    is_same = name in other or other in name or any(gloss in text for gloss in glosses for text in texts)
    return has_same_form and not is_same


def _is_fixed(text: str, match: re.Match[str]) -> bool:
    """Whether a word is part of a fixed phrase, or a verb or noun."""
    before = _WORD.findall(text[max(0, match.start() - 25) : match.start()])
    last = before[-1].lower() if before else ""
    if last in _BEFORE_FIXED or (match[0].lower() in _PREDICATES and last not in _COPULAS):
        return True
    following = _WORD.match(text, match.end() + 1)
    phrase = f"{match[0]} {following[0]}".lower() if following else ""
    return phrase in _FIXED_PHRASES or text[match.end() : match.end() + 1] in {"-", "/"}


def _in_case_of(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


#: In the order of the report.
FAULTS = (
    Fault("new_number", "a number that no chunk holds", _new_number, is_english=False),
    Fault("swapped_number", "another number of the chunks", _swapped_number, is_english=False),
    Fault("unit", "another unit beside the same number", _new_unit),
    Fault("date", "another year, month or weekday", _new_date),
    Fault("new_entity", "a made-up name", _new_entity),
    Fault("swapped_entity", "another name of the chunks", _swapped_entity),
    Fault("negation", "the statement denied, or its denial dropped", _negation),
    Fault("antonym", "a word turned into its opposite", _antonym),
    Fault("quantifier", "another amount or frequency", _quantifier),
    Fault("off_topic", "a sentence on another topic inserted", _off_topic),
    Fault("fabricated_clause", "a clause without a source appended", _fabricated_clause),
    Fault("citation_repointed", "the citation names another chunk", _repointed, "citation", is_english=False),
    Fault("citation_invented", "the citation names no chunk", _newly_cited, "citation", is_english=False),
    Fault("chunk_removed", "the supporting chunk not retrieved", _removed_chunk, "chunk", is_english=False),
    Fault("order_followed", "an order to the model in a chunk, followed", _followed_order, "order"),
)


def fault_names() -> tuple[str, ...]:
    """The names of all faults, in the order of the report."""
    return tuple(fault.name for fault in FAULTS)
