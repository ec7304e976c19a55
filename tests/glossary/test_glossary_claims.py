"""What a glossary changes: support, conflicts, citations, presence, and what the answer says of itself."""

import pytest
from every import each, table

import pytest_grounding as pg
from pytest_grounding.scorers import RelevanceScore, SupportScore


def judged(claim, *chunks, glossary="", question="What applies?"):
    rows = [{"id": f"c{number}", "text": text} for number, text in enumerate(chunks, start=1)]
    transcript = {"id": "a", "question": question, "chunks": rows, "answer": claim}
    return pg.validate(transcript, {"glossary": glossary})


def claim_of(*args, **kwargs):
    (claim,) = judged(*args, **kwargs).claims
    return claim


BACKED = table(__file__, "BACKED")


@each(*map(tuple, BACKED))
def test_a_claim_in_other_terms_is_supported_only_with_the_rule(claim, source, rule):
    before, after = claim_of(claim, source), claim_of(claim, source, glossary=rule)
    assert before.support is not None
    assert after.support is not None
    assert after.status == "supported"
    assert after.support > before.support + 0.01
    assert "the glossary reads" in after.reason
    assert after.method == "lexical"
    assert after.evidence[0].text == source


def test_a_conflict_through_terms_is_quoted_in_the_words_of_the_claim():
    claim = "Our kanga fee is 30 dollars per month."
    found = claim_of(
        claim, "The subscription price is 20 dollars per month.", glossary="kanga fee = subscription price"
    )
    assert found.status == "contradicted"
    (conflict,) = found.conflicts
    assert conflict.kind == "number"
    assert conflict.claim_start == claim.index("30")
    assert claim[conflict.claim_start :].startswith(conflict.claim_text)
    assert conflict.claim_text in conflict.message


def test_missing_words_are_those_of_the_claim():
    score = pg.support(
        "The kanga comes with a purple helmet.",
        ["The loan scooter comes with a lock."],
        glossary="kanga = loan scooter",
    )
    assert score.missing == ("purple", "helmet")


def test_a_name_in_the_glossary_is_known():
    claim = "Members of Wolfpack receive free shipping on all of their orders."
    source = "Members of the Silver tier receive free shipping on all of their orders."
    rules = {finding.rule for finding in judged(claim, source).causes}
    assert rules & {"unknown_entity", "possible_conflict", "unsupported_claim"}
    after = judged(claim, source, glossary="Wolfpack = Silver tier")
    assert not {"unknown_entity", "possible_conflict", "unsupported_claim"} & {f.rule for f in after.causes}


def test_citations_are_checked_with_the_glossary():
    answer = "Each kanga must be returned to the depot by Friday [1]."
    chunks = ["Every loan scooter must be returned to the depot by Friday.", "The depot has a red door."]
    before = judged(answer, *chunks)
    after = judged(answer, *chunks, glossary="kanga = loan scooter")
    assert before.citation_recall == 0.0
    assert "semantic_alignment" in {finding.rule for finding in before.causes}
    assert after.citation_recall == after.citation_precision == 1.0
    assert "semantic_alignment" not in {finding.rule for finding in after.causes}
    wrong = judged(answer.replace("[1]", "[2]"), *chunks, glossary="kanga = loan scooter")
    assert "semantic_alignment" in {finding.rule for finding in wrong.causes}


def test_an_answer_in_the_terms_of_its_source_addresses_the_question():
    question = "Where do I bring my kanga in winter, and what else is to be thought of when I do so there?"
    answer = (
        "Loan scooters go back to the depot behind the large hall on the left side of the main road near "
        "the bridge."
    )
    rule = "kanga = loan scooter"
    asked = "Which colour has the kanga?"
    assert judged(answer, answer, question=asked).self_rag.usefulness.value == "not useful"
    assert judged(answer, answer, question=asked, glossary=rule).self_rag.usefulness.value == "useful"
    assert judged(answer, answer, question=question, glossary=rule).self_rag.relevance.value == "relevant"


def test_claims_in_equal_terms_are_compared_with_each_other():
    answer = "The kanga weighs 12 kilograms. The loan scooter weighs 15 kilograms."
    before = judged(answer, "The depot has a red door.")
    after = judged(answer, "The depot has a red door.", glossary="kanga = loan scooter")
    assert "internal_contradiction" not in {finding.rule for finding in before.causes}
    found = next(f for f in after.causes if f.rule == "internal_contradiction")
    assert found.details["claim_text"] == "15 kilograms"


def test_many_terms_with_many_equals_cost_little_time():
    words = [f"wort{letter}" for letter in "abcdefghij"]
    rules = [" = ".join([word, *(f"{word}{number}x" for number in range(9))]) for word in words]
    source = " ".join(f"{word}{number}x" for word in words for number in range(9)) + " meet in the hall."
    claim = f"{' '.join(words)} meet in the hall."
    found = claim_of(claim, source, glossary=rules)
    assert found.support > (claim_of(claim, source).support or 0)


class Verbatim:
    """A scorer of a user's own: all or nothing."""

    name = "verbatim"

    def relevance(self, question, chunks, *, language="en"):
        return [RelevanceScore(float("scooter" in question)) for _ in chunks]

    def support(self, claims, chunks, *, question="", language="en"):
        texts = [chunk.text for chunk in chunks]
        return [SupportScore(0.9 if claim.text in texts else 0.1, method="rerank") for claim in claims]


class Extension:
    @pg.hookimpl
    def pytest_grounding_scorers(self, settings):
        return [Verbatim()]


@pytest.fixture
def extension():
    added = Extension()
    pg.register(added)
    yield
    pg.unregister(added)


@pytest.mark.usefixtures("extension")
def test_other_scorers_receive_the_replaced_texts():
    row = {
        "id": "a",
        "question": "Where is the kanga?",
        "chunks": [{"id": "c1", "text": "The loan scooter stands in the yard."}],
        "answer": "The kanga stands in the yard.",
    }
    settings = {"scorer": "verbatim"}
    before = pg.validate(row, settings)
    after = pg.validate(row, {**settings, "glossary": "kanga = loan scooter"})
    assert (before.claims[0].support, after.claims[0].support) == (0.1, 0.9)
    assert after.claims[0].method == "rerank"
    assert [verdict.retrieval.relevance[0].score for verdict in (before, after)] == [0.0, 1.0]
    assert after.retrieval.scorer == "verbatim"
