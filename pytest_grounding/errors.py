"""Every error that this package raises on purpose.

::

    GroundingError
    ├── InputError            a file or value given by the user cannot be read
    │   ├── DuplicateIdError  two transcripts of one suite share an id
    │   └── UnreadableCassetteError  recorded judgements cannot be read
    ├── SettingsError         a setting is unknown or out of its range (also a ValueError)
    ├── MissingExtraError     an optional dependency is not installed (also an ImportError)
    ├── AuditError            the audit log cannot be written, and the policy requires it
    ├── RecordingError        a program under recording failed; its earlier answers are kept
    ├── UncheckedError        a transcript could not be checked at all, because of a bug of this package
    │   └── TooLargeError     it exceeds the limits of one validation
    └── ScorerError           a scorer could not score; never a pass and never a 0
        ├── RefusedError      a remote scorer refused permanently
        ├── BudgetError       the request could exceed the limit of a run, and was not made
        └── CassetteError     a judgement is not on the cassette, or the cassette cannot be written
"""

from __future__ import annotations

import importlib
from types import ModuleType

#: Part of the message for every judgement missing from a cassette.
MISS = "is not on the cassette"
#: Advice where a judge was not asked yet.
RECORD_JUDGE = "record the judge's answers: pytest --grounding-record=new, or check --set record=new"

DISTRIBUTION = "pytest-rag-grounding"
#: The scorers and reports that the second distribution has.
_OF_EXTRAS = frozenset({"langfuse", "local", "otel"})


class GroundingError(Exception):
    """Base of all errors raised on purpose by pytest-grounding."""


class InputError(GroundingError):
    """A file or value given by the user cannot be read.

    The message is one sentence that starts with the location (``file:line: field:``) and ends with
    what to write instead.

    Args:
        problem: what is wrong, in words.
        path: the file, if any.
        line: 1-based line in that file, if known.
        field: dotted path of the field, such as ``chunks[2].score``, if known.
        hint: what to write instead, if known.
    """

    def __init__(
        self,
        problem: str,
        *,
        path: str | None = None,
        line: int | None = None,
        field: str | None = None,
        hint: str | None = None,
    ) -> None:
        self.problem = problem
        self.path = path
        self.line = line
        self.field = field
        self.hint = hint
        super().__init__(self._render())

    def _render(self) -> str:
        place = self.path or ""
        if self.path and self.line is not None:
            place += f":{self.line}"
        parts = [part for part in (place, self.field) if part]
        text = ": ".join([*parts, self.problem])
        return f"{text}; {self.hint}" if self.hint else text


class DuplicateIdError(InputError):
    """Two transcripts of one suite share an id; the message names both locations."""


class UnreadableCassetteError(InputError):
    """Recorded judgements cannot be read; the message names file and line. No other scorer steps in."""


class SettingsError(GroundingError, ValueError):
    """A setting is unknown or out of its range; the message names it and its allowed values."""


class UncheckedError(GroundingError):
    """A transcript could not be checked at all; the message gives the reason."""


class TooLargeError(UncheckedError):
    """A transcript exceeds the limits of one validation; never a pass."""


class MissingExtraError(GroundingError, ImportError):
    """An optional dependency is not installed; the message names the extra."""


class ScorerError(GroundingError):
    """A scorer could not score: the reason is reported, never turned into a pass or a 0."""


class RefusedError(ScorerError):
    """A remote scorer refused permanently, so that retrying is useless.

    Args:
        problem: its message.
        status: the HTTP status.
        of_all: whether all requests to this model are refused (no access, no such model), and not one
            text.
    """

    def __init__(self, problem: str, *, status: int, of_all: bool) -> None:
        self.problem = problem
        self.status = status
        self.of_all = of_all
        super().__init__(problem)


class BudgetError(ScorerError):
    """A judge was not called, because it could exceed the limit of the run; the message has both numbers."""


class CassetteError(ScorerError):
    """A judgement is not on the cassette, or cannot be written to it; the message gives advice."""


class RecordingError(GroundingError):
    """A program under recording failed for some questions; the message names them."""


class AuditError(GroundingError):
    """The audit log cannot be written, and ``audit_required`` is set.

    Args:
        problem: which log, and why it cannot be written.
    """

    def __init__(self, problem: str) -> None:
        self.problem = problem
        super().__init__(f"{problem}; audit_required is set, so validation does not go on")


def advice_of_extras(name: str) -> str:
    """How to install a scorer or report that the second distribution has; "" for any other name."""
    if name not in _OF_EXTRAS:
        return ""
    return f"it comes with another package: pip install '{DISTRIBUTION}-extras[{name}]'"


def require(module: str, *, extra: str, distribution: str = DISTRIBUTION) -> ModuleType:
    """Import an optional module, which comes with an extra of a distribution."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        missing = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
        # An installed but broken package must not be called missing: its own error is shown.
        problem = "is not installed" if missing == package else f"cannot be loaded ({error})"
        raise MissingExtraError(
            f"{package} {problem}; it comes with the extra {extra!r}: pip install '{distribution}[{extra}]'"
        ) from error
