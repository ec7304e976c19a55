"""Precision and recall of citations, and check_citations without a scorer."""

import subprocess
import sys

import pytest
from counted_calls import calls_of
from every import each, table

import pytest_grounding as pg
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.checks.citation import suggested_chunks
from pytest_grounding.checks.citation.citation_check import check
from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.claims.splitting import claim_owners, extract_claims
from pytest_grounding.errors import ScorerError
from pytest_grounding.model.finding import Evidence
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.model.verdict import Conflict
from pytest_grounding.reading.sentences import segment
from pytest_grounding.scorers import ClaimText, RelevanceScore, SupportScore
from pytest_grounding.settings import Settings


def evidence(chunk):
    return Evidence(chunk_id=chunk.id, sentence_index=0, text=chunk.text, start=0, end=len(chunk.text))


class LetterScorer:
    """Supports a claim when the chunks together hold all of its capital letters behind "has"."""

    name = "letters"

    def __init__(self, *, fails=False, abstains=frozenset()):
        self.calls: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self._fails = fails
        self._abstains = abstains

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(1.0)] * len(chunks)

    def support(self, claims, chunks, *, question="", language="en"):
        if self._fails and self.calls:
            raise ScorerError("the service is down")
        self.calls.append((tuple(claim.text for claim in claims), tuple(chunk.id for chunk in chunks)))
        held = {letter for chunk in chunks for letter in chunk.text}
        scores = []
        for claim in claims:
            wanted = {char for char in claim.text.partition(" has ")[2] if char.isupper()}
            share = len(wanted & held) / len(wanted)
            near = tuple(evidence(chunk) for chunk in chunks if wanted & set(chunk.text))
            unknown = bool(self._abstains & wanted)
            scores.append(SupportScore(None if unknown else share, near))
        return scores


def outcome(answer, texts, scorer=None, *, spans=(), **settings):
    scorer = scorer or LetterScorer()
    chunks = [{"id": f"c{number}", "text": text} for number, text in enumerate(texts, start=1)]
    citations = [{"start": start, "end": end, "chunk_ids": [name]} for start, end, name in spans]
    transcript = Transcript.model_validate(
        {"id": "t", "question": "Q?", "chunks": chunks, "answer": answer, "citations": citations}
    )
    in_force = Settings.of(settings)
    cited = extract(make_context(transcript, in_force), builtin_syntaxes())
    markers = marker_spans(cited)
    sentences = tuple(segment(answer, markers=markers))
    claims = tuple(extract_claims(answer, markers=markers, sentences=sentences))
    scores = scorer.support([ClaimText(claim.bare) for claim in claims], transcript.chunks)
    context = CheckContext(
        transcript=transcript,
        settings=in_force,
        language="en",
        sentences=sentences,
        claims=claims,
        citations=cited,
        owners=claim_owners(claims, sentences, [(item.start, item.end) for item in cited]),
        supports=tuple(score if claim.checked else None for claim, score in zip(claims, scores, strict=True)),
        scorer=scorer,
    )
    return check(context)


@each(*table(__file__, "precision_and_recall"))
def test_precision_and_recall(answer, texts, precision, recall, blamed, why):
    found = outcome(answer, texts)
    wrong = [item.citation for item in found.findings if item.rule == "semantic_alignment"]
    assert (found.precision, found.recall, wrong) == (precision, recall, blamed), why


def test_a_providers_span_covers_the_claims_that_it_overlaps():
    answer = "The box has A. The bag has B. The jar has C."
    end = answer.index(" The jar")
    found = outcome(answer, ["A and B", "C"], spans=[(0, end, "c1"), (end + 9, end + 12, "c2")])
    assert found.claim_citations == ((0,), (0,), (1,))
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_an_insertion_point_belongs_to_the_claim_before_it():
    answer = "The box has A. The bag has B."
    first = answer.index(".")
    found = outcome(answer, ["A", "B"], spans=[(first, first, "c1"), (len(answer), len(answer), "c2")])
    assert found.claim_citations == ((0,), (1,))
    assert [item.claim for item in found.citations] == [0, 1]


def test_a_marker_inside_a_sentence_covers_its_own_clause_only():
    answer = "The box has A and it is red, and the bag has B [1] as well."
    found = outcome(answer, ["A", "B"])
    owner = found.citations[0].claim
    assert [bool(cited) for cited in found.claim_citations].count(True) == 1
    assert owner is not None
    assert found.claim_citations[owner] == (0,)


def test_a_claim_that_no_scorer_could_score_counts_nowhere():
    found = outcome(
        "The box has A [1]. The bag has B [2].", ["A", "B"], LetterScorer(abstains=frozenset("B"))
    )
    assert (found.precision, found.recall) == (1.0, 1.0)
    assert [item.supports for item in found.citations] == [True, None]
    assert [item.support for item in found.citations] == [1.0, None]


def test_evidence_that_says_otherwise_is_no_support():
    chunk = Chunk(id="c1", text="A")
    conflict = Conflict(kind="number", claim_text="1", evidence_text="2", evidence=evidence(chunk))
    score = SupportScore(0.95, (evidence(chunk),), (conflict,))
    assert suggested_chunks(score, 0.7) == ()
    assert suggested_chunks(SupportScore(0.95, (evidence(chunk),)), 0.7) == ("c1",)
    assert suggested_chunks(SupportScore(0.6, (evidence(chunk),)), 0.7) == ()
    assert suggested_chunks(SupportScore(None), 0.7) == suggested_chunks(None, 0.7) == ()


def test_a_scorer_that_fails_leaves_the_other_rules():
    found = outcome("The box has A [2] and [9].", ["A", "B", "C"], LetterScorer(fails=True))
    rules = [item.rule for item in found.findings]
    assert "alignment_not_scored" in rules
    assert "source_exists" in rules
    assert (found.accuracy, found.precision, found.recall) == (0.5, None, None)


def test_the_scorer_is_asked_once_for_each_set_of_chunks():
    scorer = LetterScorer()
    outcome("The box has A [2]. The bag has B [3]. The jar has C [2].", ["A", "B", "C"], scorer)
    assert len(scorer.calls) == 3, "once for all chunks, once for the second, once for the third"
    assert len(scorer.calls[1][0]) == 2, "both claims on the second chunk in one call"


def test_a_score_that_rests_on_the_cited_chunk_is_not_asked_for_again():
    scorer = LetterScorer()
    found = outcome("The box has A [1].", ["A", "B", "C"], scorer)
    assert found.recall == 1.0
    assert len(scorer.calls) == 1


def test_the_threshold_is_a_setting():
    answer = "The box has A and B [1]."
    assert outcome(answer, ["A", "B"]).recall == 0.0
    assert outcome(answer, ["A", "B"], alignment_threshold=0.5).recall == 1.0


def test_many_sources_on_one_claim_are_not_taken_apart():
    letters = "ABCDEFGHIJ"
    answer = f"The box has {', '.join(letters)} [1-10]."
    found = outcome(answer, [*letters, "Z"])
    assert (found.precision, found.recall) == (1.0, 1.0)


def test_validation_that_is_off_says_nothing_of_citations():
    found = outcome("The box has A [9].", ["A"], enabled=False)
    assert (found.citations, found.findings, found.accuracy) == ((), (), None)
    assert found.claim_citations == ((),)


CHUNKS = [
    {
        "id": "hr-1",
        "text": "Refunds are paid within 30 days of the purchase.",
        "metadata": {"path": "src/a.py", "line_start": 1, "line_end": 9, "url": "https://x.example/a"},
    },
    {"id": "hr-2", "text": "Leave is 25 days."},
]


@each(*table(__file__, "rules alone"))
def test_the_rules_but_alignment(answer, status, accuracy, rules):
    found = pg.check_citations(answer, CHUNKS)
    assert (found.status, found.citation_accuracy) == (status, accuracy)
    assert sorted({finding.rule for finding in found.findings}) == rules
    assert bool(found) is (status == "valid")
    assert not any(item.support is not None for item in found.citations)


@each("Refunds take 30 days [1][9]. See src/a.py:20.", "[3] x [hr-1] (hr-2)", "—")
def test_it_says_what_validation_says(answer):
    given = {"id": "t", "question": "How long?", "chunks": CHUNKS, "answer": answer}
    whole, alone = pg.validate(given), pg.check_citations(answer, CHUNKS, question="How long?")
    assert [item.valid for item in alone.citations] == [item.valid for item in whole.citations]
    assert alone.citation_accuracy == whole.citation_accuracy
    assert alone.cleaned == pg.clean_answer(given)


def test_texts_and_settings_and_lists_are_taken():
    assert pg.check_citations("One [0].", ["One.", "Two."], {"index_base": 0})
    found = pg.check_citations("One [1].", ["One.", "Two."], cited_indices=[1, 2, 7])
    assert [(item.target, item.valid) for item in found.citations] == [("1", True), ("2", True), ("7", False)]
    strict = pg.check_citations("One is one [1]. Two is two.", ["One."], {"require_citations": "error"})
    assert {item.rule for item in strict.findings} == {"cited_claim"}
    assert pg.check_citations("One [1].", ["One."], {"enabled": False}).status == "off"
    assert (
        pg.check_citations("One [1].", ["One."]).to_json()
        == pg.check_citations("One [1].", ["One."]).to_json()
    )


def test_code_is_looked_up_under_the_source_root(tmp_path):
    (tmp_path / "b.py").write_text("a\nb\n", encoding="utf-8")
    found = pg.check_citations("See b.py:1-2 and b.py:3-9.", [], {"source_root": str(tmp_path)})
    assert [item.valid for item in found.citations] == [True, False]


@each(
    *table(__file__, "wrong use"),
    ({"answer": b"x"}, "answer"),
    ({"question": "x" * 2001}, "2001 characters"),
    ({"answer": "x" * 100_001}, "too large"),
)
def test_wrong_use_is_one_sentence(wrong, said):
    with pytest.raises(pg.GroundingError) as caught:
        pg.check_citations(**({"answer": "One [1].", "chunks": ["One."]} | wrong))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_takes_a_part_of_the_time_of_a_validation():
    # Calls, which are the same on every machine. The benchmark gives milliseconds.
    answer = "Refunds are paid within 30 days of the purchase [1]. Leave is 25 days [2][9]. " * 3
    chunks = [
        {**CHUNKS[0], "id": f"hr-{number}", "text": f"{CHUNKS[0]['text']} " * 9} for number in range(10)
    ]
    given = {"id": "t", "question": "How long?", "chunks": chunks, "answer": answer}
    works = (lambda: pg.check_citations(answer, chunks), lambda: pg.validate(given))
    # The first run of each imports and remembers.
    (_, alone), (_, whole) = ([calls_of(work) for _ in range(2)] for work in works)
    assert 0 < alone < 0.8 * whole


def test_no_scorer_comes_in():
    code = (
        "import sys, pytest_grounding as pg\n"
        "assert pg.check_citations('One [1].', ['One.'])\n"
        "print(*[n for n in sys.modules if n.startswith('pytest_grounding.scorers')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["pytest_grounding.scorers"]
