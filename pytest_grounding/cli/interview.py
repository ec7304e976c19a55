"""The questions of ``init`` in a terminal: one key an answer, each kept at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_grounding.adoption.labels import Answer
from pytest_grounding.cli.walk import read_key
from pytest_grounding.reports.terminal import quoted, safe, verdict_text

_KEYS = "is this answer right? [r]ight  [w]rong  [s]kip  [e]vidence  [q]uit asking"
_ENDS = ("\x03", "\x04", "")


def ask_about(answers: Sequence[Answer], keep: Callable[[Answer, bool], None]) -> None:
    """Show each answer and ask whether it is right, until all are asked or the person quits."""
    for number, item in enumerate(answers, start=1):
        print(f"\n--- {number} of {len(answers)}: {safe(item.path)}:{item.line}")
        print(verdict_text(item.verdict, item.transcript))
        print(f"answer:    {quoted(item.transcript.answer, ' ' * 11)}\n")
        while (key := _key(f"{_KEYS} > ")) not in ("r", "w", "s", "q"):
            if key == "e":
                for chunk in item.transcript.chunks:
                    print(f"  [{safe(chunk.id)}] {quoted(chunk.text, '    ')}")
        if key == "q":
            return
        if key != "s":
            keep(item, key == "r")


def agreed(question: str) -> bool:
    """Ask for yes or no."""
    while (key := _key(f"{question} [y]es  [n]o > ")) not in ("y", "n"):
        pass
    return key == "y"


def _key(prompt: str) -> str:
    print(prompt, end="", flush=True)
    key = read_key()
    print(safe(key) if key.isprintable() else "")
    if key in _ENDS:
        raise KeyboardInterrupt
    return key.lower()
