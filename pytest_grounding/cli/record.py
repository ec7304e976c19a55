"""``pytest-grounding record``: ask a program every question of a file, and store its answers."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_grounding.cli import configuration
from pytest_grounding.engine.recording import read_questions, record_all
from pytest_grounding.errors import InputError
from pytest_grounding.reports.terminal import safe


def run(args: argparse.Namespace) -> int:
    """Record; ``commands.tsv`` has the exit status."""
    settings = configuration.effective(args).settings
    questions = read_questions(args.questions)
    # If all answers are already recorded, the program is not called and may be missing, as in CI.
    program, problem = None, None
    try:
        program = load(args.program)
    except InputError as error:
        if args.all:
            raise
        problem = error
    outcome = record_all(
        program,
        questions,
        to=args.output,
        mode="all" if args.all else "new",
        repeats=args.repeats,
        concurrency=args.concurrency,
        settings=settings,
        unloaded=problem,
    )
    for name, failure in outcome.failed.items():
        # Clients of models often quote the model's answer.
        print(safe(f"{name}: {type(failure).__name__}: {failure}"), file=sys.stderr)
    same = f" ({len(outcome.unchanged)} unchanged)" if outcome.unchanged else ""
    parts = [f"{len(outcome.recorded)} recorded{same}", f"{len(outcome.replayed)} were there already"]
    parts += [f"{len(outcome.failed)} failed"] if outcome.failed else []
    print(f"{args.output}: {', '.join(parts)}")
    return 1 if outcome.failed else 0


def load(name: str) -> Callable[[str], Any]:
    """The callable named by ``package.module:name``; the current folder is on the path too."""
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise InputError(f"{name!r} names no program", hint="write MODULE:CALLABLE, such as app.rag:answer")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        value: Any = importlib.import_module(module)
        for part in attribute.split("."):
            value = getattr(value, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"{name!r} cannot be loaded: {error}", hint="check the names") from error
    except (Exception, SystemExit) as error:  # the module is third-party code and may raise anything
        problem = f"{name!r} cannot be loaded: {type(error).__name__}: {error}"
        raise InputError(problem, hint="fix the module") from error
    if not callable(value):
        raise InputError(f"{name!r} cannot be called", hint="name a function that takes the question")
    found: Callable[[str], Any] = value
    return found
