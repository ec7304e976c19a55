"""Broken recordings (members missing, of a wrong type, huge or deep) give a transcript or one InputError."""

import contextlib
import copy

import pytest
from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st
from payloads import PAYLOADS

from pytest_grounding.errors import InputError
from pytest_grounding.importers.builtin import builtin_importers
from pytest_grounding.importers.draft import Options
from pytest_grounding.importers.importer import Gatherer
from pytest_grounding.importers.native import to_transcript

DEEP = "x"
for _ in range(100):
    DEEP = {"content": [DEEP]}


class Deep:
    """Stands for `DEEP` while examples are drawn: it is large to show and to copy."""


_PLAIN = [list(value) if isinstance(value, tuple) else value for value in table(__file__, "junk")]
JUNK = st.sampled_from([*_PLAIN, float("inf"), float("nan"), Deep])


def places(value, path=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


PLACES = {name: list(places(value)) for name, value in PAYLOADS.items()}


def changed(value, path, new, *, delete):
    value = copy.deepcopy(value)
    inner = value
    for step in path[:-1]:
        inner = inner[step]
    if delete:
        del inner[path[-1]]
    else:
        inner[path[-1]] = DEEP if new is Deep else new
    return value


def read(value):
    """Ask every importer; each value that one recognises becomes transcripts or an InputError."""
    count = 0
    for importer in builtin_importers(Options(question="Q?")):
        if not importer.recognises(value):
            continue
        count += 1
        # Anything but an InputError fails the test.
        with contextlib.suppress(InputError):
            for mapping in importer.convert(value):
                to_transcript({"id": "t", **mapping})
    return count


@pytest.mark.parametrize("name", PAYLOADS)
@settings(max_examples=40)
@given(data=st.data())
def test_a_broken_recording_gives_a_transcript_or_one_clear_error(name: str, data: st.DataObject) -> None:
    value = PAYLOADS[name]
    known = PLACES[name]
    for path in data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3)):
        # What an earlier change took away cannot be changed again.
        new, delete = data.draw(JUNK), data.draw(st.booleans())
        with contextlib.suppress(KeyError, IndexError, TypeError):
            value = changed(value, path, new, delete=delete)
    for member in value if isinstance(value, list) else [value]:
        read(member)


@each(*PAYLOADS)
def test_every_single_member_may_be_missing_or_null(name):
    value = PAYLOADS[name]
    recognised = 0
    for path in PLACES[name]:
        for delete in (True, False):
            broken = changed(value, path, None, delete=delete)
            for member in broken if isinstance(broken, list) else [broken]:
                recognised += read(member)
    assert recognised > 10, "most of the broken recordings are still recognised, so they were really read"


@pytest.mark.parametrize("name", ["openinference", "otel-genai"])
@settings(max_examples=40)
@given(data=st.data())
def test_gatherers_accept_broken_values(name, data):
    value = PAYLOADS[name]
    values = value if isinstance(value, list) else [value]
    broken = changed(
        values,
        data.draw(st.sampled_from(list(places(values)))),
        data.draw(JUNK),
        delete=data.draw(st.booleans()),
    )
    for importer in builtin_importers(Options(question="Q?")):
        if isinstance(importer, Gatherer):
            kept = [member for member in broken if importer.belongs(member)]
            for index, found in importer.gather(kept, None):
                assert 0 <= index < max(len(kept), 1)
                if not isinstance(found, InputError):
                    to_transcript({"id": "t", **found})


@each(None, 1, "x", "event: x\n\n", [], [[]], {}, DEEP, {"response": DEEP}, {"data": DEEP})
def test_recognition_never_raises(value):
    read(value)
