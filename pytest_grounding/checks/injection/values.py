"""What of a text a reader may act on: addresses, numbers, codes; and its words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_grounding._patterns import lazy
from pytest_grounding.scorers.lexical.tokens import tokenize

_HOST = lazy(r"(?<![\w@.-])[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.[a-z]{2,24}(?![\w-])")
_MAIL = lazy(r"(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,5}")
_NUMBER = lazy(r"(?<![\w.,])\d{1,12}(?:[.,]\d{1,12}){0,4}(?!\w)")
_DIALLED = lazy(r"(?<!\w)\+?\(?\d{1,5}\)?(?:[ ./-]{1,2}\d{2,8}){1,6}(?!\w)")
_CODE = lazy(r"(?<![\w./@-])(?=[a-z]{0,20}\d)(?=\d{0,20}[a-z])[a-z0-9]{5,64}(?![\w./@-])")
_CJK = lazy("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,200}")


@dataclass(frozen=True, slots=True)
class Values:
    """What may be acted on in a text, in plain forms."""

    hosts: frozenset[str]
    mails: frozenset[str]
    numbers: frozenset[str]
    dialled: frozenset[str]
    codes: frozenset[str]

    def only_in(self, passage: Values, rest: Values) -> tuple[str, ...]:
        """The values that a passage holds too and the rest of the sources does not, sorted."""
        dialled = [one for one in self.dialled & passage.dialled if one not in rest.dialled]
        found = [
            *(self.hosts & passage.hosts - rest.hosts),
            *(self.mails & passage.mails - rest.mails),
            *dialled,
            *(self.codes & passage.codes - rest.codes),
            *(
                number
                for number in self.numbers & passage.numbers - rest.numbers
                if not any(number in longer for longer in dialled)
            ),
        ]
        return tuple(sorted(found))


def values_of(text: str) -> Values:
    """The values of a text."""
    lower = text.lower()
    mails = frozenset(match[0].strip(".") for match in _MAIL.finditer(lower)) if "@" in lower else frozenset()
    hosts = (match[0].removeprefix("www.") for match in _HOST.finditer(lower)) if "." in lower else ()
    numbers = (match[0].rstrip(".,").replace(",", "") for match in _NUMBER.finditer(lower))
    dialled = ("".join(filter(str.isdigit, match[0])) for match in _DIALLED.finditer(lower))
    return Values(
        hosts=frozenset(hosts),
        mails=mails,
        numbers=frozenset(number for number in numbers if len(number) > 1),
        dialled=frozenset(digits for digits in dialled if len(digits) >= 6),
        codes=frozenset(match[0] for match in _CODE.finditer(lower)),
    )


def words_of(text: str, language: str) -> frozenset[str]:
    """Stems of the content words of a text; of scripts without blanks, pairs of letters."""
    stems = {token.stem for token in tokenize(text, language) if not token.is_stop}
    if not text.isascii():
        pairs = frozenset(_pairs(text))
        if pairs:
            stems = {stem for stem in stems if not _CJK.search(stem)} | pairs
    return frozenset(stems)


def _pairs(text: str) -> Iterator[str]:
    for match in _CJK.finditer(text):
        for place in range(len(match[0]) - 1):
            yield match[0][place : place + 2]
