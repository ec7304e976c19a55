"""The catalogue of rules: what each rule means, how grave it is, and what a person does next.

Whatever needs a property of a rule reads it here: the engine, the gate, waivers, reports and
``docs/rules.md``. A rule that gives findings and stands not in the table is a defect; a test finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from pytest_grounding.rules._answers import ON_ANSWERS
from pytest_grounding.rules._around import AROUND_ANSWERS
from pytest_grounding.rules._rule import Example, Rule

__all__ = [
    "GROUPS",
    "ORDER",
    "RULES",
    "TRAITS",
    "Example",
    "Rule",
    "Severity",
    "by_status",
    "describe",
    "graded",
    "having",
    "meant_by",
    "of_group",
]

_TABLE = (*ON_ANSWERS, *AROUND_ANSWERS)

#: Every rule by its name, in the order of the table: of equally grave ones on the same words the first leads.
RULES: Mapping[str, Rule] = MappingProxyType({rule.name: rule for rule in _TABLE})

#: Group -> what its rules are about.
GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "claims": "What the answer says",
        "citations": "What the answer cites",
        "answer": "The answer as a whole",
        "retrieval": "What was retrieved",
        "reading": "Notes of the reader",
        "running": "What could not be done",
    }
)

#: Trait -> what it says of a rule.
TRAITS: Mapping[str, str] = MappingProxyType(
    {
        "answer_wide": "on the citations, but on no single one of them",
        "backing": "asks whether a source backs the claim that cites it",
        "fallback": "a scorer or judge that was asked for did not serve, and another one did",
        "follows": "follows from a claim that nothing backs: whoever waives that has waived this",
        "form": "on the form of an answer: who waives a claim has not waived this",
        "meaning": "on what the words mean: a right answer can break it",
        "missing": "something is not cited; the setting require_citations decides",
        "reported": "reports give it for a whole transcript, and no finding has it",
        "unchecked": "nothing of the transcript was checked",
        "unwaivable": "something was not looked at, so nobody can know what a waiver would excuse",
        "words": "may be broken by words that the sources do not use",
    }
)

Severity = Literal["error", "warning", "info"]

#: Severity -> its place among them, the gravest first.
ORDER: Mapping[str, int] = MappingProxyType({"error": 0, "warning": 1, "info": 2})

#: What a policy says -> how grave that is.
_SEVERITIES: Mapping[str, Severity] = {
    "off": "info",
    "pass": "info",
    "warn": "warning",
    "error": "error",
    "fail": "error",
}


def graded(name: str, settings: object) -> Severity:
    """How grave a finding of a rule is under some settings."""
    rule = RULES[name]
    return _SEVERITIES[getattr(settings, rule.policy)] if rule.policy else rule.severity or "info"


def having(trait: str) -> tuple[str, ...]:
    """The names of the rules that have a trait of `TRAITS`, in the order of the table."""
    return tuple(rule.name for rule in _TABLE if trait in rule.traits)


def of_group(group: str) -> tuple[str, ...]:
    """The names of the rules of a group of `GROUPS`, in the order of the table."""
    return tuple(rule.name for rule in _TABLE if rule.group == group)


def by_status() -> dict[str, str]:
    """Status of a claim -> the rule that tells of it."""
    return {rule.status: rule.name for rule in _TABLE if rule.status}


def meant_by(name: str, *, likeness: float = 0.8) -> str:
    """The rule that a name which is none most probably means, or ""."""
    # Only a mistake needs it.
    from difflib import get_close_matches

    near = get_close_matches(name.strip(), RULES, n=1, cutoff=likeness)
    return by_status().get(name) or (near[0] if near else "")


def describe(name: str) -> str:
    """A rule in plain words, a few lines: what it means, how grave it is, an example, what to do."""
    rule = RULES[name]
    lines = [f"{rule.name}: {rule.title}", f"  severity: {rule.severity_in_words}"]
    lines += [
        f"  example: {line}" if not at else f"           {line}" for at, line in enumerate(rule.example_lines)
    ]
    lines += [f"  what to do: {rule.advice}", f"  waiver: {rule.waiver}", f"  more: docs/{rule.page}"]
    return "\n".join(lines)
