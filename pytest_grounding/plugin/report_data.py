"""The results of a test on their way to the report of the run, carried by its test report."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding.plugin.run_state import CRASHED, ENTRIES, RunState, of

if TYPE_CHECKING:
    from pytest_grounding.gate.outcome import Outcome
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict

#: The fastest compression level; a higher one takes twice as long to save a tenth more.
_LEVEL = 1
XFAIL = "xfail"
DIED = "its worker crashed"
SKIPPED = "skipped"


@dataclass(slots=True)
class Entry:
    """One result of a test: a verdict, or an unreadable row."""

    verdict: Verdict | None = None
    failed: bool = False
    expected: bool = False
    transcript: Transcript | None = None
    elapsed_ms: float | None = None
    place: str = ""
    message: str = ""

    @classmethod
    def of(cls, outcome: Outcome, *, blamed: bool = False) -> Entry:
        """The outcome of a transcript that is itself a test; ``blamed``: it fails for another reason."""
        return cls(
            verdict=outcome.verdict,
            failed=outcome.is_failed or blamed,
            expected=outcome.is_expected,
            transcript=outcome.transcript,
            elapsed_ms=outcome.elapsed_ms,
        )


#: One result on a test report: facts as JSON, and its verdict and
#: transcript, each packed or "". Text, because it travels between processes of xdist, and because others
#: write reports as JSON.
Carried = tuple[str, str, str]


def carried(item: pytest.Item, report: pytest.TestReport) -> list[Carried]:
    """The results of a test, each verdict once, in the form carried by its report."""
    is_shown = of(item.config).configured.shows_transcripts
    entries = item.stash[ENTRIES]
    xfailed = hasattr(report, "wasxfail")
    blamed = any(entry.failed and not entry.expected for entry in entries)
    found: list[Carried] = []
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.verdict is None:
            said = {"place": entry.place, "message": entry.message}
            found.append((json.dumps(said), "", ""))
        else:
            groups.setdefault((entry.verdict.id, entry.verdict.transcript_hash), []).append(entry)
    for (name, _), group in groups.items():
        failed = any(entry.failed for entry in group)
        expected = xfailed or any(entry.expected for entry in group)
        role = XFAIL if xfailed else "expected" if expected else "counted"
        own = report.failed and (failed or not blamed) and not expected
        elapsed = next((entry.elapsed_ms for entry in group if entry.elapsed_ms is not None), None)
        told = json.dumps({"id": name, "role": role, "failed": own, "ms": elapsed})
        once = {entry.verdict.settings_hash: entry.verdict for entry in group if entry.verdict}
        shown = next((entry.transcript for entry in group if entry.transcript is not None), None)
        packed = _packed(shown) if shown is not None and is_shown else ""
        found += [(told, _packed(item), packed) for item in once.values()]
    return found


def _packed(value: Verdict | Transcript) -> str:
    return base64.b64encode(zlib.compress(value.model_dump_json().encode(), _LEVEL)).decode("ascii")


def unpacked(text: str) -> bytes:
    """The JSON of a value that `carried` packed."""
    return zlib.decompress(base64.b64decode(text))


def why_without_verdict(report: pytest.TestReport) -> str:
    """Why a test that did not pass may have left no verdict, in words."""
    if report.when == CRASHED:
        return DIED
    if report.failed:
        return "its test failed first"
    if hasattr(report, "wasxfail"):
        return XFAIL
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
    return f"{SKIPPED}: {reason.removeprefix('Skipped: ')}" if reason else SKIPPED


def take(state: RunState, data: Iterable[Carried], report: pytest.TestReport) -> None:
    """Take the results off a report; pytest keeps every report to the end of the run."""
    state.found.setdefault(report.nodeid, []).extend(data)
    del report.grounding
    state.ran.add(report.nodeid)


def add_properties(item: pytest.Item, report: pytest.TestReport) -> None:
    """Put the figures of a test on its reports, where ``--junitxml`` and others look for them."""
    from pytest_grounding.reports.junit import item_properties

    once: dict[tuple[str, str, str], Any] = {}
    for entry in item.stash[ENTRIES]:
        if entry.verdict is not None:
            key = (entry.verdict.id, entry.verdict.transcript_hash, entry.verdict.settings_hash)
            once.setdefault(key, entry.verdict)
    found = item_properties(list(once.values()))
    # The report of the teardown, which is made later, takes them from the item.
    report.user_properties.extend(found)
    item.user_properties.extend(found)
