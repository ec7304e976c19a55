"""LettuceDetect: labelled rows; the labels mark what is hallucinated, and are kept as metadata."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pytest_grounding.importers.draft import Draft
from pytest_grounding.importers.format import Format
from pytest_grounding.importers.reading import as_list, as_map, as_text, bounded, decoded, first_text
from pytest_grounding.importers.recording import Recording


class LettuceDetect(Format):
    """Reads a row; its context is one text, and its question may be missing."""

    name = "lettucedetect"
    how: ClassVar[Mapping[str, str]] = {
        "question": "write it as question",
        "chunks": "write what was retrieved as context",
    }

    def fits(self, recording: Recording) -> bool:
        """Whether there are labels beside a prompt and an answer."""
        body = recording.body
        return (
            isinstance(body.get("labels"), (list, tuple))
            and "answer" in body
            and ("prompt" in body or "context" in body)
        )

    def read(self, recording: Recording, draft: Draft) -> None:
        """Fill the draft from one row."""
        body = recording.body
        context = body.get("context")
        prompt = as_text(body.get("prompt")) or ""
        texts = (
            [context]
            if isinstance(context, str)
            else [item for item in as_list(context) if isinstance(item, str)]
        )
        draft.answer = as_text(body.get("answer")) or ""
        draft.question = first_text(body, "question") or (asked_by(prompt, texts) if texts else "")
        for text in texts:
            draft.chunk(text)
        if not texts:
            draft.chunk(prompt)
            draft.gap("chunks", "the row holds no context; the whole prompt stands for it", "warning")
        draft.fields["language"] = as_text(body.get("language"))
        details: dict[str, Any] = {"labels": bounded(as_list(body.get("labels")))}
        for key in ("split", "task_type", "dataset"):
            if isinstance(body.get(key), str):
                details[key] = body[key]
        # The field is JSON in text in files, and an object in the library.
        known: Mapping[str, Any] = as_map(bounded(decoded(body.get("metadata"))))
        draft.metadata.update({**known, **details})


def asked_by(prompt: str, texts: list[str]) -> str:
    """What a prompt asks: itself without the source texts; "" where it does not hold them."""
    rest = prompt
    for text in texts:
        if text.strip() and text.strip() not in rest:
            return ""
        rest = rest.replace(text.strip(), " ", 1)
    return rest.strip()
