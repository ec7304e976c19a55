"""Claims: the statements of an answer that can be checked, and what is left out with the reason."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_grounding.text.owners import claim_owners, covering_claims
from pytest_grounding.text.refusals import is_refusal
from pytest_grounding.text.segment import segment
from pytest_grounding.text.spans import Claim, Sentence

__all__ = ["claim_owners", "covering_claims", "extract_claims", "is_declined"]

_MARKUP = re.compile(r"^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|>\s*)|\*\*|__|`")


def extract_claims(
    answer: str,
    *,
    question: str = "",
    language: str = "en",
    markers: Sequence[tuple[int, int]] = (),
    sentences: Sequence[Sentence] | None = None,
) -> tuple[Claim, ...]:
    """The claims of an answer, checked or not."""
    if sentences is None:
        sentences = segment(answer, language=language, markers=markers)
    claims: list[Claim] = []
    for number, sentence in enumerate(sentences):
        bare = _bare(answer, sentence.start, sentence.end, markers)
        reason = ""
        if sentence.kind in ("heading", "code", "definition"):
            reason = sentence.kind
        elif not any(char.isalnum() for char in bare):
            reason = "separator"
        elif bare.endswith(("?", "？", "؟")):
            reason = "question"
        elif is_refusal(bare):
            reason = "refusal"
        claims.append(
            Claim(
                len(claims),
                sentence.start,
                sentence.end,
                sentence.text,
                bare,
                number,
                checked=not reason,
                skip_reason=reason,
            )
        )
    return tuple(claims)


def is_declined(claims: Sequence[Claim], answer: str) -> bool:
    """Whether an answer as a whole declines to answer."""
    return any(claim.skip_reason == "refusal" for claim in claims) and not any(
        claim.checked for claim in claims
    )


def _bare(answer: str, start: int, end: int, markers: Sequence[tuple[int, int]]) -> str:
    pieces = []
    position = start
    for first, last in sorted(markers):
        if first >= position and last <= end:
            pieces.append(answer[position:first])
            position = last
    pieces.append(answer[position:end])
    return " ".join(_MARKUP.sub("", "".join(pieces)).split()).replace(" .", ".")
