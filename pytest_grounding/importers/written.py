"""Files that this package writes, and that may lie beside recordings without being any."""

from __future__ import annotations

import re

#: How each begins, with or without white space: baselines, shards and reports of mutations; reports of runs;
#: audit logs; waivers; labels; what a command says as JSON; SARIF; GitLab's report.
_BEGINNING = re.compile(
    rb"""(?:\xef\xbb\xbf)?\s*(?:
        \{\s*"engine_version"\s*:
      | \{\s*"gate"\s*:\s*\{\s*"baseline"\s*:
      | \{\s*"(?:audit_id|kind)"\s*:[^\n]*"previous"\s*:
      | \{[^\n]*"claim_hash"\s*:\s*"[0-9a-f]{16}"
      | \{\s*"correct"\s*:\s*(?:true|false)\s*,\s*"transcript"\s*:
      | \{\s*"id"\s*:\s*"[^"\n]*"\s*,\s*"correct"\s*:\s*(?:true|false)\s*\}
      | \{\s*"command"\s*:\s*"[a-z]+"\s*,\s*"exit_status"\s*:
      | \{\s*"\$schema"\s*:\s*"https://(?:docs\.oasis-open\.org/sarif|json-schema\.org/draft)/
      | \[\s*\{\s*"check_name"\s*:
    )""",
    re.VERBOSE,
)
_LOOKED_INTO = 1 << 16


def is_written_here(file: str) -> bool:
    """Whether a file begins as those that commands of this package write; what cannot be read does not."""
    try:
        with open(file, "rb") as stream:
            return _BEGINNING.match(stream.read(_LOOKED_INTO)) is not None
    except OSError:
        return False
