"""``pytest-grounding explain``: why transcripts got their verdicts, or what a rule means."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_grounding.cli import configuration
from pytest_grounding.errors import InputError

if TYPE_CHECKING:
    from pytest_grounding.importers.loading import Row
    from pytest_grounding.settings import Settings

HELP = "tell why a transcript got its verdict and what would make it pass, or what a rule means"
EPILOG = (
    "Of a file with several transcripts those are explained that do not pass; --id chooses one. Without any "
    "argument the rules are listed. Exit status: 0 explained, 2 wrong usage or unreadable input; the "
    "verdict itself decides nothing here."
)
#: Ids that an error lists.
_LISTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "subject", nargs="?", metavar="PATH|RULE", help="transcripts (file, folder or pattern), or a rule"
    )
    parser.add_argument("--id", dest="wanted", metavar="ID", help="the id of one transcript")
    parser.add_argument(
        "--claim", metavar="N", help="one claim by the number that check prints (from 1), or by its words"
    )
    parser.add_argument("--json", action="store_true", help="print a list of explanations as JSON")
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Explain what was named; 2 when a row could not be read."""
    from pytest_grounding.rules import RULES

    subject: str | None = args.subject
    chooses = args.wanted is not None or args.claim is not None
    if subject is None or (subject in RULES and not Path(subject).exists()):
        if chooses or (args.json and subject is None):
            raise InputError("--id, --claim and --json need transcripts", hint="name a file that holds some")
        return _rules() if subject is None else _rule(subject, as_json=args.json)
    is_pattern = any(char in subject for char in "*?[")
    if not subject.strip() or not (is_pattern or Path(subject).exists()):
        from difflib import get_close_matches

        near = get_close_matches(subject, RULES, n=1)
        hint = f"did you mean the rule {near[0]}?" if near else "see the rules: pytest-grounding explain"
        raise InputError("is no file, folder or rule", path=subject, hint=hint)
    return _transcripts(args, subject)


def _rules() -> int:
    from pytest_grounding.rules import GROUPS, RULES, of_group

    width = max(map(len, RULES))
    for group, about in GROUPS.items():
        print(f"{about}:")
        for name in of_group(group):
            print(f"  {name:<{width}}  {RULES[name].title}")
    print("\npytest-grounding explain RULE tells more of one.")
    return 0


def _rule(name: str, *, as_json: bool) -> int:
    from pytest_grounding.rules import RULES, told

    if as_json:
        rule = RULES[name]
        facts = {"name": rule.name, "title": rule.title, "severity": rule.how_grave, "advice": rule.advice}
        print(json.dumps({**facts, "example": rule.shown, "page": f"docs/{rule.page}"}, ensure_ascii=False))
    else:
        print(told(name))
    return 0


def _transcripts(args: argparse.Namespace, path: str) -> int:
    """Explain the transcripts of a path, as the options choose them."""
    from pytest_grounding.cli import transcripts
    from pytest_grounding.reports.terminal import safe

    effective = configuration.effective(args)
    readable: list[Row] = []
    problems = 0
    for row in transcripts.rows([path], effective.settings):
        if row.transcript is None:
            problems += 1
            print(safe(str(row.error)), file=sys.stderr)
        else:
            readable.append(row)
    chosen = _chosen(readable, args.wanted, path)
    if args.claim is not None and len(chosen) > 1:
        raise InputError(
            f"holds {len(chosen)} transcripts, and --claim is about one",
            path=path,
            hint="choose it with --id",
        )
    told: list[object] = []
    texts: list[str] = []
    passed = 0
    for row in chosen:
        settings = effective.for_path(row.path)
        if args.claim is not None:
            value, text = _claim(row, args.claim, settings)
        else:
            value, text = _whole(row, settings)
            if text.startswith("PASS") and len(chosen) > 1:
                passed += 1
                text = ""
        told.append(value)
        texts += [text] if text else []
    if args.json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        texts += [f"{passed} of {len(chosen)} transcripts pass"] if passed else []
        print("\n\n".join(texts))
    return 2 if problems else 0


def _chosen(rows: list[Row], wanted: str | None, path: str) -> list[Row]:
    if wanted is None:
        return rows
    found = [row for row in rows if row.transcript is not None and row.transcript.id == wanted]
    if found:
        return found
    from difflib import get_close_matches

    ids = [row.transcript.id for row in rows if row.transcript is not None]
    near = get_close_matches(wanted, ids, n=1)
    listed = ", ".join(ids[:_LISTED]) + (f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else "")
    hint = f"did you mean {near[0]!r}?" if near else f"it holds: {listed or 'none that can be read'}"
    raise InputError(f"no transcript has the id {wanted!r}", path=path, hint=hint)


def _whole(row: Row, settings: Settings) -> tuple[object, str]:
    from pytest_grounding.engine import validate
    from pytest_grounding.reports.explanation import explain

    assert row.transcript is not None
    found = explain(validate(row.transcript, settings), settings)
    return found.as_dict(), str(found)


def _claim(row: Row, wanted: str, settings: Settings) -> tuple[object, str]:
    """Why one claim got its status, with what comes near it in each chunk."""
    from pytest_grounding.engine import validate
    from pytest_grounding.mcp_server.explain import explain_claim
    from pytest_grounding.reports.terminal import claim_lines, evidence_text, finding_lines, safe

    assert row.transcript is not None
    verdict = validate(row.transcript, settings)
    index: int | str = wanted
    if wanted.isascii() and wanted.lstrip("-").isdigit():
        count = len(verdict.claims)
        if not 1 <= int(wanted) <= count:
            hint = f"write a number from 1 to {count}" if count else "the answer holds no claim"
            raise InputError(f"{wanted} is no claim of {row.transcript.id!r}", field="--claim", hint=hint)
        index = int(wanted) - 1
    found = explain_claim(row.transcript, index, settings)
    lines = [*claim_lines(found, row.transcript), f"  in short: {safe(found.explanation)}"]
    for near in found.near_misses:
        said = f"near ({near.support:.2f} by itself): {evidence_text(near.evidence, ' ' * 12)}"
        lines.append(f"  {said}")
    for finding in found.findings:
        lines += ["", *finding_lines(finding, verdict, row.transcript)]
    return found.model_dump(mode="json"), "\n".join(lines)
