"""Answers with markers as the checks see them, and what one citation covers, worked out one by one."""

import re
from bisect import bisect_left, bisect_right

from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.citations import builtin_syntaxes, extract, make_context, marker_spans
from pytest_grounding.claims.splitting import claim_owners, extract_claims
from pytest_grounding.model.transcript import Transcript
from pytest_grounding.reading.sentences import segment
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer
from pytest_grounding.settings import Settings

# What may stand behind the last citation of a sentence: further markers, closing brackets, a full stop.
_MARKER = re.compile(r"\[[^\[\]]{0,80}\]|【[^【】]{0,80}】|\([^()]{0,300}\)|https?://\S{1,2000}")


def context_of(answer):
    """An answer with its citations, of three chunks."""
    chunks = [{"id": name, "text": name} for name in "abc"]
    transcript = Transcript.model_validate({"id": "t", "question": "Q?", "chunks": chunks, "answer": answer})
    cited = extract(make_context(transcript, Settings()), builtin_syntaxes())
    markers = marker_spans(cited)
    sentences = tuple(segment(answer, markers=markers))
    claims = tuple(extract_claims(answer, markers=markers, sentences=sentences))
    return CheckContext(
        transcript=transcript,
        settings=Settings(),
        language="en",
        sentences=sentences,
        claims=claims,
        citations=cited,
        owners=claim_owners(claims, sentences, [(item.start, item.end) for item in cited]),
        supports=(None,) * len(claims),
        scorer=LexicalScorer(),
    )


def covered_by(context, number):
    """What one citation covers: at the end of a sentence all its clauses behind the marker before."""
    owner, citation = context.owners[number], context.citations[number]
    if owner is None:
        return ()
    claims, sentence = context.claims, context.claims[owner].sentence
    first = bisect_left(claims, sentence, key=lambda claim: claim.sentence)
    last = bisect_right(claims, sentence, key=lambda claim: claim.sentence) - 1
    whole = context.sentences[sentence]
    rest = _MARKER.sub("", whole.text[max(0, citation.end - whole.start) :])
    if owner != last or any(char.isalnum() for char in rest):
        return (owner,)
    places = [item.start for item in context.citations]
    earlier = [place for place in places if claims[first].start <= place < claims[owner].start]
    if earlier:
        first = bisect_right(claims, max(earlier), key=lambda claim: claim.start)
    return tuple(range(min(first, owner), owner + 1))
