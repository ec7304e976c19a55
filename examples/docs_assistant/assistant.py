"""A small RAG program over this project's own documentation: offline, extractive, with [n] citations.

It splits the pages of ``docs/`` into chunks, retrieves by weighted word overlap, and answers with
sentences taken from the chunks. It stands in for whatever your service does; what matters here is how
its answers are recorded and tested.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
DECLINED = "I don't have that information in the documentation."
STOPWORDS = set(
    re.findall(
        r"\w+",
        "a an and are as at be by can do does for from happens has have how i if in is it its may much must "
        "my not of on one or so that the their them there they this to was what when where which who why "
        "will with you your",
    )
)


def stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ies", "es", "ed", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def terms(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[a-z0-9_]+", text.lower()) if word not in STOPWORDS]


def read_chunks(folder: Path = DOCS) -> list[dict]:
    """One chunk a section of a page: its prose, without code, tables and markup."""
    chunks = []
    for page in sorted(folder.glob("*.md")):
        text = re.sub(r"(?ms)^ *```.*?^ *```", "", page.read_text(encoding="utf-8"))
        text = re.sub(r"(?s)<!--.*?-->", "", text)
        title, heading = page.stem, page.stem
        for number, part in enumerate(re.split(r"(?m)^(?=#+ )", text)):
            match = re.match(r"(#+) (.+)\n", part)
            if match:
                heading = match[2].strip("` ")
                title = heading if match[1] == "#" else title
                part = part[match.end() :]
            prose = plain(part)
            if len(prose.split()) >= 8:
                chunks.append(
                    {
                        "id": f"{page.stem}-{number}",
                        "text": prose,
                        "metadata": {"document": page.name, "title": title, "section_title": heading},
                    }
                )
    return chunks


def plain(markdown: str) -> str:
    """The prose of a section, one paragraph a line."""
    paragraphs = []
    for block in re.split(r"\n\s*\n", markdown):
        lines = [line for line in block.splitlines() if not line.lstrip().startswith("|")]
        text = " ".join(re.sub(r"^\s*([-*]|\d+\.)\s+", "", line).strip() for line in lines)
        text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
        text = re.sub(r"`|\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)", "", text).strip()
        if text:
            paragraphs.append(text)
    return "\n".join(paragraphs)


class Assistant:
    """Retrieves and answers; `ask` returns one transcript as a plain mapping."""

    def __init__(self, chunks: list[dict] | None = None) -> None:
        self.chunks = read_chunks() if chunks is None else chunks
        self.words = [Counter(terms(f"{c['metadata']['section_title']} {c['text']}")) for c in self.chunks]
        seen = Counter(word for words in self.words for word in words)
        self.weight = {word: math.log(1 + len(self.chunks) / count) for word, count in seen.items()}
        self.unknown = math.log(1 + 2 * len(self.chunks))

    def share(self, question: list[str], words: Counter[str]) -> float:
        """Share of the question's weight that the words cover, in [0, 1]."""
        weights = {word: self.weight.get(word, self.unknown) for word in question}
        return sum(w for word, w in weights.items() if words[word]) / (sum(weights.values()) or 1.0)

    def retrieve(self, question: str, limit: int = 4) -> list[dict]:
        asked = terms(question)
        scored = [
            (self.share(asked, words), chunk) for words, chunk in zip(self.words, self.chunks, strict=True)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1]["id"]))
        return [{**chunk, "score": round(score, 4)} for score, chunk in scored[:limit] if score > 0]

    def answer(self, question: str, chunks: list[dict]) -> str:
        """The best sentence, and the next of its chunk when it is nearly as good, each with its citation."""
        asked = terms(question)
        found = []
        for number, chunk in enumerate(chunks, start=1):
            for position, sentence in enumerate(sentences(chunk["text"])):
                words = terms(sentence)
                share = self.share(asked, Counter(words))
                # Of two sentences with the same words of the question, the shorter one says less else.
                dense = sum(word in asked for word in words) / (len(words) or 1)
                found.append(
                    (-(share + 0.2 * dense + 0.1 * chunk["score"]), number, position, sentence, share)
                )
        found.sort()
        if not found or found[0][4] < 0.5:
            return DECLINED
        best = found[0]
        more = [other for other in found[1:] if other[1] == best[1] and other[4] > 0.8 * best[4]]
        picked = sorted([best, *more[:1]], key=lambda item: item[2])
        return " ".join(f"{sentence[:-1]} [{number}]." for _, number, _, sentence, _ in picked)

    def ask(self, question: str) -> dict:
        chunks = self.retrieve(question)
        name = "-".join(re.findall(r"[a-z0-9]+", question.lower()))[:60]
        return {"id": name, "question": question, "chunks": chunks, "answer": self.answer(question, chunks)}


def sentences(text: str) -> list[str]:
    """Whole sentences that end in a full stop; what ends otherwise introduces a list or an example."""
    pieces = [piece for line in text.splitlines() for piece in re.split(r"(?<=\.)\s+", line)]
    return [piece for piece in pieces if piece.endswith(".") and len(piece.split()) > 4]


if __name__ == "__main__":
    print(Assistant().ask(" ".join(sys.argv[1:]) or "What is a transcript?")["answer"])
