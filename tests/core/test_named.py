"""Named tuples of this package are what `typing.NamedTuple` makes, but for what they cost to import."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from typing import Any

import pytest

from pytest_grounding import _named


class Place(_named.NamedTuple):
    """A word of a chunk."""

    chunk: int
    word: int = 7
    names: tuple[str, ...] = ()

    @property
    def both(self) -> int:
        return self.chunk + self.word


class Other(_named.NamedTuple):
    left: str
    right: str
    third: None = None


class Twin(typing.NamedTuple):
    """A word of a chunk."""

    chunk: int
    word: int = 7
    names: tuple[str, ...] = ()


def test_it_is_used_as_one_of_typing() -> None:
    for kind in (Place, Twin):
        made: Any = kind(1, names=("a",))
        assert made == (1, 7, ("a",))
        assert (made.chunk, made.word, made.names) == (1, 7, ("a",))
        assert made == kind(chunk=1, word=7, names=("a",))
        assert hash(made) == hash((1, 7, ("a",)))
        assert repr(made) == f"{kind.__name__}(chunk=1, word=7, names=('a',))"
        assert made._replace(word=8) == (1, 8, ("a",))
        assert made._asdict() == {"chunk": 1, "word": 7, "names": ("a",)}
        assert kind._make([3, 4, ()]) == (3, 4, ())
        assert (kind._fields, kind._field_defaults) == (("chunk", "word", "names"), {"word": 7, "names": ()})
        assert kind.__match_args__ == kind._fields
        assert kind.__doc__ == "A word of a chunk."
        assert kind.__bases__ == (tuple,)
        assert str(inspect.signature(kind)).startswith("(chunk")
        assert list(inspect.signature(kind).parameters) == ["chunk", "word", "names"]
        assert typing.get_type_hints(kind) == {"chunk": int, "word": int, "names": tuple[str, ...]}
        assert not hasattr(made, "__dict__")
    assert Place(1).both == 8


def test_it_is_copied_and_pickled_as_its_class() -> None:
    made = Place(1, 2, ("a",))
    for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
        assert (type(again), again) == (Place, made)


def test_classes_with_as_many_fields_keep_their_names() -> None:
    assert Other("a", right="b") == ("a", "b", None)
    assert Other("a", "b").right == "b"
    match Other("a", "b"):
        case Other(left=first, third=None):
            assert first == "a"


@pytest.mark.parametrize("kind", [Place, Twin])
def test_what_is_missing_or_strange_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'chunk'"):
        kind()
    with pytest.raises(TypeError, match="unexpected keyword argument 'other'"):
        kind(1, other=2)
    with pytest.raises((TypeError, ValueError), match="other"):
        kind(1)._replace(other=2)
    with pytest.raises(AttributeError):
        kind(1).chunk = 2


def test_a_field_without_a_default_stands_before_those_with_one() -> None:
    with pytest.raises(TypeError, match="a field of Wrong without a default follows one that has a default"):
        type(_named.NamedTuple)("Wrong", (), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})
