"""What settings cost on a team's own answers: right ones that fail, wrong ones that pass, planted faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_grounding.adoption.answers import Answer, SettingsFor
from pytest_grounding.engine import validate
from pytest_grounding.gate.outcome import fails
from pytest_grounding.model.verdict import Verdict
from pytest_grounding.mutation.naming import named_by
from pytest_grounding.mutation.run import places
from pytest_grounding.mutation.site import Mutant
from pytest_grounding.settings import FIELDS, Settings

#: Id of a transcript, and it with a planted fault.
Planted = tuple[str, Mutant]
Progress = Callable[[str, int, int], None]

#: What is tried beside the profiles: one step of one idea each.
_STEPS: tuple[dict[str, Any], ...] = (
    {"fail_on": "reject"},
    {"supported_threshold": 0.7, "borderline_threshold": 0.6},
    {"alignment_threshold": 0.5},
    {"accept_confidence": 0.6},
)


@dataclass(frozen=True, slots=True)
class Price:
    """What one choice of settings does.

    Attributes:
        values: what would be written to the configuration file; empty: as it is now.
        right: answers that count as right.
        right_failed: those of them that fail.
        wrong: answers that a person found wrong.
        wrong_passed: those of them that pass.
        planted: faults planted into right answers.
        caught: those of them that fail their answer and are named by the verdict.
    """

    values: Mapping[str, Any]
    right: int
    right_failed: int
    wrong: int
    wrong_passed: int
    planted: int
    caught: int

    @property
    def name(self) -> str:
        """The choice in words."""
        if not self.values:
            return "as it is now"
        return ", ".join(f"{name} = {value}" for name, value in self.values.items())

    @property
    def catch_rate(self) -> float | None:
        """Share of the planted faults that are caught, or None where none could be planted."""
        return self.caught / self.planted if self.planted else None

    @property
    def figures(self) -> tuple[int, ...]:
        """What it does, without its name."""
        return self.right, self.right_failed, self.wrong, self.wrong_passed, self.planted, self.caught

    @property
    def loss(self) -> float:
        """Sum of the shares of right answers that fail, wrong ones that pass and planted faults missed."""
        failed = self.right_failed / self.right if self.right else 0.0
        passed = self.wrong_passed / self.wrong if self.wrong else 0.0
        return failed + passed + (1.0 - self.catch_rate if self.catch_rate is not None else 0.0)


def candidates(now: Settings) -> list[dict[str, Any]]:
    """The choices to offer: as it is now first, then the profiles, then single steps.

    Args:
        now: the settings in force.
    """
    found: list[dict[str, Any]] = [{}]
    found += [{"profile": name} for name in ("strict", "default", "lenient") if name != now.profile]
    found += [step for step in _STEPS if any(getattr(now, name) != step[name] for name in step)]
    return [values for values in found if _fits(values, now)]


def _fits(values: Mapping[str, Any], now: Settings) -> bool:
    """Whether a step loosens: one that would tighten what is loose already is no offer."""
    numbers = [name for name in values if isinstance(FIELDS[name].default, float)]
    return all(values[name] <= getattr(now, name) for name in numbers)


def prices(
    answers: Sequence[Answer],
    choices: Sequence[Mapping[str, Any]],
    settings_for: SettingsFor,
    *,
    per_fault: int = 4,
    progress: Progress | None = None,
) -> list[Price]:
    """Try settings on answers and on faults planted into the right ones.

    Every choice meets the same faults: those that have a place in claims which are supported now.

    Args:
        answers: recorded answers, with what people said of them.
        choices: values to try, such as those of `candidates`.
        settings_for: the settings of a file with some values changed.
        per_fault: most planted faults of each kind, at least 1.
        progress: called with what is done, how much of it, and how much there is.
    """
    right = [item for item in answers if item.counts_as_right]
    planted: list[Planted] = []
    if right:
        first = settings_for({}, right[0].path)
        verdicts = [item.verdict for item in right]
        sites = places([item.transcript for item in right], verdicts, first, limit=per_fault)
        planted = [(site.transcript.id, mutant) for site, mutant in sites]
    found = []
    for number, values in enumerate(choices):
        if progress is not None:
            progress("trying settings", number, len(choices))
        found.append(_price(answers, values, settings_for, planted))
    return found


def _price(
    answers: Sequence[Answer],
    values: Mapping[str, Any],
    settings_for: SettingsFor,
    planted: Sequence[Planted],
) -> Price:
    verdicts: dict[str, Verdict] = {}
    settings: dict[str, Settings] = {}
    right = right_failed = wrong = wrong_passed = 0
    for item in answers:
        identifier = item.transcript.id
        chosen = settings[identifier] = settings_for(values, item.path)
        verdict = item.verdict if not values else validate(item.transcript, chosen)
        verdicts[identifier] = verdict
        failed = fails(verdict, chosen)
        right += item.counts_as_right
        right_failed += item.counts_as_right and failed
        wrong += item.correct is False
        wrong_passed += item.correct is False and not failed
    caught = sum(_is_caught(mutant, verdicts[name], settings[name]) for name, mutant in planted)
    return Price(values, right, right_failed, wrong, wrong_passed, len(planted), caught)


def _is_caught(mutant: Mutant, before: Verdict, settings: Settings) -> bool:
    """The answer fails, and for this fault: one that failed for another reason catches nothing."""
    after = validate(mutant.transcript, settings)
    return fails(after, settings) and named_by(before, after, mutant) is not None


def price_lines(found: Sequence[Price]) -> list[str]:
    """A table of the choices, numbered from 1."""
    rows = [("", "settings", "right answers that fail", "wrong ones that pass", "planted faults caught")]
    for number, item in enumerate(found, start=1):
        share = "-" if item.catch_rate is None else f"{item.catch_rate:.0%} ({item.caught} of {item.planted})"
        rows.append(
            (
                str(number),
                item.name,
                f"{item.right_failed} of {item.right}",
                f"{item.wrong_passed} of {item.wrong}" if item.wrong else "-",
                share,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]


def telling(found: Sequence[Price]) -> list[Price]:
    """The first choice, and those that change a figure against it; of equal ones the first."""
    kept: list[Price] = []
    for item in found:
        if all(item.figures != other.figures for other in kept):
            kept.append(item)
    return kept


def best(found: Sequence[Price]) -> Price:
    """The choice with the least `Price.loss`.

    Of equals it is the first one, so that nothing is changed for nothing.
    """
    return min(found, key=lambda item: round(item.loss, 9))


def sentence(now: Price, other: Price) -> str:
    """What another choice changes, in one sentence."""
    text = f"{now.right_failed} of {now.right} right answers fail now"
    if other is now:
        return f"{text}; no other choice does better"
    text += f"; with {other.name} {other.right_failed}"
    if now.catch_rate is not None and other.catch_rate is not None:
        text += f"; planted faults caught {now.catch_rate:.0%} -> {other.catch_rate:.0%}"
    if now.wrong:
        text += f"; wrong answers that pass {now.wrong_passed} -> {other.wrong_passed}"
    return text
