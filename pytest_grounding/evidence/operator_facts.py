"""Denials, scopes and turned words of a claim, settled against the sentences that it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_grounding.evidence.closed_facts import closed_of, stopped_of
from pytest_grounding.evidence.comparison_facts import comparisons_of
from pytest_grounding.evidence.condition_facts import left_out_of, taken_away_of
from pytest_grounding.evidence.contrast_facts import contrasts_of
from pytest_grounding.evidence.denial_facts import denials_of
from pytest_grounding.evidence.exchanged_facts import exchanged_of
from pytest_grounding.evidence.framed_facts import framed_of
from pytest_grounding.evidence.ledger_sources import LedgerSources
from pytest_grounding.evidence.member_facts import group_members_of
from pytest_grounding.evidence.owner_facts import owners_settled
from pytest_grounding.evidence.ranked_facts import ranked_of
from pytest_grounding.evidence.refused_facts import refused_of
from pytest_grounding.evidence.related_facts import related_of
from pytest_grounding.evidence.replaced_facts import left_out_items, replaced_of
from pytest_grounding.evidence.role_facts import roles_of
from pytest_grounding.evidence.scope_facts import scopes_of
from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.sibling_facts import siblings_of
from pytest_grounding.evidence.speaker_facts import speakers_settled
from pytest_grounding.evidence.statements import Grounds, words_of_claim
from pytest_grounding.evidence.turned_words import turned_words_of

#: Words of a claim at most: what is longer is no statement, and would cost too much.
_LONGEST = 100


def operators_of(
    text: str,
    sources: LedgerSources,
    agrees_to: frozenset[str] = frozenset(),
    *,
    is_answer: bool = False,
    is_copy: bool = False,
) -> Iterator[Settled]:
    """The operators and polarity of a claim; ``agrees_to`` are the question's stems after "yes"."""
    words = words_of_claim(text, sources.language)
    if len(words.tokens) > _LONGEST:
        return
    grounds = Grounds(words, sources.context)
    if sources.language != "en":
        yield from siblings_of(grounds)
        return
    yield from left_out_of(grounds, sources, is_answer=is_answer)
    yield from refused_of(grounds)
    yield from framed_of(grounds)
    yield from contrasts_of(grounds)
    yield from left_out_items(grounds)
    yield from replaced_of(grounds)
    if is_copy:
        return
    yield from taken_away_of(grounds)
    yield from list(speakers_settled(grounds, sources)) or owners_settled(grounds, sources)
    yield from comparisons_of(grounds, sources)
    yield from ranked_of(grounds, sources)
    yield from group_members_of(grounds)
    yield from roles_of(grounds)
    yield from exchanged_of(grounds)
    yield from related_of(grounds)
    yield from turned_words_of(grounds, sources)
    yield from siblings_of(grounds)
    yield from denials_of(grounds, agrees_to)
    yield from closed_of(grounds, sources)
    yield from stopped_of(grounds)
    yield from scopes_of(grounds, sources)
