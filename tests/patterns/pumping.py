"""Hostile texts for a pattern, made from its own form."""

import re
from re import _constants as c  # the parser of the standard library has no other name
from re import _parser as parser

#: What follows the repeated part, so that the match fails there.
_SPOILERS = ("\x01", "", "\n\x01")
_CATEGORY = {
    c.CATEGORY_DIGIT: "7",
    c.CATEGORY_SPACE: " ",
    c.CATEGORY_WORD: "w",
    c.CATEGORY_NOT_DIGIT: "w",
    c.CATEGORY_NOT_SPACE: "w",
    c.CATEGORY_NOT_WORD: ".",
}


def hostile(source, flags, length):
    """Texts of about a length: a beginning that fits, one repetition many times, an end that does not."""
    tree = parser.parse(source, flags)
    seen = set()
    for before, body in _loops(tree, ""):
        for begin in {before, ""}:
            if body and (begin, body) not in seen:
                seen.add((begin, body))
                pumped = body * (length // len(body) + 1)
                for end in _SPOILERS:
                    yield begin + pumped[:length] + end


def _loops(tree, before):
    for op, av in tree:
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            if av[1] == c.MAXREPEAT or av[1] >= 8:
                yield before, _sample(av[2])
            yield from _loops(av[2], before)
        elif op is c.BRANCH:
            for part in av[1]:
                yield from _loops(part, before)
        elif op is c.SUBPATTERN:
            yield from _loops(av[3], before)
        elif op is c.ATOMIC_GROUP:
            yield from _loops(av, before)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _loops(av[1], before)
        before += _sample([(op, av)])


def _sample(tree):
    """A text that a part reads."""
    made = ""
    for op, av in tree:
        if op is c.LITERAL:
            made += chr(av)
        elif op in (c.NOT_LITERAL, c.ANY):
            made += "w"
        elif op is c.IN:
            made += _one_of(av)
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            made += _sample(av[2]) * max(1, min(av[0], 3)) if av[1] else ""
        elif op is c.BRANCH:
            made += _sample(av[1][0])
        elif op is c.SUBPATTERN:
            made += _sample(av[3])
        elif op is c.ATOMIC_GROUP:
            made += _sample(av)
    return made


def _one_of(items):
    if items[0][0] is c.NEGATE:
        likely = "w 7.\té中\x80\n0ab-"
        return next((char for char in likely if re.fullmatch(f"[{_written(items)}]", char)), "")
    kind, what = items[0]
    if kind is c.LITERAL:
        return chr(what)
    return chr(what[0]) if kind is c.RANGE else _CATEGORY[what]


def _written(items):
    """A set as a pattern writes it."""
    names = {
        c.CATEGORY_DIGIT: r"\d",
        c.CATEGORY_SPACE: r"\s",
        c.CATEGORY_WORD: r"\w",
        c.CATEGORY_NOT_DIGIT: r"\D",
        c.CATEGORY_NOT_SPACE: r"\S",
        c.CATEGORY_NOT_WORD: r"\W",
    }
    made = ""
    for kind, what in items:
        if kind is c.NEGATE:
            made += "^"
        elif kind is c.LITERAL:
            made += re.escape(chr(what))
        elif kind is c.RANGE:
            made += f"{re.escape(chr(what[0]))}-{re.escape(chr(what[1]))}"
        else:
            made += names[what]
    return made
