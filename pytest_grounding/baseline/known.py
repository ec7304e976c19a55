"""What holds a transcript back, as a baseline keeps it: the rule, and a hash of the words it is about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pytest_grounding._visible import one_line
from pytest_grounding.model.finding import Cause, Finding
from pytest_grounding.model.known import Known
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.text.normalize import fingerprint
from pytest_grounding.waivers.match import claim_words
from pytest_grounding.waivers.model import NEVER_WAIVED

#: Rule of what fails by its figures alone: not one error or warning says why.
LOW_CONFIDENCE = "low_confidence"

# A baseline is read in reviews: enough words to know the claim by, and no more.
_LONGEST = 80


def failing(verdict: Verdict) -> list[tuple[Finding | None, Known]]:
    """The findings that hold a transcript back, with a line for each rule; the number is 1 in all of them."""
    # Many findings may be about one claim, and its words are looked for in the whole answer.
    words: dict[tuple[object, ...], str] = {}
    found: list[tuple[Finding | None, Known]] = []
    for finding, item in _causes(verdict):
        if item.severity == "info" or item.waived is not None:
            continue
        key = (item.claim, item.citation, item.span if item.claim is None else None)
        if key not in words:
            words[key] = claim_words(item, verdict)
        found.append((finding, _line(item, words[key] or verdict.transcript_hash, words[key])))
    if found or verdict.status == "pass" or verdict.skipped:
        return found
    severity = "error" if verdict.status == "reject" else "warning"
    line = Known(rule=LOW_CONFIDENCE, severity=severity, hash=fingerprint(verdict.transcript_hash))
    return [(None, line)]


def _causes(verdict: Verdict) -> Iterator[tuple[Finding, Cause]]:
    """Each finding with what each rule found in it: a known one must not hide what a further rule finds."""
    for finding in verdict.findings:
        for part in finding.parts:
            yield finding, part


def known_of(verdict: Verdict) -> tuple[Known, ...]:
    """The lines of a verdict in a baseline, equal ones as one with their number, in a fixed order."""
    return gathered([line for _, line in failing(verdict) if line.rule not in NEVER_WAIVED])


def gathered(lines: Sequence[Known]) -> tuple[Known, ...]:
    """Lines in order: errors first, then by rule, words and hash; equal ones are one with their number."""
    numbers: Counter[Known] = Counter()
    for line in lines:
        numbers[line.model_copy(update={"number": 1})] += line.number
    merged = [line.model_copy(update={"number": number}) for line, number in numbers.items()]
    return tuple(sorted(merged, key=lambda line: (line.severity, line.rule, line.words, line.hash)))


def _line(finding: Cause, about: str, words: str) -> Known:
    return Known(
        rule=finding.rule,
        severity="error" if finding.severity == "error" else "warning",
        hash=fingerprint(about),
        words=one_line(words, _LONGEST),
    )
