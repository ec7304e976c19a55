"""A baseline as a file: canonical, with a line for each transcript and each of its known findings."""

from __future__ import annotations

import contextlib
import math
import os
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from pytest_grounding._io.jsonio import canonical_document, canonical_json, read_records, write_atomic
from pytest_grounding._io.wording import one_line
from pytest_grounding.engine.pipeline import ENGINE_VERSION
from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import NEVER_WAIVED, claim_words
from pytest_grounding.model.base import Model
from pytest_grounding.model.baseline_values import Baseline, BaselineEntry, Known
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reading.visible_text import fingerprint
from pytest_grounding.settings import BUILD_SETTINGS, FIELDS, Settings

#: Rule of transcripts that fail by their figures alone, without an error or warning.
LOW_CONFIDENCE = "low_confidence"

_LONGEST = 80  # baselines are read in reviews: enough words to recognise the claim, and no more
_ANEW = "restore it from version control, or write the baseline anew"
_DIGITS = 6
#: Bytes that identify a file, and how a baseline begins: its keys are sorted. A file with a merge
#: conflict begins with git's mark, and an unfinished one is empty.
_START = 4096
_BEGINS = re.compile(rb'$|<<<<<<< |\{\s*"engine_version"\s*:')
#: These are paths of one machine; only whether they are set can be compared.
PLACES = frozenset({"source_root", "calibration", "local_model", "corpus"})
_M = TypeVar("_M", bound=Model)


def failing_lines(verdict: Verdict) -> list[tuple[Finding | None, Known]]:
    """The findings that keep a transcript from passing, with a line for each rule; each has the number 1."""
    # Many findings may be on one claim, and its words are searched in the whole answer.
    words: dict[tuple[object, ...], str] = {}
    found: list[tuple[Finding | None, Known]] = []
    # One line per rule: a known finding must not hide the finding of another rule.
    for finding, item in ((one, part) for one in verdict.findings for part in one.parts):
        if item.severity == "info" or item.waived is not None:
            continue
        key = (item.claim, item.citation, item.span if item.claim is None else None)
        said = words[key] if key in words else words.setdefault(key, claim_words(item, verdict))
        facts = {"rule": item.rule, "severity": item.severity, "words": one_line(said, _LONGEST)}
        found.append((finding, Known(hash=fingerprint(said or verdict.transcript_hash), **facts)))
    if found or verdict.status == "pass" or verdict.skipped:
        return found
    severity = "error" if verdict.status == "reject" else "warning"
    line = Known(rule=LOW_CONFIDENCE, severity=severity, hash=fingerprint(verdict.transcript_hash))
    return [(None, line)]


def gathered(lines: Sequence[Known]) -> tuple[Known, ...]:
    """Lines in order: errors first, then by rule, words and hash; equal ones are merged and counted."""
    numbers: Counter[Known] = Counter()
    for line in lines:
        numbers[line.model_copy(update={"number": 1})] += line.number
    merged = [line.model_copy(update={"number": number}) for line, number in numbers.items()]
    return tuple(sorted(merged, key=lambda line: (line.severity, line.rule, line.words, line.hash)))


def baseline_of(report: RunReport, settings: Settings) -> Baseline:
    """The baseline of a decided run."""
    summary = report.summary
    reason = _not_whole(report)
    if summary is None or reason:
        hint = "a baseline is written by a whole run alone"
        raise InputError(f"the baseline was not written: {reason or 'the run was not decided'}", hint=hint)
    figures = {
        name: value if value is None else round(value, _DIGITS)
        for name, value in summary.model_dump(mode="json").items()
        if not isinstance(value, (dict, list)) and settings.baseline_gate == "all"
    }
    entries, fingerprint = [], settings.fingerprint
    for verdict in report.transcripts:
        known = gathered([line for _, line in failing_lines(verdict) if line.rule not in NEVER_WAIVED])
        entries.append(BaselineEntry.of(verdict, settings_hash=fingerprint, known=known))
    return Baseline(
        engine_version=ENGINE_VERSION,
        settings=deciding(settings),
        settings_hash=fingerprint,
        figures=figures,
        transcripts=tuple(entries),
    )


def _not_whole(report: RunReport) -> str:
    run = report.run
    if run.interrupted or run.narrowed:
        return "; ".join([*run.interrupted, *(f"a partial run ({item})" for item in run.narrowed)])
    if run.problems:
        return f"{run.problems[0].place} could not be read"
    if run.missing:
        identifier, why = next(iter(run.missing.items()))
        return f"transcript {identifier!r} has no verdict ({why})"
    if off := [verdict for verdict in report.transcripts if "validation" in verdict.switched_off]:
        return f"transcript {off[0].id!r} was not checked (validation is switched off)"
    if not report.transcripts:
        return "there is no transcript"
    numbers = Counter(verdict.id for verdict in report.transcripts)
    shared = [item for item, number in numbers.items() if number > 1]
    return f"several transcripts share the id {shared[0]!r}" if shared else ""


def changed(settings: Settings) -> dict[str, Any]:
    """The values that differ from their defaults, sorted by name."""
    values = {**settings.as_dict(), "glossary": "\n".join(settings.glossary_rules)}
    return {name: values[name] for name in sorted(FIELDS) if values[name] != FIELDS[name].default}


def deciding(settings: Settings) -> dict[str, object]:
    """The values that can change a verdict and differ from their defaults."""
    values = {name: value for name, value in changed(settings).items() if name not in BUILD_SETTINGS}
    return {name: bool(value) if name in PLACES else value for name, value in values.items()}


def render_baseline(baseline: Baseline) -> str:
    """The canonical document: sorted keys, each transcript and each finding on a line, a final line feed."""
    head = baseline.model_dump(mode="json", exclude={"transcripts"})
    if not baseline.figures:
        del head["figures"]
    lines = list(map(_lines_of_entry, baseline.transcripts))
    document = canonical_document({**head, "transcripts": []})
    listed = ",\n    ".join(lines)
    # "transcripts" sorts last, so its empty list is at the end of the document.
    return document.removesuffix("[]\n}\n") + (f"[\n    {listed}\n  ]\n}}\n" if lines else "[]\n}\n")


def _lines_of_entry(entry: BaselineEntry) -> str:
    text = canonical_json(_short_entry(entry))
    if entry.known is None:
        return text
    known = [line.model_dump(mode="json", exclude_defaults=True) for line in entry.known]
    found = ",\n".join(f"      {canonical_json(line)}" for line in known)
    return f'{text.removesuffix("}")},"known":[\n{found}{found and chr(10)}    ]}}'


def _short_entry(entry: BaselineEntry) -> dict[str, object]:
    plain: dict[str, object] = entry.model_dump(mode="json", exclude={"known"})
    optional: dict[str, object] = {"findings": {}, "sentences": [], "settings_hash": "", "abstention": ""}
    optional |= dict.fromkeys(("abstained", "in_parts", "complete", "facts_expected", "facts_stated"), 0)
    optional |= dict.fromkeys(("sources_expected", "sources_found", "reciprocal_rank"), 0)
    return {key: value for key, value in plain.items() if optional.get(key, ...) != value}


def write_baseline(baseline: Baseline, path: str | os.PathLike[str]) -> None:
    """Write a baseline, atomically."""
    try:
        write_atomic(path, render_baseline(baseline))
    except OSError as error:
        problem = f"the baseline cannot be written ({error.strerror or error})"
        raise InputError(problem, path=os.fspath(path)) from error


def refuse_foreign(path: str | os.PathLike[str]) -> None:
    """Refuse to overwrite an existing file unless it is a baseline or the rest of one."""
    name = os.fspath(path)
    if not Path(name).is_file():
        return
    with contextlib.suppress(OSError), open(name, "rb") as file:
        if _BEGINS.match(file.read(_START).strip()):
            return
    hint = "name the baseline first, as in: pytest-grounding baseline grounding.baseline.json PATH..."
    raise InputError("is not a baseline, and is not written over", path=name, hint=hint)


def read_baseline(path: str | os.PathLike[str]) -> Baseline:
    """Read a baseline."""
    name = os.fspath(path)
    if not os.path.lexists(name):
        hint = f"write it with: pytest-grounding baseline {name} PATH..."
        raise InputError("there is no such baseline", path=name, hint=hint)
    _, baseline = read_one(name, Baseline, "baseline", _ANEW)
    if problem := _contradiction(baseline):
        raise InputError(problem, path=name, hint=_ANEW)
    return baseline


def read_one(name: str, model: type[_M], what: str, hint: str) -> tuple[Any, _M]:
    """The one JSON value of a file, as written and as a model."""
    records = list(read_records(name))
    if len(records) != 1:
        raise InputError(f"holds {len(records)} JSON values, expected one {what}", path=name, hint=hint)
    value = records[0].value
    try:
        return value, model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        problem = f"is not a {what} ({field}: {first['msg'][:1].lower()}{first['msg'][1:]})"
        raise InputError(problem, path=name, hint=hint) from None


def _is_more_than_whole(entry: BaselineEntry) -> bool:
    """Whether a part exceeds its whole: a known finding with too large a number would excuse new ones."""
    found = entry.findings
    if entry.citations_valid > entry.citations or entry.hallucinated > entry.claims:
        return True
    known = entry.known or ()
    return any(item.number > max(1, found.get(f"{item.severity} {item.rule}", 0)) for item in known)


def _contradiction(baseline: Baseline) -> str:
    ids = Counter(entry.id for entry in baseline.transcripts)
    if shared := [identifier for identifier, number in ids.items() if number > 1]:
        return f"lists the transcript {shared[0]!r} twice"
    for entry in baseline.transcripts:
        if _is_more_than_whole(entry):
            return f"counts more parts than the whole in the transcript {entry.id!r}"
    if any(value is not None and not math.isfinite(value) for value in baseline.figures.values()):
        return "contains a figure that is not a number"
    counted = baseline.figures.get("transcripts")
    if counted is not None and counted != len(baseline.transcripts):
        return f"its figures are of {counted:g} transcripts, and it lists {len(baseline.transcripts)}"
    return ""
