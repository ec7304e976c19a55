"""Marks of OpenAI's assistants: ``【4:0†source】``, and the private-use form that copied text carries."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_grounding._patterns import gated, lazy
from pytest_grounding.citations.base import Marker, SyntaxContext, Target

_DAGGER = gated("【", r"【(?:(?P<message>\d{1,4}):)?(?P<number>\d{1,4})†[^【】\r\n]{0,200}+】", 0)
_PRIVATE = gated("\ue200", r"\ue200(?:file)?cite(?P<files>(?:\ue202[a-z0-9_.-]{1,60}){1,20}+)\ue201", 0)
_TURN = lazy(r"turn\d{1,4}[a-z]{1,20}(\d{1,4})")


class OpenAISyntax:
    """Marks whose number is a 0-based result; the provider's annotation, where there is one, decides.

    `extract` lays the annotation over the mark: both have the same span.
    """

    name = "openai"
    priority = 65

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, in order within each form."""
        text, answer, lookup = context.masked, context.answer, context.lookup
        for match in _DAGGER.finditer(text):
            number = int(match["number"])
            # "【7†source】" has no message before the colon: a plain number of a source.
            found = lookup.at_position(number) if match["message"] else lookup.at(number)
            label = f"{match['message']}:{number}" if match["message"] else str(number)
            start, end = match.span()
            yield Marker(start, end, answer[start:end], self.name, (Target(label, found),))
        for match in _PRIVATE.finditer(text):
            targets = []
            for name in match["files"].split("\ue202")[1:]:
                turn = _TURN.fullmatch(name)
                found = lookup.at_position(int(turn[1])) if turn is not None else lookup.by_id(name)
                targets.append(Target(name, found))
            start, end = match.span()
            yield Marker(start, end, answer[start:end], self.name, tuple(targets))
