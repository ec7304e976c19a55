"""``pytest-grounding record``: ask a program every question of a file, and store its answers."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_grounding._io.jsonio import canonical_json, write_json
from pytest_grounding.cli import configuration
from pytest_grounding.cli.write_reports import read_run
from pytest_grounding.engine.recording import EXTRAS, SUFFIX, file_name, read_questions, record_all
from pytest_grounding.engine.transcript_input import load_transcripts
from pytest_grounding.errors import InputError
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.terminal import safe

#: Kinds of contradictions in which the value of a source stands for that of the claim.
_VALUES = frozenset({"number", "date", "unit"})


def run(args: argparse.Namespace) -> int:
    """Record; ``commands.tsv`` has the exit status."""
    if args.from_report:
        return _keep_failure(args)
    if args.questions is None:
        raise InputError("QUESTIONS is missing", hint="name a file with a question a line")
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


def _keep_failure(args: argparse.Namespace) -> int:
    """Write a failed answer of a report as a test by itself, and its question to record it again."""
    name, folder = args.program, Path(args.output)
    verdict = next((one for one in read_run(args.from_report).transcripts if one.id == name), None)
    if verdict is None or not verdict.source:
        problem = f"has no transcript {name!r}" if verdict is None else f"names no file for {name!r}"
        hint = "write it with: check PATH --report json:RUN.json"
        raise InputError(problem, path=args.from_report, hint=hint)
    if verdict.status == "pass":
        raise InputError(f"{name!r} passed", path=args.from_report, hint="name one that did not")
    transcript = next((one for one in load_transcripts(verdict.source) if one.id == name), None)
    if transcript is None:
        raise InputError(f"has no transcript {name!r} any more", path=verdict.source, hint="run check again")
    kept = transcript.model_dump(mode="json", exclude_defaults=True)
    for field, texts in _to_say_instead(verdict).items():
        kept[field] = list(dict.fromkeys([*kept.get(field, ()), *texts]))
        print(safe(f"{field}: {', '.join(map(repr, kept[field]))}"))
    path, questions = folder / f"{file_name(name)}{SUFFIX}", folder / "questions.jsonl"
    write_json(path, kept)
    asked = {key: kept[key] for key in ("id", "question", *EXTRAS) if key in kept and key != "metadata"}
    known = read_questions(questions) if questions.exists() else ()
    if all(question.id != name for question in known):
        with questions.open("a", encoding="utf-8") as file:
            file.write(f"{canonical_json(asked)}\n")
    print(f"written: {path}; it fails until the answer is right. Record it again with:")
    print(f"  pytest-grounding record MODULE:CALLABLE {questions} -o {folder} --all")
    return 0


def _to_say_instead(verdict: Verdict) -> dict[str, list[str]]:
    """What an answer must say instead, the sources' values; and must not: its own, or claims without one."""
    found: dict[str, list[str]] = {}
    for claim in verdict.hallucinated:
        conflict = next((one for one in claim.conflicts if one.kind in _VALUES), None)
        if conflict is not None:
            found.setdefault("expected", []).append(conflict.evidence_text)
        text = conflict.claim_text if conflict is not None else claim.text
        for index in claim.citations:
            marker = verdict.citations[index].text
            text = text.replace(f" {marker}", "").replace(marker, "")
        found.setdefault("forbidden", []).append(" ".join(text.split()))
    return found


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
