"""An accepted golden as a statement: what it holds was accepted, and only what changed since counts."""

from __future__ import annotations

from pytest_grounding.golden.decisions import decisions
from pytest_grounding.golden.record import Golden
from pytest_grounding.golden.store import Store, file_name
from pytest_grounding.model.verdict import CitationVerdict, Verdict
from pytest_grounding.text.normalize import fingerprint
from pytest_grounding.waivers import Waiver, held_by


def accepted(store: Store, name: str, identifier: str) -> tuple[Waiver, ...]:
    """Waivers of all that the accepted recording holds; none where there is no golden.

    Args:
        store: the goldens beside the test.
        name: name of the golden.
        identifier: id of the transcript that is compared with it.

    Raises:
        InputError: the golden is damaged or was edited by hand.
    """
    golden = store.golden(name)
    if golden is None:
        return ()
    by = day = ""
    for item in decisions(store, name):
        if item.get("decision") == "accept":
            by, day = str(item.get("by", "")), str(item.get("at", ""))[:10]
    reason = f"accepted golden {file_name(name)}"
    held = held_by(_with_sources(golden), reason=reason, by=by, day=day)
    return tuple(item.model_copy(update={"transcript": identifier}) for item in held)


def _with_sources(golden: Golden) -> Verdict:
    """The accepted verdict; one of an older version did not say what its citations resolved to."""
    texts = {chunk.id: chunk.text for chunk in golden.transcript.chunks}

    def known(citation: CitationVerdict) -> CitationVerdict:
        if citation.source_hash or not citation.chunk_ids:
            return citation
        text = "\n".join(texts.get(chunk_id, "") for chunk_id in citation.chunk_ids)
        return citation.model_copy(update={"source_hash": fingerprint(text)})

    return golden.verdict.model_copy(update={"citations": tuple(map(known, golden.verdict.citations))})
