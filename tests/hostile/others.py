"""Hostile answers that are no wrapped statement: other languages, nothing to check, not rendered, long."""

from every import table
from statements import SOURCES

#: Language or script -> question, chunk, a true answer, a false one.
LANGUAGES = table(__file__, "LANGUAGES", deep=True)

#: Answers that state nothing which could be held against a source. None may pass by itself.
NOTHING = table(__file__, "NOTHING")

_TRUE = (
    "Returns are handled by Maria Keller. The parcel label is printed at home. "
    "Opened software is not refunded. Refunds are paid within 14 days of the return."
)
_FALSE = "Refunds are paid within 45 days of the return."

#: A true answer beside something false that no reader sees.
NOT_RENDERED = {
    "comment": f"{_TRUE} <!-- {_FALSE} -->",
    "comment over lines": f"{_TRUE}\n\n<!--\n{_FALSE}\n-->",
    "front matter": f"---\nsummary: {_FALSE}\n---\n\n{_TRUE}",
    "link definition": f'{_TRUE}\n\n[docs]: https://a.example/x "{_FALSE}"',
    "script": f"{_TRUE}\n\n<script>{_FALSE}</script>",
    "style": f"{_TRUE}\n\n<style>/* {_FALSE} */</style>",
    "hidden attribute": f'{_TRUE} <span data-note="{_FALSE}"></span>',
}

_CHUNK = SOURCES["refunds"].chunk
_PLAIN = SOURCES["refunds"].plain

#: A chunk and an answer that is false, or too large to judge: whatever comes of it is not a pass.
LONG = {
    "false at the end": (_CHUNK, f"{_PLAIN} " * 200 + _FALSE),
    "false at the beginning": (_CHUNK, f"{_FALSE} " + f"{_PLAIN} " * 200),
    "false behind blanks": (_CHUNK, _PLAIN + " " * 50_000 + _FALSE),
    "false behind line breaks": (_CHUNK, _PLAIN + "\n" * 50_000 + _FALSE),
    "false behind zero-width characters": (_CHUNK, _PLAIN + "\u200b" * 50_000 + " " + _FALSE),
    "false behind brackets": (_CHUNK, "[" * 20_000 + " " + _FALSE),
    "false behind stars": (_CHUNK, "*" * 20_000 + " " + _FALSE),
    "false behind quotes": (_CHUNK, "> " * 5_000 + _FALSE),
    "false in deep lists": (
        _CHUNK,
        "".join(f"{' ' * depth}- {_PLAIN}\n" for depth in range(60)) + f"- {_FALSE}",
    ),
    "one word": (_CHUNK, "a" * 100_000),
    "one sentence": (_CHUNK, "the fee and " * 5_000),
    "many numbers": (_CHUNK, "12 euros, " * 5_000),
    "combining marks": (_CHUNK, "e" + "\u0301" * 20_000 + " " + _FALSE),
    "open links": (_CHUNK, "[a](" * 5_000 + _FALSE),
    "open tags": (_CHUNK, "<b" * 5_000 + " " + _FALSE),
    "entities": (_CHUNK, "&amp;" * 5_000 + " " + _FALSE),
    "long chunk": (f"{_PLAIN} " * 500 + _CHUNK, _FALSE),
}
