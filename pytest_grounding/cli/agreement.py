"""``calibrate --judge``: how far a judge agrees with people, from the cassette."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_grounding._io.wording import one_line
from pytest_grounding.calibration import read_labels
from pytest_grounding.calibration.judge_agreement import (
    Agreement,
    Estimate,
    Judged,
    Opinion,
    agreement,
    opinion_of,
)
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.engine import registry
from pytest_grounding.errors import InputError
from pytest_grounding.scorers.remote.judge.contract import Identity, identity_of, write_measured
from pytest_grounding.settings import Settings
from pytest_grounding.suite.stats import wilson

#: Claims without a ruling that are named.
_NAMED = 5
_SHOWN = 80


def measure(args: argparse.Namespace, effective: Effective) -> int:
    """Print the agreement, and write it where that was asked for."""
    settings = measuring(effective.settings)
    judge = registry.judge(settings)
    if judge is None:
        raise InputError("nobody judges", field="judge", hint="name a judge, such as --set judge=openai")
    who = identity_of(judge)
    labels = list(read_labels(args.labels, settings))
    registry.finish_recording()
    bare = sum(label.transcript is None for label in labels)
    if bare == len(labels):
        raise InputError("no label holds a transcript", path=args.labels, hint='write {"transcript": {...}}')
    found = opinion_of(labels)
    for line in lines(who, found, bare):
        print(line)
    if found.unknown:
        _say_unknown(args, found)
        return 1
    row = row_of(who, found)
    if row["kappa"] is None:
        print("there is no agreement to tell: label good and bad claims or answers", file=sys.stderr)
        return 1
    if args.output:
        write_measured(args.output, [row])
        print(
            f"written: {args.output}; use it with: judge_measured = {args.output}, judge_min_agreement = 0.6"
        )
    return 0


def measuring(settings: Settings) -> Settings:
    """The settings with which every claim of a label is put before the judge."""
    return settings.with_values({"judge_scope": "all", "judge_min_agreement": 0.0})


def _say_unknown(args: argparse.Namespace, found: Opinion) -> None:

    number = len(found.unknown)
    print(
        f"{number} claim{'' if number == 1 else 's'} without a ruling, so nothing is written:",
        file=sys.stderr,
    )
    for name, text, why in found.unknown[:_NAMED]:
        shown = one_line(text, _SHOWN)
        print(f"  {one_line(name, _SHOWN)}: “{shown}”: {one_line(why, 2 * _SHOWN)}", file=sys.stderr)
    if number > _NAMED:
        print(f"  and {number - _NAMED} more", file=sys.stderr)
    kept = [item for item in args.assignments if not item.startswith("record=")]
    given = "".join(f" --set {shlex.quote(item)}" for item in kept)
    again = f"pytest-grounding calibrate --judge {shlex.quote(args.labels)}{given} --set record=new"
    print(f"record them where there is a key: {again}", file=sys.stderr)


def row_of(who: Identity, found: Opinion) -> dict[str, Any]:
    """A measurement as it is written; by claims, or by answers where no claim tells an agreement."""
    by_claims = _agreement(found.judge.claims)
    unit, told = "claims", by_claims
    if told is None or told.kappa.value is None:
        unit, told = "answers", _agreement(found.judge.answers)
    row: dict[str, Any] = {**who._asdict(), "unit": unit, "kappa": None}
    if told is not None:
        row |= {"number": told.number, "groups": told.groups}
        for name in ("base_rate", "kappa", "catch", "false_rejection"):
            estimate: Estimate = getattr(told, name)
            rounded = [None if item is None else round(item, 6) for item in estimate]
            row |= {name: rounded[0], f"{name}_95": rounded[1:]}
    return row


def _agreement(pairs: Any) -> Agreement | None:

    return agreement(pairs, wilson)


def lines(who: Identity, found: Opinion, bare: int = 0) -> Iterator[str]:
    """The figures in words, with 95 % intervals, beside those of the engine alone."""
    prompt = f" (prompt {who.prompt})" if who.prompt else ""
    yield f"judge {who}{prompt}, against people; 95 % intervals:"
    if bare:
        yield f"  {bare} label{'' if bare == 1 else 's'} without a transcript left out"
    raters: Mapping[str, Judged] = {"judge": found.judge, "engine alone": found.engine}
    for unit in ("claims", "answers"):
        of_unit = {name: _agreement(getattr(item, unit)) for name, item in raters.items()}
        first = of_unit["judge"]
        if first is None:
            yield f"  by {unit}: none that people and the judge both spoke of"
            continue
        of_how_many = f"{first.number} of {first.groups} question{'' if first.groups == 1 else 's'}"
        yield f"  by {unit}: {of_how_many}, base rate {shown(first.base_rate)} bad"
        for name, told in of_unit.items():
            if told is not None:
                yield f"    {name}: kappa {shown(told.kappa, plain=True)}"
                yield f"      catches {shown(told.catch)} of the bad"
                yield f"      rejects {shown(told.false_rejection)} of the good"


def shown(estimate: Estimate, *, plain: bool = False) -> str:
    """A figure with its interval, as a share in per cent or plain."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "none to measure"
    if plain:
        return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"
    return f"{estimate.value:.0%} ({estimate.low:.0%} to {estimate.high:.0%})"
