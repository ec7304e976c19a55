"""Citations by place in a book: ``Chapter 3, Section 2``, ``Ch. 3, Sec. 2``, ``Section 2 of Chapter 3``, ``§4.1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pytest_grounding.citations.base import Marker, SyntaxContext, Target
from pytest_grounding.citations.lookup import normal_number

_CHAPTER_WORD = r"(?:chapter|chap\.?|ch\.?|kapitel|kap\.?|chapitre|cap[íi]tulo|capitolo|hoofdstuk)"
_SECTION_WORD = r"(?:sections?|sect\.?|secs?\.?|abschnitte?|abschn\.?|secci[óo]n|sezione|paragraaf|§{1,2})"
_NUMBER = r"[A-Za-z]?\d{1,5}[A-Za-z]?(?:[.-]\d{1,5}){0,6}+(?![\d.]\d)"
_NAME = r"[^\W_][\w-]{0,60}+(?:\.[\w-]{1,60}+){0,4}"
_WORDS = rf"{_NAME}(?:[ \t]{{1,2}}{_NAME}){{1,5}}?"

_FORWARD = re.compile(
    rf"(?<!\w){_CHAPTER_WORD}[ \t]{{0,3}}(?:[\"“](?P<quoted>[^\"”\r\n]{{1,80}})[\"”]|(?P<chapter>{_NAME}|{_NAME}(?:[ \t]{_NAME}){{1,4}}?))"
    rf"(?P<between>[ \t]{{0,3}}(?:[,;:.][ \t]{{0,3}}(?:\r?\n)?|[-–—/][ \t]{{0,3}}|\r?\n)?)"
    rf"{_SECTION_WORD}[ \t]{{0,3}}(?P<section>{_NAME})",
    re.IGNORECASE,
)
_BACKWARD = re.compile(
    rf"(?<!\w){_SECTION_WORD}[ \t]{{0,3}}(?P<section>{_NUMBER})"
    rf"(?:[ \t]{{1,3}}(?:of|in|von|de|di)[ \t]{{1,3}}(?:the[ \t]{{1,3}})?|[ \t]{{0,3}},[ \t]{{0,3}})"
    rf"{_CHAPTER_WORD}[ \t]{{0,3}}(?P<chapter>{_NAME})",
    re.IGNORECASE,
)
_MORE = re.compile(
    rf"[ \t]{{0,3}}(?:,[ \t]{{0,3}}(?:and[ \t]{{1,3}})?|&[ \t]{{0,3}}|[ \t](?:and|und|et)[ \t]{{1,3}}|[-–—])(?P<section>{_NUMBER})(?![\w%])",
    re.IGNORECASE,
)
_SIGN = re.compile(rf"(?<![\w§])§{{1,2}}[ \t\u00a0\u202f]{{0,2}}(?P<section>{_NUMBER})(?!\w)")
_PLURAL = re.compile(rf"(?:sections|secs\.?|abschnitte|§§)[ \t]{{0,3}}\Z", re.IGNORECASE)
_HAS_DIGIT = re.compile(r"\d")
_MAX_SECTIONS = 100
