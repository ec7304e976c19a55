"""Markers that are citations, and text that only looks like one."""

import json
from pathlib import Path

PLAIN = [{"id": f"hr-{n}", "text": f"Text number {n}."} for n in range(1, 6)]
NUMBERED = [{"id": name, "text": f"Text {name}."} for name in ("4", "2", "7")]
LONG_NUMBERS = [{"id": name, "text": f"Text {name}."} for name in ("4711", "4712", "5001")]
WORDS = [{"id": name, "text": "Text."} for name in ("Travel Policy", "x", "a.b/c", "ünïcode-9", "doc1")]
SECTIONS = [
    {"id": "s1", "text": "A", "metadata": {"chapter_id": "3", "section_number": "2"}},
    {"id": "s2", "text": "B", "metadata": {"chapter_id": "03", "section_number": "3"}},
    {"id": "s3", "text": "C", "metadata": {"chapter_id": "Intro", "section_number": 4}},
    {"id": "s4", "text": "D", "metadata": {"chapter_id": "getting started", "section_number": "2.1"}},
    {"id": "s5", "text": "E", "metadata": {"chapter_id": "4", "section_number": "1"}},
    {"id": "s6", "text": "F", "metadata": {"chapter_id": "5", "section_number": "Overview"}},
    {"id": "s7", "text": "G", "metadata": {"chapter_id": "5", "section_number": "2"}},
]
CODE = [
    {"id": "k1", "text": "x\n" * 60, "metadata": {"path": "src/a/b.py", "line_start": 41, "line_end": 100}},
    {"id": "k2", "text": "Error in other.py:77, as logged", "metadata": {"path": "src/a/c.py"}},
    {"id": "k3", "text": "z", "metadata": {"path": "lib/util", "line_start": 1, "line_end": 9}},
]
URLS = [
    {"id": "u1", "text": "A", "metadata": {"url": "https://Example.com/Policy/"}},
    {"id": "u2", "text": "B", "metadata": {"url": "http://example.com:80/a%20b?x=1"}},
    {"id": "u3", "text": "C", "metadata": {"url": "https://example.com/page#two"}},
    {"id": "u4", "text": "See https://status.example.com/now for news.", "metadata": {"slug": "leave"}},
    {"id": "u5", "text": "D", "metadata": {"url": "https://en.wikipedia.org/wiki/Leave_(law)"}},
]
BASES = {"link_base": "https://docs.example.com/hr"}

#: Group -> rows: an answer, and for each marker its text, its syntax, and the chunk of each of its citations.
CASES = {
    group: [(answer, [tuple(marker) for marker in markers]) for answer, *markers in rows]
    for group, rows in json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")).items()
}
#: Group -> chunks, settings and cases.
GROUPS = {
    "index": (PLAIN, {}, CASES["index"]),
    "numeric ids": (NUMBERED, {}, CASES["numeric ids"]),
    "long ids": (LONG_NUMBERS, {}, CASES["long ids"]),
    "word ids": (WORDS, {}, CASES["word ids"]),
    "book": (SECTIONS, {}, CASES["book"]),
    "files": (CODE, {}, CASES["files"]),
    "addresses": (URLS, BASES, CASES["addresses"]),
}
