from typing import Any

from every import each

import pytest_grounding as pg
from pytest_grounding.citations.naming import inline_citations
from pytest_grounding.citations.syntax import normal_url, source_url
from pytest_grounding.model.transcript import Chunk, Transcript
from pytest_grounding.settings import Settings

BASES = {"link_base": "https://docs.example.com/base/", "cms_base": "https://cms.example.com"}


def chunk(**metadata: Any) -> Chunk:
    return Chunk.model_validate({"id": "c", "text": "x", "metadata": metadata})


@each(
    (
        {"url": "https://a.example/x", "slug": "s", "payload_id": "7"},
        BASES,
        "https://a.example/x",
    ),
    ({"slug": "hr/leave", "payload_id": "7"}, BASES, "https://docs.example.com/base/hr/leave"),
    ({"slug": "/hr/leave/"}, BASES, "https://docs.example.com/base/hr/leave"),
    ({"payload_id": 7}, BASES, "https://cms.example.com/7"),
    ({"slug": "s"}, {}, None),
    (
        {"slug": "s", "payload_id": "7"},
        {"cms_base": BASES["cms_base"]},
        "https://cms.example.com/7",
    ),
    ({}, BASES, None),
    ({"url": "javascript:alert(1)", "slug": "s"}, BASES, "https://docs.example.com/base/s"),
    ({"url": "ftp://a.example/x"}, {}, None),
    ({"slug": "../../evil"}, BASES, None),
    ({"slug": "//evil.example/x"}, BASES, "https://docs.example.com/base/evil.example/x"),
    ({"slug": "a b?c#d"}, BASES, "https://docs.example.com/base/a%20b%3Fc%23d"),
    ({"slug": "x"}, {"link_base": "javascript:"}, None),
)
def test_address_of_a_source(metadata: dict[str, Any], bases: dict[str, str], expected: str | None) -> None:
    assert source_url(chunk(**metadata), Settings.of(bases)) == expected


@each(
    ("HTTPS://Example.COM/a", "https://example.com/a"),
    ("https://example.com:443/a", "https://example.com/a"),
    ("http://example.com:80/a", "http://example.com/a"),
    ("https://example.com/a/", "https://example.com/a"),
    ("https://example.com", "https://example.com/"),
    ("https://example.com/%7Ea", "https://example.com/~a"),
    ("https://example.com/a%2fb", "https://example.com/a%2Fb"),
    ("https://example.com/ü", "https://example.com/%C3%BC"),
    ("https://example.com./a", "https://example.com/a"),
    (" https://example.com/a ", "https://example.com/a"),
)
def test_equal_addresses(left: str, right: str) -> None:
    assert normal_url(left) == normal_url(right) is not None


@each(
    ("https://example.com/a", "http://example.com/a"),
    ("https://example.com/a", "https://example.com/A"),
    ("https://example.com/a?x=1", "https://example.com/a?x=2"),
    ("https://example.com:444/a", "https://example.com/a"),
    ("https://user@example.com/a", "https://example.com/a"),
    ("https://example.com/a%2Fb", "https://example.com/a/b"),
)
def test_different_addresses(left: str, right: str) -> None:
    assert normal_url(left) != normal_url(right)


@each(
    "",
    "x",
    "mailto:a@b.c",
    "https://",
    "https://[::1",
    "http://a:b:c",
    "https://a.b:99999",
    "\ud800",
    "http://" + "a" * 5_000,
)
def test_what_is_no_address(address: str) -> None:
    assert normal_url(address) is None


def test_inline_citations_say_where_and_what() -> None:
    transcript = Transcript.model_validate(
        {
            "id": "t",
            "question": "How long?",
            "chunks": [
                {
                    "id": "a",
                    "text": "Thirty days.",
                    "metadata": {
                        "title": "Refunds",
                        "slug": "refunds",
                        "payload_id": 7,
                        "chunk_type": "text",
                    },
                },
                {
                    "id": "b",
                    "text": "Code.",
                    "metadata": {"path": "src/a.py", "line_start": 1, "line_end": 9},
                },
            ],
            "answer": "🎉 Thirty days [1, 7]. See src/a.py:2-3 [9].",
            "cited_indices": [1, 2],
        }
    )
    settings = Settings.of(BASES)
    verdict = pg.validate(transcript, settings)
    found = inline_citations(transcript, verdict.citations, settings)
    assert [(item.index, item.position, item.text, item.title, item.url, item.path) for item in found] == [
        (1, 14, "[1, 7]", "Refunds", "https://docs.example.com/base/refunds", None),
        (2, 26, "src/a.py:2-3", "src/a.py", None, "src/a.py"),
    ]
    assert [(item.slug, item.payload_id, item.chunk_type) for item in found] == [
        ("refunds", "7", "text"),
        (None, None, None),
    ]
    assert all(transcript.answer[item.position : item.end] == item.text for item in found)
    assert [verdict.citations[item.citation].chunk_id for item in found] == ["a", "b"]
    assert found[0].model_dump(mode="json")["index"] == 1
    zero = Settings.of({"index_base": 0})
    assert [item.index for item in inline_citations(transcript, verdict.citations, zero)] == [0, 1]
