"""Citations by place in a book: ``Chapter 3, Section 2``, ``Section 2 of Chapter 3``, ``§4.1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding._patterns import lazy
from pytest_grounding.citations.base import Marker, SyntaxContext, Target
from pytest_grounding.citations.lookup import normal_number

#: How far behind the word "chapter" its section may start, in characters.
_WINDOW = 100
_MAX_SECTIONS = 50

_CHAPTER_WORD = r"(?:chapter|chap\b\.?|ch\b\.?|kapitel|kap\b\.?|chapitre|cap[íi]tulo|capitolo|hoofdstuk)"
_SECTION_WORD = (
    r"(?:sections?\b|sects?\b\.?|secs?\b\.?|abschnitte?\b|abschn\b\.?"
    r"|secci[óo]n\b|sezione\b|paragraaf\b|§{1,2})"
)
_NUMBER = r"[A-Za-z]?\d{1,5}[A-Za-z]?(?:\.\d{1,5}){0,6}+"
_BLANK = r"[ \t\u00a0\u202f]"
#: Between a word and its number, where a line may end.
_GAP = rf"(?:{_BLANK}{{0,2}}\r?\n)?{_BLANK}{{0,3}}"

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
#: A marker holds a word for "section" or its sign, and so one of these; most answers hold none.
_HINTS = ("sec", "sez", "abschn", "paragraaf", "§")


class SectionSyntax:
    """Citations by chapter and section, compared as normalised text (`normal_number`)."""

    name = "section"
    priority = 50

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax; a chapter alone, or a section alone, is none."""
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
            chapter, section = match["chapter"], match["number"]
            yield self._marker(context, match.start(), match.end(), [_target(context, chapter, section)])
        if "§" in text:
            yield from self._signs(context)

    def _marker(self, context: SyntaxContext, start: int, end: int, targets: list[Target]) -> Marker:
        return Marker(start, end, context.answer[start:end], self.name, tuple(targets))

    def _forward(self, context: SyntaxContext, anchor: re.Match[str]) -> Marker | None:
        """The marker that starts with this word for "chapter", or None."""
        text = context.masked
        first = anchor.end()
        match = _SECTION.search(text, first, min(len(text), first + _WINDOW))
        if match is None:
            return None
        chapter = _chapter(text[first : match.start()], context)
        if chapter is None:
            return None
        section, end = match["number"], match.end()
        if section is None:
            if normal_number(match["name"]) not in context.lookup.section_numbers:
                return None
            section = match["name"]
        numbers = [section]
        if match["word"].casefold().endswith(_PLURALS):
            end = _more_sections(text, end, numbers)
        targets = {number: _target(context, chapter, number) for number in numbers}
        return self._marker(context, anchor.start(), end, list(targets.values()))

    def _signs(self, context: SyntaxContext) -> Iterator[Marker]:
        """``§4.1``: a citation when one section answers to it, or when it can only be an invented one."""
        lookup = context.lookup
        for match in _SIGN.finditer(context.masked):
            number = match["number"]
            found = lookup.by_sign(number)
            # Without sections among the chunks, and where the source itself says it, "§ 5" is content.
            if not found and (not lookup.section_numbers or _is_quoted(match[0], context)):
                continue
            target = Target(f"§{number}", found)
            yield self._marker(context, match.start(), match.end(), [target])


def _is_quoted(sign: str, context: SyntaxContext) -> bool:
    wanted = "".join(sign.split())
    return any("§" in chunk.text and wanted in "".join(chunk.text.split()) for chunk in context.chunks)


def _chapter(left: str, context: SyntaxContext) -> str | None:
    """The chapter between its word and the word for "section"; None when that is prose."""
    match = _LEFT.match(left)
    if match is None:
        return None
    name = match[0].strip(" \t\u00a0\u202f-–—.(\"'“”‘’*_/")
    between = left[match.end() :].strip(" \t\u00a0\u202f,;:\r\n")
    if not name or between or left.count("\n") > 1:
        return None
    if normal_number(name) in context.lookup.chapters:
        return name
    if _TOKEN.fullmatch(name) is None:
        return None
    # "This chapter covers section 2" has no comma; "chapter intro, section 4" has one.
    is_separated = match.end() < len(left) or left.rstrip()[-1:] in "-–—./"
    return name if _DIGIT.search(name) or is_separated else None


def _more_sections(text: str, end: int, numbers: list[str]) -> int:
    """Collect ``2, 3 and 5`` or ``2-4`` behind a plural; return where it ends."""
    while len(numbers) < _MAX_SECTIONS:
        match = _MORE.match(text, end)
        if match is None:
            break
        number = match["number"]
        if match["dash"] and numbers[-1].isdecimal() and number.isdecimal():
            first, last = int(numbers[-1]), int(number)
            if not first < last <= first + _MAX_SECTIONS:
                break
            numbers.extend(str(value) for value in range(first + 1, last + 1))
        else:
            numbers.append(number)
        end = match.end()
    return end


def _target(context: SyntaxContext, chapter: str, section: str) -> Target:
    label = f"ch {normal_number(chapter)}, sec {normal_number(section)}"
    return Target(label, context.lookup.by_section(chapter, section))
