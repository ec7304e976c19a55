"""A frozen value is what the standard library's dataclass would be."""

import copy
import dataclasses
import inspect
import pickle
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding._frozen import frozen, slotted


class Body:
    """Fields of every sort."""

    name: str
    size: int = 3
    parts: list[int] = field(default_factory=list)
    hidden: str = field(default="h", repr=False, compare=False)
    double: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "double", self.size * 2)


class Point:
    x: float
    y: float = 0.5


def body(name: str, of: type = Body) -> type:
    """A fresh class of the same body, to be decorated."""
    kept = {key: value for key, value in vars(of).items() if key not in {"__dict__", "__weakref__"}}
    return type(name, (), {**kept, "__qualname__": name, "__module__": __name__})


Plain = dataclass(frozen=True, slots=True)(body("Plain"))
Light = frozen(body("Light"))
PlainPoint = dataclass(frozen=True, slots=True)(body("PlainPoint", Point))
LightPoint = frozen(body("LightPoint", Point))
Loose = slotted(body("Loose"))

ARGUMENTS = st.fixed_dictionaries(
    {"name": st.text(max_size=4)},
    optional={
        "size": st.integers(),
        "parts": st.lists(st.integers(), max_size=2),
        "hidden": st.text(max_size=2),
    },
)


@given(ARGUMENTS, ARGUMENTS)
def test_text_and_equality_are_those_of_a_dataclass(first, second):
    assert repr(Light(**first)) == repr(Plain(**first)).replace("Plain", "Light")
    assert (Light(**first) == Light(**second)) == (Plain(**first) == Plain(**second))
    assert dataclasses.asdict(Light(**first)) == dataclasses.asdict(Plain(**first))
    assert Light(**first) != Plain(**first)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_equal_values_have_equal_hashes(x, y):
    assert hash(LightPoint(x, y)) == hash(LightPoint(x, y)) == hash((x, y)) == hash(PlainPoint(x, y))
    assert {LightPoint(x, y): 1}[LightPoint(x, y)] == 1


@pytest.mark.parametrize("made", [Light("a", 4, [1]), Loose("a", 4, [1]), LightPoint(1.0)])
def test_it_is_copied_pickled_and_replaced(made):
    assert pickle.loads(pickle.dumps(made)) == made
    assert copy.copy(made) == copy.deepcopy(made) == made
    assert dataclasses.replace(made) == made.__replace__() == made
    assert dataclasses.is_dataclass(made)


def test_replace_changes_what_is_named_and_computes_the_rest():
    changed = dataclasses.replace(Light("a"), size=10)
    assert (changed.name, changed.size, changed.double) == ("a", 10, 20)


def test_its_fields_are_those_of_a_dataclass():
    ours, theirs = dataclasses.fields(Light), dataclasses.fields(Plain)
    for name in ("name", "type", "default", "default_factory", "init", "repr", "compare"):
        assert [getattr(item, name) for item in ours] == [getattr(item, name) for item in theirs]
    assert Light.__match_args__ == Plain.__match_args__


def test_its_signature_is_known_before_a_value_is_made():
    fresh = frozen(body("Light"))
    parameters = inspect.signature(fresh).parameters
    theirs = inspect.signature(Plain).parameters
    assert [(item.name, item.kind) for item in parameters.values()] == [
        (item.name, item.kind) for item in theirs.values()
    ]
    assert parameters["size"].default == 3
    assert fresh("a") == fresh(name="a", size=3)


def test_a_default_made_by_a_factory_is_not_shared():
    first = Light("a")
    first.parts.append(1)
    assert Light("a").parts == []


def test_nothing_of_a_frozen_value_can_be_changed():
    value = Light("a")
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        value.other = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.name
    assert not hasattr(value, "__dict__")


def test_a_slotted_value_changes_and_has_no_hash():
    value = Loose("a")
    value.name = "b"
    assert value == Loose("b")
    with pytest.raises(TypeError):
        hash(value)
    with pytest.raises(AttributeError):
        value.other = 1


@pytest.mark.parametrize(
    ("arguments", "named"), [((), {}), (("a", 1, [], "h", 2), {}), (("a",), {"none": 1})]
)
def test_wrong_arguments_are_refused(arguments, named):
    with pytest.raises(TypeError):
        Light(*arguments, **named)


def test_fields_by_name_alone():
    named = frozen(kw_only=True)(body("Named", Point))
    assert named(x=1.0).y == 0.5
    assert named.__match_args__ == ()
    assert all(item.kw_only for item in dataclasses.fields(named))
    with pytest.raises(TypeError):
        named(1.0)
