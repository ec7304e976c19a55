"""Download a detector's files, by revision and hash; the only place of the package that downloads a model."""

from __future__ import annotations

import hashlib
import os
import re
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_grounding.errors import GroundingError

#: The hub, unless the environment names a mirror, by the hub's own variable.
HUB, VARIABLE = "https://huggingface.co", "HF_ENDPOINT"
_REVISION = re.compile(r"[0-9a-f]{40}")
_REPOSITORY = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")
_BYTES = 1 << 20
_TIMEOUT_S = 60.0


class FetchError(GroundingError):
    """A file could not be downloaded, or is not the one that was asked for."""


def fetch(
    repository: str,
    revision: str,
    files: Sequence[str],
    folder: Path,
    *,
    hashes: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Download files of one revision into a folder; each is there whole or not at all."""
    if not _REPOSITORY.fullmatch(repository):
        raise FetchError(f"{repository!r} is no repository: write owner/name")
    if not _REVISION.fullmatch(revision):
        raise FetchError(f"--revision {revision!r}: write the commit, 40 hexadecimal digits")
    hub = os.environ.get(VARIABLE, HUB).rstrip("/")
    if not hub.startswith(("https://", "http://127.0.0.1", "http://localhost")):
        raise FetchError(f"{VARIABLE} = {hub!r}: only https is fetched from")
    found = {}
    for name in files:
        if name.startswith("/") or ".." in name.split("/"):
            raise FetchError(f"--file {name!r} leaves the folder")
        found[name] = _one(
            f"{hub}/{repository}/resolve/{revision}/{name}", folder / name, (hashes or {}).get(name)
        )
    return found


def _one(address: str, target: Path, wanted: str | None) -> str:
    """One file, written under a name of its own and put in place when its hash fits."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.part")
    digest = hashlib.sha256()
    try:
        with (
            urllib.request.urlopen(address, timeout=_TIMEOUT_S) as reply,  # noqa: S310  # https, see fetch
            part.open("wb") as stream,
        ):
            while data := reply.read(_BYTES):
                digest.update(data)
                stream.write(data)
            length = reply.headers.get("Content-Length")
            if length is not None and length.isdecimal() and stream.tell() != int(length):
                raise FetchError(f"{address}: ended after {stream.tell()} of {length} bytes; fetch it again")
        if wanted is not None and digest.hexdigest() != wanted.lower():
            raise FetchError(f"{address}: has the SHA-256 {digest.hexdigest()}, and {wanted} was asked for")
        part.replace(target)
    except urllib.error.HTTPError as error:
        hint = (
            "; is it in another repository, or to be exported: pytest-grounding show model export"
            if error.code == 404
            else ""
        )
        raise FetchError(f"{address}: {error.code} {error.reason}{hint}") from None
    except (OSError, ValueError) as error:
        raise FetchError(f"{address}: cannot be fetched: {error}") from None
    finally:
        part.unlink(missing_ok=True)
    return digest.hexdigest()
