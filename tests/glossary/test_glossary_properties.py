"""What holds of any glossary, claim and chunks."""

import string

from hypothesis import example, given
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.model.transcript import Chunk
from pytest_grounding.scorers.builtin.glossary import Place, replaced

WORDS = (
    "kanga scooter loan depot fee charge price returned paid must not never all Friday Monday 12 20 30 "
    "dollars days the a is are in to by of PTO leave annual sick members Gold Silver free . ,"
).split(" ")
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join)
CHUNKS = st.lists(SENTENCES, min_size=1, max_size=3)
TERMS = ("kanga", "loan scooter", "fee", "charge", "PTO", "annual leave", "Gold", "Silver", "sick leave")
PAIRS = st.lists(st.sampled_from(TERMS), min_size=2, max_size=2, unique=True)
RULES = st.lists(
    PAIRS.map(" = ".join),
    min_size=1,
    max_size=4,
    unique=True,
)


def is_contradicted(score):
    return any(conflict.severity == "error" for conflict in score.conflicts)


@given(SENTENCES, CHUNKS, PAIRS)
@example("The kanga must be returned by Friday.", ["A loan scooter must be returned by Friday."], TERMS[:2])
def test_an_equal_pair_never_lowers_support_but_by_a_contradiction(claim, chunks, pair):
    before = pg.support(claim, chunks)
    after = pg.support(claim, chunks, glossary=" = ".join(pair))
    if before.probability is None or is_contradicted(before) or is_contradicted(after):
        return
    assert after.probability >= before.probability


@given(SENTENCES, CHUNKS, PAIRS)
def test_a_pair_of_which_the_claim_says_neither_changes_nothing(claim, chunks, pair):
    words = {word.lower() for word in claim.split()}
    if words & {word.lower() for term in pair for word in term.split()}:
        return
    before = pg.support(claim, chunks)
    assert pg.support(claim, chunks, glossary=" = ".join(pair)) == before


@given(SENTENCES, CHUNKS, RULES)
def test_conflicts_and_evidence_are_verbatim(claim, chunks, rules):
    score = pg.support(claim, chunks, glossary=rules)
    for item in (*score.evidence, *(conflict.evidence for conflict in score.conflicts)):
        assert item.text == chunks[int(item.chunk_id) - 1][item.start : item.end]
    for conflict in score.conflicts:
        assert conflict.claim_start is not None
        assert claim[conflict.claim_start :].startswith(conflict.claim_text)
        assert conflict.claim_text
    assert all(word in claim for word in score.missing)


@given(SENTENCES, CHUNKS, RULES)
def test_the_order_of_lines_changes_no_byte_of_a_verdict(claim, chunks, rules):
    turned = [*reversed(rules)]
    transcript = {
        "id": "a",
        "question": "What is the fee?",
        "chunks": [Chunk(id=str(n), text=text).model_dump() for n, text in enumerate(chunks)],
        "answer": claim,
    }
    first = pg.validate(transcript, {"glossary": rules}).to_json()
    assert pg.validate(transcript, {"glossary": ["# our terms", *turned]}).to_json() == first


@given(SENTENCES, CHUNKS)
def test_a_glossary_without_a_rule_changes_no_byte_of_a_verdict(claim, chunks):
    rows = [{"id": str(number), "text": text} for number, text in enumerate(chunks)]
    transcript = {"id": "a", "question": "What is the fee?", "chunks": rows, "answer": claim}
    plain = pg.validate(transcript).to_json()
    for empty in ("", [], ["# nothing yet", "#"]):
        assert pg.validate(transcript, {"glossary": empty}).to_json() == plain


@given(
    st.text(alphabet=string.ascii_lowercase + " ", min_size=1, max_size=40),
    st.lists(st.tuples(st.integers(0, 39), st.integers(1, 6), st.sampled_from(["", "x", "longer words"]))),
)
def test_a_stretch_of_a_reading_leads_back_to_its_words(text, cuts):
    places = []
    words = {}
    for start, length, said in sorted(cuts):
        end = min(len(text), start + length)
        if said and start < end and (not places or places[-1].end <= start):
            term = (str(len(places)),)
            words[term] = said
            places.append(Place(term, start, end))
    reading = replaced(text, places, words)
    at = copied = 0
    for place in places:
        for char in text[copied : place.start]:
            assert reading.text[at] == char == text[slice(*reading.back(at, at + 1))]
            at += 1
        to, copied = at + len(words[place.term]), place.end
        assert reading.text[at:to] == words[place.term]
        assert reading.back(at, to) == reading.back(at, at + 1) == (place.start, place.end)
        at = to
    assert reading.text[at:] == text[copied:]
