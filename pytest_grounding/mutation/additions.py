"""Faults that add words: a sentence on another topic, a clause that nobody wrote in a source."""

from __future__ import annotations

import random
import re
from dataclasses import replace

from pytest_grounding.mutation.site import BLANK, Mutant, Site
from pytest_grounding.mutation.sources import topic_words
from pytest_grounding.mutation.words import FABRICATED_CLAUSES, OFF_TOPIC_SENTENCES

_MARKER_IN_BRACKETS = re.compile(rf"\({BLANK}+\)$")


def plant_off_topic(site: Site, rng: random.Random) -> Mutant | None:
    """A sentence on another topic is inserted behind the claim."""
    if body_end(site) is None:
        return None
    known = topic_words(site.transcript.question)
    sentences = [
        text
        for text in OFF_TOPIC_SENTENCES
        if not topic_words(text) & known and site.sources.know(topic_words(text)) == 0
    ]
    if not sentences:
        return None
    sentence = rng.choice(sentences)
    end = len(site.claim.text.rstrip())
    mutant = site.splice(end, end, f" {sentence}", aim="claim", change=f"inserted {sentence!r}")
    return mutant and _without_blank(mutant)


def plant_fabricated_clause(site: Site, rng: random.Random) -> Mutant | None:
    """A clause that no chunk holds is appended to the claim, before its full stop and its markers."""
    end = body_end(site)
    if end is None:
        return None
    clauses = [text for text in FABRICATED_CLAUSES if site.sources.know(topic_words(text)) <= 1]
    if not clauses:
        return None
    clause = rng.choice(clauses)
    return site.splice(end, end, f", {clause}", aim="claim", change=f"appended {clause!r}")


def body_end(site: Site) -> int | None:
    """Where the words of the claim end, or None where it does not end as a statement does."""
    text = site.text.rstrip()
    stripped = text
    while True:
        shorter = _MARKER_IN_BRACKETS.sub("", stripped.rstrip(f" .!{BLANK}"))
        if shorter == stripped:
            break
        stripped = shorter
    tail = text[len(stripped) :]
    follows = site.transcript.answer[site.claim.end : site.claim.end + 1]
    ends_here = "." in tail or "!" in tail or follows in ("", "\n")
    if not ends_here or not stripped or not (stripped[-1].isalnum() or stripped[-1] in ")%\"”'"):
        return None
    # In a table a sentence would stand outside of its cell.
    if "|" in site.text or follows not in ("", "\n", " "):
        return None
    return len(stripped)


def _without_blank(mutant: Mutant) -> Mutant:
    """The same mutant, its span without the blank that parts the new sentence from the one before."""
    return replace(mutant, span=(mutant.span[0] + 1, mutant.span[1]))
