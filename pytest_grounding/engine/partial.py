"""What is left of an answer that was not accepted: its supported claims, in the Markdown they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.checks.check_context import CheckContext
from pytest_grounding.citations.extract import extract, make_context
from pytest_grounding.citations.syntax import Target
from pytest_grounding.engine import registry
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import CitationVerdict, ClaimVerdict
from pytest_grounding.reading.spans import BlockKind, Claim

_KEPT = frozenset({"supported", "borderline"})
#: Pieces without a claim that hold together what stands under them.
_STRUCTURE = frozenset({"heading", "list_intro", "table_header", "separator"})
#: Blocks of which one follows the other without a blank line.
_TIGHT = frozenset({"list_item", "table_row", "quote", "definition"})
_SIGN = lazy(
    r"(?:[-*+•‣◦▪●○–]|\d{1,3}[.)]|\(\d{1,3}\)|[a-zA-Z]\))[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]*"
    r"|\[\^[^\[\]]{1,64}\]:[ \t]*"
)
_LABEL = lazy(r"\[(\^?[^\[\]]{1,64})\]:")
_JOINT = lazy(
    r"(?:and|but|although|even though|though|while|whereas|however|yet)\b[ \t\r\n]*,?[ \t\r\n]*",
    re.IGNORECASE,
)
_LEVEL = lazy(r"#{1,6}(?=[ \t]|$)")
_BLANK_LINE = lazy(r"(?:\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)")
#: The level of all that is no heading.
_LOWEST = 8
_ENDS = (".", "!", "?", "…", "。", "！", "？")
#: Signs that come in pairs; half of a pair would mark what follows it.
_PAIRED = ("**", "__", "~~", '"')
#: How many items are looked back over for the one that an item is nested in.
_NESTED = 100
_CONTEXT_LIMIT = 400
#: How often markers that mean something else by themselves are taken out, before nothing is left.
_MAX_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class _Block:
    """The claims of one block of the answer."""

    kind: BlockKind
    claims: tuple[Claim, ...]
    line: int

    @property
    def indent(self) -> int:
        """How far it is indented, in characters."""
        return self.claims[0].start - self.line


def partial_response(
    context: CheckContext,
    claims: Sequence[ClaimVerdict],
    citations: Sequence[CitationVerdict],
    findings: Sequence[Finding],
) -> str:
    """The supported part of an answer, fit to be shown to users."""
    kept = _kept_claims(context, claims, citations, findings)
    if not any(kept):
        return ""
    blocks = list(_blocks(context))
    shown = _with_structure(context, blocks, kept)
    text = _composed(context, blocks, shown)
    valid = {item.target for item, judged in zip(context.citations, citations, strict=True) if judged.valid}
    return _cleaned(context, text, valid)


def _kept_claims(
    context: CheckContext,
    claims: Sequence[ClaimVerdict],
    citations: Sequence[CitationVerdict],
    findings: Sequence[Finding],
) -> list[bool]:
    """For each claim whether it stays."""
    blamed = {part.claim for finding in findings for part in finding.parts if part.severity == "error"}
    wrong = {item.index for item in citations if not item.valid}
    for part in (part for finding in findings for part in finding.parts if part.severity == "error"):
        if part.citation is not None:
            wrong.add(part.citation)
    for item in citations:
        if item.index in wrong:
            blamed.add(item.claim)
    kept = [
        claim.checked
        and (claim.status in _KEPT or claim.waived is not None)
        and claim.index not in blamed
        and not wrong.intersection(claim.citations)
        for claim in claims
    ]
    for place, givers in enumerate(_givers(context)):
        if any(not kept[giver] for giver in givers):
            kept[place] = False
    return kept


def _givers(context: CheckContext) -> Iterator[tuple[int, ...]]:
    """For each claim the earlier ones that it cannot be understood without, but for what is structure."""
    places: dict[str, int] = {}
    shorts: list[str] = []
    for claim in context.claims:
        found: list[int] = []
        if claim.context and claim.context in places:
            found = [places[claim.context]]
        elif claim.context:
            for place in range(claim.index - 1, max(-1, claim.index - _NESTED), -1):
                if shorts[place] and shorts[place] in claim.context:
                    found.append(place)
                if context.sentences[context.claims[place].sentence].kind not in ("list_item", "code"):
                    break
        yield tuple(place for place in found if not _is_structure(context.claims[place]))
        short = claim.bare[-_CONTEXT_LIMIT:].rstrip(" :")
        shorts.append(short)
        if short:
            places[short] = claim.index


def _is_structure(claim: Claim) -> bool:
    return not claim.checked and (claim.skip_reason in _STRUCTURE or claim.bare.endswith((":", "：")))


def _blocks(context: CheckContext) -> Iterator[_Block]:
    """The claims by the blocks that they stand in."""
    answer = context.transcript.answer
    for _, group in groupby(context.claims, key=lambda claim: context.sentences[claim.sentence].block):
        claims = tuple(group)
        start = claims[0].start
        line = start
        while line > 0 and answer[line - 1] in " \t":
            line -= 1
        yield _Block(context.sentences[claims[0].sentence].kind, claims, line)


# -- what holds claims together


def _with_structure(context: CheckContext, blocks: Sequence[_Block], kept: Sequence[bool]) -> list[bool]:
    """For each claim whether it stays, structure with what stands under it."""
    shown = list(kept)
    sources = [{line.strip() for line in chunk.text.splitlines()} for chunk in context.transcript.chunks]
    said = "\n".join(claim.text for claim in context.claims if kept[claim.index])
    below = _Below()
    for number in range(len(blocks) - 1, -1, -1):
        block = blocks[number]
        for claim in block.claims:
            if block.kind == "code":
                owner = blocks[number - 1] if number and block.indent > 1 else block
                belongs = owner is block or any(kept[item.index] for item in owner.claims)
                shown[claim.index] = belongs and _stands_in(sources, claim.text)
            elif block.kind == "definition":
                label = _LABEL.match(claim.text)
                shown[claim.index] |= label is not None and f"[{label[1]}]" in said
            elif _is_structure(claim):
                shown[claim.index] = below.wants(block, claim)
        if any(shown[claim.index] for claim in block.claims):
            below.add(block)
        elif block.kind == "prose":
            below.kind, below.indent = "", -1
    return shown


@dataclass(slots=True)
class _Below:
    """What stays below the present block."""

    kind: str = ""
    indent: int = -1
    level: int = 0

    def wants(self, block: _Block, claim: Claim) -> bool:
        """Whether a piece of structure has something under it that stays."""
        if block.kind == "heading":
            return claim.skip_reason == "heading" and _level(claim.text) < self.level
        if block.kind == "table_row":
            return self.kind == "table_row"
        if block.kind == "list_item":
            return self.indent > block.indent
        return self.kind in ("list_item", "table_row", "code")

    def add(self, block: _Block) -> None:
        """Count in a block that stays."""
        self.kind = block.kind
        self.indent = block.indent if block.kind == "list_item" else -1
        self.level = _level(block.claims[0].text) if block.kind == "heading" else _LOWEST


def _level(text: str) -> int:
    """How deep a heading stands, from 1; a line in bold is below all others."""
    signs = _LEVEL.match(text)
    if signs is not None:
        return signs.end()
    last = text.splitlines()[-1].strip()
    return {"=": 1, "-": 2}.get(last[:1], _LOWEST - 1)


def _stands_in(sources: Sequence[set[str]], code: str) -> bool:
    """Whether one chunk holds all lines of a piece of code."""
    lines = {line.strip() for line in code.splitlines()[1:] if line.strip(" \t`~")}
    return bool(lines) and any(lines <= source for source in sources)


# -- the text


def _composed(context: CheckContext, blocks: Sequence[_Block], shown: Sequence[bool]) -> str:
    """The blocks that stay, with what stood between them; a blank line where something goes."""
    answer = context.transcript.answer
    pieces: list[str] = []
    last: _Block | None = None
    end = 0
    goes = False
    parents: list[_Item] = []
    for block in blocks:
        text = _block_text(answer, block, shown)
        indent = _nested(parents, block, answer, stays=bool(text))
        if not text:
            goes = True
            continue
        if last is not None:
            gap = answer[end : block.line]
            tight = last.kind == block.kind and block.kind in _TIGHT and _BLANK_LINE.search(gap) is None
            pieces.append(("\n" if tight else "\n\n") if goes else gap)
        pieces.append((indent if last is not None else indent.strip(" \t")) + text)
        last, end, goes = block, block.claims[-1].end, False
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class _Item:
    """A list item that others may be nested in: its indent in the answer and in what stays."""

    own: str
    out: str
    stays: bool


def _nested(parents: list[_Item], block: _Block, answer: str, *, stays: bool) -> str:
    """The indent of a block; a list item that loses the one that it is nested in takes its place."""
    own = answer[block.line : block.claims[0].start]
    if block.kind != "list_item":
        if block.kind != "code":
            parents.clear()
        return own
    while parents and len(parents[-1].own) >= len(own):
        parents.pop()
    out = own
    if parents and not parents[-1].stays:
        out = parents[-1].out
    elif parents:
        out = parents[-1].out + own[len(parents[-1].own) :]
    parents.append(_Item(own, out, stays))
    return out


def _block_text(answer: str, block: _Block, shown: Sequence[bool]) -> str:
    """What stays of one block; "" where nothing does."""
    claims = block.claims
    if not any(shown[claim.index] for claim in claims):
        return ""
    if all(shown[claim.index] for claim in claims):
        return answer[claims[0].start : claims[-1].end]
    sign = _SIGN.match(claims[0].text) if block.kind in ("list_item", "quote", "definition") else None
    text = sign[0] if sign is not None and not shown[claims[0].index] else ""
    before: Claim | None = None
    for number, claim in enumerate(claims):
        if not shown[claim.index]:
            continue
        piece = _as_sentence(claims, number, shown)
        if before is not None:
            touches = before.index == claim.index - 1
            text += answer[before.end : claim.start] if touches else " "
        text += piece
        before = claim
    if block.kind == "quote":
        text = text.rstrip("> \t\r\n")
    return _balanced(text, answer[claims[0].start : claims[-1].end])


def _as_sentence(claims: Sequence[Claim], number: int, shown: Sequence[bool]) -> str:
    """A claim as a sentence of its own, where it is a clause of one that does not stay whole."""
    claim = claims[number]
    first, last = number, number + 1
    while first > 0 and claims[first - 1].sentence == claim.sentence:
        first -= 1
    while last < len(claims) and claims[last].sentence == claim.sentence:
        last += 1
    same = claims[first:last]
    if all(shown[other.index] for other in same):
        return claim.text
    text = claim.text
    follows = next((other for other in same if other.index == claim.index + 1), None)
    if follows is not None and not shown[follows.index]:
        text = text.rstrip(" \t\r\n,;:–—-")
        text = text if text.endswith(_ENDS) else f"{text}."
    if claim is same[0] or not shown[claim.index - 1]:
        text = _opened(text, is_first=claim is same[0])
    return text


def _opened(text: str, *, is_first: bool) -> str:
    """A clause without the word that joined it to another, and with a capital."""
    sign = _SIGN.match(text)
    first = sign.end() if sign is not None else 0
    joint = _JOINT.match(text, first)
    opening = text[joint.end() :] if joint is not None else text[first:]
    word = opening.partition(" ")[0]
    if (joint is not None or not is_first) and word.islower() and word.isalpha():
        opening = opening[:1].upper() + opening[1:]
    return text[:first] + opening


def _balanced(text: str, whole: str) -> str:
    """The text without the signs of which the other half went."""
    for sign in _PAIRED:
        if text.count(sign) % 2 and not whole.count(sign) % 2:
            text = text.replace(sign, "")
    if text.count("“") != text.count("”") and whole.count("“") == whole.count("”"):
        text = text.replace("“", "").replace("”", "")
    return text


def _cleaned(context: CheckContext, text: str, valid: set[Target]) -> str:
    """The text without markers that are not valid, or that point elsewhere than in the whole answer."""
    settings, syntaxes = context.settings, registry.syntaxes()
    for _ in range(_MAX_ROUNDS):
        part = context.transcript.model_copy(update={"answer": text, "citations": (), "cited_indices": None})
        cited = extract(make_context(part, settings), syntaxes)
        judged = [
            CitationVerdict(
                index=number,
                text=item.text,
                start=item.start,
                end=item.end,
                syntax=item.syntax,
                target=item.target.label,
                valid=item.target in valid,
            )
            for number, item in enumerate(cited)
        ]
        if all(item.valid for item in judged):
            return text.strip()
        # Deferred for cost: what is left of most answers is clean.
        from pytest_grounding.citations.cleaning import clean_answer

        text = clean_answer(part, judged, settings=settings, syntaxes=syntaxes)
    return ""
