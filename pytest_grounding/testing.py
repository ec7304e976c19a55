"""Recorded examples for tests: a question with its chunks, and answers to it.

::

    from pytest_grounding.testing import Example

    REFUNDS = Example("How long do refunds take?", ["Refunds are paid within 14 days."])

    def test_a_wrong_number_is_found():
        verdict = validate(REFUNDS.answered("Refunds are paid within 45 days [1]."))
        assert verdict.status == "reject"
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_grounding._io.jsonio import write_json, write_json_lines
from pytest_grounding.errors import InputError

if TYPE_CHECKING:
    from pytest_grounding.model.transcript import Chunk, Transcript

__all__ = ["Example", "write_transcripts"]
_ONE, _MANY = ".transcript.json", ".transcripts.jsonl"  # endings of file names that pytest collects


@dataclass(frozen=True, slots=True)
class Example:
    """A question and its retrieved chunks. An example is immutable: it can serve many tests.

    Attributes:
        question: the question.
        chunks: the retrieved passages, in the order in which ``[1]``, ``[2]``, ... count them: texts, which
            get the ids ``c1``, ``c2``, ...; or chunks, or mappings as in a transcript file.
        id: id of the transcripts, unless an answer has its own.
        score: the retriever's score for text chunks, in [0, 1], or None.
    """

    question: str
    chunks: Sequence[str | Chunk | Mapping[str, Any]] = ()
    id: str = "example"
    score: float | None = None

    def answered(self, answer: str, **fields: Any) -> dict[str, Any]:
        """The recording of an answer, in the form of a transcript file.

        It is not checked, so that broken recordings can be made too; it is accepted like a transcript.

        Args:
            answer: the model's answer, with its citations.
            fields: further fields of the transcript, such as ``id``, ``language`` or ``metadata``; they take
                precedence over those of the example.

        Raises:
            InputError: a chunk is neither a text nor a mapping nor a chunk.
        """
        own = {"id": self.id, "question": self.question, "chunks": self._chunks(), "answer": answer}
        return {**own, **deepcopy(fields)}

    def transcript(self, answer: str, **fields: Any) -> Transcript:
        """The same as a checked `Transcript`.

        Raises:
            InputError: the parts do not make a transcript; names the field and what to write.
        """
        from pytest_grounding.importers.native import to_transcript

        return to_transcript(self.answered(answer, **fields))

    def _chunks(self) -> list[dict[str, Any]]:
        if isinstance(self.chunks, (str, Mapping)):
            hint = "write the texts of the passages in a list"
            raise InputError("is not a list", field="chunks", hint=hint)
        return [self._chunk(number, given) for number, given in enumerate(self.chunks)]

    def _chunk(self, number: int, given: str | Chunk | Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(given, str):
            chunk: dict[str, Any] = {"id": f"c{number + 1}", "text": given}
            return chunk if self.score is None else {**chunk, "score": self.score}
        if isinstance(given, Mapping):
            return deepcopy(dict(given))
        if hasattr(given, "model_dump"):
            return given.model_dump(mode="json", exclude_none=True)
        raise InputError(
            f"is of type {type(given).__name__}",
            field=f"chunks[{number}]",
            hint="write the text of the passage, or a mapping with id and text",
        )


def write_transcripts(
    path: str | os.PathLike[str], transcripts: Sequence[Transcript | Mapping[str, Any]]
) -> Path:
    """Write recordings to a file that pytest collects and ``pytest-grounding check`` reads.

    Args:
        path: the file: ``NAME.transcript.json`` for one transcript, ``NAME.transcripts.jsonl`` for several,
            one per line. Its folder is created.
        transcripts: the recordings, in this order.

    Returns:
        The path.

    Raises:
        InputError: the name has neither ending, or the first ending and not one transcript.
        OSError: the file cannot be written.
    """
    target = Path(path)
    many = target.name.endswith(_MANY)
    if not many and not (target.name.endswith(_ONE) and len(transcripts) == 1):
        hint = f"name it NAME{_MANY}" + (f", or NAME{_ONE}" if len(transcripts) == 1 else "")
        problem = f"is not a name for a file of {len(transcripts)} transcripts"
        raise InputError(problem, path=str(path), hint=hint)
    plain = [
        item if isinstance(item, Mapping) else item.model_dump(mode="json", exclude_defaults=True)
        for item in transcripts
    ]
    target.parent.mkdir(parents=True, exist_ok=True)
    if many:
        write_json_lines(target, plain)
    else:
        write_json(target, plain[0])
    return target
