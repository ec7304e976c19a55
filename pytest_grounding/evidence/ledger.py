"""The ledger: the typed facts of a claim, each settled against the sources."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pytest_grounding.claims.sentence_type import is_refusal
from pytest_grounding.evidence.acronym_facts import acronyms_of
from pytest_grounding.evidence.clause_facts import unbacked_clauses
from pytest_grounding.evidence.crossed_facts import crossed_of
from pytest_grounding.evidence.dated_values import dated_of
from pytest_grounding.evidence.deadline_facts import deadlines_of
from pytest_grounding.evidence.entry_facts import WHOLE, entries_in, placed_facts
from pytest_grounding.evidence.joined_facts import joined_of
from pytest_grounding.evidence.labelled_facts import labelled_of
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.legal_facts import legal_names_of
from pytest_grounding.evidence.misplaced import misplaced_of
from pytest_grounding.evidence.names import Name, is_sure_name, missing_words, names_in
from pytest_grounding.evidence.operator_facts import operators_of
from pytest_grounding.evidence.quoted_facts import quotations_of
from pytest_grounding.evidence.row_scopes import row_scopes_of
from pytest_grounding.evidence.settled import Outcome, Place, Settled
from pytest_grounding.evidence.source_labels import without_answer_word, without_labels
from pytest_grounding.evidence.statements import Grounds, words_of_claim
from pytest_grounding.evidence.step_facts import steps_of
from pytest_grounding.evidence.superseded import superseded_of
from pytest_grounding.evidence.threshold_facts import thresholds_of
from pytest_grounding.evidence.token_index import in_own_words
from pytest_grounding.evidence.unrelated_words import unrelated_words_of
from pytest_grounding.evidence.value_facts import values_of
from pytest_grounding.model.claim_fact import UNSETTLED, ClaimFact, FactStatus
from pytest_grounding.model.finding import Conflict, Evidence
from pytest_grounding.reading.identifiers import Identifier, identifiers, words_in_code
from pytest_grounding.reading.sentences import Claim

_YES = "yes"
_CONFIRMED = frozenset({"found", "computed"})
#: Kinds of conflict by the type of a fact; "entity" for all others.
_KINDS = {"quantity": "number", "point_in_time": "date"}


def facts_of(
    claim: Claim, sources: LedgerSources, evidence: Sequence[Evidence] = (), *, is_copy: bool = False
) -> tuple[ClaimFact, ...]:
    """The facts of one claim, in the order of the answer; a copy of a sentence has its denials with it."""
    bare = without_labels(claim.bare)
    text = without_answer_word(bare)
    is_answer = text != bare
    agrees_to = sources.asked_stems if is_answer and bare.lstrip()[:3].lower() == _YES else frozenset()
    first = evidence[0].text if evidence else ""
    # "Passage 3 does not say what otters eat" denies nothing of otters.
    is_on_passage = text.startswith(" ") and is_refusal(claim.bare)
    found = list(_identifiers(claim, text, sources, first))
    placed = _placed_in(text, sources)
    dated = () if is_copy else tuple(dated_of(text, sources))
    told = _told_in(text, sources)
    confirmed = [item for item in (*placed, *dated, *told) if item.outcome.status in _CONFIRMED]
    readers = (
        told,
        quotations_of(text, sources),
        legal_names_of(text, sources),
        values_of(text, sources, evidence),
        _settled_names(text, sources),
        () if is_on_passage else operators_of(text, sources, agrees_to, is_answer=is_answer, is_copy=is_copy),
        () if is_copy else unbacked_clauses(text, sources),
        [item for item in dated if item.outcome.status in UNSETTLED],
        crossed_of(text, sources, is_copy=is_copy),
        misplaced_of(text, sources, is_copy=is_copy),
        unrelated_words_of(text, sources),
        () if is_copy else deadlines_of(text, sources),
        [item for item in placed if item.type != WHOLE],
    )
    for others in readers:
        known = [item for item in others if not _is_refuted(item, confirmed)] if confirmed else others
        found += [item for item in known if _is_apart(item, found)]
    if not is_copy and all(item.outcome.status not in UNSETTLED for item in found):
        found += [item for item in joined_of(text, sources) if _is_apart(item, found)]
    if not is_copy:
        # What a source replaces stands there as well.
        found += [item for item in superseded_of(text, sources) if _is_apart(item, found)]
    found.sort(key=lambda item: (item.start, item.end))
    return tuple(_in_answer(claim, item, sources) for item in found)


def _is_apart(item: Settled, found: Sequence[Settled]) -> bool:
    """Whether a fact is told by no other one; what is denied of a clause may have found values in it."""
    is_denied = item.outcome.status in ("denied", "elsewhere")
    return not any(
        item.overlaps(other) and (not is_denied or other.outcome.status in UNSETTLED) for other in found
    )


def placed_of(claim: Claim, sources: LedgerSources) -> tuple[Settled, ...]:
    """What of a claim stands in rows and lists, under a label that it writes otherwise, or within limits."""
    text = without_answer_word(without_labels(claim.bare))
    return (*_placed_in(text, sources), *_told_in(text, sources))


def _told_in(text: str, sources: LedgerSources) -> tuple[Settled, ...]:
    if text not in sources.told:
        sources.told[text] = tuple(_told_otherwise(text, sources))
    return sources.told[text]


def _told_otherwise(text: str, sources: LedgerSources) -> Iterator[Settled]:
    yield from labelled_of(text, sources)
    yield from row_scopes_of(text, sources)
    yield from steps_of(text, sources)
    yield from acronyms_of(text, sources)
    yield from thresholds_of(Grounds(words_of_claim(text, sources.language), sources.context), sources)


def _placed_in(text: str, sources: LedgerSources) -> tuple[Settled, ...]:
    return placed_facts(text, sources) if entries_in(sources).all else ()


def is_confirmed(placed: Sequence[Settled], start: int, end: int) -> bool:
    """Whether a stretch of a claim stands in a row or list under the keys that the claim names."""
    return any(item.outcome.status in _CONFIRMED and item.start < end and start < item.end for item in placed)


def crossed_records(claim: Claim, sources: LedgerSources) -> Iterator[Conflict]:
    """The values of a claim that a table has in another row, beside what its own row says."""
    for item in placed_of(claim, sources):
        chunk, start, end = item.outcome.place
        if item.outcome.status != "elsewhere" or chunk is None or start is None or end is None:
            continue
        if not entries_in(sources).is_cell(chunk, start):
            continue
        page, index = sources.pages.pages[chunk], sources.context.indexes[chunk]
        sentence = bisect_right(index.sentences, (start, len(index.text))) - 1
        low, high = page.span(start, end)
        kind, said = _KINDS.get(item.type, "entity"), claim.bare[item.start : item.end]
        yield Conflict(
            kind=kind,
            claim_text=said,
            evidence_text=page.own[low:high].strip() or item.outcome.nearest,
            evidence=in_own_words(index.evidence(sources.ids[chunk], sentence), page),
            claim_start=item.start,
            message=f'{kind}: the claim says "{said}", its row says "{item.outcome.nearest}"',
        )


def _is_refuted(item: Settled, confirmed: Sequence[Settled]) -> bool:
    """Whether an unsettled fact is found by its keys in a row or list."""
    return item.outcome.status in UNSETTLED and any(
        item.type == other.type and item.overlaps(other) for other in confirmed
    )


def _in_answer(claim: Claim, item: Settled, sources: LedgerSources) -> ClaimFact:
    """The fact with its place in the answer, and the source's own words."""
    said = claim.bare[item.start : item.end]
    at = claim.text.find(said, min(item.start, len(claim.text)))
    at = claim.text.find(said) if at < 0 else at
    start, end = (at, at + len(said)) if at >= 0 else (0, len(claim.text))
    chunk_id, source_text, source_start = None, "", None
    place = item.outcome.place
    if place.chunk is not None:
        chunk_id = sources.ids[place.chunk]
        if place.start is not None and place.end is not None:
            page = sources.pages.pages[place.chunk]
            source_start, source_end = page.span(place.start, place.end)
            source_text = page.own[source_start:source_end]
    return ClaimFact.built(
        type=item.type,
        text=claim.text[start:end],
        start=claim.start + start,
        end=claim.start + end,
        status=item.outcome.status,
        chunk_id=chunk_id,
        source_text=source_text,
        source_start=source_start,
        formula=item.outcome.formula,
        nearest=item.outcome.nearest,
    )


def _settled_names(text: str, sources: LedgerSources) -> Iterator[Settled]:
    for name in names_in(text, sources.language):
        is_missing = missing_words(name, sources.names, sources.language)
        if is_missing or sources.names.joins_two(name):
            nearest = sources.names.nearest(name)
            outcome = Outcome("missing") if nearest is None else nearest
            yield Settled("name", name.start, name.end, outcome)
        elif is_sure_name(name, sources.language):
            yield Settled("name", name.start, name.end, _place_of_name(name, sources))


def _place_of_name(name: Name, sources: LedgerSources) -> Outcome:
    for chunk, index in enumerate(sources.context.indexes):
        places = [index.positions.get(token.stem) for token in name.words]
        if places[0] and all(places):
            first = index.tokens[places[0][0]]
            return Outcome("found", Place(chunk, first.start, first.end))
    is_in_sources = any(token.stem in sources.context.positions for token in name.words)
    if not is_in_sources and all(token.stem in sources.known_stems for token in name.words):
        return Outcome("known")
    is_asked = all(token.stem in sources.question_stems for token in name.words)
    return Outcome("question" if is_asked and not is_in_sources else "found")


def _identifiers(claim: Claim, text: str, sources: LedgerSources, first: str) -> Iterator[Settled]:
    """Identifiers by their form, and the single words in inline code."""
    for item in identifiers(text):
        in_code = f"`{item.text}`" in claim.text
        yield _settled_identifier(item, item.start, sources, first, in_code=in_code)
    for item in words_in_code(claim.text):
        start = text.find(item.text)
        if start >= 0 and not sources.identifiers.has(item, in_code=True):
            yield _settled_identifier(item, start, sources, first, in_code=True)


def _settled_identifier(
    item: Identifier, start: int, sources: LedgerSources, first: str, *, in_code: bool
) -> Settled:
    status: FactStatus = "found" if sources.identifiers.has(item, in_code=in_code) else "missing"
    if status == "found" and sources.given.known and sources.declared.has(item):
        status = "known"
    nearest = sources.identifiers.nearest(item, first) if status == "missing" else ""
    return Settled("identifier", start, start + len(item.text), Outcome(status, nearest=nearest))
