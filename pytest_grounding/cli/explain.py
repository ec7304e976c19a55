"""``pytest-grounding explain``: why transcripts got their verdicts, or what a rule means."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from pytest_grounding._io.wording import counted, listed
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.engine.validation import validate
from pytest_grounding.errors import InputError
from pytest_grounding.importers.load_files import Row
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports.explanation import explain
from pytest_grounding.reports.terminal import lines_of_claim, text_of
from pytest_grounding.rules import GROUPS, RULES, describe, of_group
from pytest_grounding.settings import Settings

_LISTED = 10  # most ids listed in an error
_Case = tuple[Transcript, Settings]


def run(args: argparse.Namespace) -> int:
    """Explain the named transcripts or rules; 2 if a row could not be read."""
    subjects: list[str] = args.subjects
    rules = [name for name in subjects if name in RULES and not Path(name).exists()]
    if len(rules) == len(subjects):
        if args.wanted is not None or args.claim is not None:
            raise InputError("--id and --claim need transcripts", hint="name a file with some")
        return _rules_in_words(rules)
    if rules:
        problem = f"{rules[0]} is a rule, and the other names are not"
        raise InputError(problem, hint="explain rules and transcripts by commands of their own")
    for subject in subjects:
        is_pattern = any(char in subject for char in "*?[")
        if not subject.strip() or not (subject == "-" or is_pattern or Path(subject).exists()):
            near = get_close_matches(subject, RULES, n=1)
            hint = f"did you mean the rule {near[0]}?" if near else "see the rules: pytest-grounding explain"
            raise InputError("is not a file, folder or rule", path=subject, hint=hint)
    return _transcripts(args, subjects)


def _rules_in_words(names: Sequence[str]) -> int:
    if names:
        print("\n\n".join(map(describe, names)))
    else:
        names_by_topic = {about: of_group(group) for group, about in GROUPS.items()}
        print(text_of("rules", names_by_topic, RULES, max(map(len, RULES))))
    return 0


def _transcripts(args: argparse.Namespace, paths: list[str]) -> int:
    unread: list[Row] = []
    effective = configuration.effective(args)
    rows = transcripts.readable(paths, effective.settings, unread)
    cases = [(transcript, effective.for_path(row.path)) for row, transcript in rows]
    if unread and not cases:
        return 2
    chosen = _chosen_cases(cases, args.wanted, paths)
    if args.claim is not None and len(chosen) > 1:
        problem = f"there are {len(chosen)} transcripts, and --claim is about one"
        raise InputError(problem, hint="choose it with --id")
    told: list[object] = []
    texts: list[str] = []
    passed = 0
    for transcript, settings in chosen:
        verdict = validate(transcript, settings)
        if args.claim is not None and args.claim > len(verdict.claims):
            hint = f"write a number from 1 to {len(verdict.claims)}" if verdict.claims else None
            problem = f"{transcript.id!r} has {counted(len(verdict.claims), 'claim')}"
            raise InputError(problem, field="--claim", hint=hint)
        index = None if args.claim is None else args.claim - 1
        found = explain(verdict, settings, claim=index)
        told.append(found.as_dict())
        text = str(found)
        if index is not None:
            text = "\n".join([*lines_of_claim(verdict.claims[index], transcript), "", text])
        if args.claim is None and text.startswith("PASS") and len(chosen) > 1:
            passed += 1
        else:
            texts.append(text)
    if args.json:
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        texts += [f"{passed} of {len(chosen)} transcripts pass"] if passed else []
        print("\n\n".join(texts))
    return 2 if unread else 0


def _chosen_cases(cases: list[_Case], wanted: str | None, paths: list[str]) -> list[_Case]:
    found = [case for case in cases if wanted in (None, case[0].id)]
    if found or wanted is None:
        return found
    ids = [transcript.id for transcript, _ in cases]
    near = get_close_matches(wanted, ids, n=1)
    holds = listed(ids, _LISTED) or "none that can be read"
    hint = f"did you mean {near[0]!r}?" if near else f"it contains: {holds}"
    raise InputError(f"no transcript has the id {wanted!r}", path=", ".join(paths), hint=hint)
