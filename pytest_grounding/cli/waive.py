"""``pytest-grounding waive``: mark a finding as wrong or accepted, and undo that."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pytest_grounding._io.wording import if_known
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.cli.configuration import Effective
from pytest_grounding.engine.validation import refuse_unusable, validate
from pytest_grounding.engine.waiving import wrong_rule
from pytest_grounding.errors import InputError
from pytest_grounding.gate import waivers as kept
from pytest_grounding.gate import wanted_status
from pytest_grounding.gate.waivers import BY_NAME, Waiver, Waivers, overrulable, waiver_for
from pytest_grounding.golden.golden_store import author
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.finding import Cause
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.reports.issues import claim_of
from pytest_grounding.reports.terminal import safe, text_of
from pytest_grounding.suite.tally import shown_waiver, used_by


@dataclass(frozen=True, slots=True)
class _Numbered:
    verdict: Verdict
    number: int
    finding: Cause


def run(args: argparse.Namespace) -> int:
    """List, waive or prune; 2 if a transcript could not be read."""
    effective = configuration.effective(args)
    path = effective.waivers_path
    if effective.settings.waivers_file and not path.exists():
        # The first waiver creates the file; until then nothing is waived.
        args.assignments.append("waivers_file=")
        effective = configuration.effective(args)
    if args.reason is not None and not args.reason.strip():
        # A script with an empty variable would waive nothing, unnoticed.
        raise InputError("is blank, so nothing is waived", field="--reason", hint="write why")
    args.reason = args.reason or ""
    if args.prune:
        return _prune_waivers(args, effective, path)
    if args.reason or args.expires or args.anywhere or args.by:
        return _waive(args, effective, path)
    return _list_waivers(args, effective)


def _refuse_unknown(rule: str | None) -> None:
    """Refuse an unknown rule: without findings of it, all would seem well."""
    if rule is not None and (problem := wrong_rule(rule)):
        raise InputError(problem, field="--rule")


def _verdicts(args: argparse.Namespace, settings: Effective, unread: list[Row]) -> Iterator[Verdict]:
    refuse_unusable(settings.settings)
    for row, transcript in transcripts.readable(args.paths, settings.settings, unread):
        # Those that are meant to fail need no waiver.
        is_meant = args.id is None and wanted_status(transcript) in (None, "pass")
        if is_meant or transcript.id == args.id or args.prune:
            yield validate(transcript, settings.for_path(row.path))


def _found(args: argparse.Namespace, settings: Effective) -> tuple[list[_Numbered], list[str], bool]:
    """The selected findings, notes on what is waived, and whether a row could not be read."""
    named = args.rule is not None or args.number is not None or args.claim is None
    found: list[_Numbered] = []
    waived: list[str] = []
    unread: list[Row] = []
    for verdict in _verdicts(args, settings, unread):
        for number, finding in enumerate(overrulable(verdict), start=1):
            wanted = (args.number in (None, number), args.rule in (None, finding.rule))
            on_claim = args.claim is None or finding.claim == args.claim - 1
            if all(wanted) and on_claim and (named or finding.rule not in BY_NAME):
                found.append(_Numbered(verdict, number, finding))
        if verdict.waived_number:
            waived.append(f"{safe(verdict.id)}: {verdict.waived_number} waived")
    return found, waived, bool(unread)


def _list_waivers(args: argparse.Namespace, settings: Effective) -> int:
    found, waived, unreadable = _found(args, settings)
    last = None
    for item in found:
        if item.verdict is not last:
            last = item.verdict
            print(_head_of_verdict(item.verdict))
        print(text_of("waivable", item.number, item.finding, claim_of(item.finding, item.verdict)))
    for text in waived:
        print(text)
    if not found:
        _refuse_unknown(args.rule)
        print("nothing holds a transcript back")
    else:
        # With "=", so that an id may begin with a dash.
        words = [*args.paths, f"--id={found[0].verdict.id}", f"--number={found[0].number}"]
        print(safe(f'waive one with: pytest-grounding waive {shlex.join(words)} --reason "..."'))
    return 2 if unreadable else 0


def _head_of_verdict(verdict: Verdict) -> str:
    return f"{safe(verdict.id)}: {verdict.status}: {safe(verdict.reason)}"


def _waive(args: argparse.Namespace, settings: Effective, path: Path) -> int:
    if kept.is_day(args.expires) and args.expires < kept.today():
        problem = f"{args.expires} is past, so the waiver would never count"
        raise InputError(problem, field="--expires", hint="write a day to come")
    if args.id is None and args.rule is None:
        hint = "add --id ID with --number N or --claim N, or --rule"
        raise InputError("no finding is selected", hint=hint)
    if args.id is not None and args.number is args.claim is args.rule is None:
        raise InputError("--id alone waives nothing", hint="add --number N, --claim N or --rule RULE")
    found, _, unreadable = _found(args, settings)
    if not found:
        _refuse_unknown(args.rule)
        raise InputError("no finding matches", hint="list them with: pytest-grounding waive PATH")
    by = args.by or author(Path.cwd())
    given = {"reason": args.reason, "by": by, "anywhere": args.anywhere, "expires": args.expires}
    said = [waiver_for(item.finding, item.verdict, **given) for item in found]
    _write_change(path, lambda: kept.add(path, said))
    for item in {item.key: item for item in said}.values():
        print(f"waived: {_shown_waiver(item)}")
    print(f"written: {path.as_posix()}")
    if not settings.settings.waivers_file:
        args.assignments.append(f"waivers_file={path}")
        settings = configuration.effective(args)
    changed = {item.verdict.id for item in found}
    for verdict in _verdicts(args, settings, []):
        if verdict.id in changed:
            print(_head_of_verdict(verdict))
    return 2 if unreadable else 0


def _write_change(path: Path, change: Callable[[], object]) -> None:
    try:
        change()
    except OSError as error:
        problem = f"cannot be written ({error.strerror or error})"
        raise InputError(problem, path=path.as_posix(), hint="the file is unchanged") from None


def _shown_waiver(waiver: Waiver) -> str:
    until = if_known(", until {}", waiver.expires)
    return f"{safe(shown_waiver(waiver))}{until} ({safe(waiver.reason)})"


def _prune_waivers(args: argparse.Namespace, settings: Effective, path: Path) -> int:
    known = Waivers(kept.read(path))
    # A recording in the folder that is not read may need a waiver.
    is_all = transcripts.say_left_out(args.paths, settings.settings)
    used: set[tuple[str, ...]] = set()
    seen: set[str] = set()
    unread: list[Row] = []
    for verdict in _verdicts(args, settings, unread):
        seen.add(verdict.id)
        used |= used_by(verdict, known)
    if unread:
        print("nothing was removed: what cannot be read may be in need of a waiver", file=sys.stderr)
        return 2
    is_whole = is_all and transcripts.cover(args.paths, path)
    told = [item for item in known.all if is_whole or item.transcript in seen]
    gone = [item for item in told if item.key not in used or item.is_expired(known.today)]
    if not gone:
        print("nothing to remove: every waiver is needed")
    for item in gone:
        print(f"{'removed' if args.yes else 'would remove'} {_shown_waiver(item)}")
    if args.yes:
        _write_change(path, lambda: kept.remove(path, gone))
    elif gone:
        print("nothing was changed; do it with --yes")
    return 0
