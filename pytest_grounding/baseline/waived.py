"""What a run says of its waivers: what they excused, and which of them excuse nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_grounding._visible import one_line
from pytest_grounding._wording import counted, listed, listed_of
from pytest_grounding.model.run import RunReport
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.waivers import Waiver, Waivers

_LISTED = 3
_SHOWN = 60
#: By this the words on a waiver of a mark are known, which stands in code and in no file.
_OF_MARK = ": the mark grounding_waive "


def waived_note(number: int, first: Sequence[str]) -> str:
    """How many findings people overruled, with the first ones and why; "" where there is none."""
    return f"{counted(number, 'finding')} waived: {listed_of(number, first[:_LISTED])}" if number else ""


def said_of(verdict: Verdict) -> Iterator[str]:
    """What people overruled in one verdict, and why."""
    for finding in verdict.causes:
        if finding.waived is not None:
            by = f", {one_line(finding.waived.by, _SHOWN)}" if finding.waived.by else ""
            reason = one_line(finding.waived.reason, _SHOWN)
            yield f"{one_line(verdict.id, _SHOWN)} {finding.rule} ({reason}{by})"
    if verdict.waived is not None:
        yield f"{one_line(verdict.id, _SHOWN)} confidence ({one_line(verdict.waived.reason, _SHOWN)})"


def idle(report: RunReport) -> str:
    """That waivers of a whole run are unused or expired, in words; "" where none is."""
    parts = []
    for names, what in ((report.run.waivers_unused, "unused"), (report.run.waivers_expired, "expired")):
        if names:
            parts.append(f"{counted(len(names), what + ' waiver')}: {listed(names, _LISTED)}")
    told = [*report.run.waivers_unused, *report.run.waivers_expired]
    if any(_OF_MARK not in name for name in told):
        parts.append("take them out with: pytest-grounding waive --prune")
    if any(_OF_MARK in name for name in told):
        parts.append("remove the mark from the test")
    return "; ".join(parts)


class IdleWaivers:
    """Looks through the verdicts of a run for waivers that excuse nothing."""

    def __init__(self, known: Waivers) -> None:
        self._known = known
        self._names = {item.transcript for item in known.all}
        self._used: set[tuple[str, ...]] = set()
        self._seen: set[str] = set()

    def add(self, verdict: Verdict) -> None:
        """Take one more verdict, also one that counts for no figure."""
        if verdict.id in self._names:
            self._seen.add(verdict.id)
        if verdict.waived_number:
            self._used |= used_by(verdict, self._known)

    def unused_and_expired(self, *, is_whole: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The waivers that are unused, and those that have expired, in words."""
        today = self._known.today
        told = [item for item in self._known.all if is_whole or item.transcript in self._seen]
        expired = [shown(item, today=today) for item in told if item.is_expired(today)]
        unused = [item for item in told if item.key not in self._used and not item.is_expired(today)]
        return tuple(sorted(map(shown, unused))), tuple(sorted(expired))


def used_by(verdict: Verdict, known: Waivers) -> set[tuple[str, ...]]:
    """Keys of the waivers that excuse something of a verdict."""
    found = (known.find(item, verdict) for item in verdict.causes if item.waived is not None)
    keys: set[tuple[str, ...]] = {item.key for item in found if item is not None}
    if verdict.waived is not None:
        low = known.of_confidence(verdict)
        keys |= {low.key} if low is not None else set()
    return keys


def shown_mark(waiver: Waiver, place: str) -> str:
    """A waiver that a mark holds in a few words: its test, its rule and its claim."""
    return f'{place}{_OF_MARK}{waiver.rule} "{one_line(waiver.claim, _SHOWN)}"'


def shown(waiver: Waiver, *, today: str = "") -> str:
    """A waiver in a few words: where it holds, its rule and its claim; since when it does not hold."""
    where = one_line(waiver.transcript, _SHOWN) or "anywhere"
    claim = one_line(waiver.claim, _SHOWN)
    on = f' "{claim}"' if claim else ""
    expired = f" since {waiver.expires}" if today and waiver.is_expired(today) else ""
    return f"{where} {waiver.rule}{on}{expired}"
