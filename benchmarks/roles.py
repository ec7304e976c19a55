"""Which labelled rows may train, which may be read, and which are only scored.

The role of a row depends on the hash of its group alone, so that rows with the same question or source always
share a role; ``roles.json`` has the rule. *Locked* rows are scored by the benchmarks and never printed, so
that no rule is written for them. A held-out set is locked as a whole.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

Role = Literal["train", "tune", "locked"]


@lru_cache(maxsize=1)
def rule() -> dict[str, Any]:
    """The content of ``roles.json``."""
    content: dict[str, Any] = json.loads(Path(__file__).with_name("roles.json").read_text(encoding="utf-8"))
    return content


def part_of(group: str) -> int:
    """Part of a group, 0 to 5, from its name alone."""
    digest = hashlib.sha256(f"{rule()['salt']}:{group}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") % int(rule()["parts"])


def role_of(dataset: str, group: str, number: int = 0) -> Role:
    """The role of a row.

    Args:
        dataset: its set, the file name without the ending.
        group: its group.
        number: 0-based line in the file; of sets that join corpora, only the first rows may train.
    """
    part = part_of(group)
    if dataset in rule()["left_out_whole"] or part in rule()["locked"]:
        return "locked"
    if dataset in rule()["trainable_own"]:
        return "train" if part in rule()["train"] else "tune"
    free = dataset in rule()["trainable"] and number < rule()["trainable_rows"].get(dataset, number + 1)
    return "train" if free and part in rule()["train"] else "tune"
