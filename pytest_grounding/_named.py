"""Named tuples that cost little to import.

`typing.NamedTuple` compiles a function for each class and a reference for each annotation, a seventh of a
millisecond a class, and a validation imports two dozen of them. Here one function is compiled for all classes
with as many fields, and annotations stay as they are written. A class is written and used as ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter
    from functools import cache

    class _Making(type):
        """Makes a plain subclass of `tuple` of what is written as a class."""

        def __new__(cls, name, bases, body):
            made = type(name, (tuple,), {"__slots__": (), **_SHARED, **body})
            fields = tuple(made.__annotations__)
            defaults = {field: body[field] for field in fields if field in body}
            if defaults and fields[-len(defaults) :] != tuple(defaults):
                raise TypeError(f"a field of {name} without a default follows one that has a default")
            for number, field in enumerate(fields):
                setattr(made, field, _tuplegetter(number, f"Field {number}"))
            new = _shape(len(fields))(tuple.__new__)
            new.__code__ = new.__code__.replace(co_varnames=("_cls", *fields))
            new.__defaults__ = tuple(defaults.values())
            new.__qualname__ = f"{made.__qualname__}.__new__"
            made.__new__ = staticmethod(new)
            made._fields = made.__match_args__ = fields
            made._field_defaults = defaults
            return made

    @cache
    def _shape(fields):
        """What makes ``__new__`` of all classes with so many fields, whose names are put in behind."""
        names = "".join(f"_{number}, " for number in range(fields))
        known = {}
        source = (
            f"def shape(make):\n def __new__(_cls, {names}): return make(_cls, ({names}))\n return __new__"
        )
        exec(source, known)  # noqa: S102 - the text holds numbers alone
        return known["shape"]

    def _repr(self):
        told = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({told})"

    def _given(self):
        return tuple(self)

    def _make(cls, values):
        return cls(*values)

    def _replaced(self, /, **changes):
        made = tuple.__new__(type(self), map(changes.pop, self._fields, self))
        if changes:
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(changes))}")
        return made

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    _SHARED = {
        "__repr__": _repr,
        "__getnewargs__": _given,
        "__replace__": _replaced,
        "_make": classmethod(_make),
        "_replace": _replaced,
        "_asdict": _asdict,
    }
    NamedTuple = type.__new__(_Making, "NamedTuple", (), {"__doc__": _Making.__doc__})
