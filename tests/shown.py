"""What a verdict shows, by paths, for tables of verdicts in JSON files."""

from typing import Any

_BOUNDS = {
    "at_least": lambda found, wanted: found >= wanted,
    "below": lambda found, wanted: found < wanted,
    "contains": lambda found, wanted: wanted in found,
    "lacks": lambda found, wanted: wanted not in found,
    "is_not": lambda found, wanted: found != wanted,
}


def shown(value: Any, path: str) -> Any:
    """The value at a path such as ``claims.*.status``; tuples are lists, and ``*`` goes over all items.

    ``name=x`` is the item of a list with this name, ``rules`` are the names of the rules of all causes,
    ``checked`` the claims that were checked.
    """
    for number, step in enumerate(steps := path.split(".")):
        if step == "*":
            rest = ".".join(steps[number + 1 :])
            return [shown(item, rest) if rest else _plain(item) for item in value]
        if step == "rules" and hasattr(value, "causes"):
            value = sorted({cause.rule for cause in value.causes})
        elif step == "checked" and hasattr(value, "claims"):
            value = [claim for claim in value.claims if claim.checked]
        elif step == "length":
            value = len(value)
        elif isinstance(value, (list, tuple)) and "=" in step:
            name, _, wanted = step.partition("=")
            (value,) = (item for item in value if item[name] == wanted)
        elif isinstance(value, (list, tuple)):
            value = value[int(step)]
        else:
            value = value[step] if isinstance(value, dict) else getattr(value, step)
    return _plain(value)


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def assert_shows(value: Any, expected: dict[str, Any], what: str = "") -> None:
    """Each path shows what is expected: a value, or a bound such as ``{"at_least": 0.9}``."""
    for path, wanted in expected.items():
        found = shown(value, path)
        if isinstance(wanted, dict) and wanted.keys() <= _BOUNDS.keys() and wanted:
            for bound, limit in wanted.items():
                assert _BOUNDS[bound](found, limit), f"{what}: {path} is {found!r}, wanted {wanted!r}"
        else:
            assert found == wanted, f"{what}: {path} is {found!r}, wanted {wanted!r}"
