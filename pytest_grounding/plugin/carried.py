"""What a test found, on its way to the report of the run: kept by the test, carried by its report, gathered.

In between it is packed, and beyond some megabytes it lies in the temporary folder (``TMPDIR``).
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from array import array
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from pytest_grounding._spill import Pile
from pytest_grounding.errors import GroundingError
from pytest_grounding.plugin.state import CRASHED, ENTRIES, RunState, of

if TYPE_CHECKING:
    from pytest_grounding.gate.outcome import Outcome
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.model.verdict import Verdict

#: Transcripts from which on a run tells how far it is.
MANY = 300
#: The fastest level; a higher one takes twice as long to save a tenth more.
_LEVEL = 1
#: Bytes that say how long the next thing is.
_SIZE = 4
XFAIL = "xfail"
DIED = "its worker crashed"
SKIPPED = "skipped"


@dataclass(slots=True)
class Entry:
    """One thing that a test found: a verdict, or a row that could not be read.

    Attributes:
        verdict: the verdict, or None.
        failed: an assertion on it failed.
        expected: its author expected it to be bad.
        transcript: what the verdict was made on, or None where it is not known.
        elapsed_ms: how long validation took, in milliseconds, or None where it is not known.
        place: where the row stands.
        message: why it could not be read.
    """

    verdict: Verdict | None = None
    failed: bool = False
    expected: bool = False
    transcript: Transcript | None = None
    elapsed_ms: float | None = None
    place: str = ""
    message: str = ""

    @classmethod
    def of(cls, outcome: Outcome, *, blamed: bool = False) -> Entry:
        """What became of a transcript that is a test by itself; ``blamed``: something else fails it."""
        return cls(
            verdict=outcome.verdict,
            failed=outcome.is_failed or blamed,
            expected=outcome.is_expected,
            transcript=outcome.transcript,
            elapsed_ms=outcome.elapsed_ms,
        )


def as_data(item: pytest.Item, report: pytest.TestReport) -> list[dict[str, Any]]:
    """What a test found as plain JSON data, each verdict once.

    A verdict on which an assertion failed while the test passed was expected to be bad (the assertion
    stood in ``pytest.raises``), and so was everything in a test marked ``xfail``: such a verdict counts
    for no figure.
    """
    is_shown = of(item.config).configured.shows_transcripts
    entries = item.stash[ENTRIES]
    xfailed = hasattr(report, "wasxfail")
    blamed = any(entry.failed for entry in entries)
    data: list[dict[str, Any]] = []
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.verdict is None:
            data.append({"place": entry.place, "message": entry.message})
        else:
            groups.setdefault((entry.verdict.id, entry.verdict.transcript_hash), []).append(entry)
    for group in groups.values():
        failed = any(entry.failed for entry in group)
        expected = xfailed or any(entry.expected for entry in group) or (failed and report.passed)
        role = XFAIL if xfailed else "expected" if expected else "counted"
        own = report.failed and (failed or not blamed) and not expected
        once = {entry.verdict.settings_hash: entry.verdict for entry in group if entry.verdict}
        shown = next((entry.transcript for entry in group if entry.transcript is not None), None)
        more = {"transcript": shown.model_dump(mode="json")} if shown is not None and is_shown else {}
        data.extend(
            {"verdict": verdict.as_dict(), "role": role, "failed": own, **more} for verdict in once.values()
        )
    return data


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


#: What a report of a test carries of one thing that it found: a number that tells its content from others,
#: the id of a transcript that failed or "", and all of it, packed. Text, because it travels between the
#: processes of xdist, to which a verdict of a thousand values costs more than the validation.
Carried = tuple[int, str, str]


def packed(data: Iterable[Mapping[str, Any]]) -> list[Carried]:
    """What a test found, as plain data, in the form in which its report carries it."""
    found = []
    for item in data:
        text = base64.b85encode(zlib.compress(json.dumps(item).encode(), _LEVEL)).decode("ascii")
        failed = item["verdict"]["id"] if item.get("failed") else ""
        found.append((_number_of(item.get("verdict", {})), failed, text))
    return found


def _number_of(verdict: Mapping[str, Any]) -> int:
    """A number of 64 bits that verdicts on two contents hardly ever share."""
    text = f"{verdict.get('id')}\0{verdict.get('transcript_hash')}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


class Found:
    """What the reports of tests carried, in the order in which it came; 8 bytes are held of each.

    Attributes:
        failed: the ids of the transcripts that failed.
    """

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self._numbers = array("Q")
        self._pile = Pile()

    def add(self, data: Iterable[Carried]) -> None:
        """Take what one report carried.

        Raises:
            GroundingError: the temporary folder cannot take it.
        """
        for number, failed, text in data:
            plain = base64.b85decode(text)
            self._pile.put(len(plain).to_bytes(_SIZE, "big") + plain)
            self._numbers.append(number)
            if failed:
                self.failed.add(failed)

    def __len__(self) -> int:
        return len(self._numbers)

    def items(self, places: Container[int] | None = None) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each thing with its place among all, or those of some places."""
        start = 0
        for place in range(len(self._numbers)):
            size = int.from_bytes(self._pile.get(start, _SIZE), "big")
            if places is None or place in places:
                yield place, json.loads(zlib.decompress(self._pile.get(start + _SIZE, size)))
            start += _SIZE + size

    def repeated(self) -> set[int]:
        """The places of what may be on the same content as something else."""
        several = {number for number, times in Counter(self._numbers).items() if times > 1}
        return {place for place, number in enumerate(self._numbers) if number in several}


def take(state: RunState, data: Iterable[Carried], report: pytest.TestReport) -> None:
    """Take what a report carries off it; pytest keeps every report to the end of the run."""
    if state.found is None:
        state.found = Found()
    try:
        state.found.add(data)
    except GroundingError as error:
        # The disk is full: what is found from here on could not be counted.
        pytest.exit(f"grounding: {error}", returncode=pytest.ExitCode.TESTS_FAILED)
    del report.grounding
    state.ran.add(report.nodeid)
    if len(state.ran) == MANY:
        # Short runs load nothing for it.
        from pytest_grounding.plugin.progress import begin

        state.progress = begin(state)
    elif state.progress is not None:
        state.progress.show()
