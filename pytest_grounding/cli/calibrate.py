"""``pytest-grounding calibrate``: choose settings and fit the confidence on labelled answers."""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from pytest_grounding._io.jsonio import canonical_json, write_atomic, write_json
from pytest_grounding._io.wording import beyond, counted, if_known, one_line
from pytest_grounding.calibration.fit import fit
from pytest_grounding.calibration.labels import Estimate, Label, Opinion, agreement, opinion_of, read_labels
from pytest_grounding.calibration.tuning import Goal, Planted, rate, tune
from pytest_grounding.cli import configuration
from pytest_grounding.cli.compare import answered
from pytest_grounding.cli.configuration import Effective, table_in, with_keys
from pytest_grounding.cli.standard_streams import width
from pytest_grounding.engine import registry
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.mutation.mutate_files import places
from pytest_grounding.mutation.site import Mutant, named_by
from pytest_grounding.reports.terminal import present, safe, text_of, wrapped
from pytest_grounding.scorers.remote.judge.contract import Identity, identity_of, write_measured
from pytest_grounding.settings import Settings

_FAULTS = 8  # planted faults of each kind: enough to notice that a kind is no longer detected
_NAMED = 5  # most claims without a ruling that are listed
_SHOWN = 80
_KEYS = frozenset("rwsq")


def run(args: argparse.Namespace) -> int:
    """Fit, print the figures and write the requested files; ``commands.tsv`` has the exit status."""
    _refuse_unused(args)
    effective = configuration.effective(args)
    if args.sample:
        return ask_sample(args, effective)
    if args.judge:
        return measure_judge(args, effective)
    labels = list(read_labels(args.labels, effective.settings, model=args.model))
    scored = [label for label in labels if label.scored]
    if any(label.transcript is not None for label in labels):
        status = _settings(args, labels, effective)
        return max(status, _map(args, scored, effective.settings, optional=not args.output))
    for option, is_given in (("--write", args.write), ("--catch", args.catch), ("--reject", args.reject)):
        if is_given:
            problem = "no label contains a transcript, so there are no settings to choose"
            raise InputError(problem, path=args.labels, hint=f"give transcripts, or leave out {option}")
    return _map(args, scored, effective.settings, optional=False)


def _refuse_unused(args: argparse.Namespace) -> None:
    unused = [f"--{name}" for name in ("catch", "reject") if getattr(args, name) is not None]
    unused += ["--write"] if args.write else []
    unused += ["--model"] if args.model != "learned" else []
    unused += ["--judge"] if args.judge and args.sample else []
    if (args.judge or args.sample) and unused:
        asked = "--sample" if args.sample else "--judge"
        hint = "leave out one of them, and run calibrate once more with the other"
        raise InputError(f"{asked} does not go together with {', '.join(unused)}", hint=hint)


def ask_sample(args: argparse.Namespace, effective: Effective) -> int:
    """Ask which of some passing answers are right, show no verdict, and print the share of wrong ones."""
    passing = [item for item in answered(args.labels, effective) if item.verdict.status == "pass"]
    if not passing:
        hint = "look at them: pytest-grounding check"
        raise InputError("no answer passes, so there is none to ask about", path=args.labels, hint=hint)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("--sample asks a person, and this is not a terminal", hint="run it in a terminal")
    # The hash of the content is no order of anything else, and draws the same answers each time.
    drawn = sorted(passing, key=lambda item: item.verdict.transcript_hash)[: args.sample]
    rulings: list[bool] = []
    with _new_file(args.output) as stream, contextlib.suppress(KeyboardInterrupt, EOFError):
        for number, item in enumerate(drawn, start=1):
            print(f"\n--- {number} of {len(drawn)}")
            asked = item.transcript
            sources = [f"source {chunk.id}: {chunk.text}" for chunk in asked.chunks]
            for line in (f"question: {asked.question}", *sources, f"answer: {asked.answer}"):
                print(*wrapped(safe(line), width()), sep="\n")
            key = ""
            while key not in _KEYS:
                key = input("[r]ight [w]rong [s]kip [q]uit > ").strip().lower()
            if key == "q":
                break
            if key != "s":
                rulings.append(key == "r")
                label = {"transcript": asked.model_dump(mode="json"), "correct": rulings[-1]}
                stream.write(f"{canonical_json(label)}\n")
                stream.flush()
    found = rate(rulings.count(False), len(rulings))
    print(f"\nwrong among the answers that pass: {found}; drawn from {len(passing)}, 95 % interval")
    return 0 if rulings else 1


def _new_file(path: str | None) -> TextIO:
    try:
        return open(path or os.devnull, "x" if path else "w", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", path=path, hint="name a new file") from None


def _settings(args: argparse.Namespace, labels: Sequence[Label], effective: Effective) -> int:
    goal = Goal(args.catch, args.reject)
    tuning = tune(labels, effective.settings, goal, planted(labels, effective.settings))
    asked = [
        if_known("to stop {:.0%} of the wrong answers", goal.catch),
        if_known("to fail at most {:.0%} of the right ones", goal.reject),
    ]
    print(text_of("tuning", tuning, rate, present(*asked)))
    if not tuning.reached:
        print("nothing is written", file=sys.stderr)
        return 1
    if args.write and tuning.changes:
        table = table_in(effective.file, Path.cwd())
        keys = {f"{configuration.PREFIX}{name}": value for name, value in tuning.changes.items()}
        write_atomic(table.path, with_keys(table, keys))
        print(f"written: {table.path}")
    return 0


def _names_fault(mutant: Mutant, before: Verdict, after: Verdict) -> bool:
    return named_by(before, after, mutant) is not None


def planted(labels: Sequence[Label], settings: Settings) -> list[Planted]:
    """Known faults planted into right answers, only where the current settings find the claim supported."""
    first: dict[str, tuple[int, Transcript, Verdict]] = {}
    for number, label in enumerate(labels):
        if label.correct and label.transcript is not None and label.verdict is not None:
            first.setdefault(label.transcript.id, (number, label.transcript, label.verdict))
    transcripts = [transcript for _, transcript, _ in first.values()]
    verdicts = [verdict for _, _, verdict in first.values()]
    return [
        Planted(mutant.transcript, first[site.transcript.id][0], partial(_names_fault, mutant))
        for site, mutant in places(transcripts, verdicts, settings, limit=_FAULTS)
    ]


def _map(args: argparse.Namespace, labels: Sequence[Label], settings: Settings, *, optional: bool) -> int:
    try:
        found = fit(labels, model=args.model)
    except InputError as error:
        if not optional:
            raise
        print(f"no calibration map: {error}")
        return 0
    print(text_of("calibration_map", found))
    if args.output:
        write_json(args.output, found.as_dict())
        keys = f"calibration = {args.output}, confidence_model = calibrated"
        print(f"written: {args.output}; use it with: {keys}")
    return 0


def measure_judge(args: argparse.Namespace, effective: Effective) -> int:
    """Print the agreement, and write it if requested."""
    # Every claim of a label is judged.
    settings = effective.settings.with_values({"judge_scope": "all", "judge_min_agreement": 0.0})
    judge = registry.judge(settings)
    if judge is None:
        raise InputError("no judge is set", field="judge", hint="name a judge, such as --set judge=openai")
    who = identity_of(judge)
    labels = list(read_labels(args.labels, settings))
    registry.finish_recording()
    bare = sum(label.transcript is None for label in labels)
    if bare == len(labels):
        hint = 'write {"transcript": {...}}'
        raise InputError("no label contains a transcript", path=args.labels, hint=hint)
    found = opinion_of(labels)
    print(text_of_agreement(who, found, bare))
    if found.unknown:
        _say_unknown(args, found)
        return 1
    row = row_of(who, found)
    if row["kappa"] is None:
        print("there is no agreement to tell: label good and bad claims or answers", file=sys.stderr)
        return 1
    if args.output:
        write_measured(args.output, [row])
        keys = f"judge_measured = {args.output}, judge_min_agreement = 0.6"
        print(f"written: {args.output}; use it with: {keys}")
    return 0


def _say_unknown(args: argparse.Namespace, found: Opinion) -> None:
    print(f"{counted(len(found.unknown), 'claim')} without a ruling, so nothing is written:", file=sys.stderr)
    for name, text, why in found.unknown[:_NAMED]:
        shown = one_line(text, _SHOWN)
        print(f"  {one_line(name, _SHOWN)}: “{shown}”: {one_line(why, 2 * _SHOWN)}", file=sys.stderr)
    if more := beyond(found.unknown, _NAMED):
        print(f"  {more.removeprefix('... ')}", file=sys.stderr)
    kept = [item for item in args.assignments if not item.startswith("record=")]
    given = "".join(f" --set {shlex.quote(item)}" for item in kept)
    again = f"pytest-grounding calibrate --judge {shlex.quote(args.labels)}{given} --set record=new"
    print(f"record them where there is a key: {again}", file=sys.stderr)


def row_of(who: Identity, found: Opinion) -> dict[str, Any]:
    """A measurement as written to the file: by claims, or by answers if claims give no kappa."""
    unit, told = "claims", agreement(found.claims)
    if told is None or told.kappa.value is None:
        unit, told = "answers", agreement(found.answers)
    row: dict[str, Any] = {**who._asdict(), "unit": unit, "kappa": None}
    if told is not None:
        row |= {"number": told.number, "groups": told.groups}
        for name in ("base_rate", "kappa", "catch", "false_rejection"):
            estimate: Estimate = getattr(told, name)
            rounded = [None if item is None else round(item, 6) for item in estimate]
            row |= {name: rounded[0], f"{name}_95": rounded[1:]}
    return row


def text_of_agreement(who: Identity, found: Opinion, bare: int = 0) -> str:
    """The figures in words, with 95 % intervals."""
    measured = [("claims", agreement(found.claims)), ("answers", agreement(found.answers))]
    return text_of("agreement", who, bare, measured, shown)


def shown(estimate: Estimate, *, plain: bool = False) -> str:
    """A figure with its interval, as a percentage or a plain number."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "none to measure"
    if plain:
        return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"
