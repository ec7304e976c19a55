"""Which cited sources hold a claim half, while another source that was retrieved holds it fully.

A citation that points to the wrong chunk is often not far off: chunks of one retrieval share their topic,
and with it the words of the question. Beside the chunk that the claim was taken from it shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from pytest_grounding.scorers.base import BUILT_IN_METHODS, SupportScore

#: Cited sources that support their claim this much are good enough, whatever others do.
_GOOD_ENOUGH = 0.95
#: Log odds by which another source must be the better one. On supported sentences of RAGTruth-QA that cite
#: the chunk which shares most of their words this fires on 0.2 %, and on 70 % of those that cite another
#: chunk and pass the rule "semantic alignment".
_MARGIN = 2.0

Ask = Callable[[int, str], SupportScore | None]


def rival_sources(
    cited: Mapping[int, tuple[frozenset[str], SupportScore | None]],
    supports: Sequence[SupportScore | None],
    ask: Ask,
) -> dict[int, str]:
    """For each claim whose cited sources another source beats the id of that source.

    Args:
        cited: for each claim the ids of what it cites, and its support by them together.
        supports: for each claim its support by all chunks.
        ask: gives the support of a claim by one chunk; called only where all chunks do much better.
    """
    found: dict[int, str] = {}
    for claim, (names, joint) in cited.items():
        whole = supports[claim]
        if whole is None or joint is None or whole.method not in BUILT_IN_METHODS:
            continue
        if whole.probability is None or joint.probability is None or joint.probability >= _GOOD_ENOUGH:
            continue
        if _odds(whole.probability) - _odds(joint.probability) < _MARGIN:
            continue
        other = next((item.chunk_id for item in whole.evidence if item.chunk_id not in names), None)
        rival = ask(claim, other) if other is not None else None
        if other is None or rival is None or rival.probability is None:
            continue
        if _odds(rival.probability) - _odds(joint.probability) >= _MARGIN:
            found[claim] = other
    return found


def _odds(probability: float) -> float:
    held = min(max(probability, 1e-6), 1.0 - 1e-6)
    return math.log(held / (1.0 - held))
