"""Take a question apart: sentences and joined parts, the type of each, its focus noun, its content words."""

from __future__ import annotations

from pytest_grounding._patterns import lazy
from pytest_grounding.reading import Reading, reading_of
from pytest_grounding.text.questions import words as w
from pytest_grounding.text.questions.answer_types import OF_QUESTION
from pytest_grounding.text.questions.language import looks_english
from pytest_grounding.text.questions.parse import Parse, parse
from pytest_grounding.text.questions.tokens import Word, split_words
from pytest_grounding.text.questions.values import QuestionInfo, QuestionPart, QuestionWord
from pytest_grounding.text.spans import stripped


def key_of(tokens: list[Word], parsed: Parse, content: set[int]) -> int:
    """Offset of the word that an answer cannot do without, or -1."""
    words = [token for token in tokens if token.start in content]
    if len(words) < 2:
        return -1
    if parsed.type == "who":
        return _deed(tokens, content)
    if parsed.type == "yes_no":
        return next((t.start for t in reversed(words) if t.lower not in w.GENERIC), words[-1].start)
    if parsed.type in {"what", "which", "how_many"}:
        if not parsed.focus or parsed.expected in {"reason", "method", "definition", "choice"}:
            return -1
        place = next((i for i, t in enumerate(words) if t.text == parsed.focus), -1)
        noun = words[place] if place >= 0 else None
        if parsed.type == "how_many" and noun is not None and noun.lower in w.COUNT_UNITS and place > 0:
            # "How many sick days": the unit says nothing, the word before it everything.
            return words[place - 1].start
        if noun is None or noun.lower in w.IMPLIED or noun.start in parsed.frame:
            return -1
        return -1 if parsed.direct and parsed.type != "how_many" else noun.start
    if parsed.type == "how_much":
        return _measured(tokens, content)
    return -1


def deed_of(tokens: list[Word], parsed: Parse, content: set[int]) -> int:
    """Offset of the verb in "how do I cancel ..." and "how to cancel ...", or -1."""
    if parsed.type != "how":
        return -1
    how = next((i for i, token in enumerate(tokens) if token.lower == "how"), len(tokens))
    for first, second in zip(tokens[how + 1 : how + 4], tokens[how + 2 : how + 5], strict=False):
        if second.start in content and (first.lower == "to" or first.lower in w.DOERS):
            return second.start
    return -1


def _deed(tokens: list[Word], content: set[int]) -> int:
    """After "who": the verb ("who founded"), the role ("who is the director of"), or the last verb."""
    asked = next((i for i, t in enumerate(tokens) if t.lower in {"who", "whom", "whose", "who's"}), -1)
    if asked < 0:
        return -1
    key = -1
    for i in range(asked + 1, len(tokens)):
        token = tokens[i]
        if token.start in content:
            if i == asked + 1:
                return token.start
            if token.text.islower():
                key = token.start
        elif token.lower in w.PREPOSITIONS and key >= 0:
            break
    return key


def _measured(tokens: list[Word], content: set[int]) -> int:
    """After "how much": the substance ("how much honey") or the sum ("how much is the rent")."""
    much = next((i for i, token in enumerate(tokens) if token.lower == "much"), len(tokens))
    following = tokens[much + 1 : much + 3]
    if not following:
        return -1
    if following[0].start in content:
        return -1 if following[0].lower in w.IMPLIED else following[0].start
    if following[0].lower not in {"is", "are", "was", "were"}:
        return -1
    key = -1
    for token in tokens[much + 2 :]:
        if token.start in content:
            key = token.start if token.text.islower() else key
        elif key >= 0 and token.lower in w.PREPOSITIONS:
            break
    return key


# A sentence of a question ends at a mark that white space follows, or at a line.
_SENTENCE = lazy(r"(?:[^?!.\n]|[.!](?!\s|$)|(?<=\be\.g)\.(?=\s|$)|(?<=\bi\.e)\.(?=\s|$))*(?:[?!.]+|\n|$)")
# The sign of an item stands before what it asks: "2) How many people does it seat?".
_SIGN = lazy(r"(?:\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)]|[-*•–])(?:\s+(?=\w)|$)")
# What joins two questions in one sentence: "..., and when ...".
_JOINTS = frozenset(["and", "or", "but", "plus"])
_WORDED_JOINT = ["as", "well", "as"]


def analyse(question: str, language: str = "en") -> QuestionInfo:
    """What a question asks."""
    return reading_of(question, language).part(_analysed)


def _analysed(reading: Reading) -> QuestionInfo:
    question, tag = reading.text, reading.language
    english = tag == "en" and looks_english(question)
    if not english:
        part = _whole(question, _content(split_words(question), None))
        return QuestionInfo(question, "other", "", (part,), part.words, "" if tag == "en" else tag)
    parts: list[QuestionPart] = []
    for start, end in question_sentences(question):
        _add_parts(question, start, end, parts)
    asked = [part for part in parts if part.type != "other"] or parts[:1]
    if not asked:
        asked = [_whole(question)]
    asked = asked[:8]
    seen = {word.start: word for part in asked for word in part.words}
    words = tuple(seen[start] for start in sorted(seen))
    return QuestionInfo(question, asked[0].type, asked[0].expected, tuple(asked), words)


def _whole(question: str, words: tuple[QuestionWord, ...] = ()) -> QuestionPart:
    """A question that is not taken apart."""
    text = question.strip()
    start = question.find(text) if text else 0
    return QuestionPart(start, start + len(text), text, "other", "", words=words)


def question_sentences(question: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a question. Those of texts end elsewhere: "How much is v2.0" is one."""
    found = stripped(question, (match.span() for match in _SENTENCE.finditer(question)))
    if len(found) < 2:
        return found
    behind = [(sign.end() if (sign := _SIGN.match(question, *span)) else span[0], span[1]) for span in found]
    return [(start, end) for start, end in behind if start < end]


def _add_parts(question: str, start: int, end: int, parts: list[QuestionPart]) -> None:
    """Add what one sentence asks; a statement beside a question asks nothing and is dropped later."""
    tokens = split_words(question, start, end)
    if not tokens:
        return
    asks = question[start:end].rstrip("\"'”’) ").endswith("?")
    for piece in _pieces(tokens, question):
        parsed = parse(piece, question, asks=asks)
        first, last = piece[0].start, piece[-1].end
        last = end if piece[-1] is tokens[-1] else last
        words = _content(piece, parsed)
        if parts and parsed.type != "other":
            words = _with_antecedent(piece, words, parts[-1].words)
        expected = parsed.expected or OF_QUESTION[parsed.type]
        key = key_of(piece, parsed, {word.start for word in words})
        parts.append(
            QuestionPart(
                first,
                last,
                question[first:last],
                parsed.type,
                expected,
                parsed.measure,
                parsed.focus,
                words,
                key,
                deed_of(piece, parsed, {word.start for word in words}),
            )
        )


def _pieces(tokens: list[Word], question: str) -> list[list[Word]]:
    """Cut a sentence where a joint is followed by a question of its own."""
    pieces: list[list[Word]] = []
    begin = 0
    for i in range(1, len(tokens) - 1):
        if i == begin:
            continue
        if [token.lower for token in tokens[i : i + 3]] == _WORDED_JOINT and i + 3 < len(tokens):
            if _opens_question(tokens, i + 3, question) and _has_asked(tokens[begin:i]):
                pieces.append(tokens[begin:i])
                begin = i + 3
            continue
        if tokens[i].lower not in _JOINTS:
            if i > begin + 2 and _runs_on(tokens, i) and _has_asked(tokens[begin:i]):
                pieces.append(tokens[begin:i])
                begin = i
            continue
        if _opens_question(tokens, i + 1, question) and _has_asked(tokens[begin:i]):
            pieces.append(tokens[begin:i])
            begin = i + 1
    pieces.append(tokens[begin:])
    return [piece for piece in pieces if piece]


def _with_antecedent(
    piece: list[Word], words: tuple[QuestionWord, ...], before: tuple[QuestionWord, ...]
) -> tuple[QuestionWord, ...]:
    """The words of a part, with those of the part before it that it leans on."""
    if not words:
        return before
    if not before or not any(token.lower in w.PRONOUNS for token in piece):
        return words
    names = tuple(word for word in before if not word.text.islower())
    return (names or before[-1:]) + words


def _runs_on(tokens: list[Word], i: int) -> bool:
    """Whether a question word with its auxiliary opens a second question without a joint."""
    return (
        tokens[i].lower in w.QUESTION_WORDS
        and tokens[i - 1].lower not in w.PREPOSITIONS
        and tokens[i + 1].lower in w.AUXILIARIES
        and i + 2 < len(tokens)
        and tokens[i + 2].lower in w.SUBJECTS
    )


def _has_asked(tokens: list[Word]) -> bool:
    return any(t.lower in w.QUESTION_WORDS or t.lower in w.CONTRACTED for t in tokens) or (
        tokens[0].lower in w.AUXILIARIES
    )


def _opens_question(tokens: list[Word], i: int, question: str) -> bool:
    word = tokens[i].lower
    last = i == len(tokens) - 1
    following = "" if last else tokens[i + 1].lower
    if word in w.CONTRACTED:
        return True
    if word in w.QUESTION_WORDS and word not in {"whatever", "whoever", "wherever", "whenever", "whether"}:
        return True
    if word in w.PREPOSITIONS:
        return following in {"what", "which", "whom", "how"}
    # "is it safe and does it ...": an auxiliary with a subject after it.
    return word in w.AUXILIARIES and following in w.SUBJECTS


def _content(tokens: list[Word], parsed: Parse | None) -> tuple[QuestionWord, ...]:
    frame = parsed.frame if parsed else frozenset()
    kept = []
    for token in tokens:
        if token.start in frame:
            continue
        if token.lower in w.FUNCTION_WORDS and not _is_name(token):
            continue
        kept.append(QuestionWord(token.text, token.start, token.end))
    return tuple(kept)


def _is_name(token: Word) -> bool:
    """Whether a function word is written as a name: "IT", "US", "WHO"."""
    return len(token.text) > 1 and token.text.isupper() and token.lower in {"it", "us", "who", "can", "may"}
