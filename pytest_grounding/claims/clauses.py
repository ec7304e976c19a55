"""Clauses, their kinds, and their bare words without markers and markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.claims.sentence_type import is_refusal
from pytest_grounding.lexicon import words as listed
from pytest_grounding.lexicon.patterns import PatternFile, pattern, plain
from pytest_grounding.reading.grammar import has_finite_verb, opens_as_clause, without_name_verbs, words_of
from pytest_grounding.reading.markdown import MaskSpan, states
from pytest_grounding.reading.sentences import ClaimKind
from pytest_grounding.reading.visible_text import as_read, decode_entities

_KINDS = PatternFile("kinds")
_FIRST_PERSON = listed("refusals", "first_person")
# White space was collapsed before.
_PARTS = lazy(r",? (?:and|but|although|though|because|since|as|which|who) |; ", re.IGNORECASE)
# Both start with something that is found quickly.
_NUMBER = lazy(r"\d")
_NAME = lazy(r" (?<=[a-z,] )(?!I\b)[A-Z]\w")
_CLAUSES = PatternFile("clauses")
_COMMA = lazy(r",\s+")
_SCOPE_WORDS = listed("grammar", "scope_words")  # every match of `_SCOPE` contains one of these
_LONG = 400  # characters of a clause that are read beside a joint
_OPENING = "([{“«「『"
_CLOSING = ")]}”»」』"
_DEPTH = gated('(|)|[|]|{|}|“|”|«|»|「|」|『|』|"', r"[()\[\]{}“”«»「」『』\"]", 0)
_MIN_WORDS, _MIN_STATEMENT = 3, 4
SOURCE_WORDS = listed("refusals", "sources")
_ATTRIBUTION = PatternFile("attribution")
_LABEL = lazy(r"[^:.,;!?()]{1,60}:[ ](?=\S)")  # the label in "Genetics: According to passage 1, …"
_REACH = 160  # an attribution is within this many characters of the end
_LINE_START = plain("text_form", "line_start")
_SETEXT = lazy(r"\n[ ]{0,3}(?:=+|-+)[ \t]*$")
_EMPHASIS = plain("text_form", "emphasis")
_INLINE_TAG = plain("text_form", "inline_tag")
_TAG = plain("text_form", "block_tag")
_ESCAPE = lazy(r"\\([!-/:-@\[-`{}~])")  # an escaped bar stays: it does not end a table cell
_BEFORE_STOP = lazy(r"[ \t]+(?=[.,;:!?)\]。，；：！？](?:[\s\"'”’)]|$))")
_CLOSES = lazy(r"[ \t]*\)")
_EMPTY_BRACKETS = lazy(r"[ ]?\((?:see|cf\.|sources?:?|refs?\.?)?[\s,;]*\)", re.IGNORECASE)
_LABELS = lazy(r"\(\d{1,2}\) (?=\w)")  # "(1) hold the key, (2) wait": no values
_BARE = PatternFile("bare")
_DANGLING_ENDS = ("to", "in", "by", "see", "per")
_LONGEST_LABEL = 66  # as in `markdown`, with the brackets
_TITLED = lazy(r"\[(?P<title>[^\[\]\r\n]{1,200})\]\(")
# "Answer: it is red." states that it is red. "A" alone may also be a list letter ("a: first item").
_RUN_IN = pattern("bare", "run_in")
_RUN_IN_LETTER = lazy(r"A:[ ]+(?=\S)")
_DOUBLE_COMMA = lazy(r",(?:[ ]?,)+|,(?=[.;:])")
_LEADING = lazy(r"(?:[,;:)\]–—]|\.(?=\s))[\s,;:.)\]–—]*(?=\S)")


@dataclass(frozen=True, slots=True)
class KindSeen:
    """The kind of a claim and its certainty: 0.9 by explicit wording, 0.6 to 0.7 by weak signs."""

    kind: ClaimKind
    confidence: float


def kind_in(sentence: str) -> KindSeen:
    """The kind of a claim."""
    head = sentence[:600]
    if _KINDS.belief.search(head) is not None:
        if _KINDS.evaluation.search(head) is not None and not _is_specific(head):
            return KindSeen("inference", 0.5) if _states_more(head) else KindSeen("opinion", 0.8)
        return KindSeen("inference", 0.7)
    if _KINDS.opinion.search(head) is not None:
        return KindSeen("fact", 0.5) if _states_more(head) else KindSeen("opinion", 0.9)
    if _KINDS.conclusion.search(head) is not None:
        return KindSeen("inference", 0.9)
    if _KINDS.hedge.search(head) is not None:
        return KindSeen("inference", 0.6)
    return KindSeen("fact", 0.95 if _is_specific(head) else 0.8)


def _is_specific(text: str) -> bool:
    """Whether a sentence contains a number, or a name after its start."""
    return _NUMBER.search(text) is not None or _NAME.search(text) is not None


def _states_more(sentence: str) -> bool:
    """Whether an opinion comes with a statement: "I like it because it costs $5"."""
    if any(char.isdigit() for char in sentence):
        return True
    for part in _PARTS.split(sentence)[1:]:
        words = words_of(part)
        if len(words) >= 4 and has_finite_verb(words) and not _FIRST_PERSON.intersection(words):
            return _KINDS.evaluation.search(part) is None
    return False


def clauses_of(text: str, masked: str, start: int, end: int) -> list[tuple[int, int]]:
    """The independent clauses of a sentence as spans; the sentence itself if there is one."""
    sentence = masked[start:end]
    if ("," not in sentence and ";" not in sentence) or sentence.rstrip("\"'”’)*_ ").endswith("?"):
        return [(start, end)]
    if _CLAUSES.joint.search(sentence) is None and _CLAUSES.concession.match(sentence) is None:
        return [(start, end)]
    spans: list[tuple[int, int]] = []
    position = 0
    depths = _depths(sentence)
    conceded = _conceded_refusal(sentence, depths)
    if conceded:
        spans.append(_trim(text, start, start + conceded))
        position = conceded
    for match in _CLAUSES.joint.finditer(sentence, position):
        if depths is not None and not depths[match.start()]:
            continue
        if _is_joint(sentence[position : match.start()], sentence[match.end() :], match):
            cut = match.start("conjunction") if match["conjunction"] else match.end()
            spans.append(_trim(text, start + position, start + cut))
            position = match.end()
    if not spans:
        return [(start, end)]
    spans.append((start + position, end))
    return spans


def _conceded_refusal(sentence: str, depths: list[bool] | None) -> int:
    """The start of the statement in "While the sources do not say when, they say where"; else 0."""
    if _CLAUSES.concession.match(sentence) is None:
        return 0
    for match in _COMMA.finditer(sentence, 0, 400):
        if depths is not None and not depths[match.start()]:
            continue
        rest = sentence[match.end() : match.end() + 200]
        stated = opens_as_clause(rest) or has_finite_verb(words_of(rest))
        return match.end() if stated and is_refusal(_one_spaced(sentence[: match.start()])) else 0
    return 0


def _is_joint(left: str, right: str, match: re.Match[str]) -> bool:
    right = right[:_LONG]
    left_words, right_words = words_of(left[-_LONG:]), words_of(right)
    if len(left_words) < _MIN_WORDS or len(right_words) < _MIN_WORDS:
        return False
    if not has_finite_verb(left_words):
        return False
    if match["conjunction"]:
        # A statement and a refusal are two clauses, however they are joined.
        states_after_refusal = is_refusal(_one_spaced(left)) and has_finite_verb(right_words)
        if states_after_refusal or is_refusal(_one_spaced(right)):
            return True
    if match["concessive"]:
        return False
    if match["semicolon"] is not None:
        connective = _CLAUSES.connective.match(right)
        clause = right[connective.end() :] if connective is not None else right
        if _CLAUSES.dependent.match(clause) is not None:
            return False
        words = words_of(without_name_verbs(clause))
        has_early_verb = len(words) >= _MIN_STATEMENT and has_finite_verb(words[1:8])
        return has_early_verb or opens_as_clause(clause)
    if _CLAUSES.dependent.match(left) is not None:
        return False
    governs = len(left) > _LONG or not _SCOPE_WORDS.isdisjoint(left_words)
    if governs and _CLAUSES.scope.search(left) is not None:
        return False
    return opens_as_clause(right)


def _one_spaced(text: str) -> str:
    return " ".join(text.split())


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """A clause without the white space, comma or semicolon at its end; markers after those stay."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    return start, end


def _depths(sentence: str) -> list[bool] | None:
    """For each character whether it is outside of brackets and quotes; None without any."""
    if _DEPTH.search(sentence) is None:
        return None
    outside: list[bool] = []
    depth, quoted = 0, False
    balanced_quotes = sentence.count('"') % 2 == 0
    for char in sentence:
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING:
            depth = max(0, depth - 1)
        elif char == '"' and balanced_quotes:
            quoted = not quoted
        outside.append(depth == 0 and not quoted)
    return outside


def strip_attribution(sentence: str, words: Sequence[str] | None = None) -> str:
    """A sentence without the words that attribute it to sources."""
    if words is not None and "here" not in words[:3] and SOURCE_WORDS.isdisjoint(words):
        return sentence
    announced = _ATTRIBUTION.announcement.match(sentence)
    if announced is not None:
        sentence = sentence[announced.end() :]
    label = _LABEL.match(sentence)
    head = label[0] if label is not None else ""
    rest = sentence[len(head) :]
    # The short pattern first: the long ones take ten milliseconds to compile.
    for first, then in ((_ATTRIBUTION.opens, _ATTRIBUTION.lead_in), (None, _ATTRIBUTION.report)):
        match = then.match(rest) if first is None or first.match(rest) is not None else None
        if match is not None:
            rest = rest[match.end() :]
    if rest[:1].islower() and sentence[len(head) : len(head) + 1].isupper():
        rest = rest[0].upper() + rest[1:]
    tail = _ATTRIBUTION.tail.search(rest, max(0, len(rest) - _REACH))
    if tail is not None:
        rest = rest[: tail.start()] + rest[tail.end() :]
    return (head + rest).strip() if rest else ""


def blank_markers(text: str, markers: Sequence[tuple[int, int]]) -> str:
    """The text with citation markers blanked; its length stays."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(markers):
        first = max(start, position)
        if start < 0 or first >= end or first >= len(text):
            continue
        last = min(end, len(text))
        pieces.append(text[position:first])
        title = _TITLED.match(text, first, last)
        if title is not None and _goes_on(text, first, last):
            pieces.append(" " + title["title"] + " " * (last - title.end("title")))
        else:
            pieces.append(" " * (last - first))
        position = last
    if not pieces:
        return text
    pieces.append(text[position:])
    return "".join(pieces)


def plain_text(blanked: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    """The words of a stretch without markup, on one line."""
    text = _without_spans(blanked, start, end, spans) if spans else _without_markup(blanked[start:end])
    text = " ".join(as_read(text).split())
    if "(" in text:
        text = _EMPTY_BRACKETS.sub("", text)
        text = _LABELS.sub("", text) if "(1) " in text and "(2) " in text else text
    text = _BEFORE_STOP.sub("", text)
    if "," in text:
        text = _DOUBLE_COMMA.sub(lambda match: "," if match[0].count(",") > 1 else "", text)
    return text.strip()


def bare_of(plain: str, words: Sequence[str]) -> str:
    """The statement of a plain stretch, without attribution and leading conjunctions."""
    text = _LEADING.sub("", plain, count=1) if plain[:1] in ",;:)].–—" else plain
    # Two of the labels end with a colon, the third with a word.
    for opening in (_RUN_IN, _RUN_IN_LETTER, _BARE.reports) if ":" in text or "that" in text else ():
        label = opening.match(text)
        if label is not None:
            text = text[label.end() :]
    dangling = _BARE.dangling.match(text) if "," in text else None
    if dangling is not None:
        text = text[dangling.end() :]
    ends = text.rstrip(".!").endswith(_DANGLING_ENDS)
    tail = _BARE.dangling_tail.search(text, max(0, len(text) - 40)) if ends else None
    if tail is not None:
        text = text[: tail.start()] + text[tail.end() :]
    if text[:1].islower() and plain[:1].isupper():
        text = text[0].upper() + text[1:]
    text = strip_attribution(text, words)
    return text if any(char.isalnum() for char in text) else plain


def _goes_on(text: str, start: int, end: int) -> bool:
    """Whether a lower-case word continues the sentence after a link that did not open it."""
    before = text[max(0, start - 4) : start].rstrip()
    after = text[end : end + 4].lstrip(" ")
    return bool(before) and before[-1] not in ".!?…。" and after[:1].islower()


def _without_markup(text: str) -> str:
    # A list item or quote may have several lines, each with its own marker.
    if "\n" in text or "\r" in text:
        return _inline(_LINE_START.sub("", _SETEXT.sub("", text)))
    # A leading letter is a list marker only in "a) …".
    if not (text[:1].isalpha() and text[1:2] != ")"):
        text = _LINE_START.sub("", text, count=1)
    return _inline(text)


def _inline(text: str) -> str:
    """A stretch without code, emphasis, tags, escapes and entities."""
    if "*" in text or "_" in text or "~" in text:
        text = _EMPHASIS.sub("", text)
    if "<" in text:
        text = _TAG.sub(" ", _INLINE_TAG.sub("", text))
    if "\\" in text:
        text = _ESCAPE.sub(r"\1", text)
    return decode_entities(text)


def _without_spans(text: str, start: int, end: int, spans: Sequence[MaskSpan]) -> str:
    """The words of a stretch with code verbatim, links and informative images as their text."""
    pieces: list[str] = []
    position = start
    for number in range(bisect_left(spans, start, key=lambda span: span.start), len(spans)):
        span = spans[number]
        if span.start >= end:
            break
        if span.start < position:
            continue  # inside a link's text, already handled
        before = text[position : span.start]
        pieces.append(_without_markup(before) if position == start else _inline(before))
        inner = text[span.inner_start : min(span.inner_end, end)]
        if span.kind == "link_text":
            # A link that fills its parentheses names a source; it is not part of the statement.
            fills = text[max(span.start - 1, 0)] == "(" and _CLOSES.match(text, span.end)
            if not fills or states(inner):
                pieces.append(_inline(inner.replace("`", "")))
        elif span.kind == "image":
            # The alternative text replaces the image.
            pieces.append(f" {_inline(inner)} " if states(inner) else "")
        elif span.kind in ("inline_code", "autolink", "fence", "definition"):
            pieces.append(inner)
        position = max(position, min(_link_end(text, span), end))
    rest = text[position:end]
    pieces.append(_without_markup(rest) if position == start else _inline(rest))
    return "".join(pieces)


def _link_end(text: str, span: MaskSpan) -> int:
    """The end of a span, with the label of a reference link ("[the guide][docs]")."""
    if span.kind != "link_text" or text[span.end : span.end + 1] != "[":
        return span.end
    return max(text.find("]", span.end, span.end + _LONGEST_LABEL) + 1, span.end)
