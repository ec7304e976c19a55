"""One test of many cases, which reports all that fail with the reason."""

import inspect
import json
from collections.abc import Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any


def table(file: str, name: str, *, deep: bool = False) -> Any:
    """A table of examples from the JSON file beside a test; each list in it is a tuple of arguments.

    With ``deep``, lists inside of the arguments are tuples too.
    """
    found = json.loads(Path(file).with_suffix(".json").read_text(encoding="utf-8"))[name]
    convert = _tuples if deep else tuple
    if isinstance(found, dict):
        return {
            key: convert(value) if deep and isinstance(value, list) else value for key, value in found.items()
        }
    return [convert(case) if isinstance(case, list) else case for case in found]


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


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


def each(*cases: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a check and its cases, which reports all that fail.

    The parameters of the check after those of a case are fixtures; every case has its own ``tmp_path``.
    """
    width = len(cases[0]) if cases and type(cases[0]) is tuple else 1

    def made(check: Callable[..., None]) -> Callable[..., None]:
        fixtures = list(inspect.signature(check).parameters)[width:]

        def test(**given: Any) -> None:
            numbers = count()

            def run(*case: Any) -> None:
                own = dict(given)
                if "tmp_path" in own:
                    own["tmp_path"] = given["tmp_path"] / str(next(numbers))
                    own["tmp_path"].mkdir()
                check(*case, **own)

            if wrong := misses(run, cases):
                raise AssertionError("\n".join([f"{len(wrong)} of {len(cases)} cases:", *wrong]))

        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        test.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in fixtures]
        )
        return test

    return made
