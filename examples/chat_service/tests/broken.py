"""Parts that are broken on purpose, to see that the tests notice. The environment puts them into the service.

HELPDESK_RETRIEVER=tests.broken:WrongSections pytest
HELPDESK_RETRIEVER=tests.broken:ShiftedNumbers pytest
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence

from helpdesk import model
from helpdesk.retriever import Bm25

import pytest_grounding as pg


class WrongSections(Bm25):
    """An index of yesterday: each hit leads to the text of another section."""

    def search(self, question, filters=None):
        place = {chunk.id: number for number, chunk in enumerate(self.chunks)}
        moved = [
            self.chunks[(place[hit.id] + 9) % len(self.chunks)] for hit in super().search(question, filters)
        ]
        return [chunk.model_copy(update={"score": 0.9}) for chunk in moved]


class ShiftedNumbers(Bm25):
    """The context counts from 0 and the response from 1: every citation is one off."""

    def context(self, chunks: Sequence[pg.Chunk]) -> str:
        return pg.format_context(chunks, index_base=0)


async def moody(prompt: str) -> AsyncIterator[str]:
    """A model that does what the first word of the question says, and answers as always without one."""
    mood = re.search(r"\n\nQuestion: ([A-Za-z]+):", prompt)
    said = model.answer(prompt)
    match mood and mood[1].upper():
        case "LIE":  # another number than the source
            yield re.sub(r"\d+", "97", said, count=1)
        case "ADD":  # a true sentence, and one that no source makes
            yield f"{said} Every doorbell comes with a voucher for a helicopter flight [1]."
        case "DOUBT":  # the right words, the wrong source
            yield said.replace("[1]", "[2]")
        case "SILENCE":
            return
        case "SHY":  # declines whatever the sources hold
            yield model.DECLINED
        case "FAIL":
            raise RuntimeError(f"the upstream refused: {prompt}")
        case "HANG":
            yield said.split(" ")[0]
            await asyncio.sleep(60)
        case _:
            async for piece in model.generate(prompt):
                yield piece
