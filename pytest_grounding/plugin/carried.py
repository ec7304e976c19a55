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
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple

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
#: How long the three parts of a thing are.
_SIZES = Struct(">III")
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


#: What a report of a test carries of one thing that it found: a number that tells its content from others,
#: the id of a transcript that failed or "", what is said of it as JSON, and its verdict and transcript, each
#: packed or "". Text, because it travels between the processes of xdist, to which a verdict of a thousand
#: values costs more than the validation, and because others write reports as JSON.
Carried = tuple[int, str, str, str, str]


def carried(item: pytest.Item, report: pytest.TestReport) -> list[Carried]:
    """What a test found, each verdict once, in the form in which its report carries it.

    A verdict on which an assertion failed while the test passed was expected to be bad (the assertion
    stood in ``pytest.raises``), and so was everything in a test marked ``xfail``: such a verdict counts
    for no figure.
    """
    is_shown = of(item.config).configured.shows_transcripts
    entries = item.stash[ENTRIES]
    xfailed = hasattr(report, "wasxfail")
    blamed = any(entry.failed for entry in entries)
    found: list[Carried] = []
    groups: dict[tuple[str, str], list[Entry]] = {}
    for entry in entries:
        if entry.verdict is None:
            said = {"place": entry.place, "message": entry.message}
            found.append((_number_of("", ""), "", json.dumps(said), "", ""))
        else:
            groups.setdefault((entry.verdict.id, entry.verdict.transcript_hash), []).append(entry)
    for (name, digest), group in groups.items():
        failed = any(entry.failed for entry in group)
        expected = xfailed or any(entry.expected for entry in group) or (failed and report.passed)
        role = XFAIL if xfailed else "expected" if expected else "counted"
        own = report.failed and (failed or not blamed) and not expected
        told = json.dumps({"id": name, "role": role, "failed": own})
        once = {entry.verdict.settings_hash: entry.verdict for entry in group if entry.verdict}
        shown = next((entry.transcript for entry in group if entry.transcript is not None), None)
        packed = _packed(shown) if shown is not None and is_shown else ""
        number = _number_of(name, digest)
        found += [(number, name if own else "", told, _packed(item), packed) for item in once.values()]
    return found


def _packed(value: Verdict | Transcript) -> str:
    """A value as text; base 85 would be a fifteenth shorter, and takes a hundred times as long."""
    return base64.b64encode(zlib.compress(value.model_dump_json().encode(), _LEVEL)).decode("ascii")


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


def _number_of(name: str, digest: str) -> int:
    """A number of 64 bits that verdicts on two contents hardly ever share."""
    text = f"{name}\0{digest}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big")


class Thing(NamedTuple):
    """One thing that was found.

    Attributes:
        said: ``id``, ``role`` and ``failed`` of a verdict, or ``place`` and ``message`` of a bad row.
        verdict: where the packed verdict lies on the pile: offset and size.
        transcript: where the packed transcript lies; of size 0 where it was not taken along.
    """

    said: dict[str, Any]
    verdict: tuple[int, int]
    transcript: tuple[int, int]


class Found:
    """What the reports of tests carried, in the order in which it came; 8 bytes are held of each.

    Attributes:
        failed: the ids of the transcripts that failed.
        pile: where all of it lies.
    """

    def __init__(self) -> None:
        self.failed: set[str] = set()
        self.pile = Pile()
        self._numbers = array("Q")

    def add(self, data: Iterable[Carried]) -> None:
        """Take what one report carried.

        Raises:
            GroundingError: the temporary folder cannot take it.
        """
        for number, failed, said, verdict, transcript in data:
            parts = said.encode(), base64.b64decode(verdict), base64.b64decode(transcript)
            self.pile.put(b"".join((_SIZES.pack(*map(len, parts)), *parts)))
            self._numbers.append(number)
            if failed:
                self.failed.add(failed)

    def __len__(self) -> int:
        return len(self._numbers)

    def things(self, places: Container[int] | None = None) -> Iterator[tuple[int, Thing]]:
        """Each thing with its place among all, or those of some places."""
        start = 0
        for place in range(len(self._numbers)):
            said, verdict, transcript = _SIZES.unpack(self.pile.get(start, _SIZES.size))
            start += _SIZES.size
            if places is None or place in places:
                text = self.pile.get(start, said)
                behind = start + said
                yield place, Thing(json.loads(text), (behind, verdict), (behind + verdict, transcript))
            start += said + verdict + transcript

    def verdict(self, thing: Thing) -> Verdict:
        """The verdict of a thing that has one."""
        from pytest_grounding.model.verdict import Verdict

        return Verdict.model_validate_json(zlib.decompress(self.pile.get(*thing.verdict)))

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
