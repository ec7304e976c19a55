"""A finding that holds its transcript back, as a baseline keeps it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pytest_grounding.model._base import Model


class Known(Model):
    """A finding that holds its transcript back, as one line of a baseline.

    Attributes:
        rule: the rule that found it, or ``low_confidence`` where none did.
        severity: error or warning.
        hash: what it is about, as 16 hexadecimal digits: the words of its claim, as a waiver holds them;
            of the whole answer where it has no claim.
        words: these words, shortened, for people.
        number: how many such findings there are.
    """

    rule: str = Field(min_length=1)
    severity: Literal["error", "warning"]
    hash: str = Field(min_length=1)
    words: str = ""
    number: Annotated[int, Field(ge=1, strict=True)] = 1

    @property
    def said(self) -> str:
        """Severity, rule and words, for people."""
        about = f' "{self.words}"' if self.words else ""
        return f"{self.severity} {self.rule}{about}"
