"""The model. `generate` is the one function to replace by a call of yours.

What stands here needs no key and no network and always says the same: it reads the numbered sources out of
the prompt, as a model would, and answers with the sentences that share most words with the question.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from helpdesk.retriever import terms

DECLINED = "I don't have that information in the help pages."

PROMPT = """\
Answer the question from the numbered sources below, and from nothing else. After every statement cite the
sources that state it by their numbers in square brackets. Keep numbers, units and names as the sources write
them. If the sources do not contain the answer, reply: {declined}

Sources:
{context}

Question: {question}"""


async def generate(prompt: str) -> AsyncIterator[str]:
    """The answer to a prompt, piece by piece as it comes.

    Replace the body by your client's streaming call, for example::

        async for event in client.stream(model="...", messages=[{"role": "user", "content": prompt}]):
            yield event.text
    """
    for piece in re.findall(r"\s*\S+", answer(prompt)):
        yield piece


def answer(prompt: str) -> str:
    """The best sentence, and the best other one of its source if it is nearly as good, with their numbers."""
    sources, _, question = prompt.partition("\n\nQuestion: ")
    asked = set(terms(question))
    found = []
    numbered = re.findall(r"(?m)^\[(-?\d+)\] (.+?)(?: \(Source: [^()]*\))?$", sources)
    for rank, (number, text) in enumerate(numbered):
        for position, sentence in enumerate(re.split(r"(?<=[.!?])\s+", text)):
            words = terms(sentence)
            share = len(asked.intersection(words)) / (len(asked) or 1)
            # Of two sentences with the same words of the question, the shorter one says less else.
            dense = sum(word in asked for word in words) / (len(words) or 1)
            found.append((-(share + 0.2 * dense - 0.05 * rank), rank, position, number, sentence, share))
    found.sort()
    if not found or found[0][-1] <= 0.5:
        return DECLINED
    best = found[0]
    more = [item for item in found[1:] if item[1] == best[1] and item[-1] >= 0.8 * best[-1]]
    picked = sorted([best, *more[:1]], key=lambda item: item[2])
    return " ".join(f"{sentence[:-1]} [{number}]." for *_, number, sentence, _ in picked)
