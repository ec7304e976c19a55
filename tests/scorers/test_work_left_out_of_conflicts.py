"""What the search for conflicts leaves out changes nothing: the short way finds what the long way finds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_grounding.scorers.lexical.conflicts import exchange, find
from pytest_grounding.scorers.lexical.conflicts.contest import Contest
from pytest_grounding.scorers.lexical.conflicts.frames import features_of
from pytest_grounding.scorers.lexical.conflicts.kinds import KINDS
from pytest_grounding.scorers.lexical.conflicts.relations import relations_of
from pytest_grounding.scorers.lexical.conflicts.sources import sources_of
from pytest_grounding.scorers.lexical.conflicts.verifier import shipped_verifier
from pytest_grounding.scorers.lexical.conflicts.view import view_of_claim
from pytest_grounding.scorers.lexical.tokens import tokenize


def contests() -> Iterator[Contest]:
    """Every claim of the everyday files against its source, and against the sources beside it."""
    for file in sorted(Path(__file__).parent.glob("everyday*.txt")):
        lines = file.read_text(encoding="utf-8").splitlines()
        sources = [line[2:] for line in lines if line.startswith("= ")]
        here = -1
        for line in lines:
            here += line.startswith("= ")
            if line.startswith(("+ ", "- ")):
                claim = line[2:]
                around = " ".join(sources[max(0, here - 1) : here + 2])
                for source in (sources[here], around):
                    yield Contest(view_of_claim(claim, tokenize(claim)), sources_of(source))


@pytest.fixture(scope="module")
def everyday() -> list[Contest]:
    """All of them."""
    return list(contests())


def test_candidates_that_are_out_before_all_is_known_of_them_are_out(everyday: list[Contest]) -> None:
    verifier, kinds = shipped_verifier(), {kind.name: kind for kind in KINDS}
    judged = kept = 0
    for contest in everyday:
        candidates = find.candidates_of(contest)
        raised = find.raised_by(candidates)
        expected = []
        for item in candidates:
            odds = kinds[item.kind].odds
            if odds is None:
                odds = verifier.log_odds(item.kind, features_of(contest, item, raised))
            sure = odds >= verifier.contradicted.get(item.kind, 0.0)
            if sure or odds >= verifier.possible:
                expected.append((item, odds, sure))
        found = find._rulings(contest, verifier, KINDS)
        assert [(one.found, one.odds, one.sure) for one in found] == expected
        judged, kept = judged + len(candidates), kept + len(expected)
    # Both happen, or nothing was shown.
    assert 0 < kept < judged


def test_relations_that_are_not_read_turn_nothing_round(everyday: list[Contest]) -> None:
    left_out = turned = 0
    for contest in everyday:
        every = relations_of(contest.claim, 0, len(contest.claim.tokens))
        for spot in contest.best_sentences():
            met = exchange._relations_met(contest, [spot])
            assert set(met) <= set(every)
            left_out += len(every) - len(met)
            theirs = contest.sources.relations(*spot)
            for one in every:
                turns = any(exchange._turn(contest, spot, one, other) is not None for other in theirs)
                assert one in met or not turns
                turned += turns
    assert left_out
    assert turned
