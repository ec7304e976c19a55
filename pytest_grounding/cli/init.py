"""``pytest-grounding init``: from recorded answers to a build that is green, and stays honest."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pytest_grounding._io.wording import counted, one_line
from pytest_grounding.cli import configuration, transcripts
from pytest_grounding.cli.adoption.labelling import (
    FILE,
    Answer,
    Label,
    Labels,
    judged,
    labelled,
    read_answers,
)
from pytest_grounding.cli.init_steps import (
    Project,
    Setup,
    agreed,
    ask_about,
    measured_lines,
    missed_lines,
    project_of,
    spread,
)
from pytest_grounding.cli.parser import switch
from pytest_grounding.engine.examine import refuse_unusable
from pytest_grounding.errors import InputError
from pytest_grounding.reports.terminal import safe

EPILOG = (
    "Asks about the answers that fail, and writes settings, waivers, a "
    "baseline and a file for the build. Exit status: 0 written, and the gate passes; 1 nothing was written, "
    "or the gate fails still; 2 wrong usage or unreadable input."
)

#: Answers to ask about: of those that fail, and drawn blindly of those that pass, over all confidences.
_FAILING, _PASSING = 50, 20
_SHOWN = 10
_WIDTH = 120
_KINDS = ("auto", "github", "gitlab", "plain", "none")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="files or folders with recorded answers, of any format that can be read "
        "(default: *.transcript.json and *.transcripts.jsonl of the project)",
    )
    switch(parser, "--yes", help="ask nothing: what is found now is known, what is new fails")
    parser.add_argument(
        "--answers",
        metavar="FILE",
        help='ask nothing: take what is right and wrong from JSON Lines: {"id": ..., "correct": true}',
    )
    parser.add_argument(
        "--ci", choices=_KINDS, default="auto", help="the build to write a file for (default: what is there)"
    )
    switch(parser, "--force", help="write anew what an earlier init wrote")
    configuration.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Look, ask, write; see `EPILOG` for the exit status."""
    effective = configuration.effective(args)
    project = project_of(effective, args.paths, ci=args.ci, force=args.force)
    setup = Setup(project, Labels(project.root / FILE, effective.settings))
    setup.refuse(force=args.force)
    is_asking = not (args.yes or args.answers)
    if is_asking and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError(
            "this is no terminal, so nobody can be asked",
            hint="write --yes to take all that is found now as known, or --answers FILE with what is right",
        )
    answers = _judged(project)
    if args.answers:
        for label in read_answers(args.answers, [item.transcript for item in answers], effective.settings):
            setup.labels.add(label)
    answers = labelled(answers, setup.labels)
    _say(_overview(answers, len(project.files)))
    _say(missed_lines(answers, effective.settings))
    given = {
        name: getattr(effective.settings, name)
        for name, source in effective.origin.items()
        if source == "command line"
    }
    if is_asking:
        return _asked(args, setup, answers, given)
    return setup.write(answers, given)


def _asked(
    args: argparse.Namespace, setup: Setup, answers: Sequence[Answer], given: Mapping[str, Any]
) -> int:
    def keep(item: Answer, correct: bool) -> None:
        setup.labels.add(Label(item.transcript, correct))
        setup.labels.save()

    try:
        doubtful = [item for item in answers if item.is_doubtful]
        passing = [item for item in answers if not item.failed and item.correct is None and not item.expected]
        ordered = sorted(passing, key=lambda item: (item.verdict.confidence or 0.0, item.verdict.id))
        ask_about([*spread(doubtful, _FAILING), *spread(ordered, _PASSING)], keep)
        answers = labelled(answers, setup.labels)
        print()
        _say(measured_lines(answers))
        _say(setup.announced(given))
        if agreed("write these files?"):
            return setup.write(answers, given)
    except KeyboardInterrupt:
        print()
    kept = setup.labels.path.name if setup.labels.path.exists() else ""
    print(f"nothing was written{f'; what you said stays in {kept}' if kept else ''}")
    return 1


def _judged(project: Project) -> list[Answer]:
    settings = project.effective.settings
    refuse_unusable(settings)
    rows = list(transcripts.rows(project.files, settings))
    errors = [row.error for row in rows if row.error is not None]
    if errors:
        more = f" (and {len(errors) - 1} more: pytest-grounding check lists them)" if errors[1:] else ""
        raise InputError(f"{errors[0]}{more}")
    return [judged(row, row.transcript, project.settings_for) for row in rows if row.transcript is not None]


def _overview(answers: Sequence[Answer], files: int) -> Iterator[str]:
    failing = [item for item in answers if item.failed]
    yield (
        f"{counted(len(answers), 'answer')} in {counted(files, 'file')}: "
        f"{len(answers) - len(failing)} pass, {len(failing)} do not"
    )
    for item in failing[:_SHOWN]:
        why = safe(one_line(item.verdict.reason, _WIDTH))
        yield f"  {item.verdict.status}: {safe(item.verdict.id)}: {why}"
    if len(failing) > _SHOWN:
        yield f"  ... and {len(failing) - _SHOWN} more"


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
