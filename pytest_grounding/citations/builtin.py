"""The syntaxes that come with the package."""

from __future__ import annotations

from pytest_grounding.citations.author import AuthorSyntax
from pytest_grounding.citations.base import CitationSyntax
from pytest_grounding.citations.codelines import CodeLinesSyntax
from pytest_grounding.citations.ids import IdSyntax
from pytest_grounding.citations.index import IndexSyntax
from pytest_grounding.citations.openai import OpenAISyntax
from pytest_grounding.citations.page import PageSyntax
from pytest_grounding.citations.section import SectionSyntax
from pytest_grounding.citations.url import UrlSyntax

#: Every built-in syntax, the highest priority first. One is added in a file beside this one and a row here.
SYNTAXES: tuple[type[CitationSyntax], ...] = (
    UrlSyntax,
    CodeLinesSyntax,
    OpenAISyntax,
    IdSyntax,
    SectionSyntax,
    PageSyntax,
    AuthorSyntax,
    IndexSyntax,
)


def builtin_syntaxes() -> list[CitationSyntax]:
    """One of each built-in syntax, the highest priority first."""
    return [syntax() for syntax in SYNTAXES]
