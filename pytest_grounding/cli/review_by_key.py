"""The walk through the candidates in a terminal: one key a decision, each done at once."""

from __future__ import annotations

import os
import select
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pytest_grounding.errors import InputError
from pytest_grounding.gate.waivers import NEVER_WAIVED, add, remove, waiver_for
from pytest_grounding.golden.decisions import Verb, author, undo
from pytest_grounding.golden.golden_file import shown
from pytest_grounding.golden.review_steps import Item, counts, decide_all, of_grade
from pytest_grounding.model.finding import Cause, Finding
from pytest_grounding.reports.review_text import evidence_lines, graded_list, head_line, record_lines
from pytest_grounding.reports.terminal import Line, safe
from pytest_grounding.reports.word_diff import fit

_COLOURS = {"good": "32", "bad": "31", "warn": "33", "head": "1"}
_INTERRUPTS = ("\x03", "\x04", "")
#: Candidates that the overview names; all of them are counted.
_NAMED = 20
_HELP = (
    "a: it is the golden now; r: the same recording fails from now on; s: later; "
    "b: back to one that was left; "
    "u: takes the last decision back; w: the finding in view decides nothing; A, R: with a reason"
)

Next = Literal["stay", "move", "end"]


class Bulk(NamedTuple):
    """A key that accepts a whole grade: which, how the prompt names it, what the log says."""

    grade: str
    prompt: str
    said: str


BULKS = {
    "n": Bulk("neutral", "[n]eutral", "neutral"),
    "i": Bulk("improvement", "[i]mproved", "that got better"),
    "p": Bulk("new", "[p]assing new", "new that pass"),
}


class Step(NamedTuple):
    """What one key decided: places of candidates, and what takes it back."""

    places: tuple[int, ...]
    take_back: Callable[[], object]


class Walk:
    """Shows the graded list, then each candidate, and does what the keys say."""

    def __init__(self, items: Sequence[Item], waivers: Path, *, colour: bool | None = None) -> None:
        self.items: list[Item] = list(items)
        self.waivers = waivers
        self.waived: set[tuple[int, int]] = set()
        self.left: set[int] = set(range(len(self.items)))
        self.steps: list[Step] = []
        self.at: int = 0
        fits = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.colour: bool = fits if colour is None else colour

    def run(self) -> int:
        """Walk; returns how many candidates still wait."""
        self._overview()
        while self.at < len(self.items):
            item = self.items[self.at]
            if self.at in self.left:
                self._show(item)
                if item.stale:
                    self._print([Line(f"left out: {item.stale}", "warn")])
                elif not self._ask(item):
                    break
                else:
                    continue
            self.at += 1
        self._print([Line(""), Line(self._farewell())])
        return len(self.left)

    def _overview(self) -> None:
        found = counts(self.items)
        summary = ", ".join(f"{number} {grade}" for grade, number in found.items() if number)
        self._print([Line(f"{len(self.items)} to review: {summary}", "head")])
        for item in self.items[:_NAMED]:
            self._print([head_line(item.record, item.golden)])
            lines = graded_list(item.record.changes, width=self._width())
            self._print(line for line in lines if line.tone)
        if len(self.items) > _NAMED:
            self._print([Line(f"and {len(self.items) - _NAMED} more")])

    def _show(self, item: Item) -> None:
        self._print([Line("")])
        self._print([Line(f"--- {self.at + 1} of {len(self.items)}: {item.place}", "head")])
        self._print(record_lines(item.record, item.golden, width=self._width(), colour=self.colour))
        for number in self._open_findings()[:1]:
            found = item.record.candidate.verdict.findings[number]
            first, *others = _waivable(found)
            self._print([Line(f"w waives: {first.rule}: {safe(first.message)}")])
            self._print([Line(f"     also: {part.rule}: {safe(part.message)}") for part in others])

    def _ask(self, item: Item) -> bool:
        while True:
            key = self._key()
            if key in _INTERRUPTS or key.lower() == "q":
                return False
            if self._answer(key, item) == "move":
                return True

    def _answer(self, key: str, item: Item) -> Next:
        lower = key.lower()
        if lower == "s":
            self.at += 1
            return "move"
        if lower in ("a", "r"):
            return self._decide(item, "accept" if lower == "a" else "reject", explained=key != lower)
        if lower in BULKS:
            return self._accept_all(BULKS[lower])
        if lower == "b":
            return self._back()
        if lower == "u":
            return self._undo()
        if lower == "w":
            return self._waive(item)
        if lower == "e":
            self._print(evidence_lines(item.record, item.golden))
        else:
            self._print([Line(_HELP)])
        return "stay"

    def _decide(self, item: Item, verb: Verb, *, explained: bool) -> Next:
        reason: str | None = ""
        if explained or (verb == "accept" and item.record.grade == "regression"):
            reason = self._reason(verb)
        if reason is None or not self._carry_out([self.at], verb, reason):
            return "stay"
        self._print([Line(f"{verb}ed {item.place}", "good" if verb == "accept" else "bad")])
        return "move"

    def _accept_all(self, bulk: Bulk) -> Next:
        places = self._members(bulk)
        if places and not self._carry_out(places, "accept", f"accepted with all {bulk.said}"):
            return "stay"
        self._print([Line(f"accepted {len(places)} {bulk.said}", "good")])
        return "stay" if self.at in self.left else "move"

    def _members(self, bulk: Bulk) -> list[int]:
        return [place for place in sorted(self.left) if of_grade([self.items[place]], bulk.grade)]

    def _carry_out(self, places: Sequence[int], verb: Verb, reason: str) -> bool:
        try:
            number = decide_all([self.items[place] for place in places], verb, reason=reason)
        except (InputError, OSError) as error:
            self._print([Line(safe(str(error)), "warn")])
            return False
        self.left.difference_update(places)
        folders = [self.items[place].store.folder for place in places]
        self.steps.append(Step(tuple(places), lambda: undo(folders, step=number)))
        return True

    def _open_findings(self) -> list[int]:
        findings = self.items[self.at].record.candidate.verdict.findings
        return [
            number
            for number, found in enumerate(findings)
            if found.severity != "info"
            and found.waived is None
            and found.rule not in NEVER_WAIVED
            and (self.at, number) not in self.waived
        ]

    def _waive(self, item: Item) -> Next:
        found = self._open_findings()
        reason = self._reason("waive") if found else None
        if not found:
            self._print([Line("nothing was found on it that can be waived")])
        if reason is None:
            return "stay"
        mark = (self.at, found[0])
        verdict = item.record.candidate.verdict
        finding = verdict.findings[found[0]]
        try:
            by = author(item.store.folder)
            # All that is wrong with a claim is one fault: else its next cause would come back in its place.
            waivers = [waiver_for(part, verdict, reason=reason, by=by) for part in _waivable(finding)]
            add(self.waivers, waivers)
        except (InputError, OSError) as error:
            self._print([Line(safe(str(error)), "warn")])
            return "stay"
        self.waived.add(mark)

        def take_back() -> None:
            remove(self.waivers, waivers)
            self.waived.discard(mark)

        self.steps.append(Step((self.at,), take_back))
        rules = ", ".join(dict.fromkeys(waiver.rule for waiver in waivers))
        text = f"waived {rules} in {shown(self.waivers)}: from the next run on it decides nothing"
        self._print([Line(safe(text), "good")])
        return "move"

    def _back(self) -> Next:
        before = [place for place in sorted(self.left) if place < self.at and not self.items[place].stale]
        if not before:
            self._print([Line("none before this one is left; u takes the last decision back")])
            return "stay"
        self.at = before[-1]
        return "move"

    def _undo(self) -> Next:
        if not self.steps:
            self._print([Line("nothing was decided yet; for an earlier walk: pytest-grounding review undo")])
            return "stay"
        step = self.steps[-1]
        try:
            step.take_back()
        except (InputError, OSError) as error:
            self._print([Line(safe(str(error)), "warn")])
            return "stay"
        self.steps.pop()
        self.left.update(step.places)
        self.at = step.places[0]
        what = self.items[self.at].place if len(step.places) == 1 else f"{len(step.places)} decisions"
        self._print([Line(f"taken back: {what}", "warn")])
        return "move"

    def _reason(self, verb: str) -> str | None:
        try:
            none = "" if verb == "waive" else "Enter for none, "
            return input(f"why {verb}? ({none}Ctrl-C to go back) ").strip()
        except (KeyboardInterrupt, EOFError):
            print()
            return None

    def _key(self) -> str:
        *lines, last = fit(self._prompt(), max(self._width() - 4, 20))
        sys.stdout.write("\n".join([*lines, f"{last} > "]))
        sys.stdout.flush()
        key = read_key()
        sys.stdout.write(f"{safe(key) if key.isprintable() else ''}\n")
        return key

    def _prompt(self) -> str:
        bulks = [(bulk.prompt, len(self._members(bulk))) for bulk in BULKS.values()]
        offered = [f"{name} ({number})" for name, number in bulks if number]
        together = f"  accept all: {' '.join(offered)}" if offered else ""
        waive = " [w]aive" if self._open_findings() else ""
        return f"[a]ccept [r]eject [s]kip [b]ack [u]ndo [e]vidence{waive}{together}  [q]uit"

    def _farewell(self) -> str:
        done = len(self.items) - len(self.left)
        left = f"{len(self.left)} left: go on with pytest-grounding review" if self.left else "none left"
        return f"{done} decided, {left}"

    def _width(self) -> int:
        return shutil.get_terminal_size().columns

    def _print(self, lines: Iterable[Line]) -> None:
        width = self._width()
        for line in lines:
            code = _COLOURS.get(line.tone, "") if self.colour else ""
            for text in fit(line.text, width):
                print(f"\x1b[{code}m{text}\x1b[0m" if code else text)


def read_key() -> str:
    """One key from the terminal, without waiting for Enter; "" at its end."""
    try:
        import termios
        import tty
    except ImportError:
        return _windows_key()
    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle)
        # One byte: the keys are ASCII, and what was typed ahead stays for the reason.
        found = os.read(handle, 1)
        if found == b"\x1b":  # an arrow or function key: drop the rest of it
            while select.select([handle], [], [], 0)[0] and os.read(handle, 1):
                pass
    except KeyboardInterrupt:
        return "\x03"
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
    return found.decode("ascii", "replace")


def _windows_key() -> str:
    import importlib

    console = importlib.import_module("msvcrt")
    key: str = console.getwch()
    return key


def _waivable(finding: Finding) -> list[Cause]:
    return [
        part
        for part in finding.parts
        if part.severity != "info" and part.waived is None and part.rule not in NEVER_WAIVED
    ]
