"""Labels that a user gives, and the answers to be labelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import Record, canonical_json, content_hash, read_records, write_atomic
from pytest_grounding.engine import as_transcript, validate
from pytest_grounding.engine.examine import examine
from pytest_grounding.errors import InputError
from pytest_grounding.gate.outcome import fails
from pytest_grounding.gate.waivers import Waiver, overrulable, waiver_for
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.json_values import as_map
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.rules import by_status, having
from pytest_grounding.settings import Settings

FILE = "grounding.labels.jsonl"
_FORM = 'write {"id": "refunds-01", "correct": true}, one a line'


@dataclass(frozen=True, slots=True)
class Label:
    """One answer that a person judged."""

    transcript: Transcript
    correct: bool

    @property
    def key(self) -> str:
        """What the label is about: it is void for the same id with another content."""
        return content_hash(_plain(self.transcript))


class Labels:
    """The labels of a project: its file, and what is added to it."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self._said: dict[str, bool] = {}
        self._lines: dict[str, Mapping[str, Any]] = {}
        for record in read_records(path) if path.exists() else ():
            value = record.value
            if isinstance(value, Mapping) and not {"transcript", "correct"} <= value.keys():
                self._lines[canonical_json(value)] = value
            else:
                label = _label(record, str(path), settings, {})
                self._said[label.key] = label.correct
                self._lines[label.key] = value

    def __len__(self) -> int:
        return len(self._said)

    def add(self, label: Label) -> None:
        """Add a label; of two on the same answer the later one counts."""
        self._said[label.key] = label.correct
        said = {"correct": label.correct, "transcript": _plain(label.transcript)}
        self._lines[label.key] = {**self._lines.get(label.key, {}), **said}

    def of(self, transcript: Transcript) -> bool | None:
        """What was said of an answer; a label of another content under the same id is void."""
        return self._said.get(content_hash(_plain(transcript)))

    def text(self) -> str:
        """The file's text: ordered by id, so that what two branches add merges."""
        ids = [as_map(value.get("transcript")).get("id", "") for value in self._lines.values()]
        lines = zip(map(str, ids), map(canonical_json, self._lines.values()), strict=True)
        return "".join(f"{line}\n" for _, line in sorted(lines))

    def save(self) -> None:
        """Write the file, atomically."""
        write_atomic(self.path, self.text())


def read_answers(path: str, answers: Sequence[Transcript], settings: Settings) -> list[Label]:
    """The labels of a file that a person or a program wrote for ``init --answers``."""
    known = {transcript.id: transcript for transcript in answers}
    found: dict[str, Label] = {}
    for record in read_records(path):
        label = _label(record, path, settings, known)
        other = found.setdefault(label.key, label)
        if other.correct != label.correct:
            problem, place = f"says of {label.transcript.id!r} the opposite of a line above", {"path": path}
            raise InputError(problem, **place, line=record.line, field="correct", hint="keep one of the two")
    return list(found.values())


def _plain(transcript: Transcript) -> dict[str, Any]:
    value: dict[str, Any] = transcript.model_dump(mode="json", exclude_defaults=True)
    return value


def _label(record: Record, path: str, settings: Settings, known: Mapping[str, Transcript]) -> Label:
    value = record.value

    def wrong(field: str, problem: str, hint: str) -> InputError:
        return InputError(problem, path=path, line=record.line, field=field or None, hint=hint)

    if not isinstance(value, Mapping):
        raise wrong("", "a label is an object", _FORM)
    correct = value.get("correct")
    if not isinstance(correct, bool):
        raise wrong("correct", "is missing or no switch", "write true where the answer is right, else false")
    if "transcript" in value:
        try:
            return Label(as_transcript(value["transcript"], settings), correct)
        except InputError as error:
            field = f"transcript.{error.field}" if error.field else "transcript"
            raise wrong(field, error.problem, error.hint or _FORM) from None
    identifier = value.get("id")
    if not isinstance(identifier, str):
        raise wrong("id", "is missing or no text", _FORM)
    if identifier not in known:
        raise wrong("id", f"{identifier!r} is no answer that was found", "write the id of a recorded answer")
    return Label(known[identifier], correct)


REASON = "the answer is right"

#: Rules about what the words mean. A citation of nothing, or a quote that stands nowhere, is a fault of a
#: right answer too: it stays known until it is mended.
_OF_MEANING = frozenset(having("meaning"))
_OF_CLAIMS = _OF_MEANING & set(by_status().values())


#: The settings that a file would have with some values changed.
SettingsFor = Callable[[Mapping[str, Any], str], Settings]


@dataclass(frozen=True, slots=True)
class Answer:
    """One recorded answer."""

    transcript: Transcript
    path: str
    line: int
    verdict: Verdict
    failed: bool
    expected: bool = False
    correct: bool | None = None

    @property
    def is_doubtful(self) -> bool:
        """It fails, and nobody has said whether rightly."""
        return self.failed and not self.expected and self.correct is None


def judged(row: Row, transcript: Transcript, settings_for: SettingsFor) -> Answer:
    """Validate one answer with the settings in force for its file."""
    place = {"source": row.path, "line": row.line}
    found = examine(transcript, settings_for({}, row.path), place=place)
    expected = found.wanted is not None
    return Answer(transcript, row.path, row.line, found.verdict, found.is_failed, expected=expected)


def labelled(answers: Sequence[Answer], labels: Labels) -> list[Answer]:
    """The answers with what people said of them."""
    return [replace(item, correct=labels.of(item.transcript)) for item in answers]


def excuses(
    answers: Sequence[Answer], values: Mapping[str, Any], settings_for: SettingsFor, *, by: str
) -> list[Waiver]:
    """The waivers that right answers need with some settings, and no more."""
    every: list[Waiver] = []
    for answer in answers:
        settings, found = settings_for(values, answer.path), list[Waiver]()
        # What follows from a claim is waived with it.
        for rules in (_OF_CLAIMS, _OF_MEANING, _OF_MEANING):
            verdict = validate(answer.transcript, settings, waivers=found)
            if not fails(verdict, settings):
                break
            held = [finding for finding in overrulable(verdict) if finding.rule in rules]
            found += [waiver_for(finding, verdict, reason=REASON, by=by) for finding in held]
        every += found
    return every
