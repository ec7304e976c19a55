"""The running test, as the assertions see it."""

from __future__ import annotations

import ast
import linecache
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import pytest

from pytest_grounding._io import observers as _observers
from pytest_grounding.plugin.option_table import MARK_NAME_EXPECTS, MARK_NAME_WAIVE
from pytest_grounding.plugin.run_state import GOLDENS, of

#: What says that a failure is meant: pytest.raises, and assertRaises of unittest, as with or as a call.
_RAISES = re.compile(r"(?i)(?:assert_?)?raises(?:regex|group|exc)?")


def _is_awaited() -> bool:
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name not in ("pytest_pyfunc_call", "runtest"):
        if _RAISES.fullmatch(frame.f_code.co_name) or _is_in_raises(frame):
            return True
        frame = frame.f_back  # type: ignore[assignment]
    return False


def _is_in_raises(frame: FrameType) -> bool:
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    try:
        line, tree = frame.f_lineno, ast.parse(source if "aises" in source else "")
    except (SyntaxError, ValueError):
        return False  # a template or a cell of a notebook
    for one in ast.walk(tree):
        if isinstance(one, ast.With | ast.AsyncWith) and one.lineno <= line <= (one.end_lineno or 0):
            called = (item.context_expr for item in one.items)
            names = (ast.unparse(call.func) for call in called if isinstance(call, ast.Call))
            if any(_RAISES.fullmatch(name.rpartition(".")[2]) for name in names):
                return True
    return False


class ItemObserver:
    """The running test, as the assertions see it."""

    def __init__(self, item: pytest.Item) -> None:
        self.item = item

    def layers(self) -> _observers.Layers:
        """The settings in force for the test."""
        from pytest_grounding.plugin.items import layers_of

        return layers_of(self.item, of(self.item.config))

    def profiles(self) -> Mapping[str, Mapping[str, Any]]:
        """Further profiles by name."""
        return of(self.item.config).configured.profiles

    def record(
        self, verdict: Any, *, failed: bool, transcript: Any = None, elapsed_ms: float | None = None
    ) -> None:
        """Keep a verdict for the figures of the suite, and its transcript for reports that show it."""
        from pytest_grounding.plugin.items import note
        from pytest_grounding.plugin.report_data import Entry

        entry = Entry(
            verdict=verdict,
            failed=failed,
            expected=failed and _is_awaited(),
            transcript=transcript,
            elapsed_ms=elapsed_ms,
        )
        note(self.item, entry)

    def golden_site(self) -> tuple[Path, str, str]:
        """Folder of the test, the policy for goldens, and the name of the test."""
        policy = of(self.item.config).configured.golden or "check"
        return self.item.path.parent, policy, self.item.nodeid

    def record_golden(self, data: Mapping[str, Any]) -> None:
        """Keep what was decided on a golden until the report of the test is made."""
        self.item.stash.setdefault(GOLDENS, []).append({**data, "test": self.item.nodeid})

    def place(self, path: str | os.PathLike[str], *, is_new: bool = False) -> str:
        """Where a path of the test leads: from the root of the project, else from the folder of the test."""
        from pytest_grounding.plugin.paths import lead_for

        return lead_for(self.item, path, is_new=is_new)

    def given(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Settings that a call of the test gives, with paths as they lead from the current folder."""
        from pytest_grounding.plugin.paths import given_in

        return given_in(self.item, settings)

    def waivers(self) -> Sequence[Any]:
        """The waivers that the marks of the test hold."""
        if self.item.get_closest_marker(MARK_NAME_WAIVE) is None:
            return ()
        from pytest_grounding.plugin.waiver_marks import of_marks

        return of_marks(self.item)

    def expectations(self) -> Mapping[str, tuple[Any, ...]]:
        """Fields of a transcript that the marks of the test add to: what is expected of it."""
        if self.item.get_closest_marker(MARK_NAME_EXPECTS) is None:
            return {}
        from pytest_grounding.plugin.waiver_marks import expectations_of

        return expectations_of(self.item)

    def skip(self, reason: str) -> NoReturn:
        """Leave the test as skipped."""
        pytest.skip(reason)
