"""What the retrieved chunks say, folded for the questions that planting asks of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_WORD = re.compile(r"\d+(?:[.,:]\d+)+|\w+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
#: Words shorter than this say too little about the topic.
_TOPIC_LENGTH = 4


def fold(text: str) -> str:
    """The words of a text in lower case, one blank before, between and behind them."""
    words = " ".join(_WORD.findall(text.lower()))
    return f" {words} " if words else ""


def plain_number(text: str) -> str:
    """A number without separators and without zeros that say nothing: "1,200.50" gives "1200.5"."""
    value = text.replace(",", "")
    return value.rstrip("0").rstrip(".") if "." in value else value


def topic_words(text: str) -> frozenset[str]:
    """The longer words of a text, in lower case, each cut to its first six letters."""
    return frozenset(
        word[:6] for word in _WORD.findall(text.lower()) if len(word) >= _TOPIC_LENGTH and word[0].isalpha()
    )


class Sources:
    """The chunks of one transcript, folded once for all faults."""

    def __init__(self, texts: Sequence[str], asides: Sequence[str] = ()) -> None:
        self.texts: tuple[str, ...] = tuple(texts)
        self.folded: tuple[str, ...] = tuple(fold(text) for text in texts)
        self.words: frozenset[str] = frozenset(word for text in self.folded for word in text.split())
        self.numbers: frozenset[str] = frozenset(
            plain_number(number) for text in texts for number in _NUMBER.findall(text)
        )
        self.small: frozenset[str] = frozenset(
            word for text in (*texts, *asides) for word in _WORD.findall(text) if word.islower()
        )
        self._kept: dict[str, tuple[str, ...]] = {}
        self._topics = [topic_words(text) for text in texts]

    def say(self, words: str) -> bool:
        """Whether some chunk holds these words, next to one another and in this order."""
        folded = fold(words)
        return bool(folded) and any(folded in text for text in self.folded)

    def share_of(self, claim: str, chunk: int) -> float:
        """Share of a claim's topic words that one chunk holds, in [0, 1]; 0 for a claim without any."""
        words = topic_words(claim)
        return len(words & self._topics[chunk]) / len(words) if words else 0.0

    def keep(self, name: str, make: Callable[[Sources], tuple[str, ...]]) -> tuple[str, ...]:
        """What ``make`` finds in these chunks, found once for all claims."""
        if name not in self._kept:
            self._kept[name] = make(self)
        return self._kept[name]

    def know(self, words: Iterable[str]) -> int:
        """How many of these topic words some chunk holds."""
        return sum(any(word in topic for topic in self._topics) for word in words)
