"""The supported claims of an answer that was not accepted, with their Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.citations.extract import extract, make_context
from pytest_grounding.citations.syntax import Target
from pytest_grounding.engine import registry
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.model.finding import BACKED, Finding
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict
from pytest_grounding.reading.sentences import Claim

#: Pieces without a claim that introduce others.
_STRUCTURE = frozenset({"heading", "list_intro", "table_header", "separator"})
_TIGHT = frozenset({"list_item", "table_row", "quote", "definition"})  # no blank line between them
_SIGN = plain("text_form", "sign")
_LABEL = lazy(r"\[(\^?[^\[\]]{1,64})\]:")
_JOINT = lazy(r"(?:and|but|although|though|while|whereas|however|yet)\b[ \t\r\n]*,?[ \t\r\n]*", re.IGNORECASE)
_LEVEL = lazy(r"#{1,6}(?=[ \t]|$)")
_ENDS = (".", "!", "?", "…", "。", "！", "？")
_PAIRED = ("**", "__", "~~", '"', "“", "”")  # paired markup; half of a pair would change what follows
_CONTEXT_LIMIT = 400
_MAX_ROUNDS = 4  # attempts to remove markers with another meaning, before the result is empty


def partial_response(
    context: CheckContext,
    claims: Sequence[ClaimVerdict],
    citations: Sequence[CitationVerdict],
    findings: Sequence[Finding],
) -> str:
    """The supported part of an answer, ready to be shown to users."""
    kept = _kept_claims(context, claims, citations, findings)
    text = _composed(context, _with_structure(context, kept)) if any(kept) else ""
    valid = {item.target for item, judged in zip(context.citations, citations, strict=True) if judged.valid}
    return _cleaned(context, text, valid)


def _kept_claims(
    context: CheckContext,
    claims: Sequence[ClaimVerdict],
    citations: Sequence[CitationVerdict],
    findings: Sequence[Finding],
) -> list[bool]:
    errors = [part for finding in findings for part in finding.parts if part.severity == "error"]
    wrong = {item.index for item in citations if not item.valid} | {part.citation for part in errors}
    blamed = {part.claim for part in errors} | {item.claim for item in citations if item.index in wrong}
    kept = [
        claim.checked
        and (claim.status in BACKED or claim.waived is not None)
        and claim.index not in blamed
        and not wrong.intersection(claim.citations)
        for claim in claims
    ]
    said = {claim.bare[-_CONTEXT_LIMIT:].rstrip(" :"): claim for claim in context.claims}
    for claim in context.claims:
        # A claim that depends on a removed sentence would change its meaning.
        giver = said.get(claim.context)
        if giver is not None and not _is_structure(giver) and not kept[giver.index]:
            kept[claim.index] = False
    return kept


def _is_structure(claim: Claim) -> bool:
    return not claim.checked and (claim.skip_reason in _STRUCTURE or claim.bare.endswith((":", "：")))


def _with_structure(context: CheckContext, kept: Sequence[bool]) -> list[Claim]:
    """The kept claims, with headings, introductions and table headers of kept content."""
    shown: list[Claim] = []
    waiting: list[Claim] = []
    said = "\n".join(claim.text for claim in context.claims if kept[claim.index])
    for claim in context.claims:
        kind = context.sentences[claim.sentence].kind
        label = _LABEL.match(claim.text) if kind == "definition" else None
        if kept[claim.index] or (label is not None and f"[{label[1]}]" in said):
            shown += [*waiting, claim]
            waiting = []
        elif claim.skip_reason == "heading":
            waiting = [other for other in waiting if _level(other) < _level(claim)] + [claim]
        elif _is_structure(claim):
            waiting.append(claim)
        elif kind == "prose":
            waiting = [other for other in waiting if other.skip_reason == "heading"]
    return shown


def _level(claim: Claim) -> int:
    """Level of a heading, from 1; a line in bold is below all others, and anything else below that."""
    signs = _LEVEL.match(claim.text)
    if signs is not None:
        return signs.end()
    return 7 if claim.skip_reason == "heading" else 8


def _composed(context: CheckContext, shown: Sequence[Claim]) -> str:
    """The kept pieces with the text between them; a blank line replaces removed pieces."""
    answer, text = context.transcript.answer, ""
    for block, group in groupby(shown, key=lambda claim: context.sentences[claim.sentence].block):
        claims = list(group)
        whole = [claim for claim in context.claims if context.sentences[claim.sentence].block == block]
        kind = context.sentences[claims[0].sentence].kind
        before = context.claims[whole[0].index - 1] if whole[0].index else None
        if before is not None and before in shown:
            text += answer[before.end : whole[0].start]
        elif text:
            last = context.sentences[shown[shown.index(claims[0]) - 1].sentence].kind
            text = text.rstrip() + ("\n" if last == kind and kind in _TIGHT else "\n\n")
        sign = _SIGN.match(whole[0].text) if kind in _TIGHT and claims[0] is not whole[0] else None
        text += _balanced((sign[0] if sign else "") + _joined(answer, claims, whole), whole)
    return text


def _joined(answer: str, claims: Sequence[Claim], whole: Sequence[Claim]) -> str:
    """The kept claims of a block; a clause of a partly removed sentence becomes a sentence."""
    text, stays = "", {claim.index for claim in claims}
    for number, claim in enumerate(claims):
        same = [other for other in whole if other.sentence == claim.sentence]
        piece = claim.text
        if any(other.index not in stays for other in same):
            if any(other.index == claim.index + 1 and other.index not in stays for other in same):
                piece = piece.rstrip(" \t\r\n,;:–—-")
                piece += "" if piece.endswith(_ENDS) else "."
            joint = _JOINT.match(piece)
            if joint is not None or (claim is not same[0] and claim.index - 1 not in stays):
                piece = piece[joint.end() if joint else 0 :]
                piece = piece[:1].upper() + piece[1:]
        if number:
            before = claims[number - 1]
            text += answer[before.end : claim.start] if before.index + 1 == claim.index else " "
        text += piece
    return text


def _balanced(text: str, whole: Sequence[Claim]) -> str:
    before = "".join(claim.text for claim in whole)
    for sign in _PAIRED:
        if text.count(sign) != before.count(sign):
            text = text.replace(sign, "")
    return text


def _cleaned(context: CheckContext, text: str, valid: set[Target]) -> str:
    """The text without markers that are invalid, or that resolve differently than in the whole answer."""
    settings, syntaxes = context.settings, registry.syntaxes()
    for _ in range(_MAX_ROUNDS):
        part = context.transcript.model_copy(update={"answer": text, "citations": (), "cited_indices": None})
        cited = extract(make_context(part, settings), syntaxes)
        if all(item.target in valid for item in cited):
            return text.strip()
        judged = []
        for number, item in enumerate(cited):
            found = {name: getattr(item, name) for name in ("text", "start", "end", "syntax")}
            is_valid = item.target in valid
            judged.append(CitationVerdict(index=number, target=item.target.label, valid=is_valid, **found))
        from pytest_grounding.citations.editing import clean_markers

        text = clean_markers(part, judged, settings=settings, syntaxes=syntaxes)
    return ""
