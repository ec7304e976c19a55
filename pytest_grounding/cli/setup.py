"""What ``init`` writes: labels, waivers, baseline, the build's file and, last, the configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_grounding._wording import counted, listed, one_line
from pytest_grounding.adoption import configfile
from pytest_grounding.adoption.configfile import with_keys
from pytest_grounding.adoption.labels import Answer, Labels
from pytest_grounding.cli.configuration import PREFIX
from pytest_grounding.cli.project import BASELINE, Project
from pytest_grounding.model.run import RunReport
from pytest_grounding.waivers import FILE as WAIVERS

if TYPE_CHECKING:
    from pytest_grounding.waivers import Waiver


class Setup:
    """The files of a project that ``init`` writes."""

    def __init__(self, project: Project, labels: Labels) -> None:
        self.project = project
        self.labels = labels
        self.baseline: Path = project.root / BASELINE
        self.waivers: Path = project.root / (project.effective.settings.waivers_file or WAIVERS)
        self.ci: Path | None = None if project.ci == "none" else configfile.file_of(project.ci, project.root)
        # Looked at before a label is kept, which makes its file.
        self._there = [file for file in self._files if file.exists()]

    @property
    def _files(self) -> list[Path]:
        """All files that may be written, in that order: the one that turns it on is the last."""
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
        if self.project.testpaths:
            yield f"  and testpaths with {', '.join(self.project.testpaths)}, where the answers are"
        yield f"{BASELINE}: all that is found now; only what is new fails from now on"
        if len(self.labels):
            labels = counted(len(self.labels), "label")
            yield f"{self.labels.path.name}: {labels}, for pytest-grounding calibrate"
            yield f"{self.waivers.name}: what you called right and does not pass"
        if self.ci is not None:
            yield f"{configfile.shown(self.ci, root)}: a build that checks the answers"
        for name in configfile.uncommitted(self._files, root) or ():
            yield f"mind: {name} has changes that are not committed; commit them, so that git can undo this"

    def write(self, answers: Sequence[Answer], values: Mapping[str, Any]) -> int:
        """Write all, say what was written and how it is undone."""
        from pytest_grounding import waivers

        files, root = self._files, self.project.root
        dirty = configfile.uncommitted(self._there, root) or []
        configuration = self._configuration(values)
        excused = self._excused(answers, values)
        with configfile.together(files) as write:
            if len(self.labels):
                write(self.labels.path, self.labels.text())
            if excused:
                waivers.add(self.waivers, excused)
            report, known = self._baseline(answers, values, write)
            if self.ci is not None:
                write(self.ci, configfile.text_of(self.project.ci, self.project.paths, BASELINE))
            write(self.project.table.path, configuration)
        self._tell(report, known, answers, excused, dirty)
        return 0 if report.gate is not None and report.gate.status == "pass" else 1

    def _keys(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {**{f"{PREFIX}{name}": value for name, value in values.items()}, **self.project.keys}

    def _configuration(self, values: Mapping[str, Any]) -> str:
        """The text of the configuration file with our keys."""
        return with_keys(self.project.table, self._keys(values), self.project.testpaths)

    def _excused(self, answers: Sequence[Answer], values: Mapping[str, Any]) -> list[Waiver]:
        """Waivers for what holds back answers that a person found right, with the settings to come."""
        from pytest_grounding.adoption.labels import excuses
        from pytest_grounding.golden.decisions import author

        right = [item for item in answers if item.correct]
        return (
            excuses(right, values, self.project.settings_for, by=author(self.project.root)) if right else []
        )

    def _baseline(
        self, answers: Sequence[Answer], values: Mapping[str, Any], write: Any
    ) -> tuple[RunReport, int]:
        """Write the baseline; the run held against it, and the number of its known findings."""
        from pytest_grounding.baseline.ratchet import KnownFindings
        from pytest_grounding.baseline.store import baseline_of, render
        from pytest_grounding.baseline.suite import decide
        from pytest_grounding.cli.check import validated

        own = {"baseline_gate": "new"}
        if self.waivers.exists():
            own["waivers_file"] = configfile.shown(self.waivers, self.project.root)
        effective = self.project.effective_with({**values, **own})
        report, _ = validated(list(self.project.files), effective, say=False)
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
        dirty: Sequence[str],
    ) -> None:
        """Say what was written, what the gate says now, and how it is undone."""
        root, gate = self.project.root, report.gate
        notes = {
            self.labels.path: counted(len(self.labels), "label"),
            self.waivers: f"{counted(len(excused), 'finding')} waived",
            self.baseline: f"{counted(len(report.transcripts), 'answer')}, {counted(known, 'known finding')}",
        }
        written = [file for file in self._files if file.exists() and self._is_written(file, excused)]
        print("\nwritten:")
        for file in written:
            note = notes.get(file, "")
            print(f"  {configfile.shown(file, root)}{f' ({note})' if note else ''}")
        wrong = [item for item in answers if item.correct is False]
        passing = [item.verdict.id for item in wrong if not item.failed]
        if len(wrong) > len(passing):
            number = counted(len(wrong) - len(passing), "wrong answer")
            print(f"{number} known to the baseline; mend what is wrong, then prune it")
        if passing:
            print(f"wrong, and nothing here sees it: {listed(passing)}")
        if self.ci is not None and (hint := configfile.hint_for(self.project.ci, self.ci)):
            print(hint)
        if gate is not None:
            print(f"gate: {gate.status.upper()}{f': {one_line(gate.reasons[0])}' if gate.reasons else ''}")
        print("next: pytest; then git add what was written")
        undo = configfile.undo_lines(
            [f for f in written if f in self._there], [f for f in written if f not in self._there], root
        )
        for lead, line in zip(["undo: ", *["      "] * len(undo)], undo, strict=False):
            print(f"{lead}{line}")
        if dirty:
            print(
                f"mind: {', '.join(dirty)} had changes that were not committed; git checkout drops them too"
            )

    def _is_written(self, file: Path, excused: Sequence[Waiver]) -> bool:
        if file == self.labels.path:
            return bool(len(self.labels))
        return bool(excused) or file != self.waivers
