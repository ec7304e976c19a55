"""``pytest-grounding explain``: why transcripts got their verdicts, or what a rule means."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pytest_grounding._io.wording import listed, one_line
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.cli.parser import switch
from pytest_grounding.cli.write_reports import read_run
from pytest_grounding.engine import validate
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.model.verdict import ClaimVerdict, Verdict
from pytest_grounding.reports.explanation import explain
from pytest_grounding.reports.terminal import claim_lines, evidence_text, finding_lines, safe
from pytest_grounding.rules import GROUPS, RULES, describe, of_group
from pytest_grounding.settings import Settings

EPILOG = (
    "Of several transcripts those are explained that do not pass; --id chooses one. A PATH may also be what "
    "check --json wrote. Without any argument the rules are listed. Exit status: 0 explained, 2 wrong usage "
    "or unreadable input; the verdict itself decides nothing here."
)
#: Ids and claims that an error lists, and how much of a claim.
_LISTED = 10
_SHOWN = 60


class _Case(NamedTuple):
    """One transcript that is to be explained; a verdict of a report may come without it."""

    id: str
    settings: Settings
    transcript: Transcript | None = None
    verdict: Verdict | None = None

    @property
    def judged(self) -> Verdict:
        if self.verdict is not None:
            return self.verdict
        assert self.transcript is not None
        return validate(self.transcript, self.settings)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "subjects", nargs="*", metavar="PATH|RULE", help="transcripts (file, folder or pattern), or rules"
    )
    parser.add_argument("--id", dest="wanted", metavar="ID", help="the id of one transcript")
    parser.add_argument(
        "--claim",
        metavar="N",
        help="one claim, by its number in the answer, from 1 (pytest-grounding waive FILE prints it), or by "
        "words of it",
    )
    switch(parser, "--json", help="print a list of explanations as JSON")
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Explain what was named; 2 when a row could not be read."""
    subjects: list[str] = args.subjects
    rules = [name for name in subjects if name in RULES and not Path(name).exists()]
    if len(rules) == len(subjects):
        if args.wanted is not None or args.claim is not None:
            raise InputError("--id and --claim need transcripts", hint="name a file that holds some")
        return _rules(rules, as_json=args.json)
    if rules:
        problem = f"{rules[0]} is a rule, and the other names are not"
        raise InputError(problem, hint="explain rules and transcripts by commands of their own")
    for subject in subjects:
        is_pattern = any(char in subject for char in "*?[")
        if not subject.strip() or not (subject == "-" or is_pattern or Path(subject).exists()):
            near = get_close_matches(subject, RULES, n=1)
            hint = f"did you mean the rule {near[0]}?" if near else "see the rules: pytest-grounding explain"
            raise InputError("is no file, folder or rule", path=subject, hint=hint)
    return _transcripts(args, subjects)


def _rules(names: Sequence[str], *, as_json: bool) -> int:
    if as_json:
        found = []
        for rule in (RULES[name] for name in names or RULES):
            facts = {"name": rule.name, "title": rule.title, "severity": rule.severity_in_words}
            advice = {"advice": rule.advice, "example": rule.example_lines, "page": f"docs/{rule.page}"}
            found.append({**facts, **advice})
        print(json.dumps(found, ensure_ascii=False, indent=2))
    elif names:
        print("\n\n".join(describe(name) for name in names))
    else:
        width = max(map(len, RULES))
        for group, about in GROUPS.items():
            print(f"{about}:")
            for name in of_group(group):
                print(f"  {name:<{width}}  {RULES[name].title}")
        print("\npytest-grounding explain RULE tells more of one.")
    return 0


def _transcripts(args: argparse.Namespace, paths: list[str]) -> int:
    cases: list[_Case] = []
    problems = 0
    for case in _cases(args, paths):
        if isinstance(case, InputError):
            problems += 1
            print(safe(str(case)), file=sys.stderr)
        else:
            cases.append(case)
    if problems and not cases:
        return 2
    chosen = _chosen(cases, args.wanted, paths)
    if args.claim is not None and len(chosen) > 1:
        problem = f"there are {len(chosen)} transcripts, and --claim is about one"
        raise InputError(problem, hint="choose it with --id")
    told: list[object] = []
    texts: list[str] = []
    passed = 0
    for case in chosen:
        if args.claim is None:
            found = explain(case.judged, case.settings)
            value, text = found.as_dict(), str(found)
        else:
            value, text = _claim(case, args.claim)
        told.append(value)
        if args.claim is None and text.startswith("PASS") and len(chosen) > 1:
            passed += 1
        else:
            texts.append(text)
    if args.json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        texts += [f"{passed} of {len(chosen)} transcripts pass"] if passed else []
        print("\n\n".join(texts))
    return 2 if problems else 0


def _cases(args: argparse.Namespace, paths: list[str]) -> Iterator[_Case | InputError]:
    effective = configuration.effective(args)
    others = []
    for path in paths:
        report = _report_of(path)
        if report is None:
            others.append(path)
            continue
        for verdict in report:
            yield _Case(verdict.id, effective.settings, verdict=verdict)
    for row in transcripts.rows(others, effective.settings) if others else ():
        if row.transcript is not None:
            yield _Case(row.transcript.id, effective.for_path(row.path), row.transcript)
        elif row.error is not None:
            yield row.error


def _report_of(path: str) -> Sequence[Verdict] | None:
    if not path.endswith(".json"):
        return None
    try:
        with Path(path).open("rb") as file:
            return read_run(path).transcripts if b'"gate"' in file.read(1 << 16) else None
    except (OSError, InputError):
        return None


def _chosen(cases: list[_Case], wanted: str | None, paths: list[str]) -> list[_Case]:
    found = [case for case in cases if wanted in (None, case.id)]
    if found or wanted is None:
        return found
    ids = [case.id for case in cases]
    near = get_close_matches(wanted, ids, n=1)
    holds = listed(ids, _LISTED) or "none that can be read"
    hint = f"did you mean {near[0]!r}?" if near else f"it holds: {holds}"
    raise InputError(f"no transcript has the id {wanted!r}", path=", ".join(paths), hint=hint)


def _claim(case: _Case, wanted: str) -> tuple[dict[str, Any], str]:
    from pytest_grounding.cli.mcp_server.explain_tool import explain_claim

    verdict = case.judged
    index = _index(verdict.claims, wanted, case.id)
    if case.transcript is None:
        told = explain(verdict, case.settings, claim=index)
        return told.as_dict(), "\n".join([*claim_lines(verdict.claims[index]), "", str(told)])
    found = explain_claim(case.transcript, index, case.settings)
    lines = [*claim_lines(found, case.transcript), f"  in short: {safe(found.explanation)}"]
    for near in found.near_misses:
        lines.append(f"  near ({near.support:.2f} by itself): {evidence_text(near.evidence, ' ' * 12)}")
    for finding in found.findings:
        lines += ["", *finding_lines(finding, verdict, case.transcript)]
    return found.model_dump(mode="json"), "\n".join(lines)


def _index(claims: Sequence[ClaimVerdict], wanted: str, name: str) -> int:
    from pytest_grounding.cli.mcp_server.explain_tool import chosen_claim

    count = len(claims)
    listed = "; ".join(f"{item.index + 1} “{one_line(item.text, _SHOWN)}”" for item in claims[:_LISTED])
    listed += f"; and {count - _LISTED} more" if count > _LISTED else ""
    hint = f"write a number from 1 to {count}: {listed}" if count else "the answer holds no claim"
    if wanted.isascii() and wanted.strip().lstrip("+-").isdigit():
        if len(wanted) < _LISTED and 1 <= int(wanted) <= count:
            return int(wanted) - 1
    elif wanted.strip():
        try:
            return chosen_claim(claims, wanted).index
        except InputError as error:
            several = " fits several claims of" if "several" in str(error) else " is no claim of"
            shown = one_line(wanted, _SHOWN)
            raise InputError(f"“{shown}”{several} {name!r}", field="--claim", hint=hint) from None
    raise InputError(f"{one_line(wanted, _SHOWN)!r} is no claim of {name!r}", field="--claim", hint=hint)
