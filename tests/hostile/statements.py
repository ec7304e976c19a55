"""What the hostile cases say: six sources, and of each a number, a name and a denial, right and wrong."""

from typing import NamedTuple

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


SOURCES = {
    "refunds": Source(
        "Refunds are paid within 14 days of the return. Returns are handled by Maria Keller. "
        "Opened software is not refunded. The parcel label is printed at home.",
        "How do refunds work?",
        "The parcel label is printed at home.",
    ),
    "museum": Source(
        "The museum opened its new wing in 1987. The wing was designed by Tadao Mori. "
        "Dogs are not admitted to the galleries. The café stands in the garden.",
        "What should I know about the museum?",
        "The café stands in the garden.",
    ),
    "medicine": Source(
        "Adults take 250 mg of the syrup in the evening. The syrup is made by Nordpharm in Bergen. "
        "The syrup is suitable for children. The bottle is kept in the refrigerator.",
        "How is the syrup taken?",
        "The bottle is kept in the refrigerator.",
    ),
    "router": Source(
        "The router restarts after 30 seconds without a signal. Firmware updates are signed by Helena Ortiz. "
        "The guest network is enabled by default. The status light is on the front panel.",
        "How does the router behave?",
        "The status light is on the front panel.",
    ),
    "contract": Source(
        "The contract runs for 36 months from the date of signature. The contract was signed by Peter Novak. "
        "The deposit is refundable. The keys are handed over at the office.",
        "What does the contract say?",
        "The keys are handed over at the office.",
    ),
    "river": Source(
        "The river is 412 kilometres long. The first bridge over the river was built by Agnes Weber. "
        "The lower valley is protected by law. The water comes from two glaciers.",
        "What is known about the river?",
        "The water comes from two glaciers.",
    ),
}

STATEMENTS = (
    Statement("refunds", "number", "Refunds are paid within ", "14", "45", " days of the return."),
    Statement("museum", "number", "The museum opened its new wing in ", "1987", "1963", "."),
    Statement("medicine", "number", "Adults take ", "250", "850", " mg of the syrup in the evening."),
    Statement("router", "number", "The router restarts after ", "30", "95", " seconds without a signal."),
    Statement(
        "contract", "number", "The contract runs for ", "36", "24", " months from the date of signature."
    ),
    Statement("river", "number", "The river is ", "412", "731", " kilometres long."),
    Statement("refunds", "name", "Returns are handled by ", "Maria Keller", "Oliver Brandt", "."),
    Statement("museum", "name", "The wing was designed by ", "Tadao Mori", "Frank Castell", "."),
    Statement("medicine", "name", "The syrup is made by ", "Nordpharm", "Medivance", " in Bergen."),
    Statement("router", "name", "Firmware updates are signed by ", "Helena Ortiz", "Samuel Price", "."),
    Statement("contract", "name", "The contract was signed by ", "Peter Novak", "Laura Stein", "."),
    Statement(
        "river", "name", "The first bridge over the river was built by ", "Agnes Weber", "Carlo Fabbri", "."
    ),
    Statement("refunds", "negation", "Opened software ", "is not", "is", " refunded."),
    Statement("museum", "negation", "Dogs ", "are not", "are", " admitted to the galleries."),
    Statement("medicine", "negation", "The syrup ", "is", "is not", " suitable for children."),
    Statement("router", "negation", "The guest network ", "is", "is not", " enabled by default."),
    Statement("contract", "negation", "The deposit ", "is", "is not", " refundable."),
    Statement("river", "negation", "The lower valley ", "is", "is not", " protected by law."),
)
