"""``pytest-grounding show clean``: answers without their invalid citations."""

from __future__ import annotations

import argparse
import json

from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.engine.answer_tools import clean_answer, insert_citations
from pytest_grounding.importers.load_files import Row


def run(args: argparse.Namespace) -> int:
    """Print the cleaned answers; 2 if a row could not be read."""
    settings = configuration.effective(args).settings
    unread: list[Row] = []
    for number, (_, transcript) in enumerate(transcripts.readable(args.paths, settings, unread)):
        answer = clean_answer(transcript, settings)
        if args.insert:
            answer = insert_citations(transcript.model_copy(update={"answer": answer}), settings)
        if args.text:
            print(f"\n{answer}" if number else answer)
        else:
            record = {"id": transcript.id, "answer": answer, "changed": answer != transcript.answer}
            print(json.dumps(record, ensure_ascii=False))
    return 2 if unread else 0
