"""`AuditLog`: the public interface of the log, and the logs of a run."""

from __future__ import annotations

import logging
import os
import threading
import warnings
import weakref
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.listeners import WARNING, log
from pytest_grounding._io.wording import counted, with_verb
from pytest_grounding.audit import verifying
from pytest_grounding.audit.records import AuditNote, AuditRecord, draft
from pytest_grounding.audit.verifying import Filter, Integrity, Pruning
from pytest_grounding.audit.writing import LogWriter, missed_note
from pytest_grounding.errors import AuditError, InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.model.run_report import RunReport
    from pytest_grounding.settings.mapping import SettingsDict

logger = logging.getLogger("pytest_grounding.audit")


class AuditWarning(UserWarning):
    """Validations could not be written to the audit log, and continue without it."""


class AuditLog:
    """A log of validations: JSON Lines, appended to by many processes and threads at once.

    No file is opened or written before the first `append`, and none stays open between two calls. Once
    `append` has returned a record, it is in the file, whatever happens to this process.

    Args:
        path: the file, relative to the current folder; missing folders are created.
        settings: a Settings or a mapping, for ``audit_required`` and ``audit_retention_days``.
        required: raise `AuditError` if the log cannot be written; None uses the setting.
        session_id: the session of records whose transcript has none.

    Raises:
        SettingsError: a setting is unknown or out of range.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        settings: Settings | SettingsDict | Mapping[str, Any] | None = None,
        required: bool | None = None,
        session_id: str | None = None,
    ) -> None:
        own = {} if required is None else {"audit_required": required}
        self.settings: Settings = Settings.of(settings).with_values(own)
        # A program that changes its folder later continues with the same file.
        self.path: Path = Path(path).absolute()
        self.session_id = session_id
        self._writer = LogWriter(self.path)
        self._guard = threading.Lock()
        self._missed = 0
        self._why = ""
        self._has_warned = False

    def __reduce__(self) -> tuple[Any, ...]:
        """Give another process its own log on the same file."""
        return partial(AuditLog, settings=self.settings, session_id=self.session_id), (self.path,)

    @property
    def missed(self) -> int:
        """Number of validations that could not be written and that no line of the log mentions yet."""
        return self._missed

    def problem(self) -> str:
        """Why the log cannot be written, or "", as far as known without writing anything."""
        error = self._writer.problem()
        return "" if error is None else self._sentence(error)

    def append(
        self,
        verdict: Verdict,
        transcript: Transcript | Mapping[str, Any] | None = None,
        *,
        processing_time_ms: float | None = None,
        session_id: str | None = None,
    ) -> AuditRecord | None:
        """Write one validation.

        Args:
            verdict: the result of the validation.
            transcript: the transcript validated; for the question, session, response and model of the record.
            processing_time_ms: duration of the validation in milliseconds.
            session_id: the session if the transcript has none; None uses that of the log.

        Returns:
            The record as written to the log, or None if it could not be written and the policy lets
            validation continue: the first time with an `AuditWarning` and a log record.

        Raises:
            AuditError: it could not be written, and ``audit_required`` is set.
            ValueError: the transcript is not that of the verdict, or the time is not a number.
        """
        session = self.session_id if session_id is None else session_id
        if transcript is not None and not isinstance(transcript, Transcript):
            # It was accepted by validation; the limit on the question's length does not matter here.
            transcript = Transcript.model_validate(transcript, context={"question_max_length": 10**9})
        body = draft(verdict, transcript, processing_time_ms=processing_time_ms, session_id=session)
        with self._guard:
            missed, why = self._missed, self._why
        try:
            written = self._writer.write([missed_note(missed, why), body] if missed else [body])[-1]
        except OSError as error:
            self._could_not(error)
            return None
        if missed:
            with self._guard:
                self._missed -= missed
        return AuditRecord.model_validate(written)

    def records(
        self,
        *,
        status: str | None = None,
        rule: str | None = None,
        id: str | None = None,
        session: str | None = None,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
    ) -> Iterator[AuditRecord]:
        """Iterate over the validations of the log, oldest first; in constant memory.

        Args:
            status: only those with this status: PASS, REVIEW or REJECT, in any case.
            rule: only those with a finding of this rule.
            id: only those with this id of the transcript, of the audit record, or of the response.
            session: only those of this session.
            since: the earliest time, included: a datetime, a date, a time or an age such as ``7d``.
            until: the latest time, excluded.

        Raises:
            InputError: a filter cannot be parsed, the log does not exist, or a line is not a record (the
                error gives file and line). An incomplete last line is ignored.
        """
        wanted = Filter.of(status=status, rule=rule, id=id, session=session, since=since, until=until)
        entries = self.entries()
        return (entry for entry in entries if isinstance(entry, AuditRecord) and wanted.takes(entry))

    def entries(self) -> Iterator[AuditRecord | AuditNote]:
        """Iterate over all lines, including the log's notes on itself.

        Raises:
            InputError: a line is not a record; gives file and line. An incomplete last line is ignored.
        """
        for entry in verifying.iter_entries(self.path):
            if isinstance(entry, InputError):
                raise entry
            yield entry

    def verify(self, *, report: RunReport | None = None) -> Integrity:
        """Check whether any line was edited, removed, inserted or torn.

        Args:
            report: a run whose verdicts must all be in the log.

        Raises:
            InputError: the log does not exist, is empty, or cannot be read.
        """
        return verifying.verify(self.path, report=report)

    def prune(self, days: int | None = None) -> Pruning:
        """Remove the oldest lines, and write a line that records it.

        Args:
            days: age in days from which lines are removed; None uses the setting ``audit_retention_days``.

        Returns:
            What was removed; ``through`` is None if nothing was old enough.

        Raises:
            InputError: the log does not exist, is damaged, or cannot be written.
        """
        age = timedelta(days=self.settings.audit_retention_days if days is None else days)
        return verifying.prune(self.path, datetime.now(UTC) - age)

    def _could_not(self, error: OSError) -> None:
        text = self._sentence(error)
        with self._guard:
            self._missed += 1
            self._why = error.strerror or str(error)
            is_first, self._has_warned = not self._has_warned, True
        if self.settings.audit_required:
            raise AuditError(text) from error
        if is_first:
            text = f"{text}; validation goes on without a record"
            why = error.strerror or str(error)
            log(logger, WARNING, "audit_not_written", "%s", text, path=str(self.path), problem=why)
            warnings.warn(text, AuditWarning, stacklevel=3)

    def _sentence(self, error: OSError) -> str:
        return f"{self.path}: the audit log cannot be written ({error.strerror or error})"


class Trail:
    """The logs of one run, by their path in the settings."""

    def __init__(self, folder: Path, session_id: str | None = None) -> None:
        self.folder = folder
        self.session_id = session_id
        self.written: Counter[str] = Counter()
        self.missed: Counter[str] = Counter()
        self.failed: bool = False
        self._logs: dict[str, AuditLog] = {}
        self._seen: weakref.WeakValueDictionary[int, Verdict] = weakref.WeakValueDictionary()

    def write(
        self,
        verdict: Verdict,
        transcript: Transcript | None,
        settings: Settings,
        elapsed_ms: float | None = None,
    ) -> None:
        """Log a validation as the settings require, unless the verdict was already logged."""
        path = settings.audit
        if self._seen.get(id(verdict)) is verdict:
            return
        self._seen[id(verdict)] = verdict
        if path not in self._logs:
            place, session = self.folder / path, self.session_id
            self._logs[path] = AuditLog(place, settings=settings, required=True, session_id=session)
        try:
            self._logs[path].append(verdict, transcript, processing_time_ms=elapsed_ms)
        except AuditError as error:
            # The path as the user wrote it, which is the same in every process of the run.
            self.missed[error.problem.replace(str(self._logs[path].path), path, 1)] += 1
            self.failed = self.failed or settings.audit_required
        else:
            self.written[path] += 1

    def as_data(self) -> dict[str, Any]:
        """What was and was not written, as plain data."""
        return {"written": dict(self.written), "missed": dict(self.missed), "failed": self.failed}

    def add(self, data: Mapping[str, Any]) -> None:
        """Add what another process of the run wrote."""
        self.written.update(data["written"])
        self.missed.update(data["missed"])
        self.failed = self.failed or bool(data["failed"])

    def lines(self) -> list[str]:
        """What was written, as messages."""
        written = sorted(self.written.items())
        return [f"audit log: {counted(number, 'validation')} written to {path}" for path, number in written]

    def problems(self) -> list[str]:
        """What could not be written, as messages."""
        end = "; audit_required is set, so the run fails" if self.failed else ""
        return [
            f"{problem}: {with_verb(number, 'validation', 'is', 'are')} missing in it{end}"
            for problem, number in sorted(self.missed.items())
        ]
