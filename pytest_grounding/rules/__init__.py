"""The catalogue of rules: meaning, severity, and what to do next.

``rules.toml`` is the table; the gate, waivers, reports, ``explain`` and ``docs/rules.md`` read it from here.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

Severity = Literal["error", "warning", "info"]

#: Severity -> its rank, the most severe first.
ORDER: Mapping[str, int] = MappingProxyType({"error": 0, "warning": 1, "info": 2})
#: Value of a policy, or severity in the setting ``rules`` -> severity.
_SEVERITIES: Mapping[str, Severity] = {
    **dict.fromkeys(("off", "pass", "info"), "info"),
    **dict.fromkeys(("warn", "warning"), "warning"),
    **dict.fromkeys(("error", "fail"), "error"),
}
_TABLE = tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
GROUPS: Mapping[str, str] = MappingProxyType(_TABLE["groups"])
TRAITS: Mapping[str, str] = MappingProxyType(_TABLE["traits"])


@dataclass(frozen=True, slots=True)
class RuleExample:
    """A transcript that violates a rule, with the settings."""

    question: str
    answer: str
    chunks: tuple[str, ...] = ()  # texts of the chunks; their ids are c1, c2, …
    settings: Mapping[str, Any] = field(default_factory=dict)
    metadata: Mapping[str, Any] = field(default_factory=dict)  # the metadata of each chunk
    more: Mapping[str, Any] = field(default_factory=dict)  # further fields of the transcript

    @property
    def transcript(self) -> dict[str, Any]:
        """The transcript as plain data."""
        known = {"metadata": dict(self.metadata)} if self.metadata else {}
        numbered = enumerate(self.chunks, start=1)
        chunks = [{"id": f"c{number}", "text": text, "score": 0.9, **known} for number, text in numbered]
        # TOML cannot represent half a character.
        answer = self.answer.replace(r"\ud83d", "\ud83d")
        return {"id": "t1", "question": self.question, "chunks": chunks, "answer": answer, **self.more}

    @property
    def lines(self) -> tuple[str, ...]:
        """Its relevant parts, one per line, each with its name: settings, question, chunks, answer."""
        settings = ", ".join(f"{name} = {str(value).lower()}" for name, value in self.settings.items())
        origin = ", ".join(f"{name} {value}" for name, value in self.metadata.items())
        parts = [("settings", settings), ("question", self.question)]
        for number, text in enumerate(self.chunks, start=1):
            parts.append((f"chunk c{number}" + (f" ({origin})" if origin else ""), text))
        parts.append(("answer", self.answer))
        parts += [(name, json.dumps(value, ensure_ascii=False)) for name, value in self.more.items()]
        return tuple(f"{name}: {text}".replace("\n", "\\n") for name, text in parts if text)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    name: str
    title: str  # a finding in a few words
    group: str  # its subject, one of `GROUPS`
    #: Error, warning or info; "" where the setting `policy` decides.
    severity: Literal["error", "warning", "info", ""] = ""
    policy: str = ""
    also: str = ""  # other severities that it may have, in words
    advice: str = ""
    suggestion: str = ""  # what a finding advises, unless its check knows better
    page: str = ""  # page of the documentation, with an anchor
    example: RuleExample | str = ""  # an answer that violates it, or words where no answer alone can show it
    status: str = ""  # the claim status it reports, or ""
    traits: tuple[str, ...] = ()  # further properties, of `TRAITS`
    #: Module of ``checks`` whose function ``check(context)`` reports it, or "" if that needs the results of
    #: other checks.
    check: str = ""

    @property
    def severity_in_words(self) -> str:
        """Its severity in words."""
        severity = f"as the setting {self.policy} says" if self.policy else self.severity
        return f"{severity}; {self.also}" if self.also else severity

    @property
    def example_lines(self) -> tuple[str, ...]:
        """Its example in plain words, line by line."""
        return (self.example,) if isinstance(self.example, str) else self.example.lines

    @property
    def waiver(self) -> str:
        """How to waive it, in words."""
        if "reported" in self.traits:
            return "none: waive what made the transcript fail"
        if "unwaivable" in self.traits:
            return "none: something was not checked"
        if self.severity == "info" and not self.also:
            return "not needed"
        return f"pytest-grounding waive PATH --id ID --rule {self.name} --reason WHY"


def _rule_of_row(name: str, row: Mapping[str, Any]) -> Rule:
    example = row.get("example", "")
    if not isinstance(example, str):
        example = RuleExample(**{**example, "chunks": tuple(example["chunks"])})
    return Rule(name, **{**row, "example": example, "traits": tuple(row.get("traits", ()))})


#: All rules by name; of equally severe ones on the same words the first leads.
RULES: Mapping[str, Rule] = MappingProxyType(
    {name: _rule_of_row(name, row) for name, row in _TABLE["rules"].items()}
)


def graded(name: str, settings: Any) -> Severity:
    """The severity of a rule's findings under some settings."""
    rule = RULES[name]
    if not rule.policy:
        return rule.severity or "info"
    return _SEVERITIES[settings.rule_severities.get(name) or getattr(settings, rule.policy)]


def at_least_warning(name: str, settings: Any) -> Severity:
    """The severity of a finding that is sure where those of its rule mostly are not."""
    severity = graded(name, settings)
    is_chosen = name in settings.rule_severities
    return "warning" if severity == "info" and not is_chosen else severity


def having(trait: str) -> tuple[str, ...]:
    """The names of the rules that have a trait of `TRAITS`."""
    return tuple(rule.name for rule in RULES.values() if trait in rule.traits)


def of_group(group: str) -> tuple[str, ...]:
    """The names of the rules of a group of `GROUPS`."""
    return tuple(rule.name for rule in RULES.values() if rule.group == group)


def by_status() -> dict[str, str]:
    """Status of a claim -> the rule that reports it."""
    return {rule.status: rule.name for rule in RULES.values() if rule.status}


def meant_by(name: str, *, likeness: float = 0.8) -> str:
    """The rule that an unknown name probably means, or ""."""
    from difflib import get_close_matches  # imported here because only a mistake needs it

    near = get_close_matches(name.strip(), RULES, n=1, cutoff=likeness)
    return by_status().get(name) or (near[0] if near else "")


def describe(name: str) -> str:
    """A rule in plain words: meaning, severity, an example, what to do."""
    rule = RULES[name]
    first, *rest = rule.example_lines
    lines = [
        f"{rule.name}: {rule.title}",
        f"  severity: {rule.severity_in_words}",
        f"  example: {first}",
        *(f"           {line}" for line in rest),
        f"  what to do: {rule.advice}",
        f"  waiver: {rule.waiver}",
        f"  more: docs/{rule.page}",
    ]
    return "\n".join(lines)
