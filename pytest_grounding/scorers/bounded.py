"""Replies that cannot fill the memory: no more of one is read, or unpacked, than a reply can need."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

#: Most bytes of one reply, as sent and as unpacked. The largest that is asked for, 96 embeddings of 1536
#: numbers, has about three million.
MAX_REPLY_BYTES = 32 * 1024 * 1024
#: Sent with each request: nothing that is asked for is large enough to be packed.
PLAIN = {"Accept-Encoding": "identity"}
#: What is unpacked all the same, because a proxy may pack what it likes. zlib finds the kind by the header.
_PACKED = ("gzip", "x-gzip", "deflate")
_ANY_HEADER = 47


class ReplyTooLargeError(ValueError):
    """A reply has more bytes than one can need; the rest of it was not read."""

    def __init__(self) -> None:
        super().__init__(f"is larger than {MAX_REPLY_BYTES // 1024**2} MiB, which no reply needs")


def bound(response: Any, library: Any) -> None:
    """Let the body of an httpx response, not read yet, end with an error where it is too large.

    Args:
        response: the response.
        library: the module that it is of: httpx, or one that succeeds it.

    Raises:
        ReplyTooLargeError: it says itself that it is too large.
        ValueError: it is packed in a way that is not known.
    """
    length = response.headers.get("Content-Length", "")
    if length.isdecimal() and int(length[:20]) > MAX_REPLY_BYTES:
        raise ReplyTooLargeError
    # httpx itself unpacks without a bound, where it finds this header.
    encoding = response.headers.pop("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", *_PACKED):
        raise ValueError(f"is packed as {encoding[:40]!r}, which was not asked for")
    given = response.stream

    class BoundedStream(library.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            parts = _bounded(given)
            return _bounded(_unpacked(parts)) if encoding in _PACKED else parts

        def close(self) -> None:
            given.close()

    response.stream = BoundedStream()


def _bounded(parts: Iterable[bytes]) -> Iterator[bytes]:
    read = 0
    for part in parts:
        read += len(part)
        if read > MAX_REPLY_BYTES:
            raise ReplyTooLargeError
        yield part


def _unpacked(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The parts unpacked, none longer than all may be.

    Raises:
        ValueError: they cannot be unpacked.
    """
    unpack = zlib.decompressobj(_ANY_HEADER)
    try:
        for part in parts:
            yield unpack.decompress(part, MAX_REPLY_BYTES + 1)
    except zlib.error as error:
        raise ValueError(f"cannot be unpacked ({error})") from None
    if not unpack.eof:
        raise ValueError("cannot be unpacked: it is cut off")
