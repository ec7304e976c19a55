"""Write ``background.json`` (number of passages with each stem) and ``stems.json`` (stems of the word lists).

Run: python -m training.background [DATA]

Counts come from the chunks of four sets that may train; answers and labels are not read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pytest_grounding._io.jsonio import write_atomic
from pytest_grounding.reading.words import FRAMING, GENERIC, tokenize
from training.rows import BEGIN_TRAINABLE_ROWS, COUNTED, data_of

SYNONYMS = Path(__file__).with_name("synonyms.txt")
HOUSE = Path(__file__).resolve().parents[1] / "pytest_grounding" / "evidence"
#: Words of one passage, about as many as a retriever returns.
PASSAGE = 100
#: The most common stems; rarer ones count as unseen.
KEPT = 6000
#: Occurrences of a word with a capital at least, and how many times oftener it has one than none.
LEAST, OFTENER = 3, 4


def texts_of(data: Path) -> list[str]:
    """Every chunk of the trainable sets once, in order."""
    found: dict[str, None] = {}
    for dataset in COUNTED:
        lines = (data / f"{dataset}.jsonl").read_text(encoding="utf-8").splitlines()
        for line in lines[:BEGIN_TRAINABLE_ROWS] if dataset == "begin_dev" else lines:
            found.update(dict.fromkeys(json.loads(line)["chunks"]))
    return list(found)


def count(texts: Iterable[str]) -> dict[str, object]:
    """The number of passages, and for each count the stems that occur in so many of them."""
    counts: Counter[str] = Counter()
    passages = 0
    for text in texts:
        stems = [token.stem for token in tokenize(text) if not token.is_number]
        for start in range(0, len(stems), PASSAGE):
            passage = stems[start : start + PASSAGE]
            if start and len(passage) < PASSAGE // 5:
                continue
            passages += 1
            counts.update(set(passage))
    by_count: dict[int, list[str]] = {}
    for stem, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:KEPT]:
        by_count.setdefault(number, []).append(stem)
    return {
        "about": "Stems by the number of passages of 100 words that hold them; see training/background.py",
        "passages": passages,
        "counts": {str(number): " ".join(stems) for number, stems in by_count.items()},
    }


def stems_of_lists() -> dict[str, object]:
    """Stems of the framing and the generic words, and of each group of synonyms."""

    def stems(words: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(token.stem for token in tokenize(" ".join(words))))

    groups = [line for line in SYNONYMS.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    framing = stems(sorted(FRAMING))
    generic = [stem for stem in stems(sorted(GENERIC)) if stem not in framing]
    return {
        "about": "Stems of word lists, and words that mostly have a capital; see training/background.py",
        "framing": " ".join(framing),
        "generic": " ".join(generic),
        "synonyms": [" ".join(stems(group.split())) for group in groups],
    }


def capitalised(texts: Iterable[str]) -> str:
    """Words that have a capital inside sentences four times as often as none, three times at least."""
    large: Counter[str] = Counter()
    small: Counter[str] = Counter()
    for text in texts:
        for token in tokenize(text):
            if token.is_number or token.is_stop or (token.text.isupper() and len(token.text) > 1):
                continue
            if token.text[0].islower():
                small[token.norm] += 1
            elif token.is_name:
                large[token.norm] += 1
    return " ".join(sorted(word for word in large if large[word] >= max(LEAST, OFTENER * small[word])))


def main() -> None:
    data = data_of("background", COUNTED)
    texts = texts_of(data)
    stems = stems_of_lists() | {"capitalised": capitalised(texts)}
    for name, content in (("background", count(texts)), ("stems", stems)):
        target = HOUSE / f"{name}.json"
        write_atomic(target, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        print(f"wrote {target.name}: {target.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
