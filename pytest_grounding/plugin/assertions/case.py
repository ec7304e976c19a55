"""Shared by all assertions: from the argument to a verdict, and from a verdict to a failure."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from pytest_grounding._io import listeners
from pytest_grounding.errors import GroundingError, InputError
from pytest_grounding.gate import GateOutcome, outcome_of
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings, from_environment, resolve

if TYPE_CHECKING:
    from pytest_grounding.gate.waivers import Waiver
    from pytest_grounding.model.finding import Cause
    from pytest_grounding.model.transcript import Transcript
    from pytest_grounding.settings.mapping import SettingsDict

    Given = Transcript | Verdict | Mapping[str, Any] | str | os.PathLike[str]
    GivenSettings = Settings | SettingsDict | Mapping[str, Any] | None


#: Advice for an answer without chunks.
_MISSING = 'missing: write assert_grounded(answer, chunks, question="...")'
_ENDING = re.compile(r"\.(?:jsonl?|ndjson|csv|tsv|sse|gz|zst)$", re.IGNORECASE)
_LONGEST_NAME = 255


class GroundingWarning(UserWarning):
    """Reported by a policy without failing: nothing was checked, a claim was not scored."""


@dataclass(frozen=True, slots=True)
class Case:
    """The subject of an assertion: its transcript if there is one, and the chosen settings."""

    verdict: Verdict
    transcript: Transcript | None
    settings: Settings
    explicit: frozenset[str]
    elapsed_ms: float | None = None

    def passed(self) -> Verdict:
        """Record that the assertion passed, unless the answer fails its expectations."""
        __tracebackhide__ = True
        if missed := self.findings("expected_fact", "expected_source"):
            self.fail(f"not as expected: {missed[0].message}", self.blocks(missed))
        self._record(failed=False)
        return self.verdict

    def fail(self, headline: str, blocks: Iterable[Sequence[str]] = (), brief: str = "") -> NoReturn:
        """Record that the assertion failed, and raise AssertionError with all details."""
        __tracebackhide__ = True
        from pytest_grounding.reports.terminal import conclusion_lines, quoted, safe
        from pytest_grounding.rules import of_group

        lines = [*([brief] if brief else []), f"transcript {quoted(self.verdict.id)}: {headline}"]
        # What the recording lacks may explain everything else.
        for item in self.findings(*of_group("reading")):
            advice = f"; {item.suggestion}" if item.suggestion else ""
            lines += [f"recording: {safe(item.message + advice)}"] if item.severity != "info" else []
        for number, block in enumerate(blocks):
            lines += ["", *block] if number else block
        if not brief and (self.verdict.declined or self.verdict.status != "pass"):
            lines += ["", *conclusion_lines(self.verdict)]
        if self.verdict.source and not brief:
            lines.append(f"recorded: {safe(self.verdict.source)}:{self.verdict.line or 1}")
        self._record(failed=True)
        raise AssertionError("\n".join(lines))

    def _record(self, *, failed: bool) -> None:
        if (observer := listeners.current()) is not None:
            given, elapsed = self.transcript, self.elapsed_ms
            observer.record(self.verdict, failed=failed, transcript=given, elapsed_ms=elapsed)

    def follow(self, policy: str, headline: str, blocks: Iterable[Sequence[str]] = ()) -> None:
        """Apply a policy: ``pass``, ``warn`` (a GroundingWarning) or ``fail``."""
        __tracebackhide__ = True
        if policy == "fail":
            self.fail(headline, blocks)
        if policy == "warn":
            text = f"transcript {self.verdict.id!r}: {headline}"
            warnings.warn(text, GroundingWarning, stacklevel=_outside())

    def findings(self, *rules: str) -> list[Cause]:
        """The unwaived findings of some rules."""
        return [cause for cause in self.verdict.causes if cause.rule in rules and cause.waived is None]

    def blocks(self, findings: Iterable[Cause]) -> list[list[str]]:
        """A block of lines for each finding."""
        from pytest_grounding.reports.terminal import finding_text

        return [finding_text(finding, self.verdict, self.transcript).split("\n") for finding in findings]


def examine_case(
    given: Given, settings: GivenSettings, *, needs: str = "", bound: Mapping[str, Any] | None = None
) -> Case:
    """Validate the argument with the settings in use."""
    __tracebackhide__ = True
    try:
        chosen, explicit = in_force(settings)
        chosen = chosen.with_values(bound) if bound else chosen
        if settings is not None and isinstance(given, Verdict):
            problem = "settings do not change a Verdict; pass the transcript, or validate it with them"
            raise ValueError(problem)
        found = judge(given, chosen)
    except GroundingError as error:
        # The message says what is wrong with the argument; frames of this package would bury it.
        raise error.with_traceback(None) from None
    if off := [name for name in found.verdict.switched_off if name in ("validation", needs)]:
        leave_switched_off(found.verdict, f"{off[0]} is switched off, so nothing was asserted")
    return Case(found.verdict, found.transcript, chosen, explicit, found.elapsed_ms)


def exchange(answer: object, chunks: Any, question: str) -> Mapping[str, Any]:
    """The transcript of an answer, its chunks and its question, named after the question."""
    __tracebackhide__ = True
    given = {"the answer": isinstance(answer, str), "chunks": chunks is not None, "question": bool(question)}
    if missing := [name for name, is_there in given.items() if not is_there]:
        verb = "is" if len(missing) == 1 and missing[0] != "chunks" else "are"
        raise TypeError(f"{' and '.join(missing)} {verb} {_MISSING}")
    from pytest_grounding.citations.naming import list_of_chunks
    from pytest_grounding.importers.native import named_value

    row = {"question": question, "chunks": list_of_chunks(chunks), "answer": answer}
    return named_value(row, "answer")[0]


def _path_of_text(given: str | os.PathLike[str]) -> str:
    __tracebackhide__ = True
    text = given if isinstance(given, str) else ""
    is_worded = len(text.split()) > 1 or not any(sign in text for sign in "./\\*")
    is_text = bool(text) and is_worded and not _ENDING.search(text)
    observer = listeners.current()
    is_long = any("\n" in part or len(part) > _LONGEST_NAME for part in re.split(r"[/\\]", text))
    if not is_long:
        try:
            path = os.fspath(given) if observer is None else observer.place(given)
            if not is_text or Path(path).exists():
                return path
        except InputError:
            if not is_text:
                raise
    raise TypeError(f"this text is not the path of a file, and chunks and question are {_MISSING}")


def in_force(settings: GivenSettings) -> tuple[Settings, frozenset[str]]:
    """The settings in use, and the names of the explicitly chosen ones."""
    if isinstance(settings, Settings):
        return settings, frozenset(settings.as_dict())
    observer = listeners.current()
    if observer is not None:
        layers, profiles = observer.layers(), observer.profiles()
        settings = None if settings is None else observer.given(settings)
    else:
        layers, profiles = [("environment", from_environment(os.environ))], {}
    chosen, origin = resolve([*layers, ("argument", settings or {})], profiles=profiles)
    sources = {name: source for name, source in origin.items() if source != "default"}
    return chosen, frozenset(name for name, source in sources.items() if not source.startswith("profile "))


def judge(given: Given, settings: Settings, *, waivers: Sequence[Waiver] = ()) -> GateOutcome:
    """The case for an argument; without its transcript if it is a verdict."""
    __tracebackhide__ = True
    from pytest_grounding.engine import transcript_input as inputs
    from pytest_grounding.engine.validation import examine as examined

    if isinstance(given, Verdict):
        return outcome_of(given, settings)
    if isinstance(given, (str, os.PathLike)):
        path = _path_of_text(given)
        loaded = inputs.load_transcripts(path, settings)
        if len(loaded) != 1:
            problem = f"holds {len(loaded)} transcripts, and this takes exactly one"
            hint = "use @pytest.mark.transcripts, or pass one of load_transcripts(path)"
            raise InputError(problem, path=path, hint=hint)
        transcript = loaded[0]
    elif inputs.can_be_transcript(given):
        transcript = inputs.as_transcript(given, settings)
    else:
        try:
            inputs.refuse_unawaited(given)
        except InputError as error:
            raise TypeError(str(error)) from None
        kind = type(given).__name__
        raise TypeError(f"{kind} cannot be validated; pass a Transcript, a mapping, a path or a Verdict")
    observer = listeners.current()
    more = observer.expectations() if observer is not None else {}
    if more:
        added = {name: (*(getattr(transcript, name) or ()), *values) for name, values in more.items()}
        transcript = transcript.model_copy(update=added)
    return examined(transcript, settings, waivers=waivers)


def share_setting(value: float, name: str) -> float:
    """A threshold passed as an argument."""
    __tracebackhide__ = True
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise ValueError(f"{name} = {value!r} is not a number from 0 to 1")
    return float(value)


def choice(value: str, name: str, choices: Sequence[str]) -> str:
    """An argument that must be one of a few words."""
    __tracebackhide__ = True
    if value not in choices:
        raise ValueError(f"{name} = {value!r} is not known; write one of: {', '.join(choices)}")
    return value


def leave_switched_off(verdict: Verdict, reason: str) -> NoReturn:
    """Skip the test (or record it) if the check is off: that is neither a pass nor a failure."""
    __tracebackhide__ = True
    text = f"transcript {verdict.id!r}: {reason}"
    observer = listeners.current()
    if observer is not None:
        if verdict.skipped:
            # Recorded as skipped; else the gate would miss it.
            observer.record(verdict, failed=False)
        observer.skip(text)
    raise AssertionError(f"{text}; switch it on, or remove the assertion")


def _outside() -> int:
    """Stack level of the caller outside of this package, for the location of a warning."""
    import sys

    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("pytest_grounding."):
        level, frame = level + 1, frame.f_back
    return level
