"""``pytest-grounding show judge show``: the exact requests to a judge."""

from __future__ import annotations

import argparse
import json

from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.engine import registry
from pytest_grounding.engine.prefetch_judgements import questions_of
from pytest_grounding.errors import InputError
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reports.terminal import text_of
from pytest_grounding.scorers.remote.judge import ChatJudge
from pytest_grounding.settings import Settings


def run(args: argparse.Namespace) -> int:
    """Print the requests; ``commands.tsv`` has the exit status."""
    effective = configuration.effective(args)
    _chat_judge(effective.settings)
    transcript, path = _chosen_transcript(args, effective.settings)
    settings = effective.for_path(path).with_values({"record": "none"})
    judge = _chat_judge(settings)
    shown = [
        {
            "judge": judge.name,
            "model": request.model,
            "key": request.key,
            "recorded": is_recorded,
            "parameters": dict(request.parameters),
            "system": request.texts["system"],
            "user": request.texts["user"],
            "schema": dict(schema),
        }
        for request, schema, is_recorded in questions_of(transcript, settings, judge, args.claim)
    ]
    if args.json:
        print(json.dumps(shown, ensure_ascii=False, indent=2))
        return 0
    for number, item in enumerate(shown, start=1):
        form = json.dumps(item["schema"], ensure_ascii=False)
        print(text_of("judge_request", item, f"request {number} of {len(shown)}", form))
    if not shown:
        print(f"nothing is asked: no claim of {transcript.id!r} is in judge_scope = {settings.judge_scope}")
    return 0


def _chosen_transcript(args: argparse.Namespace, settings: Settings) -> tuple[Transcript, str]:
    rows = [(transcript, row.path) for row, transcript in transcripts.all_of([args.path], settings)]
    found = [row for row in rows if args.wanted in (None, row[0].id)]
    if len(found) != 1:
        ids = ", ".join(transcript.id for transcript, _ in rows[:10])
        problem = f"{len(found)} transcripts are meant, and one is shown"
        raise InputError(problem, path=args.path, hint=f"choose one with --id; it contains: {ids or 'none'}")
    return found[0]


def _chat_judge(settings: Settings) -> ChatJudge:
    judge = registry.judge(settings)
    if judge is None:
        raise InputError("no judge is set", field="judge", hint="name a judge, such as --set judge=openai")
    if not isinstance(judge, ChatJudge):
        problem = f"the judge {judge.name} is of an extension, which alone knows what it asks"
        raise InputError(problem, field="judge", hint="see its own documentation")
    return judge
