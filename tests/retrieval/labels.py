"""Reads the hand-labelled questions beside it."""

from dataclasses import dataclass
from pathlib import Path

from pytest_grounding.model.transcript import Chunk


@dataclass(frozen=True)
class Labelled:
    topic: int
    chunks: tuple[Chunk, ...]
    type: str
    expected: str
    presence: str
    question: str

    @property
    def kept(self):
        """Whether it is kept for measuring: topics 54 to 63 and from 74 on."""
        return 54 <= self.topic < 64 or self.topic >= 74


def load_labelled():
    rows = []
    topic, chunks = -1, []
    for line in (Path(__file__).parent / "labelled.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("== "):
            topic, chunks = int(line.split()[1]), []
        elif line.startswith("> "):
            chunks.append(Chunk(id=f"t{topic}-{len(chunks)}", text=line[2:]))
        else:
            kind, expected, presence, question = line.split(" | ", 3)
            rows.append(Labelled(topic, tuple(chunks), kind, expected, presence, question))
    return rows
