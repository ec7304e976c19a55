"""Verbs of two words that say what one word says: "turned down" for "rejected"."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.scorers.lexical.index import ChunkIndex
from pytest_grounding.scorers.lexical.tokens import Token, tokenize

# Verb, the word after it, and the word that it stands for.
_PHRASES = """
come out release
come back return
give back return
get back return
send back return
take back return
bring back return
hand back return
get rid remove
take off remove
lift off remove
take out remove
pull out remove
throw away discard
turn down reject
call off cancel
put off postpone
set up found
find out discover
carry out perform
hand in submit
fill in complete
fill out complete
switch off disable
turn off disable
shut down close
close down close
go up rise
go down fall
take over acquire
pay for fund
make of compose
made of compose
made from compose
top up refill
look after care
give up abandon
cut off disconnect
break down fail
sign up register
log in login
phase out end
wind up end
stand for mean
deal with handle
put together assemble
take apart dismantle
take part participate
take place happen
point out mention
use up consume
let know inform
grow up raise
run by operate
look for search
get hold reach
hold up delay
move out leave
set off start
sets off start
try out test
set out start
get off leave
drop out leave
send off dismiss
""".strip()
#: Words that may stand between the two: "turn the offer down".
_REACH = 4
_PAY = "pay"


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[tuple[str, str], ...]]:
    """For the stem of a verb the words after it and the stem that both stand for."""
    table: dict[str, dict[tuple[str, str], None]] = {}
    for line in _PHRASES.splitlines():
        verb, after, word = line.split()
        table.setdefault(_stem(verb), {})[after, _stem(word)] = None
    return {verb: tuple(pairs) for verb, pairs in table.items()}


@lru_cache(maxsize=1)
def _meaning() -> dict[str, tuple[tuple[str, str], ...]]:
    """For a stem the verbs and the words after them that stand for it."""
    table: dict[str, list[tuple[str, str]]] = {}
    for verb, pairs in _table().items():
        for after, word in pairs:
            table.setdefault(word, []).append((verb, after))
    return {word: tuple(pairs) for word, pairs in table.items()}


def _stem(word: str) -> str:
    return tokenize(word, "en")[0].stem


def read_as_one(tokens: list[Token]) -> dict[int, str]:
    """The verbs of two words among some words.

    Returns:
        The offset of the verb -> the stem of what both stand for; of the other word -> "".
    """
    table = _table()
    found: dict[int, str] = {}
    for number, token in enumerate(tokens):
        for after, word in table.get(token.stem, ()):
            if token.stem == _PAY:
                break  # "How much did Acme pay for it" asks for a price
            other = next((t for t in tokens[number + 1 : number + 1 + _REACH] if t.norm == after), None)
            if other is not None:
                found[token.start] = word
                found[other.start] = ""
    return found


def says_in_two(index: ChunkIndex, stems: frozenset[str]) -> list[int]:
    """The numbers of the sentences of a text that say one of some stems by a verb of two words."""
    found: list[int] = []
    for stem in sorted(stems & _meaning().keys()):
        for verb, after in _meaning()[stem]:
            for place in index.positions.get(verb, ()):
                sentence = index.sentence_of[place]
                following = index.tokens[place + 1 : place + 1 + _REACH]
                if any(
                    token.norm == after and index.sentence_of[place + 1 + n] == sentence
                    for n, token in enumerate(following)
                ):
                    found.append(sentence)
    return found
