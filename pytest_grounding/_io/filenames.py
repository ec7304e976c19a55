"""Recognise file names: by extension, or by a known name without one."""

from __future__ import annotations

import re

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding._io.tables import rows_beside

_TABLE = dict(rows_beside(__file__, "filenames.tsv"))
EXTENSIONS = lazy(_TABLE["extensions"], re.IGNORECASE)  # of files cited in answers, without the dot
BARE_NAMES = lazy(_TABLE["bare names"], re.IGNORECASE)  # names of files without an extension
DOCUMENTS = frozenset(_TABLE["documents"].split())  # extensions of documents, archives and pictures
_NAMES = tuple(f".transcript{s}.json{end}" for s in ("", "s") for end in ("", "l"))


def is_nearly_named(file: str) -> bool:
    """Whether a name is nearly that of a recording: except for case or an s too many or too few."""
    return file.lower().endswith(_NAMES)
