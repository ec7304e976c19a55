"""Pages of questions and answers: whether an answer is that to another question of the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.model.finding import BACKED
from pytest_grounding.model.verdict import ClaimVerdict
from pytest_grounding.reading import read_once
from pytest_grounding.reading.words import content_stems

#: A line that is a question: a heading, a bold line, or one that begins with "Q:".
_QUESTION_LINE = lazy(
    r"(?m)^[ \t]{0,8}(?:#{1,6}[ ]|\*\*|[-*][ ]|Q\d{0,2}[:.][ ]){0,3}"
    r"(?P<asked>\w[^\n?*]{5,200}\?)(?:\*\*)?[ \t]{0,4}$"
)
_FEWEST = 2  # questions that a page has
#: Share of the words of the asked question that the one of the page has, at least, and more than any other.
_SHARE, _MORE = 0.6, 0.2


@dataclass(frozen=True, slots=True)
class _Posed:
    """A question of a page, with the span of its answer."""

    asked: str
    stems: frozenset[str]
    start: int
    end: int


@read_once
def posed_in(text: str) -> tuple[_Posed, ...]:
    """The questions of a text that it answers itself, in order."""
    matches = list(_QUESTION_LINE.finditer(text)) if "?" in text else []
    found = []
    for number, match in enumerate(matches):
        end = matches[number + 1].start() if number + 1 < len(matches) else len(text)
        found.append(_Posed(match["asked"], content_stems(match["asked"]), match.start(), end))
    return tuple(found)


def other_question(
    context: CheckContext,
    claims: Sequence[ClaimVerdict],
    asked: frozenset[str],
    is_mentioned: Callable[[str, frozenset[str]], bool],
) -> str:
    """The question of a page that an answer is for, where the page answers the asked one too; "" for none."""
    posed = {chunk.id: posed_in(chunk.text) for chunk in context.transcript.chunks}
    every = [(chunk_id, one) for chunk_id, ones in posed.items() for one in ones]
    backed = [claim for claim in claims if claim.status in BACKED and claim.evidence]
    if len(every) < _FEWEST or not backed or not asked:
        return ""
    shares = []
    for _, one in every:
        shares.append(sum(is_mentioned(stem, one.stems) for stem in asked) / len(asked))
    best = max(range(len(every)), key=shares.__getitem__)
    others = [share for number, share in enumerate(shares) if number != best]
    if shares[best] < _SHARE or shares[best] - max(others) < _MORE:
        return ""
    found = ""
    for claim in backed:
        first = claim.evidence[0]
        section = next(
            (one for one in posed.get(first.chunk_id, ()) if one.start <= first.start < one.end), None
        )
        if section is None or section is every[best][1]:
            return ""
        found = found or section.asked
    return found
