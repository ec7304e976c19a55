"""Name files that are no text, or that hold no texts, with the export to write instead."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding._io.tables import rows_beside
from pytest_grounding.errors import InputError

_LOOKED_AT = 512
#: The first bytes of a kind of file, its name, and what to write instead.
_ROWS = rows_beside(__file__, "binary_files.tsv")
_MAGIC = [(bytes.fromhex(magic), name, hint) for magic, name, hint in _ROWS]
_PROTOBUF = (".pb", ".binpb", ".bin", ".otlp", ".protobuf", ".proto")
#: A line of a run file of TREC: query, "Q0", document, rank, score, and the name of the run.
_TREC_RUN = re.compile(
    rb"(?:\xef\xbb\xbf)?\S+[ \t]+(?:[Qq]0|0)[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+[ \t]*(?:\r?\n|$)"
)
_TREC = b"\x00trec"  # the beginning that stands for such a file in the table
_PACKED = (".gz", ".zst")


def binary_kind(file: str) -> InputError | None:
    """The error on a file that holds no texts; None for others and for what cannot be looked at."""
    path = Path(file)
    if file == STANDARD or file.lower().endswith(_PACKED) or not path.is_file():
        return None
    try:
        with path.open("rb") as stream:
            first = stream.read(_LOOKED_AT)
    except OSError:
        return None
    first = _TREC if _TREC_RUN.match(first) else first
    found = next(((name, advice) for magic, name, advice in _MAGIC if first.startswith(magic)), None)
    if found is None and b"\x00" in first and first[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        is_named = file.lower().endswith(_PROTOBUF)
        found = "binary", "export text: JSON or JSON lines"
        if is_named or first[:1] == b"\n":
            found = "a protocol buffer, such as OTLP's", "let the exporter write OTLP as JSON"
    if found is None:
        return None
    return InputError(f"is {found[0]}", path=file, hint=found[1])
