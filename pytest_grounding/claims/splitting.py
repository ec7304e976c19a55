"""Claims: the statements of an answer that can be checked, and the rest with the reason."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.claims import sentence_type as kinds
from pytest_grounding.claims.clauses import KindSeen, bare_of, blank_markers, clauses_of, kind_in, plain_text
from pytest_grounding.claims.sentence_type import SIGN_OFF
from pytest_grounding.lexicon.patterns import pattern, plain
from pytest_grounding.reading import masks_of
from pytest_grounding.reading.grammar import has_finite_verb, has_plain_verb, opens_as_clause, words_of
from pytest_grounding.reading.markdown import MaskSpan, naming_markers, states
from pytest_grounding.reading.sentences import Claim, Sentence, segment
from pytest_grounding.reading.visible_text import hide_entities

_RULE = lazy(r"[\s|:+]*-[\s|:+-]*$")
_CELL = lazy(r"(?<!\\)\|")
_REACH = 400  # the sources that a pronoun refers to are named within this many characters before it
_LEANING = pattern("sentences", "leaning")
_FRONT_MATTER = plain("text_form", "front_matter")
_CONTEXT_LIMIT = 400
_SIGNATURE_WORDS, _TITLE_WORDS = 6, 6  # most words of a signature, and of the title of nested items
_POLARITY_LENGTH = 6  # "Yes." and similar are not the context of the next sentence


def is_table_rule(row: str) -> bool:
    """Whether a row is the line of dashes below a header."""
    return _RULE.match(row) is not None


def cells_of(row: str) -> list[str]:
    """The cells of a row, white space trimmed; an escaped bar does not end a cell."""
    inner = row.strip()
    if inner.startswith("|"):
        inner = inner[1:]
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _CELL.split(inner)]


def row_statement(cells: Sequence[str], header: Sequence[str]) -> str:
    """The cells joined as "Plan: Pro; Price: $20"; cells without a header as they are."""
    parts: list[str] = []
    for number, cell in enumerate(cells):
        if not cell:
            continue
        name = header[number] if number < len(header) else ""
        parts.append(f"{name}: {cell}" if name and name != cell else cell)
    return "; ".join(parts)


def settled(claims: list[Claim], question: str) -> tuple[Claim, ...]:
    """The claims of an answer, without those that state nothing in their context."""
    claims = _without_leads(_without_pronoun_refusals(claims))
    return _without_referrals(_with_lacks(_without_acknowledgements(claims)), question)


def _skipped(claim: Claim, reason: str) -> Claim:
    return replace(claim, checked=False, skip_reason=reason, context="")


def _restored(claim: Claim) -> Claim:
    return replace(claim, checked=True, skip_reason="")


def _without_pronoun_refusals(claims: list[Claim]) -> list[Claim]:
    """Refusals whose pronoun refers to the sources: "I read the leave sections, but they say nothing"."""
    found: list[Claim] = []
    for claim in claims:
        before = found[-1] if found else None
        # The refusal is tested first: finding the names of sources takes much longer.
        stated = kinds.with_sources_for_pronoun(claim.bare) if before is not None and claim.checked else ""
        if stated and before is not None:
            is_on_sources = before.skip_reason == "refusal" or kinds.names_sources(before.text[-_REACH:])
            if is_on_sources and kinds.is_refusal(stated):
                claim = _skipped(claim, "refusal")
        found.append(claim)
    return found


def _without_leads(claims: list[Claim]) -> list[Claim]:
    """The lead-in of a refusal in the same sentence: "I can give you the prices, but nothing here says …"."""
    found = list(claims)
    for number, (claim, after) in enumerate(itertools.pairwise(claims)):
        refused = after.skip_reason == "refusal" and after.sentence == claim.sentence
        if claim.checked and refused and kinds.is_lead(claim.bare):
            found[number] = _skipped(claim, "filler")
    return found


def _without_acknowledgements(claims: list[Claim]) -> list[Claim]:
    """Skip "Yes, it does." beside other claims; alone it is the answer."""
    short = {claim.index for claim in claims if claim.checked and kinds.is_acknowledgement(claim.bare)}
    if not short or not any(claim.checked and claim.index not in short for claim in claims):
        return claims
    return [replace(c, checked=False, skip_reason="filler") if c.index in short else c for c in claims]


def _with_lacks(claims: list[Claim]) -> list[Claim]:
    """A refusal that names one source ("Passage 3 does not give the fee") is a claim: it can be looked up."""
    found = list(claims)
    for number, claim in enumerate(claims):
        if claim.skip_reason == "refusal" and kinds.lack_of(claim.bare) is not None:
            found[number] = _restored(claim)
    return found


def _without_referrals(claims: list[Claim], question: str) -> tuple[Claim, ...]:
    """If an answer declines, "You may want to ask the support" is advice, not a claim."""
    if not any(claim.skip_reason == "refusal" for claim in claims):
        if question or any(claim.checked for claim in claims):
            return tuple(claims)
        return tuple(_restored(claim) if claim.skip_reason == "referral" else claim for claim in claims)
    if not all(kinds.is_referral(claim.bare) for claim in claims if claim.checked):
        return tuple(claims)
    return tuple(_skipped(claim, "referral") if claim.checked else claim for claim in claims)


def claim_owners(
    claims: Sequence[Claim], sentences: Sequence[Sentence], spans: Sequence[tuple[int, int]]
) -> tuple[int | None, ...]:
    """The claim that each citation belongs to."""
    starts = [claim.start for claim in claims]
    owners: list[int | None] = []
    for place, _ in spans:
        number = bisect_right(starts, place) - 1
        if number < 0 or place >= max(claims[number].end, sentences[claims[number].sentence].end):
            owners.append(None)
        else:
            is_separator = claims[number].skip_reason == "separator" and number > 0
            owners.append(number - 1 if is_separator else number)
    return tuple(owners)


@dataclass(frozen=True, slots=True)
class _OuterItem:
    """A list item that another may be nested in."""

    indent: int
    words: str


class _ClaimReader:
    """Reads the pieces of an answer in order, and remembers what they mean for the next ones."""

    def __init__(self, answer: str, question: str, sentences: Sequence[Sentence]) -> None:
        self.answer, self.question, self.sentences = answer, question, sentences
        self.claims: list[Claim] = []
        self.asked = words_of(question)
        self.header: list[str] = []
        self.table_end = self.item_block = self.note = -1  # note: the block of the current footnote
        self.previous = self.intro = self.heading = ""
        self.in_sources = self.signed_off = False
        front = _FRONT_MATTER.match(answer) if answer.startswith("---") else None
        self.front_matter = front.end() if front is not None else 0
        # The list items that the next one may be nested in, the outermost first.
        self.parents: list[_OuterItem] = []

    def add(self, number: int, span: tuple[int, int], plain: str) -> None:
        """Add the claim in a piece of a sentence."""
        sentence = self.sentences[number]
        following = self.sentences[number + 1] if number + 1 < len(self.sentences) else None
        # Code and definitions may be of any length, and are not split into words.
        is_note = self._is_note(sentence)
        is_prose = is_note or sentence.kind not in ("code", "definition")
        words = words_of(plain) if is_prose else []
        bare = bare_of(plain, words) if is_prose else plain
        if sentence.kind != "list_item":
            self.parents.clear()
        elif sentence.block != self.item_block:
            indent = _indent(self.answer, sentence.start)
            while self.parents and self.parents[-1].indent >= indent:
                self.parents.pop()
        reason = self._why_skipped(sentence, following, plain, bare, words)
        if sentence.kind == "table_row" and reason != "separator":
            cells = [" ".join(cell.split()) for cell in cells_of(plain)]
            bare = row_statement(cells, self.header if reason != "table_header" else [])
            if reason == "table_header":
                self.header = cells
        sort = KindSeen("fact", 1.0) if reason else kind_in(bare)
        if sort.kind == "opinion":
            reason = "opinion"
        context = self._context(sentence, bare) if not reason else ""
        self._remember(sentence, bare, reason)
        claim = Claim(
            index=len(self.claims),
            start=span[0],
            end=span[1],
            text=self.answer[slice(*span)],
            bare=bare,
            sentence=number,
            kind=sort.kind,
            kind_confidence=sort.confidence,
            checked=not reason,
            skip_reason=reason,
            context=context,
        )
        self.claims.append(claim)

    def _is_note(self, sentence: Sentence) -> bool:
        if sentence.kind == "definition" and sentence.text.startswith("[^"):
            self.note = sentence.block
        return sentence.kind == "definition" and sentence.block == self.note

    def _why_skipped(
        self, sentence: Sentence, following: Sentence | None, plain: str, bare: str, words: list[str]
    ) -> str:
        """Why the piece is not checked, by its position in the answer and its words; "" if it is."""
        if sentence.start < self.front_matter:
            return "front_matter"
        if sentence.kind == "code" or (sentence.kind == "definition" and self.note != sentence.block):
            return sentence.kind
        if sentence.kind == "definition":
            # A footnote that names a source; one that makes a statement is read like the answer.
            names_source = "://" in plain or plain.lower().startswith(("see ", "cf."))
            if names_source or not (has_finite_verb(words) and states(plain)):
                return "definition"
            return kinds.skip_reason(plain, bare, words, self.question, introduces=False)
        if not plain and sentence.text.startswith("<!--"):
            return "comment"
        if sentence.kind in ("heading", "prose") and kinds.is_sources_heading(plain):
            self.in_sources = True
            return "source_list"
        if sentence.kind == "heading":
            self.in_sources = False
            if not any(char.isalnum() for char in plain):
                return "separator"
            return "" if kinds.heading_claims(kinds.without_references(plain)) else "heading"
        if self.in_sources:
            # Entries of the list, unless they are sentences; a paragraph with a statement comes after it.
            if sentence.kind != "prose" or "://" in plain or not has_finite_verb(words):
                if not (plain.endswith((".", "!", "。")) and "://" not in plain and opens_as_clause(plain)):
                    return "source_list"
            else:
                self.in_sources = False
        if sentence.kind == "table_row":
            return self._table_reason(sentence, following)
        if self.signed_off and len(words) <= _SIGNATURE_WORDS and not has_plain_verb(words):
            return "greeting"
        if sentence.kind == "list_item" and self._opens_sublist(sentence, following, words):
            return "list_intro"
        introduces = following is None or following.kind in ("list_item", "table_row", "code")
        reason = kinds.skip_reason(plain, bare, words, self.question, introduces=introduces)
        if sentence.kind == "list_item" and reason == "filler" and not plain.rstrip().endswith(":"):
            return ""  # an item of one word ("Overall") is an item
        return reason or self._why_off_subject(bare, words if bare == plain else words_of(bare))

    def _why_off_subject(self, bare: str, words: list[str]) -> str:
        """Why a piece is not about the subject; "" if it is."""
        if kinds.is_about_the_answer(bare, words):
            return "filler"
        if kinds.is_advice_elsewhere(bare, words, self.asked):
            return "referral"
        shows = kinds.asks_about_words(self.question, self.asked) and kinds.is_illustration(
            bare, words, self.intro
        )
        return "example" if shows else ""

    def _opens_sublist(self, sentence: Sentence, following: Sentence | None, words: list[str]) -> bool:
        """Whether a list item only introduces its nested items ("- Fruits")."""
        if following is None or following.kind != "list_item" or following.block == sentence.block:
            return False
        if len(words) > _TITLE_WORDS or has_plain_verb(words) or any(word[0].isdigit() for word in words):
            return False
        return _indent(self.answer, following.start) > _indent(self.answer, sentence.start)

    def _table_reason(self, sentence: Sentence, following: Sentence | None) -> str:
        if self.table_end < 0 or len(self.answer[self.table_end : sentence.start].splitlines()) > 1:
            self.header = []  # a blank line ends a table
        self.table_end = sentence.end
        if is_table_rule(sentence.text) or not any(char.isalnum() for char in sentence.text):
            return "separator"
        if following is not None and following.kind == "table_row" and is_table_rule(following.text):
            return "table_header"
        return ""

    def _context(self, sentence: Sentence, bare: str) -> str:
        """The context of a claim: the sentence before, or the introduction of its list."""
        refers_back = _LEANING.match(bare) is not None
        if sentence.kind == "table_row":
            return self.intro or self.heading
        if sentence.kind == "list_item" and sentence.block != self.item_block:
            words = words_of(bare)
            # "Improves circulation" has no subject of its own: a verb counts from the second word on.
            if not refers_back and has_plain_verb(words[1:]):
                return ""
            above = [self.intro or self.heading, *(item.words for item in self.parents)]
            return " ".join(filter(None, above))[-_CONTEXT_LIMIT:]
        return self.previous if refers_back else ""

    def _remember(self, sentence: Sentence, bare: str, reason: str) -> None:
        short = bare[-_CONTEXT_LIMIT:].rstrip(" :")
        self.signed_off = reason == "greeting" and (self.signed_off or SIGN_OFF.match(bare) is not None)
        if sentence.kind == "heading":
            self.heading, self.intro, self.previous = short, "", ""
            return
        if reason in ("separator", "code", "definition", "source_list", "table_header"):
            return
        if sentence.kind == "list_item":
            if sentence.block != self.item_block:
                self.parents.append(_OuterItem(_indent(self.answer, sentence.start), short))
            self.item_block = sentence.block
        elif sentence.kind != "table_row":
            self.intro = short if bare.endswith((":", "：")) else ""
        if (
            reason not in ("greeting", "filler", "question", "restated_question")
            and len(bare) > _POLARITY_LENGTH
        ):
            self.previous = short


def extract_claims(
    answer: str,
    *,
    question: str = "",
    language: str = "en",
    markers: Sequence[tuple[int, int]] = (),
    sentences: Sequence[Sentence] | None = None,
) -> tuple[Claim, ...]:
    """The claims of an answer: its sentences, or clauses of them, checked or not."""
    if sentences is None:
        sentences = segment(answer, language=language, markers=markers)
    spans = masks_of(answer)
    blanked = blank_markers(answer, naming_markers(answer, spans, markers))
    masked = hide_entities(_hide_code(blanked, spans))
    english = language[:2].lower() == "en"
    reader = _ClaimReader(answer, question, sentences)
    for number, sentence in enumerate(sentences):
        pieces = [(sentence.start, sentence.end)]
        if english and sentence.kind in ("prose", "list_item", "quote"):
            pieces = clauses_of(answer, masked, sentence.start, sentence.end)
        for start, end in pieces:
            reader.add(number, (start, end), plain_text(blanked, start, end, spans))
    return settled(reader.claims, question)


def is_declined(claims: Sequence[Claim], answer: str) -> bool:
    """Whether an answer as a whole declines: it refuses, and claims nothing but what a source lacks."""
    if not answer.strip():
        return False
    # "The excerpt explains E14 only; E20 is not covered."
    instead = any(claim.checked and kinds.reports_instead(claim.bare) for claim in claims)
    others = [c for c in claims if kinds.lack_of(c.bare) is None]
    others = [c for c in others if not (instead and kinds.is_uncovered(c.bare))]
    refuses = len(others) < len(claims) or any(
        claim.skip_reason == "refusal" or (claim.checked and kinds.contrasts_with_lack(claim.bare))
        for claim in others
    )
    return refuses and all(not claim.checked or kinds.answers_nothing(claim.bare) for claim in others)


def is_half_declined(claims: Sequence[Claim]) -> bool:
    """Whether an answer declines somewhere and also makes a claim."""
    refuses = any(claim.skip_reason == "refusal" or kinds.lack_of(claim.bare) is not None for claim in claims)
    stated = (c.bare for c in claims if c.checked and kinds.lack_of(c.bare) is None)
    return refuses and not all(map(kinds.answers_nothing, stated))


def _indent(answer: str, start: int) -> int:
    """The indentation of a line, with tab stops every four columns."""
    # Bounded, so that a text with only one kind of line break is not searched as a whole.
    first = max(0, start - _CONTEXT_LIMIT)
    line = max(answer.rfind("\n", first, start), answer.rfind("\r", first, start), first - 1) + 1
    return len(answer[line:start].expandtabs(4))


def _hide_code(text: str, spans: Sequence[MaskSpan]) -> str:
    """The text with code and link targets as letters, so that their punctuation is ignored."""
    pieces: list[str] = []
    position = 0
    for span in spans:
        if span.kind in ("inline_code", "link_target", "image", "autolink", "comment", "fence"):
            first = max(span.start, position)
            if first < span.end:
                pieces.append(text[position:first])
                # Blanks there are markers that fill a code span; they stay.
                filled = text[first : span.end]
                pieces.append(filled if filled.isspace() else "x" * len(filled))
                position = span.end
    if not pieces:
        return text
    pieces.append(text[position:])
    return "".join(pieces)
