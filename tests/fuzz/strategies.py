"""Transcripts as nobody writes them: Markdown in Markdown, all scripts, numbers, citations."""

import json

from hypothesis import strategies as st

_WORDS = """
    The fee of the plan is 12 euros per day and must not be paid by Anna Smith in Rome on 3 November
    2021 If no it They who because 36 months may opened closed more than half of members 2.5 % $
    between first never NATO Dr. U.S. e.g. Yes Sources: According to Passage 1 here are I do not
    know the passages do not mention Handbook der Vertrag läuft费用 十二 ค่า плата الرسوم दर 요금 ١٢ १२ ½
    ② ³ Ⅻ 𝟙𝟚 12€ −12 1,234.5 10:30 2021-11-03 A. B) #1
    """.split()
_MARKERS = ("[1]", "[2, 9]", "[1-3]", "[^1]", "【4:0†s】", "[c1]", "(Smith, 2020)", "¹²", "src/a.py:3-9")
_MARKERS += tuple("Chapter 3, Section 2|§4.1|https://a.example/x|[-1]|[0]|[Source 2]|[1|1]|[]".split("|"))
_GLUE = tuple(" | | | ||, |. |.\n|\n|\n\n|; |: | - |\t|\r\n|\xa0|\u200b|!? ".split("|"))
_MARKS = tuple("*_`~[]()<>|#-+=\\\"'“”„‘’!?.,:;/{}@^&%…—\x00\x1b\u202e\u0301\ud83d🙂")

_FORMS = (
    *("[{}](https://a.example/x)", "([{}](/b), p. 3)", "![{}](a.png)", "**{}**", "*{}*", "`{}`", "~~{}~~"),
    *("> {}", "- {}", "  - {}\n    - {}", "1. {}", "# {}", "| {} | {} |\n|---|---|\n| {} | 12 |", "{}\n==="),
    *(
        "<!-- {} -->",
        "<b>{}</b>",
        "[^1]: {}",
        "[docs]: https://a.example {}",
        "---\nt: {}\n---\n",
        "- [x] {}",
    ),
    *('"{}"', "({})", "[{}][docs]", "```\n{}\n```", "{}[^1]", "{} [1].", "[{}]({})", "{}\u2028{}"),
    "Sources:\n- {}",
)

words = st.sampled_from(_WORDS)
glue = st.sampled_from(_GLUE)
numbers = st.one_of(
    st.integers(-(10**6), 10**15).map(str),
    st.floats(allow_nan=False).map(str),
    st.text(st.characters(categories=["Nd", "No", "Nl"]), min_size=1, max_size=4),
)
odd = st.text(max_size=6)
pieces = st.one_of(words, words, words, numbers, st.sampled_from(_MARKERS), st.sampled_from(_MARKS), odd)


@st.composite
def lines(draw):
    """Words and marks in a row."""
    parts = draw(st.lists(st.tuples(pieces, glue), max_size=14))
    return "".join(piece + joint for piece, joint in parts)


def _wrapped(inner):
    return st.tuples(st.sampled_from(_FORMS), inner).map(lambda pair: pair[0].replace("{}", pair[1]))


markdown = st.recursive(
    lines(),
    lambda inner: st.one_of(_wrapped(inner), st.tuples(inner, glue, inner).map("".join)),
    max_leaves=6,
)


@st.composite
def transcripts(draw):
    """A mapping that is a transcript, whatever its texts are."""
    texts = draw(st.lists(markdown, max_size=3))
    answer = draw(st.one_of(markdown, st.sampled_from(texts) if texts else markdown, st.just("")))
    given = {
        "id": "fuzz",
        "question": draw(st.one_of(lines(), st.just("What is the fee?"))).strip()[:2000] or "What?",
        "answer": answer,
        "chunks": [
            {
                "id": f"c{number}",
                "text": text,
                "score": draw(st.floats(0, 1)),
                "metadata": {"url": "https://a.example/x"},
            }
            for number, text in enumerate(texts, start=1)
        ],
    }
    if draw(st.booleans()):
        given["language"] = draw(st.sampled_from(["de", "zh", "th", "ar", "und", "x-none", "en-GB"]))
    if draw(st.integers(0, 4)) == 0:
        given["history"] = [{"role": "user", "content": draw(lines())}]
        given["cited_indices"] = draw(st.lists(st.integers(-2, 9), max_size=3))
    if not given["question"].strip():
        given["question"] = "What?"
    return given


#: JSON of any kind under the names that transcripts and the formats of others use.
_NAMES = (
    "id question answer chunks text score citations metadata history messages role content choices message "
    "documents response retrieved_contexts user_input start end chunk_ids title 0"
).split()
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), lines()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(_NAMES), inner, max_size=6)
    ),
    max_leaves=12,
)  # fmt: skip


@st.composite
def files(draw):
    """What a file of transcripts may hold: a good one with bytes changed, cut or added, or any bytes."""
    whole = json.dumps(draw(transcripts())).encode("utf-8", "surrogatepass")
    place = draw(st.integers(0, len(whole)))
    change = draw(
        st.one_of(st.just(b""), st.binary(max_size=4), st.sampled_from([b"<<<<<<<", b"\xff\xfe", b"[" * 500]))
    )
    cut = draw(st.integers(0, 8))
    return whole[:place] + change + whole[place + cut :]


def plain_transcript(rng):
    """A transcript of the same words, marks and forms by plain chance: a tenth of the cost of a strategy."""
    texts = [_plain_markdown(rng) for _ in range(rng.choice((1, 1, 1, 2, 3, 0)))]
    answer = rng.choice(texts) if texts and rng.random() < 0.2 else _plain_markdown(rng)
    if texts and rng.random() < 0.3:
        cut = rng.randrange(len(answer) + 1)
        answer = answer[:cut] + rng.choice(texts) + answer[cut:]
    given = {
        "id": "fuzz",
        "question": _plain_line(rng).strip()[:2000] or "What is the fee?",
        "answer": answer,
        "chunks": [{"id": f"c{number}", "text": text} for number, text in enumerate(texts, start=1)],
    }
    if rng.random() < 0.2:
        given["language"] = rng.choice(["de", "zh", "th", "ar", "und", "x-none", "en-GB"])
    return given


def _plain_line(rng):
    made = []
    for _ in range(rng.randrange(16)):
        chance = rng.random()
        if chance < 0.7:
            made.append(rng.choice(_WORDS))
        elif chance < 0.8:
            made.append(rng.choice(_MARKERS))
        elif chance < 0.9:
            made.append(rng.choice(_MARKS))
        elif chance < 0.95:
            made.append(str(rng.choice((rng.randrange(100), rng.randrange(-(10**6), 10**15), rng.random()))))
        else:
            made.append(
                chr(rng.choice((rng.randrange(0x250), rng.randrange(0x3000), rng.randrange(0x110000))))
            )
        made.append(rng.choice(_GLUE))
    return "".join(made)


def _plain_markdown(rng, depth=0):
    chance = rng.random()
    if depth > 3 or chance < 0.4:
        return _plain_line(rng)
    inner = _plain_markdown(rng, depth + 1)
    if chance < 0.7:
        return rng.choice(_FORMS).replace("{}", inner)
    return inner + rng.choice(_GLUE) + _plain_markdown(rng, depth + 1)
