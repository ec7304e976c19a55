"""The ledger of an answer: the facts of each claim, what they decide, and what is said of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_grounding._io.wording import if_known
from pytest_grounding.checks.check_context import BY_CALLS, CheckContext, on_claim
from pytest_grounding.evidence.identifier_matches import named_in
from pytest_grounding.evidence.ledger import crossed_records, facts_of, is_confirmed, placed_of
from pytest_grounding.evidence.ledger_sources import Given, LedgerSources, language_sample
from pytest_grounding.model.claim_fact import JUDGED_TYPES, ClaimFact
from pytest_grounding.model.finding import BACKED, Finding
from pytest_grounding.model.verdict import ClaimStatus, ClaimVerdict
from pytest_grounding.reading import base_language
from pytest_grounding.reading.sentences import Claim
from pytest_grounding.scorers import SupportScore
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.citations.source_root import SourceRoot

_DENIAL, _ENGLISH = "negation", "en"
#: Factor for the support of a claim with an unsettled fact: such claims can still be ranked.
UNSETTLED_SHARE = 0.35
_NOTES = frozenset({"off", "info"})  # severities with which an unsettled fact decides nothing
_MOST_NAMED = 3  # facts that one finding names at most


class Ledger:
    """Settles the facts of an answer's claims; the sources are read at the first claim."""

    def __init__(self, context: CheckContext) -> None:
        self._context = context
        self._sources: LedgerSources | None = None
        self._root: SourceRoot | None = None

    def facts(self, claim: Claim, score: SupportScore | None) -> tuple[ClaimFact, ...]:
        """The facts of a claim; empty for one that is not checked or that tool calls back."""
        if score is None or score.probability is None or score.reason.startswith(BY_CALLS):
            return ()
        if not any(chunk.text.strip() for chunk in self._context.transcript.chunks):
            return ()
        found = facts_of(claim, self._opened(), score.evidence, is_copy=score.method == "exact_match")
        return tuple(map(self._as_file, found)) if self._context.settings.source_root else found

    def confirmed(
        self, claim: Claim, score: SupportScore | None, facts: Sequence[ClaimFact]
    ) -> SupportScore | None:
        """A score without the conflicts and missing words that rows, lists or compared values confirm."""
        if score is None or score.probability is None or self._sources is None:
            return score
        compared = {fact.text for fact in facts if fact.type == "operator" and fact.status == "computed"}
        missing = [word for word in score.missing if word not in compared]
        placed = placed_of(claim, self._sources)
        if not placed:
            return replace(score, missing=tuple(missing)) if compared else score
        missing = [word for word in missing if not is_confirmed(placed, *_span_in(claim.bare, word))]
        # Rows and lists are read for denials in English alone.
        is_foreign = base_language(self._context.language) != _ENGLISH
        conflicts = []
        for conflict in score.conflicts:
            is_denial = is_foreign and conflict.kind == _DENIAL
            if is_denial or not is_confirmed(placed, *_span_in(claim.bare, conflict.claim_text)):
                conflicts.append(conflict)
        told = {conflict.claim_start for conflict in conflicts}
        conflicts += [item for item in crossed_records(claim, self._sources) if item.claim_start not in told]
        return replace(score, conflicts=tuple(conflicts), missing=tuple(missing))

    @cached_property
    def severities(self) -> Mapping[str, str]:
        """The severities of facts by type that the settings give for the language of the answer."""
        if not self._context.settings.rules:
            return {}
        # Imported here for cost: most projects keep the defaults.
        from pytest_grounding.settings._declare import fact_severities

        return fact_severities(self._context.settings.rules, self._context.language)

    def deciding(self, facts: Sequence[ClaimFact]) -> list[ClaimFact]:
        """The unsettled facts that keep a claim from being supported."""
        return [fact for fact in unsettled(facts) if self.severities.get(fact.type) not in _NOTES]

    def _opened(self) -> LedgerSources:
        if self._sources is None:
            context, chunks = self._context, self._context.transcript.chunks
            texts = [claim.bare for claim in context.claims if claim.checked]
            given, sample = given_of(context), language_sample(texts, chunks)
            self._sources = LedgerSources(chunks, given, language=context.language, sample=sample)
        return self._sources

    def _as_file(self, fact: ClaimFact) -> ClaimFact:
        """An identifier that is the path of a file under the source root is found."""
        if fact.type != "identifier" or fact.status != "missing":
            return fact
        # Imported here for cost: only answers about code have a source root.
        from pytest_grounding.citations.source_root import NumberedText, SourceRoot

        if self._root is None:
            self._root = SourceRoot(self._context.settings.source_root)
        is_file = isinstance(self._root.read(fact.text), NumberedText)
        return fact.model_copy(update={"status": "found", "nearest": ""}) if is_file else fact


def given_of(context: CheckContext) -> Given:
    """What a claim may take facts from besides the chunks."""
    transcript = context.transcript
    names = [name for chunk in transcript.chunks for name in named_in(chunk)]
    for call in transcript.tool_calls or ():
        names.append(f"{call.name} {json.dumps(call.arguments, ensure_ascii=False, default=str)}")
    if transcript.filters:
        names.append(json.dumps(transcript.filters, ensure_ascii=False, default=str))
    return Given(
        question=(transcript.question, *(turn.content for turn in transcript.history)),
        known=(*(transcript.known or ()), *context.settings.known_lines),
        names=tuple(names),
        terms=tuple(line for _, line in context.settings.glossary_lines),
    )


def with_ruling(facts: Sequence[ClaimFact], *, is_supported: bool) -> tuple[ClaimFact, ...]:
    """The facts after a judge's ruling: it settles what is judged, never values and identifiers."""
    if not is_supported:
        return tuple(facts)
    left = []
    for fact in facts:
        is_judged = fact.is_unsettled and fact.type in JUDGED_TYPES
        left.append(fact.model_copy(update={"status": "judge"}) if is_judged else fact)
    return tuple(left)


def is_compared(facts: Sequence[ClaimFact]) -> bool:
    """Whether a claim compares values, as those of the sources confirm."""
    return any(fact.type == "operator" and fact.status == "computed" for fact in facts)


def status_with(deciding: Sequence[ClaimFact], status: ClaimStatus) -> ClaimStatus:
    """The status of a claim with these unsettled facts: with any it is never supported."""
    return "unsupported" if status in BACKED and deciding else status


def _span_in(text: str, said: str) -> tuple[int, int]:
    start = text.find(said)
    return (start, start + len(said)) if start >= 0 else (-1, -1)


def unsettled(facts: Sequence[ClaimFact]) -> list[ClaimFact]:
    """The facts that are missing, denied or elsewhere."""
    return [fact for fact in facts if fact.is_unsettled]


def described(fact: ClaimFact) -> str:
    """One unsettled fact, with what the sources have instead."""
    if fact.status == "denied" and fact.nearest and not fact.source_text:
        return f"{fact.text}: the sources say {fact.nearest}"
    if fact.status == "denied":
        quote = f": “{fact.source_text}”, {fact.chunk_id}" if fact.source_text else ""
        return f"{fact.text}: the sources say otherwise{quote}"
    if fact.status == "elsewhere":
        return f"{fact.text}: the sources say it of something else; here {fact.nearest}, {fact.chunk_id}"
    if not fact.nearest:
        return f"no source says: {fact.text}"
    verb = "name" if fact.type in ("name", "identifier") else "say"
    return f"{fact.text}: the sources {verb} {fact.nearest}{if_known(', {}', fact.chunk_id)}"


def reason_of(deciding: Sequence[ClaimFact]) -> str:
    """What is unsettled of a claim, in words; "" for nothing."""
    return "; ".join(map(described, deciding[:_MOST_NAMED]))


def fact_findings(claim: ClaimVerdict, settings: Settings) -> Iterator[Finding]:
    """Findings on names and identifiers that no source has."""
    if names := _nearest_of_missing(claim, "name"):
        message = f"no source mentions {', '.join(names)}"
        advice = _nearest_advice(names, "check the name, or retrieve a chunk that mentions it")
        details: dict[str, object] = {"names": list(names)}
        yield on_claim(claim, "unknown_entity", settings, message, advice, details=details)
    if identifiers := _nearest_of_missing(claim, "identifier"):
        message = f"no source names {', '.join(identifiers)}"
        advice = _nearest_advice(identifiers, "check it letter by letter, or retrieve a chunk that names it")
        details = {"identifiers": list(identifiers), "nearest": identifiers}
        yield on_claim(claim, "identifier_not_in_sources", settings, message, advice, details=details)


def _nearest_of_missing(claim: ClaimVerdict, type_name: str) -> dict[str, str]:
    missing = (fact for fact in claim.facts if fact.type == type_name and fact.status == "missing")
    return {fact.text: fact.nearest for fact in missing}


def _nearest_advice(nearest: Mapping[str, str], otherwise: str) -> str:
    swaps = [f"{name} for {text}" for text, name in nearest.items() if name]
    return f"the nearest that the sources name: {', '.join(swaps)}" if swaps else otherwise
