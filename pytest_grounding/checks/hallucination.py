"""Whether the chunks support each claim, and identifiers that no source mentions, letter by letter."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext, is_contradicted, on_claim, score_of, supports
from pytest_grounding.errors import ScorerError
from pytest_grounding.evidence.identifier_matches import KnownNames, known_names, strange_identifiers
from pytest_grounding.lexicon import words as listed
from pytest_grounding.model.finding import BACKED, HALLUCINATED, EngineOpinion, Finding, Span
from pytest_grounding.model.verdict import ClaimStatus, ClaimVerdict, Conflict, SupportingSource
from pytest_grounding.reading import read_once
from pytest_grounding.reading.facts import comparable, extract_facts
from pytest_grounding.reading.facts.fact import Fact
from pytest_grounding.reading.identifiers import Identifier, words_in_code
from pytest_grounding.reading.sentences import Claim, segment
from pytest_grounding.reading.words import Token, tokenize
from pytest_grounding.scorers import BUILT_IN_METHODS, SupportScore
from pytest_grounding.settings import Settings

if TYPE_CHECKING:
    from pytest_grounding.checks.judge_rulings import Rulings
if TYPE_CHECKING:
    from pytest_grounding.citations.source_root import SourceRoot

#: General advice where no words can be suggested.
READ = "read the source's whole sentence: if it is about the same thing, correct the claim"
READ_ONLY = "read the source's whole sentence: the claim may be right as it is"

#: Kinds of conflicts between two values. Other kinds depend on more than the differing words.
_VALUES = frozenset({"number", "unit", "date", "entity"})
_MEASURED = frozenset({"number", "percent", "money", "quantity", "duration"})
_WORDLESS = frozenset({"name", "negation"})
#: A claim with more conflicts is too ambiguous for a suggestion.
_MOST = 8


class Edit(NamedTuple):
    """Words of the answer, and the words of a source that may replace them."""

    start: int  # offset in the answer
    end: int  # end offset, exclusive
    text: str  # the source's words


def offered_edit(context: CheckContext, claim: Claim, verdict: ClaimVerdict) -> tuple[Edit, Conflict] | None:
    """The one edit that corrects a claim and changes nothing else, with its conflict."""
    score = context.supports[claim.index]
    if verdict.status not in HALLUCINATED or not 0 < len(verdict.conflicts) <= _MOST:
        return None
    if score is None or score.method not in BUILT_IN_METHODS:
        return None
    found: dict[Edit, tuple[Conflict, Span]] = {}
    for conflict in verdict.conflicts:
        place = _replaced(claim.bare, conflict, context.language) if conflict.kind in _VALUES else None
        at = _only(claim.text, conflict.claim_text) if place is not None else None
        if place is not None and at is not None:
            edit = Edit(claim.start + at[0], claim.start + at[1], conflict.evidence_text)
            found.setdefault(edit, (conflict, place))
    if len(found) != 1:
        return None
    edit, (conflict, place) = next(iter(found.items()))
    if not _are_of_one_mind(context, claim.bare, place, conflict):
        return None
    mended = claim.bare[: place[0]] + edit.text + claim.bare[place[1] :]
    is_backed = _is_backed(context, claim, mended, conflict.evidence.chunk_id)
    return (edit, conflict) if is_backed else None


def _is_backed(context: CheckContext, claim: Claim, text: str, chunk_id: str) -> bool:
    """Whether the scorer supports the corrected claim, and no other chunk contradicts it."""
    chunks = context.transcript.chunks
    others = [chunk for chunk in chunks if chunk.id != chunk_id]
    try:
        whole = score_of(context, text, chunks, claim.context)
        apart = score_of(context, text, others, claim.context) if others else None
    except ScorerError:
        return False
    is_backed = bool(supports(whole, context.settings.supported_threshold))
    return is_backed and not (apart is not None and is_contradicted(apart))


def _replaced(bare: str, conflict: Conflict, language: str) -> Span | None:
    """The span of the claim for which the source has another value; None if more differs."""
    source = conflict.evidence.text
    ours, theirs = _only(bare, conflict.claim_text), _only(source, conflict.evidence_text)
    if ours is None or theirs is None or not _are_alike(conflict, bare, ours, source, theirs):
        return None
    words, others = tokenize(bare, language), tokenize(source, language)
    if _before(words, ours) != _before(others, theirs):
        return None
    (lead, said, rest), (ahead, held, behind) = _parts(words, ours), _parts(others, theirs)
    if said == held or rest[:1] != behind[: len(rest[:1])]:
        return None
    return ours if _place_in(lead, ahead) and _place_in(rest, behind) else None


def _parts(words: Sequence[Token], span: Span) -> tuple[list[str], list[str], list[str]]:
    """The content words before, in and after a stretch, as stems."""
    kept = [word for word in words if _weighs(word) or _inside(word, span)]
    return (
        [word.stem for word in kept if word.end <= span[0]],
        [word.stem for word in kept if _inside(word, span)],
        [word.stem for word in kept if word.start >= span[1]],
    )


def _place_in(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether all words occur among the others in the same order."""
    rest = iter(others)
    return all(word in rest for word in words)


def _weighs(word: Token) -> bool:
    """Whether a word must be equal: a content word, or the letter of "Plan A"."""
    is_letter = len(word.text) == 1 and word.text.isupper() and word.start > 0
    return not word.is_stop or word.is_number or is_letter


def _are_of_one_mind(context: CheckContext, bare: str, place: Span, shown: Conflict) -> bool:
    """Whether no other sentence of the same chunk makes the same statement with another value."""
    language = context.language
    lead, _, rest = _parts(tokenize(bare, language), place)
    offered = {word.stem for word in tokenize(shown.evidence_text, language)}
    chunk = context.chunk_by_id.get(shown.evidence.chunk_id)
    for sentence in segment(chunk.text, language=language) if chunk is not None else ():
        held = [word.stem for word in tokenize(sentence.text, language) if _weighs(word)]
        first, last = _end_of(lead, held), len(held) - _end_of(rest[::-1], held[::-1])
        if sentence.text != shown.evidence.text and not {*held[first:last]} <= offered:
            return False
    return True


def _end_of(words: Sequence[str], others: Sequence[str]) -> int:
    """The position after the last of the words, if all occur in order; the end if they do not."""
    at = 0
    for word in words:
        at = next((place + 1 for place in range(at, len(others)) if others[place] == word), len(others))
    return at


def _only(text: str, words: str) -> Span | None:
    """The position of some whole words in a text, if they occur exactly once."""
    if not words.strip():
        return None
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)]
    return found[0] if len(found) == 1 else None


def _inside(word: Token, span: Span) -> bool:
    return span[0] <= word.start and word.end <= span[1]


def _before(words: Sequence[Token], span: Span) -> str:
    """The word right before a stretch, which may bound or negate it; "" at the start."""
    return next((word.norm for word in reversed(words) if word.end <= span[0]), "")


def _are_alike(conflict: Conflict, bare: str, ours: Span, source: str, theirs: Span) -> bool:
    """Whether both stretches contain one value each, of one kind."""
    mine, other = _values(bare, ours), _values(source, theirs)
    if conflict.kind == "entity":
        is_like = conflict.claim_text[:1].isupper() == conflict.evidence_text[:1].isupper()
        return not mine and not other and is_like
    if len(mine) != 1 or len(other) != 1:
        return False
    one, two = mine[0], other[0]
    if (one.bound, one.strict, one.approximate) != (two.bound, two.strict, two.approximate):
        return False
    if conflict.kind == "unit":
        return one.kind in _MEASURED and two.kind in _MEASURED
    return comparable(one, two)


def _values(text: str, span: Span) -> list[Fact]:
    facts = [fact for fact in extract_facts(text) if fact.start < span[1] and span[0] < fact.end]
    return [fact for fact in facts if fact.kind not in _WORDLESS]


#: Share of hallucinated claims above which the detector recommends to regenerate.
_RETRY_RATE = 0.1


class HallucinationOutcome(NamedTuple):
    """The verdicts on the claims, with findings and rate."""

    claims: tuple[ClaimVerdict, ...]  # one verdict per claim, in the order of the answer
    #: On unsupported, contradicted, borderline and abstained claims, and on unknown names.
    findings: tuple[Finding, ...]
    rate: float | None  # hallucinated claims ÷ checked and scored claims; None without any
    #: The detector's own recommendation; None if nothing was scored.
    recommendation: Literal["accept", "regenerate", "reject"] | None


def check(
    context: CheckContext, *, claim_citations: Sequence[Sequence[int]] = (), rulings: Rulings | None = None
) -> HallucinationOutcome:
    """Give each claim its status."""
    cited = list(claim_citations) or [()] * len(context.claims)
    chunks = _Chunks(context)
    claims = tuple(
        _verdict(context, chunks, claim, score, tuple(citations), rulings)
        for claim, score, citations in zip(context.claims, context.supports, cited, strict=True)
    )
    scored = [claim for claim in claims if claim.status not in {"unchecked", "abstained"}]
    wrong = sum(claim.status in HALLUCINATED for claim in scored)
    rate = wrong / len(scored) if scored else None
    findings = [finding for claim in claims for finding in _findings(claim, context)]
    if rulings is not None:
        findings += rulings.findings(claims, context.settings)
    findings += _strangers(context, claims)
    return HallucinationOutcome(claims, tuple(findings), rate, recommend(rate, context.settings))


def recommend(rate: float | None, settings: Settings) -> Literal["accept", "regenerate", "reject"] | None:
    """The detector's recommendation: above 0.3 reject, above 0.1 regenerate, else accept (defaults)."""
    if rate is None:
        return None
    if rate > settings.max_hallucination_rate:
        return "reject"
    return "regenerate" if rate > _RETRY_RATE else "accept"


def status_of(score: SupportScore | None, settings: Settings) -> ClaimStatus:
    """Status of a claim from its score."""
    if score is None:
        return "unchecked"
    if score.probability is None:
        return "abstained"
    if is_contradicted(score):
        return "contradicted"
    if supports(score, settings.supported_threshold):
        return "supported"
    return "borderline" if supports(score, settings.borderline_threshold) else "unsupported"


class _Chunks:
    """The chunks by id, with their metadata as reports show it, prepared once."""

    def __init__(self, context: CheckContext) -> None:
        self._chunks = context.chunk_by_id
        self._metadata: dict[str, dict[str, Any]] = {}

    def source(self, chunk_id: str, support: float | None) -> SupportingSource | None:
        """A chunk as the source of a claim; None for an unknown id."""
        chunk = self._chunks.get(chunk_id)
        if chunk is None:
            return None
        if chunk_id not in self._metadata:
            given = chunk.metadata
            # Most chunks have no metadata, and writing it takes as long as scoring a claim.
            known = bool(given.model_fields_set or given.model_extra)
            self._metadata[chunk_id] = given.model_dump(mode="json", exclude_none=True) if known else {}
        metadata = copy.deepcopy(self._metadata[chunk_id])
        return SupportingSource.built(
            chunk_id=chunk_id, metadata=metadata, retrieval_score=chunk.score, support=support
        )


def _verdict(
    context: CheckContext,
    chunks: _Chunks,
    claim: Claim,
    score: SupportScore | None,
    citations: tuple[int, ...],
    rulings: Rulings | None,
) -> ClaimVerdict:
    status = status_of(score, context.settings)
    method, reason, support = (score.method, score.reason, score.probability) if score else (None, "", None)
    opinions = None
    if rulings is not None and claim.index in rulings.by_claim:
        engine = EngineOpinion(status=status, support=support, method=method, reason=reason)
        opinions = rulings.on(claim.index, engine)
        status, method, reason = rulings.decide(opinions)
    sources = _sources(chunks, score)
    # The support of a judge may come from any source: the engine's nearest one is not a suggestion.
    suggests = status in BACKED and not (opinions is not None and opinions.differ)
    return ClaimVerdict(
        index=claim.index,
        text=claim.text,
        start=claim.start,
        end=claim.end,
        kind=claim.kind,
        kind_confidence=claim.kind_confidence,
        checked=score is not None,
        skip_reason=claim.skip_reason or ("" if score else "hallucination detection is off"),
        status=status,
        support=support,
        method=method,
        reason=reason,
        missing_words=score.missing if score else (),
        evidence=score.evidence if score else (),
        conflicts=score.conflicts if score else (),
        citations=citations,
        sources=sources,
        suggested_chunk_ids=(sources[0].chunk_id,) if suggests and sources and not citations else (),
        opinions=opinions,
    )


def _sources(chunks: _Chunks, score: SupportScore | None) -> tuple[SupportingSource, ...]:
    """The chunks of the evidence, each once, best first."""
    if score is None:
        return ()
    best: dict[str, float | None] = {}
    for item in score.evidence:
        best.setdefault(item.chunk_id, item.score)
    sources = (chunks.source(chunk_id, support) for chunk_id, support in best.items())
    return tuple(source for source in sources if source is not None)


def _findings(claim: ClaimVerdict, context: CheckContext) -> list[Finding]:
    settings = context.settings
    found = _conflict_findings(claim, context)
    if claim.status == "unsupported":
        found.append(_unsupported(claim, settings))
    elif claim.status == "borderline":
        between = f"{settings.borderline_threshold} and {settings.supported_threshold}"
        said = f"support {claim.support:.2f} is between {between}: counted as supported"
        advice = "read the evidence, or let a judge settle it"
        found.append(on_claim(claim, "borderline_claim", settings, said, advice))
    elif claim.status == "abstained":
        said = f"could not be scored: {claim.reason or 'the scorer gave no answer'}"
        advice = "see why the scorer failed, or set abstained = warn"
        found.append(on_claim(claim, "abstained", settings, said, advice))
    return found


def _strangers(context: CheckContext, claims: Sequence[ClaimVerdict]) -> list[Finding]:
    """The rule "entity not in the sources": a supported claim with a name that no source has."""
    transcript = context.transcript
    if not any(chunk.text.strip() for chunk in transcript.chunks):
        return []
    asked = " ".join([transcript.question, *(turn.content for turn in transcript.history)])
    found = []
    for claim, verdict, score in zip(context.claims, claims, context.supports, strict=True):
        # Only English has calibrated weights, and other languages use capitals differently.
        if verdict.status not in BACKED or score is None or not score.calibrated or not score.missing:
            continue
        if is_full(verdict):
            continue  # a judge's ruling stands
        names = list(strange_names(claim.bare, score.missing, asked))
        if names:
            message = f"no source mentions {', '.join(names)}"
            advice = "check the name, or retrieve a chunk that mentions it"
            details, settings = {"names": names}, context.settings
            found.append(on_claim(verdict, "unknown_entity", settings, message, advice, details=details))
    return found


def _unsupported(claim: ClaimVerdict, settings: Settings) -> Finding:
    opinions = claim.opinions
    if opinions is not None and (opinions.engine.status == "supported" or claim.support is None):
        message = "the judge does not find this in the sources"
    else:
        message = f"not found in any source (support {claim.support:.2f})"
    advice = "remove the claim, or retrieve a chunk that states it"
    if claim.evidence:
        message += f"; nearest is chunk {claim.evidence[0].chunk_id}"
        advice = "remove the claim or retrieve a chunk that does"
        advice = f"read the nearest sentence; if it does not state this, {advice}"
    if claim.reason:
        message += f": {claim.reason}"
    return on_claim(claim, "unsupported_claim", settings, message, advice)


def _conflict_findings(claim: ClaimVerdict, context: CheckContext) -> list[Finding]:
    """Contradictions by sources; at most one of them suggests an edit."""
    if not claim.conflicts:
        return []
    mend = offered_edit(context, context.claims[claim.index], claim)
    found = []
    for conflict in claim.conflicts:
        if is_full(claim) and conflict.severity == "error":
            continue  # the override by the judge is reported separately
        edit = mend[0] if mend is not None and conflict is mend[1] else None
        found.append(_conflict_finding(claim, conflict, context.settings, edit))
    return found


def _conflict_finding(
    claim: ClaimVerdict, conflict: Conflict, settings: Settings, edit: Edit | None
) -> Finding:
    says = conflict.message or f"{conflict.kind}: {conflict.claim_text!r} against {conflict.evidence_text!r}"
    advice = READ if claim.status in HALLUCINATED else READ_ONLY
    severity = None
    if is_full(claim):
        says += "; the judge supports the claim"
        severity = "info"
    details = conflict.model_dump(include={"kind", "claim_text", "evidence_text"})
    return on_claim(
        claim,
        "contradicted" if conflict.severity == "error" else "possible_conflict",
        settings,
        f"contradicts {conflict.evidence.chunk_id}: {says}",
        f"use the source's value: {edit.text!r}" if edit is not None else advice,
        severity=severity,
        evidence=(conflict.evidence,),
        details=details if edit is None else details | {"edit": edit._asdict()},
    )


def is_full(claim: ClaimVerdict) -> bool:
    """Whether a deciding judge supports a claim."""
    opinions = claim.opinions
    return opinions is not None and opinions.judge.value == "full" and not opinions.judge_warns


# Names as written: joined by hyphens and apostrophes, not starting with a digit.
_WORD = lazy(r"[^\W\d_](?:[^\W_]|['’])*(?:-(?:[^\W_]|['’])+)*")
_OPENERS = ".!?:;\"“'‘(*•|>–—-\n"
_SHORTEST = 4
_COMMON = listed("names", "common")


def strange_names(text: str, missing: Collection[str], asked: str = "") -> tuple[str, ...]:
    """Names of a claim of which no word is in the sources."""
    if not missing or not any(word[:1].isupper() for word in missing):
        return ()
    words = list(_WORD.finditer(text))
    longer = [match[0][0].isupper() for match in words if len(match[0]) >= _SHORTEST]
    if len(longer) > 1 and all(longer):
        return ()  # "Scope of Coverage" is a title, where capitals do not mark names
    gone = set(missing)
    known = _words(asked)
    found: dict[str, None] = {}
    for run in _runs(text, words):
        parts = [part for match in run for part in match[0].split("-")]
        name = text[run[0].start() : run[-1].end()]
        start = run[0].start()
        before = text[max(0, start - 3) : start].strip()
        opens = not before or before[-1] in _OPENERS
        if opens and len(run) == 1 and not (len(name) > 1 and name.isupper()):
            continue
        folded = [part.casefold() for part in parts]
        if gone.issuperset(parts) and not _COMMON.issuperset(folded) and known.isdisjoint(folded):
            found[name] = None
    return tuple(found)


@read_once
def _words(text: str) -> frozenset[str]:
    return frozenset(match[0] for match in _WORD.finditer(text.casefold()))


def _runs(text: str, words: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Neighbouring capitalised words, separated by blanks only."""
    runs: list[list[re.Match[str]]] = []
    for match in words:
        if match[0][0].isupper():
            if runs and text[runs[-1][-1].end() : match.start()] == " ":
                runs[-1].append(match)
            else:
                runs.append([match])
    return runs


#: Identifiers of an answer for which the most similar one is searched.
_MAX_SUGGESTIONS = 20
_WORDS = {"url": "address", "email": "e-mail address", "name": "identifier"}


def unknown_identifiers(context: CheckContext, claims: Sequence[ClaimVerdict]) -> tuple[Finding, ...]:
    """Report identifiers of checked claims that no source mentions."""
    transcript = context.transcript
    if not any(chunk.text.strip() for chunk in transcript.chunks):
        return ()
    said = [turn.content for turn in transcript.history]
    terms = [line for _, line in context.settings.glossary_lines if "!=" not in line]

    def known() -> KnownNames:
        return known_names(transcript.chunks, transcript.question, *said, *terms)

    work = _Work(context, known)
    found = []
    for claim, verdict in zip(context.claims, claims, strict=True):
        if not verdict.checked or verdict.method == "llm_judge":
            continue
        strange = [item for item in strange_identifiers(claim.bare, known) if not work.is_file(item)]
        strange += [item for item in words_in_code(claim.text) if not known().has(item)]
        if strange:
            found.append(work.finding(verdict, strange))
    return tuple(found)


class _Work:
    def __init__(self, context: CheckContext, known: Callable[[], KnownNames]) -> None:
        self._context, self._known = context, known
        self._root: SourceRoot | None = None
        if root := context.settings.source_root:
            from pytest_grounding.citations.source_root import SourceRoot

            self._root = SourceRoot(root)
        self._left = _MAX_SUGGESTIONS

    def is_file(self, item: Identifier) -> bool:
        """Whether an identifier is the path of a file under the source root."""
        if item.kind != "path" or self._root is None:
            return False
        from pytest_grounding.citations.source_root import NumberedText

        return isinstance(self._root.read(item.text), NumberedText)

    def finding(self, claim: ClaimVerdict, strange: Sequence[Identifier]) -> Finding:
        """One finding for all unknown identifiers of a claim."""
        first = claim.evidence[0].text if claim.evidence else ""
        near = dict.fromkeys((item.text for item in strange), "")
        for item in strange[: self._left]:
            near[item.text] = self._known().nearest(item, first)
        self._left -= len(strange[: self._left])
        named = dict.fromkeys(f"{_WORDS.get(item.kind, item.kind)} {item.text!r}" for item in strange)
        swaps = [f"{name} for {text}" for text, name in near.items() if name]
        message = f"no source names the {', the '.join(named)}"
        advice = "check it letter by letter, or retrieve a chunk that names it"
        if swaps:
            advice = f"the nearest that the sources name: {', '.join(swaps)}"
        details = {"identifiers": list(near), "nearest": near}
        settings = self._context.settings
        return on_claim(claim, "identifier_not_in_sources", settings, message, advice, details=details)
