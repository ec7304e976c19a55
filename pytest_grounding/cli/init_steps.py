"""What ``init`` asks and writes: questions, labels, waivers, baseline, build and configuration."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, TypeVar

from pytest_grounding._io.wording import counted, listed, one_line, wilson
from pytest_grounding.cli.adoption import configfile
from pytest_grounding.cli.adoption.configfile import Table, kind_for, table_in, with_keys
from pytest_grounding.cli.adoption.labelling import Answer, Labels, excuses
from pytest_grounding.cli.check import validated
from pytest_grounding.cli.configuration import PREFIX, Effective
from pytest_grounding.cli.review_by_key import read_key
from pytest_grounding.errors import InputError
from pytest_grounding.gate import waivers
from pytest_grounding.gate.waivers import Waiver
from pytest_grounding.golden.decisions import author
from pytest_grounding.importers.searching import SKIPPED, find_files
from pytest_grounding.model.run_report import RunReport
from pytest_grounding.mutation import mutate
from pytest_grounding.reports.terminal import quoted, safe, short_text
from pytest_grounding.reports.word_diff import fit
from pytest_grounding.settings import Settings, resolve
from pytest_grounding.settings._layers import WAIVERS
from pytest_grounding.suite.baseline_file import baseline_of, render
from pytest_grounding.suite.known_findings import KnownFindings
from pytest_grounding.suite.suite_figures import decide

BASELINE = "grounding.baseline.json"
DISTRIBUTION = "pytest-rag-grounding"


@dataclass(frozen=True, slots=True)
class Project:
    """Where ``init`` works and what it will write."""

    root: Path
    effective: Effective
    table: Table
    files: tuple[str, ...]
    paths: tuple[str, ...]
    keys: Mapping[str, Any]
    ci: str

    def effective_with(self, values: Mapping[str, Any]) -> Effective:
        """The settings in force, were these values written to the configuration file."""
        (name, given), *others = self.effective.layers
        layers = [(name, {**given, **values}), *others]
        settings, origin = resolve(layers, profiles=self.effective.profiles)
        return replace(self.effective, layers=layers, settings=settings, origin=origin)

    def settings_for(self, values: Mapping[str, Any], path: str) -> Settings:
        """The settings of a file, were these values written to the configuration file."""
        return self.effective_with(values).for_path(path)


def project_of(effective: Effective, paths: Sequence[str], *, ci: str, force: bool) -> Project:
    """Look at the project in the current folder."""
    root = Path.cwd()
    if effective.file is not None and effective.file.parent != root:
        raise InputError(
            f"init belongs into the root of the project, where {effective.file.name} stands",
            hint=f"run it there: cd {shlex.quote(str(effective.file.parent))}; pytest reads that file for "
            "this folder too, unless the folder gets a pytest.ini of its own",
        )
    table = table_in(effective.file, root)
    if table.own_keys and not force:
        raise InputError(
            f"holds settings of pytest-grounding already ({', '.join(table.own_keys[:3])})",
            path=table.path.name,
            hint="add --force to set up anew; the other keys stay",
        )
    patterns = tuple(table.list_of("grounding_files")) or PATTERNS
    if paths:
        files = sorted({inside(root, file) for path in paths for file in find_files(path)})
        named = sorted(
            {inside(root, path) for path in paths} if all(Path(path).exists() for path in paths) else files
        )
    else:
        files = recorded_files(root, patterns, table.list_of("norecursedirs"))
        named = covering(files)
    if not files:
        raise InputError(
            f"no recorded answers were found here ({', '.join(patterns)}); record some:\n  "
            + "\n  ".join(HOW_TO_RECORD)
        )
    _refuse_beyond(root, files, table)
    keys: dict[str, Any] = {"grounding_baseline": BASELINE, "grounding_baseline_gate": "new"}
    required = table.list_of("required_plugins")
    if not any(item.startswith(DISTRIBUTION) for item in required):
        # Without the plugin these files would be no tests, and the build green.
        keys["required_plugins"] = [*required, DISTRIBUTION]
    further = further_names(root, files, patterns)
    if further:
        keys["grounding_files"] = [*patterns, *further]
    return Project(
        root=root,
        effective=effective,
        table=table,
        files=tuple(files),
        paths=tuple(named),
        keys=keys,
        ci=kind_for(root) if ci == "auto" else ci,
    )


def _refuse_beyond(root: Path, files: Sequence[str], table: Table) -> None:
    """Refuse files that a run without arguments would not find, because ``testpaths`` names other folders."""
    places = [place.relative_to(root) for item in table.list_of("testpaths") for place in root.glob(item)]
    beyond = [file for file in files if not any(Path(file).is_relative_to(place) for place in places)]
    if beyond and table.list_of("testpaths"):
        problem = f"{beyond[0]} lies outside of testpaths, so that pytest would not find it"
        hint = f"add to testpaths: {' '.join(covering(beyond))}"
        raise InputError(problem, path=table.path.name, hint=hint)


_KEYS = {"r": "right", "w": "wrong", "s": "skip", "e": "evidence", "q": "quit asking"}
_ASKED = f"is this answer right? {'  '.join(f'[{key}]{word[1:]}' for key, word in _KEYS.items())} > "
_ENDS = ("\x03", "\x04", "")
#: Answers that faults are planted into, and mutants of each fault.
_PLANTED = 3
#: A question fits a terminal of 24 lines of 80 characters.
_LINES, _WIDTH = 19, 79


def ask_about(answers: Sequence[Answer], keep: Callable[[Answer, bool], None]) -> None:
    """Show each answer and ask whether it is right; of one that passes, nothing says so."""
    for number, item in enumerate(answers, start=1):
        print(f"\n--- {number} of {len(answers)}: {safe(item.path)}:{item.line}")
        print("\n".join(_question(item)))
        while (key := _key(_ASKED)) not in ("r", "w", "s", "q"):
            if key != "e":
                print(f"press one of: {', '.join(_KEYS)}")
                continue
            for chunk in item.transcript.chunks:
                print(f"  [{safe(chunk.id)}] {quoted(chunk.text, '    ')}")
        if key == "q":
            return
        if key != "s":
            keep(item, key == "r")


def _question(item: Answer) -> list[str]:
    """What is asked about: the question, the answer as far as it fits, and why it fails, if it does."""
    told = list(fit(short_text(item.verdict), _WIDTH))[:9] if item.failed else []
    asked = list(fit(f"question: {quoted(item.transcript.question)}", _WIDTH))[:3]
    answer = list(fit(f"answer: {quoted(item.transcript.answer)}", _WIDTH))
    room = _LINES - len(told) - len(asked)
    more = [f"  ... and {len(answer) - room + 1} more lines"] if len(answer) > room else []
    return [*asked, *(answer[: room - 1] if more else answer), *more, *told]


def measured_lines(answers: Sequence[Answer]) -> Iterator[str]:
    """How often the gate and the person differ, on what the person said, with 95 % intervals."""
    for failed, wrong in ((True, True), (False, False)):
        said = [item for item in answers if item.correct is not None and item.failed is failed]
        number = sum(item.correct is wrong for item in said)
        if bounds := wilson(number, len(said)):
            words = ("right ones", "fail") if failed else ("wrong ones", "pass")
            share = f"{number / len(said):.2f}, {bounds[0]:.2f} to {bounds[1]:.2f}"
            yield f"{words[0]} that {words[1]}: {number} of {len(said)} answers that {words[1]} ({share})"


def missed_lines(answers: Sequence[Answer], settings: Settings) -> Iterator[str]:
    """What the gate would miss of faults that are planted into the answers that pass."""
    passing = [item.transcript for item in answers if not item.failed and item.correct is not False]
    if not passing:
        return
    try:
        report = mutate(spread(passing, _PLANTED), settings, limit=_PLANTED)
    except InputError:  # nothing can be planted into these answers
        return
    lost = [(item.fault, item.caught.total - item.caught.count) for item in report.faults]
    missed = [f"{name.replace('_', ' ')} ({number})" for name, number in lost if number]
    caught = f"{report.overall.count} of {report.overall.total} are caught"
    yield f"faults planted into answers of yours: {caught}; the gate would miss: {listed(missed) or 'none'}"


def agreed(question: str) -> bool:
    """Ask for yes or no."""
    while (key := _key(f"{question} [y]es  [n]o > ")) not in ("y", "n"):
        pass
    return key == "y"


def _key(prompt: str) -> str:
    print(prompt, end="", flush=True)
    key = read_key()
    print(safe(key) if key.isprintable() else "")
    if key in _ENDS:
        raise KeyboardInterrupt
    return key.lower()


class Setup:
    """The files of a project that ``init`` writes."""

    def __init__(self, project: Project, labels: Labels) -> None:
        self.project = project
        self.labels = labels
        self.baseline: Path = project.root / BASELINE
        self.waivers: Path = project.root / (project.effective.settings.waivers_file or WAIVERS)
        self.ci: Path | None = None if project.ci == "none" else configfile.file_of(project.ci, project.root)

    @property
    def _files(self) -> list[Path]:
        build = [self.ci] if self.ci is not None else []
        return [self.labels.path, self.waivers, self.baseline, *build, self.project.table.path]

    def refuse(self, *, force: bool) -> None:
        """Find all that would stop the writing before anybody is asked anything."""
        root = self.project.root
        if not force:
            configfile.refuse_taken([self.baseline, *([self.ci] if self.ci is not None else [])], root)
        configfile.refuse_closed(self._files, root)
        self._configuration({})

    def announced(self, values: Mapping[str, Any]) -> Iterator[str]:
        """What would be written."""
        root = self.project.root
        table = self.project.table
        keys = ", ".join(f"{key} = {value}" for key, value in self._keys(values).items())
        yield f"{configfile.shown(table.path, root)}: [{table.name}] {keys}"
        yield f"{BASELINE}: all that is found now; only what is new fails from now on"
        if len(self.labels):
            labels = counted(len(self.labels), "label")
            yield f"{self.labels.path.name}: {labels}, for pytest-grounding calibrate"
            yield f"{self.waivers.name}: what you called right and does not pass"
        if self.ci is not None:
            yield f"{configfile.shown(self.ci, root)}: a build that checks the answers"

    def write(self, answers: Sequence[Answer], values: Mapping[str, Any]) -> int:
        """Write all, say what was written and how it is undone."""
        files = self._files
        configuration = self._configuration(values)
        right = [item for item in answers if item.correct]
        by = author(self.project.root) if right else ""
        excused = excuses(right, values, self.project.settings_for, by=by)
        with configfile.together(files) as write:
            if len(self.labels):
                write(self.labels.path, self.labels.text())
            if excused:
                waivers.add(self.waivers, excused)
            report, known = self._baseline(answers, values, write)
            if self.ci is not None:
                write(self.ci, configfile.text_of(self.project.ci, self.project.paths, BASELINE))
            write(self.project.table.path, configuration)
        self._tell(report, known, answers, excused)
        return 0 if report.gate is not None and report.gate.status == "pass" else 1

    def _keys(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {**{f"{PREFIX}{name}": value for name, value in values.items()}, **self.project.keys}

    def _configuration(self, values: Mapping[str, Any]) -> str:
        return with_keys(self.project.table, self._keys(values))

    def _baseline(
        self, answers: Sequence[Answer], values: Mapping[str, Any], write: Any
    ) -> tuple[RunReport, int]:
        own = {"baseline_gate": "new"}
        if self.waivers.exists():
            own["waivers_file"] = configfile.shown(self.waivers, self.project.root)
        effective = self.project.effective_with({**values, **own})
        report, _ = validated(list(self.project.files), effective)
        found = baseline_of(report, effective.settings)
        write(self.baseline, render(found))
        # What an author expects to be caught is no finding to get used to.
        meant = {item.transcript.id for item in answers if item.expected}
        held = KnownFindings(found)
        excused = {item.id for item in report.transcripts if item.id not in meant and held.excuses(item)}
        failed = tuple(name for name in report.run.failed if name not in excused)
        anew = RunReport.of(report.transcripts, report.run.model_copy(update={"failed": failed}))
        known = sum(line.number for entry in found.transcripts for line in entry.known or ())
        return decide(anew, effective.settings, found), known

    def _tell(
        self,
        report: RunReport,
        known: int,
        answers: Sequence[Answer],
        excused: Sequence[Waiver],
    ) -> None:
        root, gate = self.project.root, report.gate
        notes = {
            self.labels.path: counted(len(self.labels), "label"),
            self.waivers: f"{counted(len(excused), 'finding')} waived",
            self.baseline: f"{counted(len(report.transcripts), 'answer')}, {counted(known, 'known finding')}",
        }
        untouched = {self.labels.path} if not len(self.labels) else set[Path]()
        untouched |= {self.waivers} if not excused else set()
        written = [file for file in self._files if file.exists() and file not in untouched]
        print("\nwritten:")
        for file in written:
            note = notes.get(file, "")
            print(f"  {configfile.shown(file, root)}{f' ({note})' if note else ''}")
        wrong = [item for item in answers if item.correct is False]
        passing = [item.verdict.id for item in wrong if not item.failed]
        if len(wrong) > len(passing):
            number = counted(len(wrong) - len(passing), "wrong answer")
            print(f"{number} known to the baseline; fix what is wrong, then prune it")
        if passing:
            print(f"wrong, and nothing here sees it: {listed(passing)}")
        if self.ci is not None and (hint := configfile.hint_for(self.project.ci, self.ci)):
            print(hint)
        if gate is not None:
            print(f"gate: {gate.status.upper()}{f': {one_line(gate.reasons[0])}' if gate.reasons else ''}")
        print("next: pytest; then git add what was written")


_T = TypeVar("_T")

#: Names of the files that are tests by themselves.
PATTERNS = ("*.transcript.json", "*.transcripts.jsonl")

#: Folders that hold accepted recordings or byte code.
_OWN_SKIPPED = ("__golden__", "__pycache__")

#: What to do where nothing is recorded yet: three lines.
HOW_TO_RECORD = (
    '1. write questions.jsonl, one question a line in quotation marks: "How long do refunds take?"',
    "2. run: pytest-grounding record app:answer questions.jsonl -o transcripts "
    '(app:answer is your function: it takes a question and returns {"chunks": [...], "answer": "..."})',
    "3. run: pytest-grounding init   (or name the files that another tool recorded: "
    "pytest-grounding init answers.jsonl)",
)


def recorded_files(root: Path, patterns: Sequence[str], skipped: Sequence[str] = ()) -> list[str]:
    """The files below a folder that pytest takes for tests of answers, sorted by name."""
    without = (*(skipped or SKIPPED), *_OWN_SKIPPED)
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name
            for name in folders
            if not any(fnmatch(name, pattern) for pattern in without)
            and not Path(folder, name, "pyvenv.cfg").is_file()
        )
        place = Path(folder).relative_to(root)
        found += [
            (place / name).as_posix() for name in names if any(fnmatch(name, pattern) for pattern in patterns)
        ]
    return sorted(found)


def inside(root: Path, file: str) -> str:
    """A file's path from the root of the project, with forward slashes."""
    try:
        return Path(file).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise InputError(
            f"lies outside the project ({root})", path=file, hint="copy it into the project first"
        ) from None


def further_names(root: Path, files: Sequence[str], patterns: Sequence[str]) -> tuple[str, ...]:
    """The names that ``grounding_files`` needs beside its patterns, so that pytest takes all the files."""
    names = sorted(
        {
            Path(file).name
            for file in files
            if not any(fnmatch(Path(file).name, pattern) for pattern in patterns)
        }
    )
    others = sorted(set(recorded_files(root, names)) - set(files)) if names else []
    if others:
        raise InputError(
            "would become a test too, because pytest knows these files by their name alone",
            path=others[0],
            hint="give the file that holds recorded answers a name of its own, such as *.transcripts.jsonl",
        )
    return tuple(names)


def spread(items: Sequence[_T], limit: int) -> list[_T]:
    """At most so many of the items, taken evenly from the first to the last."""
    if len(items) <= limit:
        return list(items)
    return [items[number * len(items) // limit] for number in range(limit)]


def covering(files: Sequence[str]) -> list[str]:
    """The few paths that name all the files and those that will be recorded beside them."""
    found = set()
    for file in files:
        head, slash, _ = file.partition("/")
        if slash:
            found.add(head)
        else:
            own = [pattern for pattern in PATTERNS if fnmatch(file, pattern)]
            found.add(own[0] if own else file)
    return sorted(found)
