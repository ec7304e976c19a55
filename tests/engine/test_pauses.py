"""The garbage collector waits while a verdict is made, and goes on as it was."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Iterator

import pytest

from pytest_grounding import validate
from pytest_grounding.engine.pauses import without_pauses
from pytest_grounding.model.finding import Evidence, Finding
from pytest_grounding.model.verdict import ConfidenceTerm, SupportingSource

ROW = {
    "id": "a",
    "question": "When?",
    "answer": "It opens at nine.",
    "chunks": [{"id": "1", "text": "At nine."}],
}


def test_nothing_is_collected_meanwhile_and_everything_after() -> None:
    assert gc.isenabled()
    assert without_pauses(gc.isenabled) is False
    assert gc.isenabled()


def test_an_error_ends_the_pause() -> None:
    with pytest.raises(ZeroDivisionError):
        without_pauses(lambda: 1 // 0)
    assert gc.isenabled()


def test_who_has_switched_it_off_keeps_it_off() -> None:
    gc.disable()
    try:
        validate(ROW)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_pause_within_a_pause_ends_with_the_outer_one() -> None:
    assert without_pauses(lambda: (without_pauses(gc.isenabled), gc.isenabled())) == (False, False)
    assert gc.isenabled()


@pytest.fixture
def thawed() -> Iterator[None]:
    """The house's tests run with what they share frozen; a process of users does not."""
    frozen = gc.get_freeze_count()
    gc.unfreeze()
    yield
    if frozen:
        gc.freeze()


@pytest.mark.usefixtures("thawed")
def test_what_lasts_is_not_looked_through_and_garbage_of_later_is_found() -> None:
    class Kept:
        me: object = None

    def circles() -> list[Kept]:
        made = [Kept() for _ in range(3_000)]
        for item in made:
            item.me = item
        return made

    looked: list[int] = []

    def note(phase: str, facts: dict[str, int]) -> None:
        if phase == "start":
            looked.append(len(gc.get_objects(generation=0)))

    gc.collect()
    gc.callbacks.append(note)
    try:
        kept = without_pauses(circles, lasting=True)
        assert max(looked, default=0) < 3_000
        assert gc.get_freeze_count() == 0
    finally:
        gc.callbacks.remove(note)
    number = weakref.WeakSet(kept)
    assert len(number) == 3_000
    del kept
    gc.collect()
    assert len(number) == 0


@pytest.mark.usefixtures("thawed")
def test_who_has_frozen_values_keeps_them_frozen() -> None:
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        without_pauses(list, lasting=True)
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()


def test_after_threads_that_validate_together_it_is_on() -> None:
    threads = [threading.Thread(target=lambda: [validate(ROW) for _ in range(5)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert gc.isenabled()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_process_forked_meanwhile_collects() -> None:
    def forked() -> int:
        child = os.fork()
        if child == 0:
            os._exit(0 if gc.isenabled() and without_pauses(gc.isenabled) is False else 1)
        return os.waitpid(child, 0)[1]

    assert without_pauses(forked) == 0


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Evidence, {"chunk_id": "c", "sentence_index": 0, "text": "x", "start": 0, "end": 1}),
        (SupportingSource, {"chunk_id": "c", "metadata": {"title": "T"}, "support": 0.5}),
        (ConfidenceTerm, {"name": "n", "value": None, "weight": 1.0}),
        (Finding, {"rule": "r", "severity": "info", "message": "m", "span": (0, 3)}),
    ],
)
def test_a_value_that_is_built_is_the_one_that_is_checked(model, values) -> None:  # type: ignore[no-untyped-def]
    built, checked = model.built(**values), model(**values)
    assert built == checked
    assert built.model_dump_json() == checked.model_dump_json()
    assert list(built.__dict__) == list(checked.__dict__)
    assert built.model_fields_set == checked.model_fields_set
    assert built.model_copy(update={}) == checked
    other = model.built(**values)
    assert all(
        getattr(built, name) is not getattr(other, name)
        for name, field in model.model_fields.items()
        if field.default_factory is not None and name not in values
    )
