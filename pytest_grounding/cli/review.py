"""``pytest-grounding review``: look at what changed against the goldens, accept or reject it."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from pytest_grounding.cli.arguments import folders

if TYPE_CHECKING:
    from pytest_grounding.golden.review import Item

HELP = "review what changed against the goldens: accept or reject it"
EPILOG = (
    "Without an action it walks through the candidates in the terminal. ID is the id of a transcript, or "
    "the path of its golden. Exit status: 0 done, 1 candidates still wait (--list: a regression waits), "
    "2 usage or unreadable input."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("action", nargs="?", choices=("accept", "reject"), help="decide without a terminal")
    parser.add_argument("ids", nargs="*", metavar="ID", help="the candidates to decide on")
    parser.add_argument(
        "--in",
        dest="roots",
        metavar="DIR",
        action="append",
        default=[],
        help="search this folder (default: the current one); may be given several times",
    )
    parser.add_argument("--list", action="store_true", help="list the candidates and decide nothing")
    parser.add_argument("--json", action="store_true", help="with --list: print JSON")
    parser.add_argument("--html", metavar="FILE", help="write a page that shows old and new side by side")
    parser.add_argument("--reason", default="", help="why, for the log of decisions")
    parser.add_argument("--all", action="store_true", help="decide on every candidate")
    parser.add_argument("--improvements", action="store_true", help="accept all that got better")


def run(args: argparse.Namespace) -> int:
    """List, decide or walk; see `EPILOG` for the exit status."""
    from pytest_grounding.errors import InputError
    from pytest_grounding.golden.review import waiting

    items, problems = waiting(folders(args.roots or ["."]))
    for error in problems:
        print(error, file=sys.stderr)
    if args.html:
        from pytest_grounding._jsonio import write_atomic
        from pytest_grounding.reports.review_html import render

        try:
            write_atomic(args.html, render(items))
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror or error})", path=args.html) from None
        print(f"written: {args.html}")
    if args.action:
        status = _decide(args, items)
    elif args.list or args.json:
        status = _list(items, as_json=args.json)
    elif args.html:
        status = 0
    else:
        status = _walk(items)
    return 2 if problems else status


def _list(items: list[Item], *, as_json: bool) -> int:
    from pytest_grounding.golden.review import as_json as rendered
    from pytest_grounding.reports.review_text import graded_list, head_line

    if as_json:
        print(rendered(items))
    else:
        for item in items:
            print(head_line(item.record, item.golden).text)
            print(f"  {item.place}{f' ({item.stale})' if item.stale else ''}")
            for line in graded_list(item.record.changes):
                print(line.text)
        print(f"{len(items)} to review" if items else "nothing to review")
    return 1 if any(item.record.grade == "regression" for item in items) else 0


def _decide(args: argparse.Namespace, items: list[Item]) -> int:
    """Accept or reject by name, all together or not at all where a name is wrong."""
    from pytest_grounding.errors import InputError
    from pytest_grounding.golden.review import decide, improvements, pick
    from pytest_grounding.golden.suggestions import SUGGESTION, suggested_lines
    from pytest_grounding.reports.terminal import safe

    if args.improvements and args.action != "accept":
        raise InputError("--improvements can only be accepted", hint="write: review accept --improvements")
    if bool(args.ids) + args.all + args.improvements != 1:
        raise InputError("name candidates, or write --all or --improvements: one of the three")
    chosen = items if args.all else improvements(items) if args.improvements else pick(items, args.ids)
    stale = next((item for item in chosen if item.stale), None)
    if stale is not None:
        raise InputError(stale.stale, path=stale.place)
    for item in chosen:
        decide(item, args.action, reason=args.reason)
        print(f"{args.action}ed {item.place}")
        if args.action == "accept":
            for line in suggested_lines(item):
                print(f"  {safe(SUGGESTION.format(line=line))}")
    if not chosen:
        print("nothing to decide on")
    return 0


def _walk(items: list[Item]) -> int:
    from pytest_grounding.cli.walk import Walk
    from pytest_grounding.errors import InputError

    if not items:
        print("nothing to review")
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "this is no terminal", hint="write --list, or: review accept ID --reason WHY, review reject ID"
        )
    return 1 if Walk(items).run() else 0
