"""What is known of one rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Example(NamedTuple):
    """A transcript on which a rule finds something.

    Attributes:
        question: what was asked.
        answer: the answer.
        chunks: texts of the chunks; their ids are c1, c2, …
        settings: the settings under which the rule finds it.
        metadata: what is known of the origin of each chunk.
        more: further fields of the transcript.
    """

    question: str
    answer: str
    chunks: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}
    metadata: Mapping[str, Any] = {}
    more: Mapping[str, Any] = {}

    @property
    def transcript(self) -> dict[str, Any]:
        """The transcript as plain data."""
        known = {"metadata": dict(self.metadata)} if self.metadata else {}
        chunks = [
            {"id": f"c{number}", "text": text, "score": 0.9, **known}
            for number, text in enumerate(self.chunks, start=1)
        ]
        return {"id": "t1", "question": self.question, "chunks": chunks, "answer": self.answer, **self.more}

    @property
    def lines(self) -> tuple[str, ...]:
        """Its parts that matter, one a line, each with its name: settings, question, chunks, answer."""
        settings = ", ".join(f"{name} = {str(value).lower()}" for name, value in self.settings.items())
        origin = ", ".join(f"{name} {value}" for name, value in self.metadata.items())
        parts = [("settings", settings), ("question", self.question)]
        for number, text in enumerate(self.chunks, start=1):
            parts.append((f"chunk c{number}" + (f" ({origin})" if origin else ""), text))
        parts.append(("answer", self.answer))
        parts += [(name, json.dumps(value, ensure_ascii=False)) for name, value in self.more.items()]
        return tuple(f"{name}: {_escaped(text)}" for name, text in parts if text)


def _escaped(text: str) -> str:
    """One line that can be written to any file."""
    return text.replace("\n", "\\n").encode("utf-8", "backslashreplace").decode("utf-8")


class Rule(NamedTuple):
    """One rule.

    Attributes:
        name: its name, as it stands in findings.
        title: what a finding of it says, a few words.
        group: what it is about, one of `GROUPS`.
        severity: error, warning or info; "" where a policy decides.
        policy: the setting that decides, or "".
        also: milder or graver severities that it gives now and then, in words.
        advice: what a person does next.
        page: page of the documentation, with an anchor.
        example: an answer on which it finds something, or words where no answer alone can show it.
        status: status of a claim that holds its answer back, which it tells of, or "".
        traits: what else is known of it, of `TRAITS`.
        check: module of ``checks`` whose function ``check(context)`` finds it in a transcript as it
            is, or "" where that takes what other checks found.
    """

    name: str
    title: str
    group: str
    severity: Literal["error", "warning", "info", ""] = ""
    policy: str = ""
    also: str = ""
    advice: str = ""
    page: str = ""
    example: Example | str = ""
    status: str = ""
    traits: tuple[str, ...] = ()
    check: str = ""

    @property
    def severity_in_words(self) -> str:
        """Its severity in words."""
        grave = f"as the setting {self.policy} says" if self.policy else self.severity
        return f"{grave}; {self.also}" if self.also else grave

    @property
    def example_lines(self) -> tuple[str, ...]:
        """Its example in plain words, line by line."""
        return (self.example,) if isinstance(self.example, str) else self.example.lines

    @property
    def waiver(self) -> str:
        """How it is waived, in words."""
        if "reported" in self.traits:
            return "none: waive what made the transcript fail"
        if "unwaivable" in self.traits:
            return "none: something was not checked"
        if self.severity == "info" and not self.also:
            return "not needed"
        return f"pytest-grounding waive PATH --id ID --rule {self.name} --reason WHY"
