"""The rule "identifier not in the sources": paths, addresses and names in code, letter by letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pytest_grounding.checks.check_context import CheckContext, on_claim
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading.identifiers import Identifier, words_in_code
from pytest_grounding.scorers.builtin.identifier_matches import KnownNames, known_names, strange_identifiers

if TYPE_CHECKING:
    from pytest_grounding.citations.source_root import SourceRoot

#: Identifiers of an answer for which the most similar one is searched.
_MAX_SUGGESTIONS = 20
_WORDS = {"url": "address", "email": "e-mail address", "name": "identifier"}


def check(context: CheckContext, claims: Sequence[ClaimVerdict]) -> tuple[Finding, ...]:
    """Report identifiers of checked claims that no source mentions."""
    transcript = context.transcript
    if not any(chunk.text.strip() for chunk in transcript.chunks):
        return ()
    said = [turn.content for turn in transcript.history]
    terms = [line for _, line in context.settings.glossary_lines if "!=" not in line]

    def known() -> KnownNames:
        return known_names(transcript.chunks, transcript.question, *said, *terms)

    work = _Work(context, known)
    found = []
    for claim, verdict in zip(context.claims, claims, strict=True):
        if not verdict.checked or verdict.method == "llm_judge":
            continue
        strange = [item for item in strange_identifiers(claim.bare, known) if not work.is_file(item)]
        strange += [item for item in words_in_code(claim.text) if not known().has(item)]
        if strange:
            found.append(work.finding(verdict, strange))
    return tuple(found)


class _Work:
    def __init__(self, context: CheckContext, known: Callable[[], KnownNames]) -> None:
        self._context, self._known = context, known
        self._root: SourceRoot | None = None
        if root := context.settings.source_root:
            from pytest_grounding.citations.source_root import SourceRoot

            self._root = SourceRoot(root)
        self._left = _MAX_SUGGESTIONS

    def is_file(self, item: Identifier) -> bool:
        """Whether an identifier is the path of a file under the source root."""
        if item.kind != "path" or self._root is None:
            return False
        from pytest_grounding.citations.source_root import NumberedText

        return isinstance(self._root.read(item.text), NumberedText)

    def finding(self, claim: ClaimVerdict, strange: Sequence[Identifier]) -> Finding:
        """One finding for all unknown identifiers of a claim."""
        first = claim.evidence[0].text if claim.evidence else ""
        near = dict.fromkeys((item.text for item in strange), "")
        for item in strange[: self._left]:
            near[item.text] = self._known().nearest(item, first)
        self._left -= len(strange[: self._left])
        named = dict.fromkeys(f"{_WORDS.get(item.kind, item.kind)} {item.text!r}" for item in strange)
        swaps = [f"{name} for {text}" for text, name in near.items() if name]
        message = f"no source names the {', the '.join(named)}"
        advice = "check it letter by letter, or retrieve a chunk that names it"
        if swaps:
            advice = f"the nearest that the sources name: {', '.join(swaps)}"
        details = {"identifiers": list(near), "nearest": near}
        settings = self._context.settings
        return on_claim(claim, "identifier_not_in_sources", settings, message, advice, details=details)
