"""Texts that a pattern matches, made by a walk through it: much quicker than strategies of all its parts."""

import random
import re
from re import _constants as c  # the parser of the standard library has no other name
from re import _parser as parser

#: What stands for a set that leaves some letters out.
_LIKELY = "w 7.\té中\x80\n0ab-'"
_OF_CATEGORY = {
    c.CATEGORY_DIGIT: "07٣",
    c.CATEGORY_SPACE: " \t\n\u00a0",
    c.CATEGORY_WORD: "aZé_7",
    c.CATEGORY_NOT_DIGIT: "a .",
    c.CATEGORY_NOT_SPACE: "a.7",
    c.CATEGORY_NOT_WORD: " .-",
}
_WRITTEN = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_NOT_WORD: r"\W",
}
#: What `re` takes for these letters where upper and lower case are one.
_ALIKE = {"s": "sSſ", "k": "kK\u212a", "i": "iIİı"}


def matching(source, flags, *, seed, tries):
    """Those of some random texts that a pattern finds itself in; what looks around makes some miss.

    Args:
        source: the pattern.
        flags: its flags.
        seed: the same gives the same texts.
        tries: how many texts are made.
    """
    compiled, tree, chance = re.compile(source, flags), parser.parse(source, flags), random.Random(seed)
    for _ in range(tries):
        text = _Walk(chance, is_caseless=bool(flags & re.IGNORECASE)).text(tree)
        if compiled.search(text):
            yield text


class _Walk:
    """One way through a pattern."""

    def __init__(self, chance, *, is_caseless):
        self.chance = chance
        self.is_caseless = is_caseless
        self.groups: dict[int, str] = {}

    def text(self, tree):
        return "".join(self._one(op, value) for op, value in tree)

    def _one(self, op, value):
        if op is c.LITERAL:
            return self._cased(chr(value))
        if op in (c.NOT_LITERAL, c.ANY):
            return self.chance.choice([char for char in "w 7" if op is c.ANY or ord(char) != value])
        if op is c.IN:
            return self._cased(self._of_set(value))
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            fewest, most, body = value
            return "".join(self.text(body) for _ in range(self.chance.randint(fewest, min(most, fewest + 2))))
        if op is c.BRANCH:
            return self.text(self.chance.choice(value[1]))
        if op is c.SUBPATTERN:
            before = self.is_caseless
            self.is_caseless = (before or bool(value[1] & re.IGNORECASE)) and not value[2] & re.IGNORECASE
            made = self.text(value[3])
            self.is_caseless = before
            if value[0]:
                self.groups[value[0]] = made
            return made
        if op is c.ATOMIC_GROUP:
            return self.text(value)
        if op is c.GROUPREF:
            return self.groups.get(value, "")
        # What must follow may stand there by itself, or has to be put there.
        return self.text(value[1]) if op is c.ASSERT and self.chance.random() < 0.5 else ""

    def _cased(self, char):
        if not self.is_caseless:
            return char
        return self.chance.choice(_ALIKE.get(char.lower(), char.lower() + char.upper()))

    def _of_set(self, items):
        if items[0][0] is c.NEGATE:
            others = [char for char in _LIKELY if not any(_holds(item, char) for item in items[1:])]
            return self.chance.choice(others or ["\u2603"])
        kind, value = self.chance.choice(items)
        if kind is c.LITERAL:
            return chr(value)
        if kind is c.RANGE:
            return chr(self.chance.randint(*value))
        return self.chance.choice(_OF_CATEGORY[value])


def _holds(item, char):
    kind, value = item
    if kind is c.LITERAL:
        return ord(char) == value
    if kind is c.RANGE:
        return bool(value[0] <= ord(char) <= value[1])
    return kind is c.CATEGORY and bool(re.fullmatch(_WRITTEN[value], char))
