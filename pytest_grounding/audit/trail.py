"""What a run of many validations writes to its audit logs, and what it could not write."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_grounding.audit.log import AuditLog
from pytest_grounding.errors import AuditError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.settings import Settings


class Trail:
    """The logs of one run, by the path that its settings name.

    Args:
        folder: where relative paths start.
        session_id: session of the records whose transcript names none.

    Attributes:
        written: path -> validations written to it.
        missed: why validations could not be written -> how many.
        failed: one of those should have been, because ``audit_required`` is set.
    """

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
        """Log a validation where the settings say; a verdict that was logged already is left out."""
        path = settings.audit
        if self._seen.get(id(verdict)) is verdict:
            return
        self._seen[id(verdict)] = verdict
        if path not in self._logs:
            self._logs[path] = AuditLog(
                self.folder / path, settings=settings, required=True, session_id=self.session_id
            )
        try:
            self._logs[path].append(verdict, transcript, processing_time_ms=elapsed_ms)
        except AuditError as error:
            # Named as the user named it, which is the same in every process of the run.
            self.missed[error.problem.replace(str(self._logs[path].path), path, 1)] += 1
            self.failed = self.failed or settings.audit_required
        else:
            self.written[path] += 1

    def as_data(self) -> dict[str, Any]:
        """What was written and what not, as plain data."""
        return {"written": dict(self.written), "missed": dict(self.missed), "failed": self.failed}

    def add(self, data: Mapping[str, Any]) -> None:
        """Take over what another process of the run wrote."""
        self.written.update(data["written"])
        self.missed.update(data["missed"])
        self.failed = self.failed or bool(data["failed"])

    def lines(self) -> list[str]:
        """What was written, for a person."""
        return [
            f"audit log: {number} validation{'' if number == 1 else 's'} written to {path}"
            for path, number in sorted(self.written.items())
        ]

    def problems(self) -> list[str]:
        """What could not be written, for a person."""
        end = "; audit_required is set, so the run fails" if self.failed else ""
        return [
            f"{problem}: {number} validation{' is' if number == 1 else 's are'} missing in it{end}"
            for problem, number in sorted(self.missed.items())
        ]
