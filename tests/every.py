"""One test of many cases, which reports all that are wrong with their reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def misses(check: Callable[..., None], cases: Iterable[Any]) -> list[str]:
    """The cases that a check fails on, each with the first line of why; a tuple is several arguments."""
    found, every = [], list(cases)
    assert every, "there is no case"
    for case in every:
        try:
            check(*case if type(case) is tuple else (case,))
        except AssertionError as error:
            found.append(f"{case!r}: {str(error).partition(chr(10))[0]}")
    return found


def each(cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Make one test of a check and its cases, which reports all that are wrong."""
    every = list(cases)

    def made(check: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            if wrong := misses(check, every):
                raise AssertionError("\n".join([f"{len(wrong)} of {len(every)} cases:", *wrong]))

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return made


def examples(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[..., Callable[[], None]]:
    """As `each`, with the names of the arguments before the cases, as `pytest.mark.parametrize` has them."""
    words = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [tuple(case) if len(words) > 1 else (case,) for case in cases]

    def made(check: Callable[..., None]) -> Callable[[], None]:
        def by_name(*row: Any) -> None:
            check(**dict(zip(words, row, strict=True)))

        by_name.__name__, by_name.__doc__, by_name.__module__ = (
            check.__name__,
            check.__doc__,
            check.__module__,
        )
        return each(rows)(by_name)

    return made
