"""Numbers of citations that count documents, each once, instead of chunks."""

import pytest

import pytest_grounding as pg

DOCUMENTS = {"citation_numbers": "documents"}
FARES = [
    {"id": "a", "text": "A day ticket costs 8 euros.", "metadata": {"document": "fares.pdf"}},
    {"id": "b", "text": "Dogs travel free of charge.", "metadata": {"document": "fares.pdf"}},
    {"id": "c", "text": "The ferry leaves at nine.", "metadata": {"document": "ferry.pdf"}},
]
DOSES = [
    {"id": "x", "text": "The syrup is kept below 25 degrees.", "metadata": {"title": "Storage"}},
    {"id": "y", "text": "Adults take 10 ml of the syrup.", "metadata": {"title": "Dose"}},
    {"id": "z", "text": "Children take 5 ml of the syrup.", "metadata": {"title": "Dose"}},
]


def judged(chunks, answer, settings):
    given = {"id": "t", "question": "What do the notes say?", "chunks": chunks, "answer": answer}
    return pg.validate(given, settings)


@pytest.mark.parametrize(
    ("chunks", "answer"),
    [
        (FARES, "The ferry leaves at nine [2]."),
        (FARES, "Dogs travel free of charge [1]. The ferry leaves at nine [2]."),
        (FARES, "The ferry leaves at nine (Source 2)."),
        (DOSES, "Children take 5 ml of the syrup [2]."),
        (DOSES, "The syrup is kept below 25 degrees [1]. Children take 5 ml of the syrup [2]."),
    ],
)
def test_a_number_means_all_chunks_of_its_document(chunks, answer):
    assert judged(chunks, answer, DOCUMENTS).status == "pass"
    assert judged(chunks, answer, None).status != "pass"


@pytest.mark.parametrize(
    ("chunks", "answer", "rule"),
    [
        (FARES, "The ferry leaves at nine [1].", "semantic_alignment"),
        (FARES, "The ferry leaves at nine [3].", "source_exists"),
        (FARES, "Dogs travel free of charge [2].", "semantic_alignment"),
        (DOSES, "Children take 5 ml of the syrup [3].", "source_exists"),
        (DOSES, "Children take 5 ml of the syrup [1].", "semantic_alignment"),
    ],
)
def test_the_number_of_another_document_is_found(chunks, answer, rule):
    verdict = judged(chunks, answer, DOCUMENTS)
    assert verdict.status != "pass"
    (cause,) = [cause for cause in verdict.causes if cause.rule == rule]
    assert "[3]" not in cause.suggestion


def test_the_context_and_the_inserted_markers_have_the_same_numbers():
    context = pg.format_context(FARES, settings=DOCUMENTS)
    assert [line[:3] for line in context.split("\n\n")] == ["[1]", "[1]", "[2]"]
    shifted = pg.format_context(FARES, settings=DOCUMENTS, index_base=0)
    assert [line[:3] for line in shifted.split("\n\n")] == ["[0]", "[0]", "[1]"]
    given = {"id": "t", "question": "When?", "chunks": FARES, "answer": "The ferry leaves at nine."}
    assert pg.insert_citations(given, DOCUMENTS) == "The ferry leaves at nine [2]."


def test_the_numbers_in_the_metadata_come_first():
    chunks = [{**chunk, "metadata": {**chunk["metadata"], "number": 7}} for chunk in FARES[:2]]
    chunks.append({**FARES[2], "metadata": {"document": "ferry.pdf", "number": 9}})
    assert judged(chunks, "The ferry leaves at nine [9].", DOCUMENTS).status == "pass"
    assert pg.format_context(chunks).split("\n\n")[2].startswith("[9]")
