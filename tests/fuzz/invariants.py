"""What holds for every transcript, value and file, however strange."""

import tempfile
from pathlib import Path

import pytest_grounding as pg

#: What counts as supported.
_BACKED = ("supported", "borderline")


def check_transcript(given, *, thorough=True):
    """A verdict with true spans, twice the same, and no pass for what was not scored.

    Args:
        given: the transcript.
        thorough: whether to ask everything once more, and the other entrances too.
    """
    transcript = pg.Transcript.model_validate(given)
    verdict = pg.validate(transcript)
    assert not {finding.rule for finding in verdict.causes} & {"internal_error", "too_large"}
    check_spans(transcript, verdict)
    check_status(verdict)
    if not thorough:
        return
    assert pg.validate(transcript).to_json() == verdict.to_json()
    assert pg.Verdict.model_validate_json(verdict.to_json()).to_json() == verdict.to_json()
    cleaned = pg.clean_answer(transcript)
    again = transcript.model_copy(update={"answer": cleaned, "citations": (), "cited_indices": None})
    if transcript.cited_indices is None:
        assert pg.clean_answer(again) == cleaned
    pg.inline_citations(transcript)
    pg.validate_retrieval(transcript.question, transcript.chunks)


def check_spans(transcript, verdict):
    """Every offset slices to its text."""
    answer = transcript.answer
    texts = {chunk.id: chunk.text for chunk in transcript.chunks}
    for item in (*verdict.claims, *(cited for cited in verdict.citations if cited.text)):
        assert answer[item.start : item.end] == item.text
    for finding in verdict.findings:
        assert finding.span is None or 0 <= finding.span[0] <= finding.span[1] <= len(answer)
    shown = [evidence for claim in verdict.claims for evidence in claim.evidence]
    shown += [conflict.evidence for claim in verdict.claims for conflict in claim.conflicts]
    for evidence in (*shown, *verdict.retrieval.evidence):
        assert texts[evidence.chunk_id][evidence.start : evidence.end] == evidence.text


def check_status(verdict):
    """What passes was scored, or declines; what has no confidence does not pass."""
    assert verdict.confidence is None or 0.0 <= verdict.confidence <= 1.0
    if verdict.confidence is None:
        assert verdict.status != "pass"
    if verdict.status == "pass":
        assert verdict.scored
        assert verdict.declined or any(claim.status in _BACKED for claim in verdict.claims)
        assert all(finding.severity == "info" for finding in verdict.findings)


def check_value(given):
    """Any JSON value gets a verdict or one clear error."""
    try:
        verdict = pg.validate(given)
    except pg.GroundingError as refused:
        error = str(refused)
    else:
        check_status(verdict)
        return
    assert error
    assert "\n" not in error


def check_file(content):
    """Any file is read, or refused with one clear error that names it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.transcripts.jsonl"
        path.write_bytes(content)
        error = ""
        transcripts = []
        try:
            transcripts = pg.load_transcripts(path)
        except pg.GroundingError as refused:
            error = str(refused)
    assert transcripts or "made.transcripts.jsonl" in error
    for transcript in transcripts:
        check_status(pg.validate(transcript))
