"""``python -m pytest_grounding.audit``: read, follow, examine and prune an audit log."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_grounding.cli import configuration
from pytest_grounding.cli.arguments import whole_number

if TYPE_CHECKING:
    from pytest_grounding.audit.reading import Filter
    from pytest_grounding.audit.record import AuditRecord
    from pytest_grounding.audit.verifying import Integrity

HELP = "show an audit log, follow a transcript in it, check that it is whole, prune it"
EPILOG = (
    "PATH is the file that grows; its rotated files belong to it. Exit status: 0 done, 1 verify found "
    "damage, 2 wrong usage, or a log that cannot be read."
)

_SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one subcommand for each thing that can be done with a log."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    show = _action(actions, "show", "list the validations")
    _add_filters(show)
    show.add_argument("--id", metavar="ID", help="only this transcript, audit record or response")
    show.add_argument("--details", action="store_true", help="print question, reason and citations too")
    show.add_argument("--last", metavar="N", type=whole_number(1), help="only the last N of them")
    history = _action(actions, "history", "follow a transcript: each validation, and what changed")
    history.add_argument("id", metavar="ID", help="id of the transcript")
    _add_filters(history)
    verify = _action(actions, "verify", "check that no line was edited, removed, inserted or torn")
    verify.add_argument(
        "--anchor",
        metavar="NUMBER:HASH",
        help="a line that must still be there, as an earlier verify told it",
    )
    prune = _action(actions, "prune", "show what retention takes out; take it out with --yes")
    prune.add_argument("--yes", action="store_true", help="take it out, and write a line that says so")
    prune.add_argument(
        "--days",
        metavar="N",
        type=whole_number(1),
        help="age in days (default: the setting audit_retention_days)",
    )
    prune.add_argument("--anyway", action="store_true", help="prune a log that is damaged, too")
    configuration.add_arguments(prune)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.", epilog=EPILOG)
    parser.add_argument("path", metavar="PATH", help="the audit log")
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser


def _add_filters(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--status", metavar="STATUS", help="only PASS, REVIEW or REJECT")
    parser.add_argument("--rule", metavar="RULE", help="only those in which this rule fired")
    parser.add_argument("--session", metavar="ID", help="only this session")
    parser.add_argument("--since", metavar="TIME", help="from this date, time or age (7d, 12h) on")
    parser.add_argument("--until", metavar="TIME", help="before this date, time or age")


def run(args: argparse.Namespace) -> int:
    """Do one action; see `EPILOG` for the exit status."""
    actions = {"show": _show, "history": _history, "verify": _verify, "prune": _prune}
    return actions[args.action](args)


def _filter(args: argparse.Namespace, identifier: str | None) -> Filter:
    from pytest_grounding.audit.reading import Filter

    return Filter.of(
        status=args.status,
        rule=args.rule,
        id=identifier,
        session=args.session,
        since=args.since,
        until=args.until,
    )


class _Reading:
    """The wanted validations of a log; lines that cannot be read are said and counted."""

    def __init__(self, path: str, wanted: Filter) -> None:
        self.path = path
        self.wanted = wanted
        self.problems = 0

    def __iter__(self) -> Iterator[AuditRecord]:
        from pytest_grounding.audit.reading import iter_entries
        from pytest_grounding.audit.record import AuditRecord
        from pytest_grounding.errors import InputError
        from pytest_grounding.reports.terminal import safe

        for entry in iter_entries(self.path):
            if isinstance(entry, InputError):
                self.problems += 1
                print(f"pytest-grounding: {safe(str(entry))}", file=sys.stderr)
            elif isinstance(entry, AuditRecord) and self.wanted.takes(entry):
                yield entry


def _show(args: argparse.Namespace) -> int:
    reading = _Reading(args.path, _filter(args, args.id))
    number = 0
    for record in deque(reading, maxlen=args.last) if args.last else reading:
        number += 1
        print(record.to_json() if args.json else _line(record))
        if args.details and not args.json:
            print("\n".join(_details(record)))
    if not args.json:
        print(f"{number} validation{'' if number == 1 else 's'}")
    return 2 if reading.problems else 0


def _line(record: AuditRecord) -> str:
    from pytest_grounding.audit.history import shown
    from pytest_grounding.reports.terminal import safe

    result = record.validation_result
    rules = [
        fired.rule if fired.count == 1 else f"{fired.rule} x{fired.count}"
        for fired in record.rules
        if fired.severity != "info"
    ]
    name = safe(record.transcript_id).replace("\n", " ")
    line = f"{_time(record)}  {result.status:6}  {shown(result.confidence_score)}  {name}"
    return f"{line}  {safe(', '.join(rules))}" if rules else line


def _details(record: AuditRecord) -> Iterator[str]:
    from pytest_grounding.reports.terminal import quoted, safe

    yield f"    record {record.audit_id}, line {record.sequence} of the log"
    for name, value in (
        ("session", record.session_id),
        ("response", record.response_id),
        ("model", record.model_version),
    ):
        if value is not None:
            yield f"    {name}: {safe(value)}"
    if record.query is not None:
        yield f"    question: {quoted(record.query, ' ' * 14)}"
    yield f"    reason: {safe(record.reason)}"
    for item in record.citations:
        lines = f", lines {item.line_range}" if item.line_range else ""
        support = "" if item.semantic_score is None else f", support {item.semantic_score:.2f}"
        what = f"citation of {safe(item.source)}" if item.source is not None else "claim that cites nothing"
        yield f"    {item.validation_status} {what}{safe(lines)}{support}"
        if item.claim is not None:
            yield f"        {quoted(item.claim, ' ' * 9)}"


def _time(record: AuditRecord) -> str:
    from pytest_grounding.audit.reading import time_of

    return time_of(record.timestamp).strftime("%Y-%m-%d %H:%M:%SZ")


def _history(args: argparse.Namespace) -> int:
    from pytest_grounding._jsonio import canonical_json
    from pytest_grounding.audit.history import history, shown
    from pytest_grounding.reports.terminal import safe

    reading = _Reading(args.path, _filter(args, args.id))
    number = 0
    for step in history(reading):
        number += 1
        if args.json:
            value = {"record": step.record.model_dump(mode="json"), "changes": list(step.changes)}
            print(canonical_json(value))
            continue
        result = step.record.validation_result
        changes = "; ".join(step.changes) or ("first validation" if number == 1 else "as before")
        print(f"{_time(step.record)}  {result.status:6}  {shown(result.confidence_score)}  {safe(changes)}")
    if not number:
        print(f"pytest-grounding: {args.path}: no validation of {args.id!r}", file=sys.stderr)
    return 2 if reading.problems or not number else 0


def _verify(args: argparse.Namespace) -> int:
    from pytest_grounding.audit.verifying import verify

    found = verify(args.path, anchor=args.anchor)
    if args.json:
        from pytest_grounding._jsonio import canonical_document

        sys.stdout.write(canonical_document(_as_data(found)))
    else:
        _print_integrity(args.path, found)
    return 0 if found.is_intact else 1


def _as_data(found: Integrity) -> dict[str, object]:
    return {
        "intact": found.is_intact,
        "files": found.files,
        "records": found.records,
        "notes": found.notes,
        "first": found.first,
        "anchor": f"{found.last.sequence}:{found.last.hash}" if found.last else None,
        "damage": [
            {"path": str(item.path), "line": item.line or None, "message": item.message}
            for item in found.damage
        ],
        "remarks": found.remarks,
    }


def _print_integrity(path: str, found: Integrity) -> None:
    from pytest_grounding.reports.terminal import safe

    for item in found.damage[:_SHOWN]:
        print(f"damaged: {safe(str(item))}")
    if len(found.damage) > _SHOWN:
        print(f"... and {len(found.damage) - _SHOWN} more")
    for remark in found.remarks:
        print(f"note: {safe(remark)}")
    files = f"{found.files} file{'' if found.files == 1 else 's'}"
    records = f"{found.records} validation{'' if found.records == 1 else 's'}"
    state = "intact" if found.is_intact else "DAMAGED"
    print(f"{path}: {state}, {records} in {files}")
    if found.last is not None:
        print(f"anchor: {found.last.sequence}:{found.last.hash}")


def _prune(args: argparse.Namespace) -> int:
    from datetime import UTC, datetime, timedelta

    from pytest_grounding.audit.pruning import plan, prune

    settings = configuration.effective(args).settings
    days = args.days or settings.audit_retention_days
    before = datetime.now(UTC) - timedelta(days=days)
    if args.yes:
        found = prune(args.path, before, anyway=args.anyway, sync=settings.audit_sync)
    else:
        found = plan(args.path, before)
    if args.json:
        from pytest_grounding._jsonio import canonical_document

        value = {
            "pruned": args.yes and found.through is not None,
            "days": days,
            "lines": found.lines,
            "validations": found.validations,
            "oldest": found.oldest or None,
            "newest": found.newest or None,
            "files": [str(file) for file in found.files],
            "cut": str(found.cut) if found.cut else None,
        }
        sys.stdout.write(canonical_document(value))
    elif found.through is None:
        print(f"{args.path}: nothing is older than {days} days")
    else:
        done = "removed" if args.yes else "would remove"
        for file in found.files:
            print(f"{done} {file}")
        if found.cut is not None:
            print(f"{done} the beginning of {found.cut} ({found.offset} bytes)")
        print(f"{done} {found.validations} validations, from {found.oldest} to {found.newest}")
        if not args.yes:
            print("nothing was changed; say --yes to remove them")
    return 0
