"""Citations by place in a book: chapters, sections, signs of a section, and pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target, normal_number

_WINDOW = 100  # how far after the word "chapter" its section may start, in characters
_MAX_SECTIONS = 50
_CHAPTER_WORD = r"(?:chapter|chap\b\.?|ch\b\.?|kapitel|kap\b\.?|chapitre|cap[íi]tulo|capitolo|hoofdstuk)"
_SECTION_WORD = (
    r"(?:sections?\b|sects?\b\.?|secs?\b\.?|abschnitte?\b|abschn\b\.?"
    r"|secci[óo]n\b|sezione\b|paragraaf\b|§{1,2})"
)
_NUMBER = r"[A-Za-z]?\d{1,5}[A-Za-z]?(?:\.\d{1,5}){0,6}+"
_BLANK = r"[ \t\u00a0\u202f]"
_GAP = rf"(?:{_BLANK}{{0,2}}\r?\n)?{_BLANK}{{0,3}}"  # between a word and its number, where a line may end
_CHAPTER = lazy(rf"(?<![A-Za-z0-9_]){_CHAPTER_WORD}(?:(?=\s){_GAP}|(?<=\.)|(?=\d))", re.IGNORECASE)
_SECTION = lazy(
    rf"(?<!\w)(?P<word>{_SECTION_WORD}){_GAP}(?:(?P<number>{_NUMBER})(?!\w)|(?P<name>\w[\w-]{{0,60}}+))",
    re.IGNORECASE,
)
_BACKWARD = lazy(
    rf"(?<!\w)(?P<word>{_SECTION_WORD}){_BLANK}{{0,3}}(?P<number>{_NUMBER})"
    rf"(?:{_BLANK}{{1,3}}(?:of|in|von|de|di){_BLANK}{{1,3}}(?:the{_BLANK}{{1,3}})?|{_BLANK}{{0,3}},{_BLANK}{{0,3}})"
    rf"{_CHAPTER_WORD}{_BLANK}{{0,3}}(?P<chapter>\w[\w-]{{0,60}}+(?:\.\d{{1,5}}){{0,6}}+)",
    re.IGNORECASE,
)
_MORE = lazy(
    rf"(?:,{_BLANK}{{0,3}}|{_BLANK}{{0,3}}&{_BLANK}{{0,3}}|,?{_BLANK}{{1,3}}(?:and|und|et){_BLANK}{{1,3}}"
    rf"|{_BLANK}?(?P<dash>[-–—]){_BLANK}?)(?P<number>{_NUMBER})(?![\w%])",
    re.IGNORECASE,
)
_SIGN = lazy(rf"(?<![\w§])§{{1,2}}{_BLANK}{{0,2}}(?P<number>{_NUMBER})(?!\w)")
_LEFT = lazy(r"[^,;:\r\n]{1,80}")
_TOKEN = lazy(r"\w[\w-]{0,60}(?:\.\w{1,60}){0,6}")
_DIGIT = lazy(r"\d")
_PLURALS = ("s", "s.", "e", "§§")
#: A marker contains a word for "section" or its sign, and so one of these; most answers have none.
_HINTS = ("sec", "sez", "abschn", "paragraaf", "§")
_PAGE = (
    r"(?:(?:see|cf\.|siehe)[ ]{1,3})?(?:(?P<document>[^()\[\],;:\r\n]{1,100}),[ ]{0,3})?"
    r"(?:pp?\.|pages?|seiten?|s\.)[ \u00a0\u202f]{0,3}(?P<first>\d{1,5})(?:[ ]?[-–—][ ]?(?P<last>\d{1,5}))?"
)
_MARK = lazy(rf"(?i)\({_PAGE}\)")
_WHOLE = lazy(rf"(?i)[ ]{{0,3}}{_PAGE}[ ]{{0,3}}\.?[ ]{{0,3}}")
_MOST_PAGES = 50


class SectionSyntax:
    """Citations by chapter and section, compared as normalised text (`normal_number`)."""

    name = "section"
    priority = 50

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax; a chapter or section alone is not one."""
        text = context.masked
        folded = text.casefold()
        if not any(hint in folded for hint in _HINTS):
            return
        end = 0
        for anchor in _CHAPTER.finditer(text):
            marker = self._forward(context, anchor) if anchor.start() >= end else None
            if marker is not None:
                end = marker.end
                yield marker
        for match in _BACKWARD.finditer(text):
            target = _section_target(context, match["chapter"], match["number"])
            yield context.marker(*match.span(), self.name, [target])
        if "§" in text:
            yield from self._signs(context)

    def _forward(self, context: SyntaxContext, anchor: re.Match[str]) -> Marker | None:
        text = context.masked
        first = anchor.end()
        match = _SECTION.search(text, first, min(len(text), first + _WINDOW))
        chapter = _chapter(text[first : match.start()], context) if match is not None else None
        if match is None or chapter is None:
            return None
        if not match["number"] and normal_number(match["name"]) not in context.lookup.section_numbers:
            return None
        numbers, end = [match["number"] or match["name"]], match.end()
        if match["word"].casefold().endswith(_PLURALS):
            end = _more_sections(text, end, numbers)
        targets = [_section_target(context, chapter, number) for number in dict.fromkeys(numbers)]
        return context.marker(anchor.start(), end, self.name, targets)

    def _signs(self, context: SyntaxContext) -> Iterator[Marker]:
        """``§4.1``: a citation if one section matches, or if it can only be an invented one."""
        lookup = context.lookup
        for match in _SIGN.finditer(context.masked):
            number = match["number"]
            found = lookup.by_sign(number)
            # Without sections among the chunks, or if the source itself contains it, "§ 5" is content.
            if not found and (not lookup.section_numbers or _is_quoted(match[0], context)):
                continue
            yield context.marker(*match.span(), self.name, [Target(f"§{number}", found)])


def _is_quoted(sign: str, context: SyntaxContext) -> bool:
    wanted = "".join(sign.split())
    return any("§" in chunk.text and wanted in "".join(chunk.text.split()) for chunk in context.chunks)


def _chapter(left: str, context: SyntaxContext) -> str | None:
    """The chapter between its word and the word for "section"; None if that is prose."""
    match = _LEFT.match(left)
    if match is None:
        return None
    name = match[0].strip(" \t\u00a0\u202f-–—.(\"'“”‘’*_/")
    between = left[match.end() :].strip(" \t\u00a0\u202f,;:\r\n")
    if not name or between or left.count("\n") > 1:
        return None
    # "This chapter covers section 2" has no comma; "chapter intro, section 4" has one.
    is_separated = match.end() < len(left) or left.rstrip()[-1:] in "-–—./"
    is_named = _TOKEN.fullmatch(name) is not None and (is_separated or _DIGIT.search(name) is not None)
    return name if is_named or normal_number(name) in context.lookup.chapters else None


def _more_sections(text: str, end: int, numbers: list[str]) -> int:
    """Collect ``2, 3 and 5`` or ``2-4`` after a plural; return where it ends."""
    while len(numbers) < _MAX_SECTIONS:
        match = _MORE.match(text, end)
        if match is None:
            break
        number = match["number"]
        if match["dash"] and numbers[-1].isdecimal() and number.isdecimal():
            first, last = int(numbers[-1]), int(number)
            if not first < last <= first + _MAX_SECTIONS:
                break
            numbers.extend(map(str, range(first + 1, last + 1)))
        else:
            numbers.append(number)
        end = match.end()
    return end


def _section_target(context: SyntaxContext, chapter: str, section: str) -> Target:
    label = f"ch {normal_number(chapter)}, sec {normal_number(section)}"
    return Target(label, context.lookup.by_section(chapter, section))


class PageSyntax:
    """Citations by page and document, resolved through the metadata of the chunks."""

    name = "page"
    priority = 48

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax; if no chunk has a page, "(p. 3)" is content."""
        if not context.lookup.has_pages:
            return
        for match in _MARK.finditer(context.masked):
            target = _of_page(context, match)
            marker = context.marker(*match.span(), self.name, [target] if target is not None else [])
            if marker.targets and not any(marker.text in chunk.text for chunk in context.chunks):
                yield marker


def page_target(context: SyntaxContext, definition: str) -> Target | None:
    """The target of a footnote that gives only a page; None for any other one."""
    match = _WHOLE.fullmatch(definition) if context.lookup.has_pages else None
    return _of_page(context, match) if match is not None else None


def _of_page(context: SyntaxContext, match: re.Match[str]) -> Target | None:
    first, last, name = match["first"], match["last"], (match["document"] or "").strip(" \"'*_“”‘’")
    low, high = int(first), int(last or first)
    if not low <= high < low + _MOST_PAGES:
        return None
    found = [chunk for page in range(low, high + 1) for chunk in context.lookup.by_page(str(page), name)]
    label = (f"{name}, " if name else "") + f"p. {first}" + (f"–{last}" if last else "")
    # A chunk without a page number may be from this page.
    is_sure = found or context.lookup.all_have_pages
    return Target(label, tuple(dict.fromkeys(found))) if is_sure else None
