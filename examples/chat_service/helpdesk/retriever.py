"""Help pages cut into sections, and a plain BM25 ranking of them (Robertson and Zaragoza 2009)."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest_grounding as pg

K1, B = 1.2, 0.75
STOPWORDS = set(
    re.findall(
        r"\w+",
        "a an and any are as at be been by can could did do does for from had has have how i if in is it its "
        "long many may much my not of on one or our please she should so than that the their them then there "
        "they this to was we were what when where which who why will with would you your",
    )
)


def terms(text: str) -> list[str]:
    """The words that count, without their commonest endings."""
    return [stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOPWORDS]


def stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ers", "ies", "es", "ed", "er", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def read_sections(folder: Path) -> list[pg.Chunk]:
    """One chunk a section of a page; pages are numbered by the names of their files."""
    chunks = []
    for page in sorted(folder.glob("*.md")):
        chapter, _, name = page.stem.partition("-")
        title, *sections = re.split(r"(?m)^#+ (?=\S)", page.read_text(encoding="utf-8"))[1:]
        for number, section in enumerate(sections, start=1):
            heading, _, body = section.partition("\n")
            chunks.append(
                pg.Chunk(
                    id=f"{name}-{number}",
                    text=" ".join(body.split()),
                    metadata={
                        "document": page.name,
                        "title": title.strip(),
                        "chapter_id": chapter,
                        "section_number": number,
                        "section_title": heading.strip(),
                        "url": f"https://help.oriole.example/{name}#{number}",
                    },
                )
            )
    return chunks


class Bm25:
    """The retriever. Another one is chosen with HELPDESK_RETRIEVER=module:class.

    Two methods are asked of it: `search` finds chunks, `context` shows them to the model under the numbers
    that it cites by. The first chunk that `search` returns must be number 1.
    """

    def __init__(self, chunks: Sequence[pg.Chunk]) -> None:
        self.chunks = list(chunks)
        self.words = [Counter(terms(f"{c.metadata.section_title} {c.text}")) for c in self.chunks]
        self.length = sum(map(Counter.total, self.words)) / (len(self.words) or 1)
        seen = Counter(word for words in self.words for word in words)
        count = len(self.chunks)
        self.rarity = {word: math.log(1 + (count - n + 0.5) / (n + 0.5)) for word, n in seen.items()}
        self.unknown = math.log(1 + (count + 0.5) / 0.5)

    def search(self, question: str, filters: Mapping[str, Any] | None = None) -> list[pg.Chunk]:
        """At most four sections, the best first; a score is a share of the highest possible one."""
        asked = set(terms(question))
        highest = sum(self.rarity.get(word, self.unknown) for word in asked) * (K1 + 1) or 1.0
        chapter = str((filters or {}).get("chapter", ""))
        found = []
        for chunk, words in zip(self.chunks, self.words, strict=True):
            if chapter and chunk.metadata.chapter_id != chapter:
                continue
            score = sum(self._weight(word, words) for word in asked) / highest
            if score > 0.05:
                found.append((-score, chunk.id, chunk))
        return [
            chunk.model_copy(update={"score": round(-score, 4)})
            for score, _, chunk in sorted(found, key=_rank)[:4]
        ]

    def context(self, chunks: Sequence[pg.Chunk]) -> str:
        """The numbered sources as the model reads them."""
        return pg.format_context(chunks)

    def _weight(self, word: str, words: Counter[str]) -> float:
        count = words[word]
        length = 1 - B + B * words.total() / self.length
        return self.rarity.get(word, 0.0) * count * (K1 + 1) / (count + K1 * length)


def _rank(found: tuple[float, str, pg.Chunk]) -> tuple[float, str]:
    return found[:2]
