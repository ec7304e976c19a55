"""What a `Settings` says beyond its values: files that they name, read once, and rules taken apart."""

from __future__ import annotations

import dataclasses
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_grounding.settings.glossary import Line


class Derived:
    """The base of `Settings`, which has the fields that these values are made of."""

    if TYPE_CHECKING:
        glossary: str

        def as_dict(self) -> dict[str, Any]:
            """The values by name."""
            ...

    else:

        def __setattr__(self, name, value):
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Derived) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self.as_dict().values()))

    def __repr__(self) -> str:
        usual = type(self)().as_dict()
        changed = [f"{name}={value!r}" for name, value in self.as_dict().items() if value != usual[name]]
        return f"Settings({', '.join(changed)})"

    @cached_property
    def glossary_lines(self) -> tuple[Line, ...]:
        """The lines of the glossary with their numbers; its file is read once for each settings."""
        if not self.glossary:
            return ()
        # Here and below: a run of pytest without a glossary loads nothing for it.
        from pytest_grounding.settings.glossary import glossary_lines

        return glossary_lines(self.glossary)

    @property
    def glossary_file(self) -> str:
        """Path of the glossary's file, or "" where the setting holds the rules."""
        from pytest_grounding.settings.glossary import is_glossary_path

        return self.glossary if is_glossary_path(self.glossary) else ""

    @property
    def glossary_rules(self) -> list[str]:
        """What the glossary says, whatever its order, its comments and its place."""
        return sorted({line for _, line in self.glossary_lines})
