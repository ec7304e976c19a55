"""``python -m pytest_grounding.audit``: show, verify and prune an audit log."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from pytest_grounding._io.jsonio import canonical_document
from pytest_grounding._io.wording import counted, decimals
from pytest_grounding.audit.records import AuditRecord
from pytest_grounding.audit.verifying import Filter, iter_entries, plan, prune, time_of, verify
from pytest_grounding.cli import command_text, configuration
from pytest_grounding.cli.parser import add_rows
from pytest_grounding.cli.write_reports import read_run
from pytest_grounding.errors import InputError
from pytest_grounding.reports.terminal import safe, text_of

_FILTERS = ("status", "rule", "id", "session", "since", "until")
_ACTIONS = {
    "show": "list the validations",
    "verify": "check that no line was edited, removed, inserted or torn",
    "prune": "show what retention takes out; take it out with --yes",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add one subcommand for each action on a log."""
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    epilog = command_text("audit").epilog
    for name, text in _ACTIONS.items():
        described = f"{text[0].upper()}{text[1:]}."
        add_rows(actions.add_parser(name, help=text, description=described, epilog=epilog), f"audit {name}")


def run(args: argparse.Namespace) -> int:
    """Run one action; ``commands.tsv`` has the exit status."""
    return {"show": _show_log, "verify": _verify_log, "prune": _prune_log}[args.action](args)


def _show_log(args: argparse.Namespace) -> int:
    wanted = Filter.of(**{name: getattr(args, name) for name in _FILTERS})
    records: deque[AuditRecord] = deque(maxlen=args.last)
    has_problem = False
    for entry in iter_entries(args.path):
        if isinstance(entry, InputError):
            has_problem = True
            print(f"pytest-grounding: {safe(str(entry))}", file=sys.stderr)
        elif isinstance(entry, AuditRecord) and wanted.takes(entry):
            records.append(entry)
    for record in records:
        print(record.to_json() if args.json else _line(record))
    if not args.json:
        print(counted(len(records), "validation"))
    return 2 if has_problem else 0


def _line(record: AuditRecord) -> str:
    result = record.validation_result
    fired = [rule for rule in record.rules if rule.severity != "info"]
    rules = [rule.rule if rule.count == 1 else f"{rule.rule} x{rule.count}" for rule in fired]
    time = time_of(record.timestamp).strftime("%Y-%m-%d %H:%M:%SZ")
    name = safe(record.transcript_id).replace("\n", " ")
    line = f"{time}  {result.status:6}  {decimals(result.confidence_score)}  {name}"
    return f"{line}  {safe(', '.join(rules))}" if rules else line


def _verify_log(args: argparse.Namespace) -> int:
    found = verify(args.path, report=read_run(args.held) if args.held else None)
    if args.json:
        damage = [{**asdict(item), "line": item.line or None} for item in found.damage]
        facts = {"records": found.records, "remarks": found.remarks}
        sys.stdout.write(canonical_document({"intact": found.is_intact, "damage": damage, **facts}))
    else:
        print(text_of("audit", args.path, found))
    return 0 if found.is_intact else 1


def _prune_log(args: argparse.Namespace) -> int:
    days = args.days or configuration.effective(args).settings.audit_retention_days
    before = datetime.now(UTC) - timedelta(days=days)
    found = prune(args.path, before) if args.yes else plan(args.path, before)
    if args.json:
        times = {"oldest": found.oldest or None, "newest": found.newest or None}
        facts = {"pruned": args.yes and found.through is not None, "validations": found.validations}
        sys.stdout.write(canonical_document({**facts, "days": days, **times}))
    elif found.through is None:
        print(f"{args.path}: nothing is older than {days} days")
    else:
        done = "removed" if args.yes else "would remove"
        print(f"{done} {found.validations} validations, from {found.oldest} to {found.newest}")
        if not args.yes:
            print("nothing was changed; pass --yes to remove them")
    return 0
