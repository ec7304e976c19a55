"""The running test, as the assertions see it."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import re
import sys
import tokenize
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import pytest

from pytest_grounding._io import listeners
from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS, MARK_NAME_WAIVE
from pytest_grounding.plugin.run_state import GOLDENS, of

#: Code that expects a failure: pytest.raises, and assertRaises of unittest, in both forms.
_RAISES = r"(?i)(?:assert_?)?raises(?:regex|group|exc)?"


def _is_awaited() -> bool:
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name not in ("pytest_pyfunc_call", "runtest"):
        if re.fullmatch(_RAISES, frame.f_code.co_name) or _is_in_raises(frame):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _is_in_raises(frame: FrameType) -> bool:
    """Whether the line of a frame is in a with block of its function that expects a failure."""
    code, line = frame.f_code, frame.f_lineno
    lines = linecache.getlines(code.co_filename, frame.f_globals)[code.co_firstlineno - 1 :]
    if not re.search(_RAISES + r"[\s\\]*\(", "".join(lines[: line - code.co_firstlineno + 1])):
        return False
    try:
        tree, first = _parsed(lines, code.co_firstlineno)
    except (SyntaxError, ValueError, tokenize.TokenError):
        return False  # a lambda, a template or a notebook cell
    at = line - first
    for one in ast.walk(tree):
        if isinstance(one, ast.With | ast.AsyncWith) and one.lineno <= at <= (one.end_lineno or 0):
            called = (item.context_expr for item in one.items)
            names = (ast.unparse(call.func) for call in called if isinstance(call, ast.Call))
            if any(re.fullmatch(_RAISES, name.rpartition(".")[2]) for name in names):
                return True
    return False


def _parsed(lines: Sequence[str], number: int) -> tuple[ast.Module, int]:
    """The block that starts with a line, without what follows, and what to take from its line numbers."""
    if number == 1:
        return ast.parse("".join(lines)), 0
    block = "".join(inspect.getblock(lines))
    # A method is indented; dedenting it would change its strings.
    return ast.parse(f"if True:\n{block}" if block[:1].isspace() else f"\n{block}"), number - 2


class ItemObserver:
    """The running test, as the assertions see it."""

    def __init__(self, item: pytest.Item) -> None:
        self.item = item

    def layers(self) -> listeners.Layers:
        """The settings in use for the test."""
        from pytest_grounding.plugin.items import layers_of

        return layers_of(self.item, of(self.item.config))

    def profiles(self) -> Mapping[str, Mapping[str, Any]]:
        """Further profiles by name."""
        return of(self.item.config).configured.profiles

    def record(
        self, verdict: Any, *, failed: bool, transcript: Any = None, elapsed_ms: float | None = None
    ) -> None:
        """Record a verdict for the figures of the suite, with its transcript if reports show it."""
        from pytest_grounding.plugin.items import ItemEntry, note

        note(self.item, ItemEntry(verdict, failed, failed and _is_awaited(), transcript, elapsed_ms))

    def golden_site(self) -> tuple[Path, str, str]:
        """Folder of the test, the policy for goldens, and the name of the test."""
        policy = of(self.item.config).configured.golden or "check"
        return self.item.path.parent, policy, self.item.nodeid

    def record_golden(self, data: Mapping[str, Any]) -> None:
        """Store the decision on a golden until the test's report is made."""
        self.item.stash.setdefault(GOLDENS, []).append({**data, "test": self.item.nodeid})

    def place(self, path: str | os.PathLike[str], *, is_new: bool = False) -> str:
        """The target of a path in the test: from the project's root, else from the folder of the test."""
        from pytest_grounding.plugin.files import lead_for

        return lead_for(self.item, path, is_new=is_new)

    def given(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Settings passed by a call in the test, with paths relative to the current folder."""
        from pytest_grounding.plugin.files import given_in

        return given_in(self.item, settings)

    def waivers(self) -> Sequence[Any]:
        """The waivers of the test's marks."""
        if self.item.get_closest_marker(MARK_NAME_WAIVE) is None:
            return ()
        from pytest_grounding.plugin.waiver_marks import of_marks

        return of_marks(self.item)

    def expectations(self) -> Mapping[str, tuple[Any, ...]]:
        """Transcript fields extended by the test's marks: the expectations."""
        if self.item.get_closest_marker(MARK_NAME_EXPECTS) is None:
            return {}
        from pytest_grounding.plugin.waiver_marks import expectations_of

        return expectations_of(self.item)

    def skip(self, reason: str) -> NoReturn:
        """Mark the test as skipped."""
        pytest.skip(reason)
