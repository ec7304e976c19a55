"""``pytest-grounding review``: list what changed against the goldens, accept or reject it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding._io.wording import beyond
from pytest_grounding.cli.parser import folders
from pytest_grounding.cli.standard_streams import width
from pytest_grounding.errors import InputError
from pytest_grounding.golden.golden_file import shown_path
from pytest_grounding.golden.golden_policy import (
    Item,
    counts_by_grade,
    decide_all,
    of_grade,
    pick,
    upgrade,
    waiting,
)
from pytest_grounding.golden.golden_policy import candidates_json as rendered
from pytest_grounding.golden.golden_store import GoldenStore, Verb, find_stores, prunable, prune_goldens
from pytest_grounding.reports import review_text
from pytest_grounding.reports.terminal import TerminalLine, quoted, safe, wrapped

_NAMED = 20  # most candidates listed in the overview; all of them are counted
_GROUPS = {"neutral": "neutral", "improvements": "improvement", "new": "new"}  # option -> grade


def run(args: argparse.Namespace) -> int:
    """List, decide or walk through; ``commands.tsv`` has the exit status."""
    roots = folders(args.roots or ["."])
    if args.action == "prune":
        return _prune_goldens(find_stores(roots), dry=not args.yes)
    found, problems = waiting(roots, everything=True)
    for error in problems:
        print(error, file=sys.stderr)
    if args.action == "upgrade":
        chosen = [item for item in found if item.record.only_tools and not item.stale]
        if args.yes:
            upgrade(chosen)
        for item in chosen:
            done = "accepted" if args.yes else "would accept"
            print(f"{done} {item.place}: {item.record.changes[0].message}")
        if not chosen:
            print("nothing to accept: no candidate changed by the engine or the settings alone")
        return 2 if problems else 0
    items = [item for item in found if item.record.waits]
    if args.html:
        write_atomic(args.html, review_text.render_review(items))
        print(f"written: {args.html}")
    if args.action:
        status = _decide_each(args, items, found)
    elif args.list or args.json:
        status = _list_waiting(items, len(found) - len(items), as_json=args.json)
    elif args.html:
        status = 0
    else:
        status = _walk(items)
    return 2 if problems else status


def _list_waiting(items: list[Item], others: int, *, as_json: bool) -> int:
    if as_json:
        print(rendered(items))
    else:
        for item in items:
            print(review_text.head_line(item.record, item.golden).text)
            print(f"  {item.place}{f' ({item.stale})' if item.stale else ''}")
            print(f"  question: {quoted(item.record.candidate.transcript.question, 12)}")
            for change in item.record.changes:
                lines = review_text.graded_list([change], width=width())
                if change.grade in ("regression", "reworded"):
                    lines = (TerminalLine(f"  {line.text}") for line in review_text.change_lines(change))
                print(*(line.text for line in lines), sep="\n")
            for verb, command in review_text.commands(item.record).items():
                print(f"  {verb}: {command}")
        print(f"{len(items)} to review" if items else "nothing to review")
        if others:
            print(f"{others} more: only chunks, scores, settings or engine changed; nothing to review")
    return 1 if any(item.record.grade == "regression" for item in items) else 0


def _decide_each(args: argparse.Namespace, items: list[Item], everything: list[Item]) -> int:
    groups = [name for name in _GROUPS if getattr(args, name)]
    if groups and args.action != "accept":
        raise InputError(f"--{groups[0]} can only be accepted", hint=f"write: review accept --{groups[0]}")
    if bool(args.ids) + args.all + bool(groups) != 1:
        problem = "name candidates, or write --all, or --neutral, --improvements and --new: one of the three"
        raise InputError(problem)
    # Candidates that need no review can be named too: a new golden may be wanted for other reasons.
    of_groups = [item for name in groups for item in of_grade(items, _GROUPS[name])]
    chosen = items if args.all else of_groups
    if args.ids:
        chosen = pick(everything, args.ids)
    decide_all(chosen, args.action, reason=args.reason)
    for item in chosen:
        print(f"{args.action}ed {item.place}")
    if not chosen:
        print("nothing to decide on")
    return 0


def _walk(items: list[Item]) -> int:
    if not items:
        print("nothing to review")
        return 0
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        hint = "write --list, or: review accept ID --reason WHY, review reject ID"
        raise InputError("this is not a terminal", hint=hint)
    summary = ", ".join(f"{number} {grade}" for grade, number in counts_by_grade(items).items() if number)
    print(f"{len(items)} to review: {summary}")
    for item in items[:_NAMED]:
        print(*wrapped(review_text.head_line(item.record, item.golden).text, width()), sep="\n")
    if more := beyond(items, _NAMED):
        print(more.removeprefix("... "))
    left = len(items)
    for number, item in enumerate(items, start=1):
        print(f"\n--- {number} of {len(items)}: {item.place}")
        for line in review_text.record_lines(item.record, item.golden, width=width()):
            print(*wrapped(line.text, width()), sep="\n")
        if item.stale:
            print(f"left out: {item.stale}")
            continue
        try:
            key = _answer_of_person(item)
        except (KeyboardInterrupt, EOFError):
            key = "q"
        if key == "q":
            break
        if key != "s":
            left -= 1
    rest = ": go on with pytest-grounding review" if left else ""
    print(f"\n{len(items) - left} decided, {left} left{rest}")
    return 1 if left else 0


def _answer_of_person(item: Item) -> str:
    while True:
        key = input("[a]ccept [r]eject [s]kip [q]uit [?] > ").strip().lower()
        if key in ("s", "q"):
            return key
        if key not in ("a", "r"):
            print("a: it is the golden now; r: the same recording fails from now on; s: later; q: stop here")
            continue
        verb: Verb = "accept" if key == "a" else "reject"
        try:
            is_grave = verb == "accept" and item.record.grade == "regression"
            reason = input(f"why {verb}? ").strip() if is_grave else ""
            decide_all([item], verb, reason=reason)
        except (InputError, OSError) as error:
            print(safe(str(error)))
            continue
        print(f"{verb}ed {item.place}")
        return key


def _prune_goldens(stores: Iterable[GoldenStore], *, dry: bool) -> int:
    number = 0
    for store in stores:
        for path in prunable(store) if dry else prune_goldens(store):
            number += 1
            print(f"{'would remove' if dry else 'removed'} {shown_path(path)}")
    if not number:
        print("nothing to remove: the last whole run of pytest reported no unused golden")
    elif dry:
        print(f"nothing was changed; pass --yes to remove {'it' if number == 1 else 'them'}")
    return 0
