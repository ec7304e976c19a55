"""What the hostile cases say: six sources, and of each a number, a name and a denial, right and wrong."""

from typing import NamedTuple

from every import table

#: The kinds of falsehood that every wrapping is tried with.
KINDS = ("number", "name", "negation")


class Source(NamedTuple):
    """One retrieved passage, the question, and a sentence of it that nobody disputes."""

    chunk: str
    question: str
    plain: str


class Statement(NamedTuple):
    """A sentence of a source with one place where it can be false.

    Attributes:
        source: the key of the passage.
        kind: what is false: number, name or negation.
        before: the sentence up to the place.
        right: what the source says there.
        wrong: what it does not say.
        after: the rest of the sentence, full stop included.
    """

    source: str
    kind: str
    before: str
    right: str
    wrong: str
    after: str


SOURCES = {name: Source(*passage) for name, passage in table(__file__, "sources").items()}

STATEMENTS = tuple(Statement(*parts) for parts in table(__file__, "statements"))
