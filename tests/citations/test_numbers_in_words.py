"""Numbers of sources in words and on lines of their own: as ids, after "no.", with a comma before "and"."""

from every import each

import pytest_grounding as pg

TEXTS = ("The fee is 5 euros.", "The pool opens at nine.", "Dogs stay outside.")


def cited(answer, *ids):
    chunks = [{"id": name, "text": text} for name, text in zip(ids, TEXTS, strict=False)]
    row = {"id": "pool", "question": "What is the fee?", "chunks": chunks, "answer": answer}
    return [list(found.chunk_ids) for found in pg.validate(row).citations]


@each(
    ("The fee is 5 euros [2].", [["2"]]),
    ("The fee is 5 euros (Source 2).", [["2"]]),
    ("The fee is 5 euros. The pool opens at nine.\n\nSources: 1, 2", [["1"], ["2"]]),
)
def test_ids_that_are_numbers_are_meant_in_every_form(answer, ids):
    assert cited(answer, "2", "1") == ids


def test_an_id_that_is_no_position_is_no_invented_source():
    assert cited("The fee is 5 euros (Source 101).", "101", "102") == [["101"]]


@each(
    ("The fee is 5 euros (Source no. 1).", [["a"]]),
    ("The fee is 5 euros (source number 2).", [["b"]]),
    ("The fee is 5 euros (Sources 1, 2, and 3).", [["a"], ["b"], ["c"]]),
    ("The fee is 5 euros.\r\n\r\nSources: 1, 2\r\n", [["a"], ["b"]]),
    ("The fee is 5 euros.\r\n\r\nSources:\r\n- 1\r\n- 3\r\n", [["a"], ["c"]]),
)
def test_numbers_are_read_as_people_write_them(answer, ids):
    assert cited(answer, "a", "b", "c") == ids
