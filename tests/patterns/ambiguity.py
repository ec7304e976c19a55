"""Whether a pattern can take more than linear time: its automaton, and in how many ways that reads one text.

A backtracking matcher tries every way in which a pattern can read a text before it fails. The automaton here
has one state for each character that the pattern reads; `follow` counts the ways from one to the next.

*Exponential*: from some state two different ways lead back to it over the same text. *Polynomial*: a state
and another one behind it can both stay where they are over a text that also leads from the one to the other;
the place where a search begins counts as such a state (Weber and Seidl 1991; Weideman and others 2016).
What stands in a look-around is read, and ends there. Possessive groups count like others.
"""

import re
from dataclasses import dataclass, field
from re import _constants as c  # the parser of the standard library has no other name
from re import _parser as parser

#: A repetition of at least so many times counts as one without end where ways may multiply.
MANY = 8
#: Copies of a bounded repetition where only those without end count.
COPIES = 3
#: States looked at before a pattern is called too hard to tell.
MOST = 60_000
_SAMPLES = "azAZ09_ \t\n\r.,-\u00a0éßıſK٣²½中\u0301\u2028\ud83d🙂"


class TooHardError(Exception):
    """The automaton is too large to be looked through."""


@dataclass
class _Part:
    """What a part of a pattern begins and ends with; ``free``: it may be empty and nothing can forbid it."""

    first: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    empty: bool = True
    sure: set[int] = field(default_factory=set)
    free: bool = True


class Automaton:
    """The states of a pattern.

    Args:
        source: the pattern.
        flags: its flags.
        endless: whether long bounded repetitions count as endless.
        searched: whether matches may begin anywhere.
    """

    def __init__(self, source, flags, *, endless, searched):
        tree = parser.parse(source, flags)
        self.flags = tree.state.flags
        self._endless = endless
        self._alphabet = sorted({*_SAMPLES, *_letters(tree)})
        self.masks: list[int] = [(1 << len(self._alphabet)) - 1]
        self.follow: list[dict[int, int]] = [{}]
        whole = self._read(tree)
        self.accepting = whole.sure
        if searched:
            self.follow[0] = {0: 1, **whole.first}

    def word(self, mask):
        """One character of a mask."""
        return next(char for place, char in enumerate(self._alphabet) if mask >> place & 1)

    def _state(self, op, av):
        mask = 0
        for place, char in enumerate(self._alphabet):
            if _reads(op, av, char, self.flags):
                mask |= 1 << place
        self.masks.append(mask)
        self.follow.append({})
        number = len(self.masks) - 1
        if number > 6000:
            raise TooHardError
        return _Part({number: 1}, {number: 1}, False, {number}, False)

    def _link(self, lasts, firsts):
        for left, ways in lasts.items():
            table = self.follow[left]
            for right, more in firsts.items():
                table[right] = min(2, table.get(right, 0) + ways * more)

    def _read(self, tree):
        whole = _Part()
        for op, av in tree:
            whole = self._joined(whole, self._one(op, av))
        return whole

    def _joined(self, left, right):
        self._link(left.last, right.first)
        return _Part(
            _sum(left.first, right.first if left.empty else {}),
            _sum(right.last, left.last if right.empty else {}),
            left.empty and right.empty,
            right.sure | (left.sure if right.free else set()),
            left.free and right.free,
        )

    def _one(self, op, av):
        if op in (c.LITERAL, c.NOT_LITERAL, c.IN, c.ANY):
            return self._state(op, av)
        if op is c.SUBPATTERN:
            return self._read(av[3])
        if op is c.ATOMIC_GROUP:
            return self._read(av)
        if op is c.BRANCH:
            return self._either([self._read(part) for part in av[1]])
        if op is c.GROUPREF_EXISTS:
            return self._either([self._read(part) if part else _Part() for part in av[1:]])
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            return self._repeated(*av)
        if op in (c.ASSERT, c.ASSERT_NOT):
            return _Part(first=self._read(av[1]).first, free=False)
        if op in (c.AT, c.GROUPREF):
            return _Part(free=False)
        raise NotImplementedError(op)

    def _either(self, parts):
        whole = _Part(empty=any(part.empty for part in parts), free=any(part.free for part in parts))
        for part in parts:
            whole.first = _sum(whole.first, part.first)
            whole.last = _sum(whole.last, part.last)
            whole.sure |= part.sure
        return whole

    def _repeated(self, least, most, tree):
        endless = most == c.MAXREPEAT or (self._endless and most >= MANY)
        whole = _Part()
        if endless:
            for _ in range(min(least, 2) - 1):
                whole = self._joined(whole, self._read(tree))
            loop = self._read(tree)
            self._link(loop.last, loop.first)
            if least == 0:
                loop.empty = loop.free = True
            return self._joined(whole, loop)
        copies = most if self._endless else min(most, max(COPIES, 1))
        # The second copy stands only behind the first, so that there is one way to read two.
        for number in range(copies, 0, -1):
            whole = self._joined(self._read(tree), whole)
            if number > min(least, copies):
                whole.empty = whole.free = True
        return whole


def _sum(one, other):
    whole = dict(one)
    for state, ways in other.items():
        whole[state] = min(2, whole.get(state, 0) + ways)
    return whole


def _letters(tree):
    """The characters that a pattern names, and those around its ranges."""
    for op, av in tree:
        if op in (c.LITERAL, c.NOT_LITERAL):
            yield from {chr(av), chr(av).swapcase()[:1]}
        elif op is c.RANGE:
            yield from (
                chr(code) for code in {*av, av[0] - 1, av[1] + 1, sum(av) // 2} if 0 < code < 0x110000
            )
        elif op is c.IN:
            yield from _letters(av)
        elif op is c.BRANCH:
            for part in av[1]:
                yield from _letters(part)
        elif op is c.SUBPATTERN:
            yield from _letters(av[3])
        elif op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            yield from _letters(av[2])
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _letters(av[1])
        elif op is c.ATOMIC_GROUP:
            yield from _letters(av)
        elif op is c.GROUPREF_EXISTS:
            for part in av[1:]:
                yield from _letters(part or ())


_CATEGORIES = {
    c.CATEGORY_DIGIT: str.isdecimal,
    c.CATEGORY_SPACE: str.isspace,
    c.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NOT = {
    c.CATEGORY_NOT_DIGIT: c.CATEGORY_DIGIT,
    c.CATEGORY_NOT_SPACE: c.CATEGORY_SPACE,
    c.CATEGORY_NOT_WORD: c.CATEGORY_WORD,
}


def _reads(op, av, char, flags):
    forms = {char, char.lower()[:1], char.upper()[:1]} if flags & re.IGNORECASE else {char}
    if op is c.LITERAL:
        return chr(av) in forms
    if op is c.NOT_LITERAL:
        return chr(av) not in forms
    if op is c.ANY:
        return char != "\n" or bool(flags & re.DOTALL)
    negated = bool(av) and av[0][0] is c.NEGATE
    return negated != any(_in_set(kind, what, forms) for kind, what in av[negated:])


def _in_set(kind, what, forms):
    if kind is c.LITERAL:
        return chr(what) in forms
    if kind is c.RANGE:
        return any(what[0] <= ord(form) <= what[1] for form in forms)
    if what in _NOT:
        return any(not _CATEGORIES[_NOT[what]](form) for form in forms)
    return any(_CATEGORIES[what](form) for form in forms)


def _components(follow):
    """For each state the number of its strongly connected component (Tarjan), -1 where it is not a loop."""
    index = {}
    low = {}
    stack = []
    on_stack = set()
    component = [-1] * len(follow)
    for root in range(len(follow)):
        if root in index:
            continue
        work = [(root, iter(follow[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            state, successors = work[-1]
            for other in successors:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(follow[other])))
                    break
                if other in on_stack:
                    low[state] = min(low[state], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[state])
                if low[state] == index[state]:
                    members = []
                    while True:
                        member = stack.pop()
                        on_stack.discard(member)
                        members.append(member)
                        if member == state:
                            break
                    if len(members) > 1 or state in follow[state]:
                        for member in members:
                            component[member] = state
    return component


def exponential(source, flags=0):
    """A character at which ways multiply without end, or "" where none do."""
    machine = Automaton(source, flags, endless=True, searched=False)
    follow, masks = machine.follow, machine.masks
    component = _components(follow)
    # Behind a loop that may end the match nothing is left to fail.
    ending = {component[state] for state in machine.accepting}
    seen = set()
    back = {}
    frontier = []
    ends = []

    def step(left, right):
        for one in follow[left]:
            if component[one] != component[left]:
                continue
            for other in follow[right]:
                if component[other] != component[left] or not masks[one] & masks[other]:
                    continue
                if one == other:
                    if left != right:
                        ends.append((left, right))
                    continue
                pair = (one, other)
                back.setdefault(pair, []).append((left, right))
                if pair not in seen:
                    seen.add(pair)
                    frontier.append(pair)
                    if len(seen) > MOST:
                        raise TooHardError

    for state in range(1, len(follow)):
        if component[state] < 0 or component[state] in ending:
            continue
        for other, ways in follow[state].items():
            if ways > 1 and component[other] == component[state]:
                return machine.word(masks[other])
        step(state, state)
    while frontier:
        step(*frontier.pop())
    # What a pair leads back from has to begin at one state; every pair seen does.
    return machine.word(masks[ends[0][0]]) if ends else ""


def polynomial(source, flags=0, *, searched):
    """A character over which two loops can share a text in many ways, or "" where none do."""
    machine = Automaton(source, flags, endless=False, searched=searched)
    follow, masks = machine.follow, machine.masks
    component = _components(follow)
    loops = [state for state in range(len(follow)) if component[state] >= 0]
    # Behind a loop that may end the match nothing is left to fail.
    ending = {component[state] for state in machine.accepting}
    work = [0]
    for first in loops:
        for second in loops:
            if first == second or second == 0 or component[second] in ending:
                continue
            if _shares(follow, masks, component, first, second, work):
                return machine.word(masks[second])
    return ""


def _shares(follow, masks, component, first, second, work):
    """Whether one text leads from the first loop to itself and to the second, and from that to itself."""
    start = (first, first, second)
    goal = (first, second, second)
    seen = {start}
    frontier = [start]
    while frontier:
        left, middle, right = frontier.pop()
        for one in follow[left]:
            if component[one] != component[first]:
                continue
            for three in follow[right]:
                both = masks[one] & masks[three]
                if component[three] != component[second] or not both:
                    continue
                for two in follow[middle]:
                    triple = (one, two, three)
                    if not both & masks[two] or triple in seen:
                        continue
                    if triple == goal:
                        return True
                    seen.add(triple)
                    frontier.append(triple)
                    work[0] += 1
                    if work[0] > 40 * MOST:
                        raise TooHardError
    return False
