"""Citations by number in other marks: ``(Source 8)``, ``<cite>1</cite>``, "as document 2 says"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._io.lazy_patterns import gated, lazy
from pytest_grounding.citations.numbered import NumberResolver, bracket_numbers
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target
from pytest_grounding.lexicon import alternation
from pytest_grounding.lexicon.patterns import plain
from pytest_grounding.reading.markdown import MaskSpan

_WORD = f"(?:{alternation('citing', 'sources')})"
#: Words that name a source in running text too.
_PLAIN_WORD = r"(?:sources?|documents?|docs?|chunks?|snippets?|quellen?|dokumente?)"
_NUMBERS = (
    r"(?:#|no\.[ ]|nr\.[ ]|number[ ])?(?P<numbers>\d{1,3}"
    r"(?:[ ]?(?:,|;|&|-|–|,?[ ]and[ ]|[ ]und[ ])[ ]?#?\d{1,3}){0,10}+)(?![\w%]|[.,]\d)"
)
_BEFORE = r"(?:see|cf\.?|from|per|as[ ]per|according[ ]to|based[ ]on|siehe|vgl\.?|via|in|laut)[ ]"
_WORDED = lazy(
    rf"(?i)\(\(?[ ]?(?:{_BEFORE})?{_WORD}[ ]?[:#.]?[ ]?(?:{_WORD}[ ]?[:#.]?[ ]?)?{_NUMBERS}[ ]?\)\)?"
)
_BARE = lazy(r"(?<=\w[ ])\((?P<numbers>\d{1,3}(?:,[ ]?\d{1,3}){0,8})\)(?=[.,;:!?]|\s*\Z)")
_DOUBLE = lazy(r"\(\((?P<numbers>\d{1,3}(?:,[ ]?\d{1,3}){0,8})\)\)")
_STATED = f"(?:{alternation('citing', 'stated in')})"
_META = (
    r"(?:(?<=[.!?]\s)(?:this|that|it|(?:the|this)[ ]information)[ ](?:is|was|comes|can[ ]be|appears)[ ]"
    rf"(?:also[ ]|directly[ ])?(?:{_STATED}[ ])?(?:in|by|on|from)[ ](?:the[ ])?)"
)
_LEAD = (
    r"(?:,?[ ]?(?:as[ ])?(?:stated[ ]in|according[ ]to|per|based[ ]on|see|cf\.|laut|siehe)[ ](?:the[ ])?"
    r"|,[ ]as[ ](?:the[ ])?)"
)
_SAYS = (
    r"(?:[ ](?:says?|states?|notes?|explains?|mentions?|reports?|confirms?|shows?|describes?|puts[ ]it)"
    r"(?:[ ]that)?)"
)
_INLINE = gated(
    "source|doc|chunk|snippet|quelle",
    rf"(?:{_META}|{_LEAD})?(?<!\w)(?P<word>{_PLAIN_WORD})[ ]{_NUMBERS}{_SAYS}?",
    re.IGNORECASE,
)
_CURLY = lazy(
    # Braces in TeX follow a sign or a word, as in 10^{3}.
    rf"(?i)(?<![\w^\\}}])\{{\{{?[ ]?(?:{_WORD}[ ]?[:=#_-]?[ ]?)?"
    r"(?P<numbers>\d{1,3}(?:,[ ]?\d{1,3}){0,8}+)[ ]?\}?\}"
)
_CARET = plain("recorded", "caret")
_ANGLE = lazy(r"(?<=[\w.!?][ ])<(?P<numbers>\d{1,3}(?:,[ ]?\d{1,3}){0,8})>")
_HASHED = lazy(r"##(?P<numbers>\d{1,3})\$\$")
_TAG = lazy(rf"(?i)<(?P<tag>{alternation('citing', 'tags')})(?P<attributes>[ ][^<>\r\n]{{0,300}}?)?/?>")
_ATTRIBUTE = plain("recorded", "attribute")
_TRAILING = lazy(r"(?P<number>\d{1,3})\Z")
_LONGEST_BODY = 2_000
_LONGEST_LABEL = 60
_WORDY = frozenset(("a", "sup"))  # a tag around the cited words, or around the number of the source
_UNSAID = (_WORDED, _DOUBLE, _CURLY, _CARET, _ANGLE)  # their numbers count a list, not what the text is about
_HINTS = "({^<#"


class WrittenSyntax:
    """Citations by the number of a chunk in parentheses, braces, tags and words."""

    name = "index"
    priority = 39

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax; what a chunk's own text says is content."""
        if not context.chunks:
            return
        text = context.masked
        resolver, is_said = NumberResolver(context, []), _Sayings(context)
        if any(hint in text for hint in _HINTS):
            yield from self._marks(context, resolver, is_said)
        for match in _INLINE.finditer(text):
            if not is_said(f"{match['word']} {match['numbers']}"):
                targets = resolver.targets(bracket_numbers(match["numbers"]))
                yield context.marker(*match.span(), self.name, targets)
        yield from self._links(context, resolver)

    def _marks(self, context: SyntaxContext, resolver: NumberResolver, is_said: _Sayings) -> Iterator[Marker]:
        text = context.masked
        for pattern in _UNSAID:
            for match in pattern.finditer(text):
                if not is_said(match[0]):
                    targets = resolver.targets(bracket_numbers(match["numbers"]))
                    yield context.marker(*match.span(), self.name, targets)
        for match in _BARE.finditer(text):
            if not is_said(match[0]):
                targets = resolver.targets(bracket_numbers(match["numbers"]))
                # A number without a chunk is one of the text.
                if all(target.chunk_ids for target in targets):
                    yield context.marker(*match.span(), self.name, targets)
        for match in _HASHED.finditer(text):
            number = int(match["numbers"])
            found = context.lookup.numbered(number) or context.lookup.at_position(number)
            yield context.marker(*match.span(), self.name, [Target(match["numbers"], found)])
        if "<" in text:
            yield from self._tags(context, resolver)

    def _tags(self, context: SyntaxContext, resolver: NumberResolver) -> Iterator[Marker]:
        """``<cite>1</cite>`` is one marker; around cited words both of its tags are."""
        text = context.masked
        for match in _TAG.finditer(text):
            tag = match["tag"].casefold()
            given = _ATTRIBUTE.search(match["attributes"] or "")
            close = f"</{match['tag']}>"
            start, is_closed = match.end(), match[0].endswith("/>")
            end = -1 if is_closed else text.find(close, start, start + _LONGEST_BODY)
            body = text[match.end() : end].strip() if end >= 0 else ""
            last = end + len(close) if end >= 0 else match.end()
            if given is None or (tag in _WORDY and not given["value"].startswith("#")):
                if tag not in _WORDY:
                    targets = _label_targets(body, context, resolver)
                    yield context.marker(match.start(), last, self.name, targets)
                continue
            targets = _label_targets(given["value"].lstrip("#"), context, resolver)
            targets = targets or [Target(given["value"])]
            is_label = bool(_label_targets(body, context, resolver))
            if tag == "a" and not is_label:
                continue
            if not body or is_label:
                yield context.marker(match.start(), last, self.name, targets)
            else:
                yield context.marker(match.start(), match.end(), self.name, targets)
                yield context.marker(end, last, self.name, targets)

    def _links(self, context: SyntaxContext, resolver: NumberResolver) -> Iterator[Marker]:
        """``[1](#source-1)`` and ``[1]()``: a link to a place on the page."""
        text: MaskSpan | None = None
        for span in context.spans:
            if span.kind == "link_text":
                text = span
            elif span.kind == "link_target" and text is not None:
                address = context.answer[span.inner_start : span.inner_end].strip()
                if not address or address.startswith("#"):
                    body = context.answer[text.inner_start : text.inner_end].strip(" []^")
                    targets = _label_targets(body, context, resolver)
                    yield context.marker(text.start, span.end, self.name, targets)


def _label_targets(text: str, context: SyntaxContext, resolver: NumberResolver) -> list[Target]:
    """The targets of numbers, ids or a name; empty if the text is none of them."""
    text = text.strip(" []()\"'")
    if not text or len(text) > _LONGEST_LABEL:
        return []
    if (named := resolver.named(text)) is not None:
        return named
    number = _TRAILING.search(text)
    is_label = number is not None and not any(char.isspace() for char in text)
    if number is None or not is_label:
        return []
    if context.lookup.is_built_like_ids(text):
        return [Target(text)]
    return resolver.targets(bracket_numbers(number[0]))


class _Sayings:
    """Whether a chunk's own text has some words, so that they are content; each is looked up once."""

    def __init__(self, context: SyntaxContext) -> None:
        self._chunks = context.chunks
        self._texts: list[str] | None = None
        self._known: dict[str, bool] = {}

    def __call__(self, phrase: str) -> bool:
        wanted = phrase.casefold()
        if wanted not in self._known:
            if self._texts is None:
                self._texts = [chunk.text.casefold() for chunk in self._chunks]
            self._known[wanted] = any(wanted in text for text in self._texts)
        return self._known[wanted]
