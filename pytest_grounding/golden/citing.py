"""What became of the citations: broken, lost, gained, pointing elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pytest_grounding.golden.changes import Change, change
from pytest_grounding.golden.match import Side
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.sources import partners
from pytest_grounding.model.verdict import CitationVerdict


def compare_citations(pairs: Sequence[tuple[Side, Side]], before: Golden, after: Golden) -> Iterator[Change]:
    """What became of the citations, claim by claim, and of those that do not hold.

    A source is the same where its text is, or else its id: another number for the same chunk is no
    change, and neither is a chunk that was edited. Claims that lost their support are not asked: what
    their citations do follows from that.
    """
    old_sources = {chunk.id: chunk.id for chunk in before.transcript.chunks}
    new_sources = _sources(before, after)
    cited_now = {key for item in after.verdict.citations if item.valid for key in _keys(item, new_sources)}
    yield from _validity(before, after)
    for old, new in pairs:
        if old.is_supported and not new.is_supported:
            continue
        had = _cited(old, before, old_sources)
        has = _cited(new, after, new_sources)
        lost, gained = set(had) - set(has), set(has) - set(had)

        def found(rule: str, message: str, old: Side = old, new: Side = new) -> Change:
            indexes = (old.claim.index, new.claim.index)
            return change("citation", rule, message, old=old.text, new=new.text, claims=indexes)

        if lost and gained:
            targets = f"{_targets(had, lost)} -> {_targets(has, gained)}"
            away = any(has[key].supports is False for key in gained) and not any(
                had[key].supports is False for key in lost
            )
            rule = "citation_points_away" if away else "citation_repointed"
            yield found(rule, f"cites another source: {targets}")
        elif lost:
            rule = "citation_moved" if lost <= cited_now else "citation_lost"
            where = "cited elsewhere" if rule == "citation_moved" else "cited nowhere any more"
            yield found(rule, f"{_targets(had, lost)} is {where}")
        elif gained and not had:
            yield found("citation_gained", f"cites {_targets(has, gained)} now")
        elif gained:
            text = f"cites {_targets(has, gained)} too"
            yield found("citation_repointed", text)


def _sources(before: Golden, after: Golden) -> dict[str, str]:
    """Id of each new chunk -> the id that the same chunk had before; for a new one, one that nobody had."""
    names = partners(before, after)
    return {chunk.id: names.get(chunk.id, f"new {chunk.id}") for chunk in after.transcript.chunks}


def _keys(citation: CitationVerdict, sources: Mapping[str, str]) -> list[str]:
    """What a citation points to, the same in both recordings: its chunks, or its target."""
    ids = citation.chunk_ids or ((citation.chunk_id,) if citation.chunk_id else ())
    found = [sources[item] for item in ids if item in sources]
    return found or [f"{citation.syntax} {citation.target}"]


def _cited(side: Side, record: Golden, sources: Mapping[str, str]) -> dict[str, CitationVerdict]:
    """The sources that a claim validly cites."""
    citations = [record.verdict.citations[index] for index in side.claim.citations]
    return {key: item for item in citations if item.valid for key in _keys(item, sources)}


def _targets(cited: Mapping[str, CitationVerdict], keys: set[str]) -> str:
    named = {key: cited[key].chunk_id or cited[key].target for key in keys}
    return ", ".join(sorted(set(named.values())))


def _validity(before: Golden, after: Golden) -> Iterator[Change]:
    """Citations that do not hold and were not there before, and the other way round."""
    old, new = _invalid(before), _invalid(after)
    before_counts = Counter({key: len(items) for key, items in old.items()})
    after_counts = Counter({key: len(items) for key, items in new.items()})
    gone, come = before_counts - after_counts, after_counts - before_counts
    for (text, target), number in sorted(come.items()):
        first = new[text, target][0]
        why = next((item.message for item in first.findings if item.severity == "error"), "it does not hold")
        for _ in range(number):
            yield change("citation", "citation_broken", f"{target}: {why}", new=text)
    for (text, target), number in sorted(gone.items()):
        for _ in range(number):
            yield change("citation", "citation_repaired", f"{target} is not cited any more", old=text)


def _invalid(record: Golden) -> dict[tuple[str, str], list[CitationVerdict]]:
    found: dict[tuple[str, str], list[CitationVerdict]] = {}
    for item in record.verdict.citations:
        if not item.valid:
            found.setdefault((item.text, item.target), []).append(item)
    return found
