"""Ctrl-C while a value is written: pydantic makes an ordinary error of it, and it must stay what it was."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest
from every import each
from pydantic_core import PydanticSerializationError

from pytest_grounding.cli import main
from pytest_grounding.model._base import Model, Sparse
from pytest_grounding.model.verdict import ClaimVerdict

ROOT = Path(__file__).resolve().parents[2]


class Stopping:
    """Names of fields, at the reading of which Ctrl-C is pressed."""

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised

    def __iter__(self) -> Any:
        raise self.raised


class Pressed(Sparse):
    left_out: ClassVar[Any] = Stopping(KeyboardInterrupt())
    number: int = 1


class Around(Model):
    inner: Pressed = Pressed()


class Broken(Sparse):
    left_out: ClassVar[Any] = Stopping(ValueError("KeyboardInterrupt is a word here"))


@pytest.mark.parametrize("value", [Pressed(), Around()], ids=["itself", "within another"])
@pytest.mark.parametrize(
    "write",
    [Model.model_dump, lambda value: value.model_dump(mode="json"), Model.model_dump_json],
    ids=["python", "plain", "json"],
)
def test_ctrl_c_while_a_value_is_written_stays_ctrl_c(value: Model, write: Callable[[Model], Any]) -> None:
    with pytest.raises(KeyboardInterrupt):
        write(value)


@each(Model.model_dump, Model.model_dump_json)
def test_any_other_error_stays_what_it_was(write: Callable[[Model], Any]) -> None:
    with pytest.raises(PydanticSerializationError, match="is a word here"):
        write(Broken())


def test_check_ends_as_interrupted_and_not_with_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ClaimVerdict, "left_out", Stopping(KeyboardInterrupt()))
    assert main(["check", str(ROOT / "examples" / "no_code"), "--json"]) == 130
    assert capsys.readouterr().err == ""
