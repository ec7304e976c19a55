"""What is known of one rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple


class Example(NamedTuple):
    """A transcript on which a rule finds something.

    Attributes:
        question: what was asked.
        answer: the answer.
        chunks: texts of the chunks; their ids are c1, c2, …
        settings: the settings under which the rule finds it.
        more: further fields of the transcript.
    """

    question: str
    answer: str
    chunks: tuple[str, ...] = ()
    settings: Mapping[str, Any] = {}
    more: Mapping[str, Any] = {}

    @property
    def transcript(self) -> dict[str, Any]:
        """The transcript as plain data."""
        chunks = [
            {"id": f"c{number}", "text": text, "score": 0.9}
            for number, text in enumerate(self.chunks, start=1)
        ]
        return {"id": "t1", "question": self.question, "chunks": chunks, "answer": self.answer, **self.more}


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

    @property
    def how_grave(self) -> str:
        """Its severity in words."""
        grave = f"as the setting {self.policy} says" if self.policy else self.severity
        return f"{grave}; {self.also}" if self.also else grave

    @property
    def shown(self) -> tuple[str, ...]:
        """Its example in plain words, line by line."""
        if isinstance(self.example, str):
            return (self.example,)
        lines = [f"asked “{self.example.question}”"]
        lines += [f"chunk c{number} “{text}”" for number, text in enumerate(self.example.chunks, start=1)]
        return (*lines, f"answer “{self.example.answer}”")
