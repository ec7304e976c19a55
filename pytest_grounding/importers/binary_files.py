"""Name files that are no text, or that hold no texts, with the export to write instead."""

from __future__ import annotations

import re
from pathlib import Path

from pytest_grounding._io.jsonio import STANDARD
from pytest_grounding.errors import InputError

_LOOKED_AT = 512
_JSON_LINES = "export it as JSON lines"
#: The first bytes of a kind of file, its name, and what to write instead.
_MAGIC = (
    (
        b"PK\x03\x04",
        "a zip archive (also of Excel, Word or an evaluation log)",
        "unpack it, or export JSON or CSV",
    ),
    (b"SQLite format 3\x00", "a SQLite database", "export its rows as JSON lines"),
    (b"PAR1", "a Parquet file", "name it *.parquet, or write to_json(orient='records', lines=True)"),
    (b"ARROW1", "an Arrow file", "write to_json(orient='records', lines=True)"),
    (b"\x93NUMPY", "an array of NumPy", _JSON_LINES),
    (b"\x1f\x8b", "a gzip archive", "name it *.jsonl.gz"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", "name it *.jsonl.zst"),
    (b"BZh", "a bzip2 archive", "unpack it"),
    (b"\xfd7zXZ", "an xz archive", "unpack it"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (b"%PDF-", "a PDF", "write the transcript as JSON"),
    (b"Obj\x01", "an Avro file", _JSON_LINES),
    (b"\x89HDF", "an HDF5 file", _JSON_LINES),
)
_PICKLES = tuple(bytes((0x80, protocol)) for protocol in range(2, 6))
_PROTOBUF = (".pb", ".binpb", ".bin", ".otlp", ".protobuf", ".proto")
#: A line of a run file of TREC: query, "Q0", document, rank, score, and the name of the run.
_TREC_RUN = re.compile(
    rb"(?:\xef\xbb\xbf)?\S+[ \t]+Q0[ \t]+\S+[ \t]+\d+[ \t]+[-+.\deE]+[ \t]+\S+[ \t]*(?:\r?\n|$)"
)
_TREC_ADVICE = (
    "it holds ranks and scores alone; record question, answer and the texts of the documents as a transcript"
)
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
    found = next(((name, advice) for magic, name, advice in _MAGIC if first.startswith(magic)), None)
    if found is None and first.startswith(_PICKLES):
        found = (
            "a pickle of Python, which is not read because that may run code",
            "write json.dumps(...) instead",
        )
    if found is None and _TREC_RUN.match(first):
        found = "a run file of TREC", _TREC_ADVICE
    if found is None and b"\x00" in first and first[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        is_named = file.lower().endswith(_PROTOBUF)
        found = "binary", "export text: JSON or JSON lines"
        if is_named or first[:1] == b"\n":
            found = "a protocol buffer, such as OTLP's", "let the exporter write OTLP as JSON"
    if found is None:
        return None
    return InputError(f"is {found[0]}", path=file, hint=found[1])
