"""The walk through the candidates in a terminal: one key a decision, each done at once."""

from __future__ import annotations

import os
import select
import shutil
import sys
from collections.abc import Iterable

from pytest_grounding.golden.review import Item, counts, decide, improvements
from pytest_grounding.golden.suggestions import SUGGESTION, suggested_lines
from pytest_grounding.reports.review_text import evidence_lines, graded_list, head_line, record_lines
from pytest_grounding.reports.terminal import Line, safe

_KEYS = "[a]ccept  [r]eject  [s]kip  [e]vidence  accept all [i]mprovements  [q]uit"
_COLOURS = {"good": "32", "bad": "31", "warn": "33", "head": "1"}
_INTERRUPTS = ("\x03", "\x04", "")


class Walk:
    """Shows the graded list, then each candidate, and does what the keys say.

    A decision is carried out when its key is pressed, so that a walk which ends early, by a key or by a
    lost connection, goes on at the next start with what is left.

    Args:
        items: the candidates, the gravest first.
    """

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.left = list(items)
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and _term() != "dumb"

    def run(self) -> int:
        """Walk; returns how many candidates still wait."""
        self._overview()
        for number, item in enumerate(self.items, start=1):
            if item not in self.left:
                continue
            self._print([Line("")])
            self._print([Line(f"--- {number} of {len(self.items)}: {item.place}", "head")])
            self._print(record_lines(item.record, item.golden, width=self._width()))
            if item.stale:
                self._print([Line(f"left out: {item.stale}", "warn")])
                continue
            if not self._ask(item):
                break
        self._print([Line(""), Line(self._farewell())])
        return len(self.left)

    def _overview(self) -> None:
        found = counts(self.items)
        summary = ", ".join(f"{number} {grade}" for grade, number in found.items() if number)
        self._print([Line(f"{len(self.items)} to review: {summary}", "head")])
        for item in self.items:
            self._print([head_line(item.record, item.golden)])
            self._print(line for line in graded_list(item.record.changes) if line.tone)

    def _ask(self, item: Item) -> bool:
        """Ask until one candidate is decided or skipped; False ends the walk."""
        while True:
            key = self._key()
            if key in _INTERRUPTS or key == "q":
                return False
            if key == "s":
                return True
            if key in ("a", "r"):
                verb = "accept" if key == "a" else "reject"
                reason = self._reason(verb)
                if reason is not None:
                    decide(item, "accept" if key == "a" else "reject", reason=reason)
                    self.left.remove(item)
                    self._print([Line(f"{verb}ed {item.place}", "good" if key == "a" else "bad")])
                    if key == "a":
                        lines = suggested_lines(item)
                        self._print(Line(f"  {safe(SUGGESTION.format(line=line))}") for line in lines)
                    return True
            elif key == "e":
                self._print(evidence_lines(item.record, item.golden))
            elif key == "i":
                self._accept_improvements()
                if item not in self.left:
                    return True
            else:
                self._print(
                    [Line("a: it is the golden now; r: the same recording fails from now on; s: later")]
                )

    def _accept_improvements(self) -> None:
        chosen = improvements(self.left)
        for item in chosen:
            decide(item, "accept", reason="accepted with all improvements")
            self.left.remove(item)
        self._print([Line(f"accepted {len(chosen)} that got better", "good")])

    def _reason(self, verb: str) -> str | None:
        """One line of reason, which may be empty; None where the person thought better of it."""
        try:
            return input(f"why {verb}? (Enter for none, Ctrl-C to go back) ").strip()
        except (KeyboardInterrupt, EOFError):
            print()
            return None

    def _key(self) -> str:
        sys.stdout.write(f"{_KEYS} > ")
        sys.stdout.flush()
        key = read_key()
        sys.stdout.write(f"{safe(key) if key.isprintable() else ''}\n")
        return key.lower()

    def _farewell(self) -> str:
        done = len(self.items) - len(self.left)
        left = f"{len(self.left)} left: go on with pytest-grounding review" if self.left else "none left"
        return f"{done} decided, {left}"

    def _width(self) -> int:
        return shutil.get_terminal_size().columns

    def _print(self, lines: Iterable[Line]) -> None:
        for line in lines:
            code = _COLOURS.get(line.tone, "") if self.colour else ""
            print(f"\x1b[{code}m{line.text}\x1b[0m" if code else line.text)


def _term() -> str:
    return os.environ.get("TERM", "")


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
