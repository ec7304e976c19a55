"""One waiver: the rule, what its finding was about, and who said what of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from pydantic import field_validator

from pytest_grounding.model._base import Model
from pytest_grounding.model.finding import Waived
from pytest_grounding.rules import having

#: Rules that say that something was not looked at: nobody can know what they excuse.
NEVER_WAIVED = frozenset(having("unwaivable"))

#: Rules on the form of an answer: who waives a claim has waived none of them.
BY_NAME = frozenset(having("form"))

_HASH = re.compile(r"[0-9a-f]{16}")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


class Waiver(Model):
    """That a person found one finding wrong, or accepts it."""

    rule: str
    transcript: str
    claim: str
    claim_hash: str
    evidence_hash: str
    reason: str
    by: str
    day: str
    expires: str = ""

    @field_validator("rule")
    @classmethod
    def _check_rule(cls, value: str) -> str:
        if not value.strip():
            raise ValueError('is empty; write the rule of the finding, such as "unsupported_claim"')
        if value in NEVER_WAIVED:
            problem = f"{value!r} cannot be waived: it says that something was not checked at all"
            raise ValueError(f"{problem}; mend its cause, or leave the transcript out")
        return value

    @field_validator("claim_hash", "evidence_hash")
    @classmethod
    def _check_hash(cls, value: str) -> str:
        if not _HASH.fullmatch(value):
            raise ValueError("is no hash; write the 16 digits that pytest-grounding waive gives")
        return value

    @field_validator("reason")
    @classmethod
    def _check_reason(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("is empty; write why the finding is wrong or accepted")
        return value

    @field_validator("day", "expires")
    @classmethod
    def _check_day(cls, value: str, info: Any) -> str:
        if not value and info.field_name == "expires":
            return value
        if not is_day(value):
            raise ValueError("is no date; write it as 2026-12-31")
        return value

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What it is about; of two waivers with one key the later one counts."""
        return self.transcript, self.rule, self.claim_hash, self.evidence_hash

    @property
    def waived(self) -> Waived:
        """What a finding says that this waives."""
        return Waived(reason=self.reason, by=self.by, day=self.day)

    def is_expired(self, today: str) -> bool:
        """Whether its last day is before ``today``, an ISO date."""
        return bool(self.expires) and self.expires < today

    def as_line(self) -> dict[str, Any]:
        """The waiver as it stands in the file: without an expiry where it has none."""
        return self.model_dump(exclude_defaults=True)


def is_day(value: str) -> bool:
    """Whether a text is an ISO date, such as 2026-12-31."""
    try:
        return bool(_ISO.fullmatch(value)) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def in_order(waivers: Sequence[Waiver]) -> list[Waiver]:
    """The waivers as the file holds them: sorted by transcript, rule and words; of a double the last one."""
    kept = {item.key: item for item in waivers}
    return sorted(kept.values(), key=lambda item: (item.transcript, item.rule, item.claim, item.key))
