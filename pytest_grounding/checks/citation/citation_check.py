"""All rules on the citations of one answer, in a fixed order."""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.listeners import WARNING, log
from pytest_grounding._io.wording import one_line, terminal
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation.alignment import CitationAlignment, align, suggested_chunks
from pytest_grounding.checks.citation.resolution import Findings, Resolution, Resolver, retrieved
from pytest_grounding.citations.extract import LIST, marker_spans
from pytest_grounding.citations.source_lines import SOURCE_LINE
from pytest_grounding.citations.syntax import PROVIDER, ExtractedCitation
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.transcript import Chunk, ChunkMetadata
from pytest_grounding.model.verdict import CitationVerdict
from pytest_grounding.reading.visible_text import fingerprint

if TYPE_CHECKING:
    from pytest_grounding.citations.source_root import SourceRoot


_IN_ROWS = frozenset({"list_item", "table_row"})  # blocks that continue over several lines
#: Most claims that one citation covers.
MAX_COVERED = 40
_log = logging.getLogger("pytest_grounding.citations")
_MAX_LOGGED = 20  # hallucinated citations of one answer that are logged individually
_INDEX = lazy(r"-?[0-9]{1,9}")


def covered_claims(context: CheckContext) -> list[tuple[int, ...]]:
    """For each citation the claims that it covers, in order; empty if none."""
    members: dict[int, list[int]] = {}
    for claim in context.claims:
        members.setdefault(claim.sentence, []).append(claim.index)
    last_words = _last_words(context, members)
    inner: dict[int, int] = {}
    for citation, owner in zip(context.citations, context.owners, strict=True):
        if owner is not None and citation.syntax != PROVIDER:
            sentence = context.claims[owner].sentence
            if owner != members[sentence][-1]:
                inner[sentence] = max(inner.get(sentence, -1), owner)
    starts = [claim.start for claim in context.claims]
    covered: list[tuple[int, ...]] = []
    for citation, owner in zip(context.citations, context.owners, strict=True):
        if citation.syntax == PROVIDER and citation.start >= 0:
            covered.append(_overlapped(context, starts, citation.start, citation.end))
            continue
        if citation.syntax == SOURCE_LINE:
            covered.append(tuple(range(bisect_left(starts, citation.start)))[-MAX_COVERED:])
            continue
        held: tuple[int, ...] = (owner,) if owner is not None else ()
        if owner is not None and citation.syntax != PROVIDER:
            sentence = context.claims[owner].sentence
            # At the end of a sentence, all its claims since the last marker inside.
            if owner == members[sentence][-1] and citation.end > last_words[sentence]:
                since = inner.get(sentence, -1)
                held = tuple(index for index in members[sentence] if index > since)[-MAX_COVERED:]
        covered.append(held)
    return covered


def _last_words(context: CheckContext, members: dict[int, list[int]]) -> dict[int, int]:
    """For each sentence with claims, the offset after its last letter or digit outside of markers."""
    answer = context.transcript.answer
    markers = marker_spans(context.citations)
    ends = [end for _, end in markers]
    found: dict[int, int] = {}
    for number in members:
        sentence = context.sentences[number]
        position = sentence.end
        marker = bisect_right(ends, position) - 1
        while position > sentence.start:
            if marker >= 0 and markers[marker][1] >= position:
                position = min(position, markers[marker][0])
                marker -= 1
            elif answer[position - 1].isalnum():
                break
            else:
                position -= 1
        found[number] = position
    return found


def _overlapped(context: CheckContext, starts: list[int], start: int, end: int) -> tuple[int, ...]:
    """The claims with at least one letter or digit inside a span of the answer."""
    answer, claims = context.transcript.answer, context.claims
    if start == end:
        index = bisect_left(starts, start) - 1
        return (index,) if index >= 0 else ()
    found: list[int] = []
    for index in range(max(bisect_right(starts, start) - 1, 0), len(claims)):
        claim = claims[index]
        if claim.start >= end or len(found) == MAX_COVERED:
            break
        if any(char.isalnum() for char in answer[max(claim.start, start) : min(claim.end, end)]):
            found.append(index)
    return tuple(found)


class CitationOutcome(NamedTuple):
    """Verdicts on the citations, findings and measures."""

    #: One verdict per citation, in the order of the answer; list entries without a marker last.
    citations: tuple[CitationVerdict, ...]
    findings: tuple[Finding, ...]  # all findings, including those of single citations
    #: Valid citations ÷ citations; None without citations. An entry of the response's list that the text
    #: never mentions counts only if it is invalid.
    accuracy: float | None
    precision: float | None  # citation precision (ALCE), or None
    recall: float | None  # citation recall (ALCE), or None
    claim_citations: tuple[tuple[int, ...], ...]  # for each claim the indices of the citations that cover it


def check(context: CheckContext, *, reader: SourceRoot | None = None) -> CitationOutcome:
    """Apply every rule to the citations of one answer."""
    if not context.settings.enabled:
        return CitationOutcome((), (), None, None, None, ((),) * len(context.claims))
    if reader is None and context.settings.source_root:
        from pytest_grounding.citations.source_root import SourceRoot

        reader = SourceRoot(context.settings.source_root)
    resolver = Resolver(context, reader)
    resolutions = list(map(resolver.resolve, context.citations))
    covered = covered_claims(context)
    findings = Findings(context)
    for index, citation in enumerate(context.citations):
        if citation.mismatch:
            findings.on_citation(index, "offset_mismatch", citation.mismatch)
    for index, resolution in enumerate(resolutions):
        _resolution(findings, index, resolution)
    if context.citations:
        # Quotation checks are imported with the first citation of a process.
        from pytest_grounding.checks.citation.quotes import content_findings

        content_findings(findings, resolutions)
    alignment = align(context, resolutions, covered, _chunks_of_files(context, resolutions))
    _alignment(findings, alignment, resolutions)
    by_claim: list[list[int]] = [[] for _ in context.claims]
    for index, claims in enumerate(covered):
        for claim in claims:
            by_claim[claim].append(index)
    if context.settings.citation_scope == "paragraph":
        _share_last(context, by_claim)
    _missing_citations(findings, by_claim)
    _index_base(findings)
    _unlisted(findings)
    citations = []
    for index, resolution in enumerate(resolutions):
        citations.append(_citation_verdict(findings, index, resolution, alignment, covered[index]))
    _report(context, citations)
    counting = [item.valid for item in citations if item.counts]
    return CitationOutcome(
        citations=tuple(citations),
        findings=tuple(findings.found),
        accuracy=sum(counting) / len(counting) if counting else None,
        precision=alignment.precision,
        recall=alignment.recall,
        claim_citations=tuple(map(tuple, by_claim)),
    )


def _report(context: CheckContext, citations: Sequence[CitationVerdict]) -> None:
    invalid = [item for item in citations if not item.valid]
    transcript, chunks = context.transcript, len(context.transcript.chunks)
    name = f"transcript {terminal(one_line(transcript.id))}"
    for item in invalid[:_MAX_LOGGED]:
        log(
            _log,
            WARNING,
            "hallucinated_citation",
            f"{name}: hallucinated citation {terminal(one_line(item.target or item.text))}; "
            f"{retrieved(chunks)}",
            transcript_id=transcript.id,
            citation=item.index,
            syntax=item.syntax,
            target=item.target,
            index=int(item.target) if item.syntax == "index" and _INDEX.fullmatch(item.target) else None,
            start=item.start,
            end=item.end,
            rules=[finding.rule for finding in item.findings if finding.severity == "error"],
            chunks=chunks,
        )
    if rest := len(invalid[_MAX_LOGGED:]):
        said, facts = f"{name}: {rest} more hallucinated citations", {"more": rest, "chunks": chunks}
        log(_log, WARNING, "hallucinated_citations_more", said, transcript_id=transcript.id, **facts)


def _resolution(findings: Findings, index: int, resolution: Resolution) -> None:
    citation = findings.context.citations[index]
    for fault in resolution.faults:
        suggestion = fault.suggestion
        if fault.severity == "error":
            better = _better_source(findings, findings.context.owners[index], ())
            suggestion = "; ".join(part for part in (suggestion, better) if part)
        findings.on_citation(index, fault.rule, fault.message, suggestion, severity=fault.severity)
    if citation.syntax == LIST and resolution.is_valid:
        said = f"the response lists source {citation.target.label}, which the answer never mentions"
        findings.on_citation(index, "uncited_list_entry", said)


def _better_source(findings: Findings, claim: int | None, cited: Sequence[str]) -> str:
    """Name the source that does support a claim; "" if none is known."""
    context = findings.context
    if claim is None:
        return ""
    good = suggested_chunks(context.supports[claim], context.settings.alignment_threshold, limit=1)
    if not good or good[0] in cited or good[0] not in findings.numbers:
        return ""
    return f"chunk {good[0]} supports this claim: cite [{findings.numbers[good[0]]}]"


def _chunks_of_files(context: CheckContext, resolutions: Sequence[Resolution]) -> dict[int, Chunk]:
    found: dict[int, Chunk] = {}
    for index, resolution in enumerate(resolutions):
        lines = context.citations[index].target.lines
        if resolution.file is None or lines is None or not resolution.is_valid:
            continue
        path = resolution.file.path
        found[index] = Chunk(
            id=f"{path}:{lines[0]}-{lines[1]}",
            text=resolution.file.slice(*lines),
            metadata=ChunkMetadata(path=path, line_start=max(lines[0], 1), line_end=max(lines[1], 1)),
        )
    return found


def _alignment(findings: Findings, alignment: CitationAlignment, resolutions: Sequence[Resolution]) -> None:
    if alignment.failure:
        said = f"claims were not compared with what they cite: {alignment.failure}"
        findings.add("alignment_not_scored", said)
    blamed = Counter(index for index, _ in alignment.misaligned)
    for index, claim in alignment.misaligned:
        support = alignment.support[index]
        cited = [chunk.id for chunk in resolutions[index].chunks]
        source = f"chunk {', '.join(cited)}" if cited else "the cited lines"
        # Words that would support a claim except for one contradiction contradict it.
        opposed = support is not None and support >= findings.context.settings.alignment_threshold
        verdict = "contradicts" if opposed else "does not support"
        score = "" if support is None or opposed or blamed[index] > 1 else f" (support {support:.2f})"
        message = f"{source} {verdict} the claim that cites it{score}"
        advice = _better_source(findings, claim, cited)
        if cited and not any(chunk.text.strip() for chunk in resolutions[index].chunks):
            message = f"{source} has no text, so it cannot be shown to support the claim that cites it"
            advice = advice or "record the text of what was retrieved"
        findings.on_citation(index, "semantic_alignment", message, advice, claim=claim)


def _share_last(context: CheckContext, by_claim: list[list[int]]) -> None:
    """Apply the citations at the end of a paragraph, list or table to its claims without any."""
    after = -1
    for index in range(len(context.claims) - 1, -1, -1):
        if after >= 0 and not by_claim[index] and _goes_on_after(context, index, after):
            cited = by_claim[after]
            by_claim[index] = [at for at in cited if context.citations[at].syntax not in (PROVIDER, LIST)]
        after = index


def _goes_on_after(context: CheckContext, index: int, after: int) -> bool:
    if context.claims[index].sentence == context.claims[after].sentence:
        # A marker inside a sentence covers its own clause.
        return False
    one, other = (context.sentences[context.claims[at].sentence] for at in (index, after))
    between = context.transcript.answer[one.end : other.start]
    return one.block == other.block or (one.kind == other.kind in _IN_ROWS and "\n\n" not in between)


def _missing_citations(findings: Findings, by_claim: Sequence[Sequence[int]]) -> None:
    context = findings.context
    checked = [claim for claim in context.claims if claim.checked]
    if context.declined or not checked:
        return
    if not any(citation.start >= 0 or citation.syntax != LIST for citation in context.citations):
        findings.add("missing_citations", "the answer cites no source at all")
    if context.settings.require_citations == "off":
        return
    least = context.settings.borderline_threshold
    for claim in checked:
        if not by_claim[claim.index]:
            good = suggested_chunks(context.supports[claim.index], least, limit=1)
            advice = _better_source(findings, claim.index, ()) if good else "cite a source, or remove it"
            place = {"span": (claim.start, claim.end), "claim": claim.index}
            findings.add("cited_claim", "this claim cites no source", advice, **place)


def _index_base(findings: Findings) -> None:
    context, numbers = findings.context, _numbers(findings.context)
    count, base = len(set(findings.numbers.values())), context.settings.index_base
    if not numbers or not count:
        return
    if base == 1 and 0 in numbers and max(numbers) < count:
        message, other = "the answer seems to count its sources from 0: it cites [0]", 0
    elif base == 0 and 0 not in numbers and max(numbers) == count:
        message, other = f"the answer seems to count its sources from 1: it cites [{count}]", 1
    else:
        return
    advice = f"set index_base = {other} if it does; the numbers were read as they are"
    findings.add("index_base", message, advice)


def _numbers(context: CheckContext) -> set[int]:
    labels = (item.target.label for item in context.citations if item.syntax == "index")
    return {int(label) for label in labels if label.isdecimal()}


def _unlisted(findings: Findings) -> None:
    listed = findings.context.transcript.cited_indices
    if listed is not None and (numbers := _numbers(findings.context) - set(listed)):
        named = ", ".join(f"[{number}]" for number in sorted(numbers))
        said = f"the answer cites {named}, which the response's list of citations leaves out"
        findings.add("unlisted_marker", said)


def _citation_verdict(
    findings: Findings,
    index: int,
    resolution: Resolution,
    scored: CitationAlignment,
    covered: Sequence[int],
) -> CitationVerdict:
    citation, owner = findings.context.citations[index], findings.context.owners[index]
    own = tuple(findings.by_citation.get(index, ()))
    names = tuple(chunk.id for chunk in resolution.chunks)
    return CitationVerdict.built(
        index=index,
        text=citation.text,
        start=citation.start,
        end=citation.end,
        syntax=citation.syntax,
        target=citation.target.label,
        valid=not any(finding.severity == "error" for finding in own),
        findings=own,
        chunk_id=names[0] if names else None,
        chunk_ids=names,
        path=resolution.file.path if resolution.file is not None else None,
        claim=owner if owner is not None or not covered else covered[0],
        support=scored.support[index],
        supports=scored.precise[index],
        source_hash=_source_hash(citation, resolution),
    )


def _source_hash(citation: ExtractedCitation, resolution: Resolution) -> str:
    if resolution.chunks:
        return fingerprint("\n".join(chunk.text for chunk in resolution.chunks))
    lines = citation.target.lines
    if resolution.file is None or lines is None or not resolution.is_valid:
        return ""
    return fingerprint(resolution.file.slice(*lines))
