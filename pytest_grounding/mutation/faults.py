"""Faults of values, words, citations and chunks, in the order reported."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from pytest_grounding.lexicon import lines
from pytest_grounding.mutation.name_faults import plant_new_entity, plant_swapped_entity
from pytest_grounding.mutation.site import BLANK, Mutant, Site, topic_words
from pytest_grounding.mutation.source_faults import (
    plant_invented_citation,
    plant_removed_chunk,
    plant_repointed_citation,
)
from pytest_grounding.mutation.value_faults import (
    plant_date,
    plant_new_number,
    plant_swapped_number,
    plant_unit,
)
from pytest_grounding.mutation.word_faults import plant_antonym, plant_negation, plant_quantifier

_OFF_TOPIC_SENTENCES = lines("mutation", "off_topic_sentences")
_FABRICATED_CLAUSES = lines("mutation", "fabricated_clauses")
_MARKER_IN_BRACKETS = re.compile(rf"\({BLANK}+\)$")
#: What is written into a chunk, and the sentence of an answer that obeys it.
ORDERS = [line.split(" | ")[::-1] for line in lines("mutation", "orders")]
Plant = Callable[[Site, random.Random], Mutant | None]


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
