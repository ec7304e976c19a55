"""Analyse a question: sentences and joined parts, the type of each, its focus noun, its content words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.questions import question_words as w
from pytest_grounding.questions.language_look import looks_english
from pytest_grounding.reading import read_once
from pytest_grounding.reading.sentences import stripped

_TAGS = frozenset(["right", "correct", "true", "yes"])
_WEIGHING = frozenset({"weigh", "weighs", "weighed"})
# A sentence of a question ends at a mark before white space, or at a line end.
_SENTENCE = lazy(r"(?:[^?!.\n]|[.!](?!\s|$)|(?<=\be\.g)\.(?=\s|$)|(?<=\bi\.e)\.(?=\s|$))*(?:[?!.]+|\n|$)")
# A list marker precedes the question: "2) How many people does it seat?".
_SIGN = lazy(r"(?:\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)]|[-*•–])(?:\s+(?=\w)|$)")
# Joints of two questions in one sentence: "..., and when ...".
_JOINTS = frozenset(["and", "or", "but", "plus"])
_WORDED_JOINT = ["as", "well", "as"]


@dataclass(frozen=True, slots=True)
class Parse:
    """The request in one question."""

    type: w.QuestionType  # the question type
    expected: str = ""  # kind of answer, if the focus noun determines it; "" to use the type
    measure: str = ""  # what a quantity measures, or ""
    focus: str = ""  # the noun that names the answer, verbatim, or ""
    frame: frozenset[int] = frozenset()  # offsets of the asking words, which an answer does not repeat
    direct: bool = False  # the focus follows the question word directly ("which city")


def parse_part(tokens: list[w.AskedWord], question: str, *, asks: bool) -> Parse:
    """The request in a question."""
    begin = _skip_openings(tokens)
    requested = begin > 0 and tokens[begin - 1].lower in {"me", "us", "know"}
    opening = {t.start for t in tokens[:begin]}
    begin = _skip_clause(tokens, begin, question)
    rest = tokens[begin:]
    if not rest:
        return Parse("other")
    parsed = _from_front(rest, question, asks=asks or begin > 0)
    parsed = parsed or _from_inside(rest, question, asks=asks, opened=begin > 0, requested=requested)
    return replace(parsed, frame=parsed.frame | opening)


def _skip_openings(tokens: list[w.AskedWord]) -> int:
    """Number of polite and framing words before the question itself."""
    begin = 0
    while begin < len(tokens):
        size = next((size for size in _opening_sizes(tokens, begin) if begin + size < len(tokens)), 0)
        if not size:
            return begin
        begin += size
    return begin


def _opening_sizes(tokens: list[w.AskedWord], begin: int) -> Iterator[int]:
    """Lengths of the openings that start at a word, the longest first."""
    lowers = [t.lower for t in tokens[begin : begin + 8]]
    for opening in w.OPENINGS.get(lowers[0], ()):
        if tuple(lowers[: len(opening)]) == opening:
            yield len(opening)
    for size in (3, 2):
        if " ".join(lowers[:size]) in w.REQUESTS and len(lowers) > size and lowers[size] in w.IMPERATIVES:
            yield size


def _asks_at(tokens: list[w.AskedWord], i: int) -> bool:
    word = tokens[i].lower
    if word in w.ASKING:
        return True
    following = w.lower_at(tokens, i + 1)
    if word in w.PREPOSITIONS and following in {"what", "which", "whom", "whose", "how"}:
        return True
    return word in w.AUXILIARIES and bool(following)


def _skip_clause(tokens: list[w.AskedWord], begin: int, question: str) -> int:
    """Skip "If I lose my card," and "In Python," before the question."""
    if begin >= len(tokens):
        return begin
    word = tokens[begin].lower
    following = w.lower_at(tokens, begin + 1)
    if word in w.QUESTION_WORDS and (following in w.AUXILIARIES or word not in w.SUBORDINATORS):
        return begin
    if word in w.AUXILIARIES or word in w.CONTRACTED or following in w.QUESTION_WORDS:
        return begin
    for i in range(begin + 1, len(tokens)):
        if "," not in question[tokens[i - 1].end : tokens[i].start]:
            continue
        start = i + 1 if tokens[i].lower in {"then", "so"} and i + 1 < len(tokens) else i
        if _asks_at(tokens, start) or tokens[start].lower in w.IMPERATIVES:
            return start
    # No comma: "If I lose my card what should I do" and "after the merger who is the CEO".
    if word in w.SUBORDINATORS and word not in w.QUESTION_WORDS:
        for i in range(begin + 2, len(tokens) - 1):
            if tokens[i].lower in w.QUESTION_WORDS and tokens[i + 1].lower in w.AUXILIARIES:
                return i
    # "when you have a fever do you sweat"
    if word in w.TIME_CLAUSES:
        for i in range(begin + 3, len(tokens) - 1):
            if tokens[i].lower in w.AUXILIARIES and tokens[i + 1].lower in w.PRONOUN_SUBJECTS:
                return i
    return begin


def _from_front(rest: list[w.AskedWord], question: str, *, asks: bool) -> Parse | None:
    word = rest[0].lower
    following = w.lower_at(rest, 1)
    if word in w.PREPOSITIONS and following in w.ASKED_BEHIND:
        parsed = _by_word(rest, 1, question)
        return replace(parsed, frame=parsed.frame | {rest[0].start})
    if word in {"when", "where", "while"} and not asks and following in w.PRONOUN_SUBJECTS:
        return None  # "When I say America, I mean the continent." is not a question
    if word in w.ASKING:
        return _by_word(rest, 0, question)
    if word in w.AUXILIARIES and len(rest) > 1:
        if following in w.NOT_SUBJECTS:
            return None
        frame = frozenset({rest[0].start})
        choice = any(t.lower == "or" and rest[i + 1].lower != "not" for i, t in enumerate(rest[:-1]))
        return Parse("yes_no", "choice" if choice else "polarity", frame=frame)
    if word in w.IMPERATIVES and len(rest) > 1:
        return _imperative(rest, question)
    return None


def _imperative(rest: list[w.AskedWord], question: str) -> Parse:
    frame = {rest[0].start}
    for i in range(1, min(len(rest), 4)):
        if rest[i].lower in w.QUESTION_WORDS and rest[i].lower not in {"who", "which"}:
            parsed = _by_word(rest, i, question)
            return replace(parsed, frame=parsed.frame | frame)
        if rest[i].lower not in w.AFTER_IMPERATIVE:
            break
    if rest[0].lower == "define":
        return Parse("what", "definition", frame=frozenset(frame))
    focus = _focus(rest, 1, question, answers_only=True)
    return Parse("what", focus.expected or "thing", focus.measure, focus.noun, focus.frame | frame)


def _from_inside(
    rest: list[w.AskedWord], question: str, *, asks: bool, opened: bool, requested: bool
) -> Parse:
    """The request of a question with its question words at the end or in the middle, or without any."""
    size = len(rest)
    if asks and size > 2:
        tail = [t.lower for t in rest[-2:]]
        gap = question[rest[-3].end : rest[-2].start]
        if "," in gap and tail[0] in w.AUXILIARIES and tail[1] in w.SUBJECTS:
            return Parse("yes_no", frame=frozenset(t.start for t in rest[-2:]))
    if asks and size > 1 and rest[-1].lower in _TAGS and "," in question[rest[-2].end : rest[-1].start]:
        return Parse("yes_no", frame=frozenset({rest[-1].start}))
    if asks or opened:
        for i in range(size - 1, 0, -1):
            if _asks_inside(rest, i, question):
                return _by_word(rest, i, question)
    if requested:
        focus = _focus(rest, 0, question, answers_only=True)
        return Parse("what", focus.expected or "thing", focus.measure, focus.noun, focus.frame)
    if asks and rest[0].lower in w.PRONOUN_SUBJECTS and size > 2:
        return Parse("yes_no")
    return Parse("other")


def _asks_inside(rest: list[w.AskedWord], i: int, question: str) -> bool:
    """Whether a later word is a question word: at the end, after a comma, or given its neighbours."""
    word, before = rest[i].lower, rest[i - 1]
    if word not in w.ASKING:
        return False
    if i + 1 == len(rest) or "," in question[before.end : rest[i].start]:
        return True
    following = rest[i + 1].lower
    if following in w.AUXILIARIES or (word == "how" and following in w.HOW_MEASURES):
        return True
    return word in {"what", "which"} and before.lower in w.PREPOSITIONS


def _by_word(rest: list[w.AskedWord], i: int, question: str) -> Parse:
    """The request of a question with its question word at ``rest[i]``."""
    word = rest[i].lower
    kind = w.CONTRACTED.get(word) or w.QUESTION_WORDS[word]
    frame = frozenset({rest[i].start})
    if kind == "how":
        return _how(rest, i, frame)
    if kind in {"what", "which"}:
        return _what(rest, i, kind, frame, question)
    return Parse(kind, frame=frame)  # type: ignore[arg-type]


def _how(rest: list[w.AskedWord], i: int, frame: frozenset[int]) -> Parse:
    following = w.lower_at(rest, i + 1)
    after = w.lower_at(rest, i + 2)
    if following == "come":
        return Parse("why", frame=frame | {rest[i + 1].start})
    if following == "about":
        return Parse("other", frame=frame)
    if following in w.HOW_TIMES:
        return Parse("how_much", "date", "duration", frame=frame | {rest[i + 1].start})
    if following == "long" and _is_extent(rest, i + 2):
        return Parse("how_much", "quantity", "extent", frame=frame | {rest[i + 1].start})
    if following not in w.HOW_MEASURES:
        return Parse("how", frame=frame)
    frame |= {rest[i + 1].start}
    measure = w.HOW_MEASURES[following]
    if following == "many":
        head = _counted_noun(rest, i + 2)
        noun = rest[head].lower if head >= 0 else ""
        focus = rest[head].text if head >= 0 and noun not in w.FUNCTION_WORDS else ""
        return Parse("how_many", "quantity", w.COUNT_UNITS.get(noun, "count"), focus, frame)
    if following == "much":
        measure = w.COUNT_UNITS.get(after, "amount")
        if measure == "amount" and any(t.lower in w.MONEY_VERBS for t in rest[i + 2 :]):
            measure = "money"
        elif measure == "amount" and any(t.lower in _WEIGHING for t in rest[i + 2 :]):
            measure = "weight"
        if after == "time":
            measure, frame = "duration", frame | {rest[i + 2].start}
        elif after == "money":
            measure, frame = "money", frame | {rest[i + 2].start}
    return Parse("how_much", "quantity", measure, frame=frame)


def _counted_noun(rest: list[w.AskedWord], begin: int) -> int:
    """Index of the noun counted by "how many": the last word before the auxiliary, else the first."""
    for i in range(begin, min(len(rest), begin + 5)):
        word = rest[i].lower
        if word in w.AUXILIARIES or word in w.PREPOSITIONS or word in w.COUNTED_STOPS:
            return i - 1 if i > begin else -1
    return begin if begin < len(rest) else -1


def _is_extent(rest: list[w.AskedWord], begin: int) -> bool:
    """Whether "how long" may mean metres as well as minutes: "how long is the marathon"."""
    lowers = [t.lower for t in rest[begin:]]
    return bool(lowers) and lowers[0] in {"is", "are", "was", "were"} and not lowers[-1].endswith("ed")


def _what(rest: list[w.AskedWord], i: int, kind: str, frame: frozenset[int], question: str) -> Parse:
    """What and which: the noun that names the answer determines the kind of answer."""
    lowers = [t.lower for t in rest[i + 1 :]]
    type_: w.QuestionType = "which" if kind == "which" else "what"
    default = "choice" if kind == "which" else "thing"
    if kind == "what" and lowers:
        if lowers[0] in {"about", "if"}:
            return Parse("other", frame=frame)
        special = _what_special(rest, i, lowers, frame)
        if special:
            return special
    focus = _focus(rest, i + 1, question)
    expected = focus.expected or default
    if not focus.expected and kind == "what" and _wants_definition(rest, i, lowers):
        expected = "definition"
    after = w.lower_at(rest, i + 1)
    direct = after not in w.AUXILIARIES and rest[i].lower not in w.CONTRACTED
    direct = direct and " of " not in question.lower()
    return Parse(type_, expected, focus.measure, focus.noun, frame | focus.frame, direct)


def _what_special(rest: list[w.AskedWord], i: int, lowers: list[str], frame: frozenset[int]) -> Parse | None:
    if lowers[0] in w.FOCUS_VERBS and len(lowers) > 1:
        return Parse("what", "reason", frame=frame)
    if lowers[-1] == "for" and lowers[0] in w.AUXILIARIES and lowers[-2:-1] not in (["used"], ["stand"]):
        return Parse("what", "reason", frame=frame)
    if lowers[0] in w.AUXILIARIES and lowers[-1] in w.MONEY_VERBS:
        return Parse("what", "quantity", "money", frame=frame)
    if lowers[0] in {"should", "can", "do", "must", "could"} and "do" in lowers[1:4]:
        verb = next(t for t in rest[i + 2 :] if t.lower == "do")
        if lowers[1] in w.SUBJECTS:
            return Parse("what", "method", frame=frame | {verb.start})
    return None


def _wants_definition(rest: list[w.AskedWord], i: int, lowers: list[str]) -> bool:
    if lowers and (lowers[-1] in {"mean", "means"} or lowers[-2:] == ["stand", "for"]):
        return True
    if rest[i].lower.endswith(("'s", "s")) and rest[i].lower in w.CONTRACTED:
        body = lowers
    elif lowers and lowers[0] in {"is", "are", "was", "were"}:
        body = lowers[1:]
    else:
        return False
    # "What is the X" asks for an attribute; "what is an X" for a definition.
    if body[:1] == ["the"]:
        return False
    content = [word for word in body if word not in {"a", "an", "exactly", "type"}]
    if body[-2:] == ["meant", "by"] or body[:2] == ["meant", "by"]:
        return True
    return 0 < len(content) <= 4 and not any(word in w.FUNCTION_WORDS for word in content)


def _focus(rest: list[w.AskedWord], begin: int, question: str, *, answers_only: bool = False) -> w.Focus:
    if begin < len(rest) and rest[begin].lower in w.AUXILIARIES - w.COPULAS:
        return w.NO_FOCUS  # "What do farmers eat": the next word is the subject
    i, direct = begin, not answers_only and rest[begin - 1].lower not in w.CONTRACTED
    if i < len(rest) and rest[i].lower in w.AUXILIARIES | {"type", "kind", "sort"}:
        direct = False
    head = -1
    seen = 0
    while i < len(rest) and seen < 7:
        word = rest[i].lower
        breaks = i > begin and any(c in question[rest[i - 1].end : rest[i].start] for c in ",;:(")
        if breaks and head >= 0:
            break
        if word == "of" and head >= 0 and rest[head].lower in w.EMPTY_HEADS:
            head = -1
        elif word in w.PREPOSITIONS or word in {"that", "who", "and", "or", "to"}:
            if head >= 0 or word != "of":
                break
        elif word in w.AUXILIARIES:
            if head >= 0 and seen:
                break
        elif word not in w.FOCUS_OPENERS:
            follows = w.lower_at(rest, i + 1)
            is_verb = direct and head >= 0 and word not in w.FOCUS_TYPES and follows not in w.AUXILIARIES
            if is_verb and rest[head].lower in w.FOCUS_TYPES:
                break  # "Which city won": but not "which storage class is"
            head = i
        seen += 1
        i += 1
    if head < 0:
        return w.NO_FOCUS
    noun = rest[head]
    known = w.FOCUS_TYPES.get(noun.lower, w.NO_FOCUS)
    kind, measure = known.expected, known.measure
    if noun.lower in {"time", "times"} and head and rest[head - 1].lower in w.TIME_MODIFIERS:
        kind, measure = "quantity", "duration"
    frame = frozenset({noun.start}) if direct and kind in w.REPLACED else frozenset()
    after = w.lower_at(rest, head + 1)
    if noun.lower == "places" and direct and after not in w.AUXILIARIES:
        return w.NO_FOCUS
    if kind == "method" and direct and after in w.AUXILIARIES:
        return w.Focus(noun=noun.text)  # "What payment methods are accepted": kinds of a thing, not a method
    if kind == "method" and noun.lower in {"way", "ways"}:
        frame = frozenset({noun.start})
    return w.Focus(kind, measure, noun.text, frame)


def key_word_of(tokens: list[w.AskedWord], parsed: Parse, content: set[int]) -> int:
    """Offset of the word that every answer must be about, or -1."""
    words = [token for token in tokens if token.start in content]
    if len(words) < 2:
        return -1
    if parsed.type == "who":
        return _verb(tokens, content)
    if parsed.type == "yes_no":
        return next((t.start for t in reversed(words) if t.lower not in w.GENERIC), words[-1].start)
    if parsed.type in {"what", "which", "how_many"}:
        if not parsed.focus or parsed.expected in {"reason", "method", "definition", "choice"}:
            return -1
        place = next((i for i, t in enumerate(words) if t.text == parsed.focus), -1)
        noun = words[place] if place >= 0 else None
        if parsed.type == "how_many" and noun is not None and noun.lower in w.COUNT_UNITS and place > 0:
            return words[place - 1].start  # "How many sick days": the word before the unit decides
        if noun is None or noun.lower in w.IMPLIED or noun.start in parsed.frame:
            return -1
        return -1 if parsed.direct and parsed.type != "how_many" else noun.start
    return _measured(tokens, content) if parsed.type == "how_much" else -1


def verb_of(tokens: list[w.AskedWord], parsed: Parse, content: set[int]) -> int:
    """Offset of the verb in "how do I cancel ..." and "how to cancel ...", or -1."""
    if parsed.type != "how":
        return -1
    how = next((i for i, token in enumerate(tokens) if token.lower == "how"), len(tokens))
    for first, second in zip(tokens[how + 1 : how + 4], tokens[how + 2 : how + 5], strict=False):
        if second.start in content and (first.lower == "to" or first.lower in w.DOERS):
            return second.start
    return -1


def _verb(tokens: list[w.AskedWord], content: set[int]) -> int:
    """After "who": the verb ("who founded"), the role ("who is the director of"), or the last verb."""
    asked = next((i for i, t in enumerate(tokens) if t.lower in {"who", "whom", "whose", "who's"}), -1)
    following = tokens[asked + 1 :]
    if asked < 0 or not following:
        return -1
    return following[0].start if following[0].start in content else _last_lower(following, content)


def _last_lower(tokens: list[w.AskedWord], content: set[int]) -> int:
    """Offset of the last content word in lower case, before a preposition behind one; or -1."""
    key = -1
    for token in tokens:
        if token.start in content:
            if token.text.islower():
                key = token.start
        elif token.lower in w.PREPOSITIONS and key >= 0:
            break
    return key


def _measured(tokens: list[w.AskedWord], content: set[int]) -> int:
    """After "how much": the substance ("how much honey") or the item ("how much is the rent")."""
    much = next((i for i, token in enumerate(tokens) if token.lower == "much"), len(tokens))
    following = tokens[much + 1 : much + 3]
    if not following:
        return -1
    if following[0].start in content:
        return -1 if following[0].lower in w.IMPLIED else following[0].start
    if following[0].lower not in {"is", "are", "was", "were"}:
        return -1
    return _last_lower(tokens[much + 2 :], content)


@read_once
def analyse(question: str, language: str = "en") -> w.QuestionInfo:
    """Analyse a question."""
    if language != "en" or not looks_english(question):
        part = _whole_question(question, _content_words(w.split_words(question), None))
        return w.QuestionInfo(
            question, "other", "", (part,), part.words, "" if language == "en" else language
        )
    parts: list[w.QuestionPart] = []
    for start, end in question_sentences(question):
        _add_parts(question, start, end, parts)
    asked = [part for part in parts if part.type != "other"] or parts[:1] or [_whole_question(question)]
    asked = asked[:8]
    seen = {word.start: word for part in asked for word in part.words}
    words = tuple(seen[start] for start in sorted(seen))
    return w.QuestionInfo(question, asked[0].type, asked[0].expected, tuple(asked), words)


def _whole_question(question: str, words: tuple[w.QuestionWord, ...] = ()) -> w.QuestionPart:
    text = question.strip()
    start = question.find(text) if text else 0
    return w.QuestionPart(start, start + len(text), text, "other", "", words=words)


def question_sentences(question: str) -> list[tuple[int, int]]:
    """Offsets of the sentences of a question; they end elsewhere than in texts: "How much is v2.0" is one."""
    found = stripped(question, (match.span() for match in _SENTENCE.finditer(question)))
    if len(found) < 2:
        return found
    behind_signs = []
    for start, end in found:
        if sign := _SIGN.match(question, start, end):
            start = sign.end()
        if start < end:
            behind_signs.append((start, end))
    return behind_signs


def _add_parts(question: str, start: int, end: int, parts: list[w.QuestionPart]) -> None:
    """Add the parts of a sentence; a statement beside a question is dropped later."""
    tokens = w.split_words(question, start, end)
    if not tokens:
        return
    asks = question[start:end].rstrip("\"'”’) ").endswith("?")
    for piece in _pieces(tokens):
        parsed = parse_part(piece, question, asks=asks)
        first, last = piece[0].start, piece[-1].end
        if piece[-1] is tokens[-1]:
            last = end
        words = _content_words(piece, parsed)
        if parts and parsed.type != "other":
            words = _with_antecedent(piece, words, parts[-1].words)
        expected = parsed.expected or w.OF_QUESTION[parsed.type]
        content = {word.start for word in words}
        key, verb = key_word_of(piece, parsed, content), verb_of(piece, parsed, content)
        sort = parsed.type, expected, parsed.measure, parsed.focus
        parts.append(w.QuestionPart(first, last, question[first:last], *sort, words, key, verb))


def _pieces(tokens: list[w.AskedWord]) -> list[list[w.AskedWord]]:
    """Split a sentence where a question follows a joint."""
    pieces: list[list[w.AskedWord]] = []
    begin = 0
    for i in range(1, len(tokens) - 1):
        if i == begin:
            continue
        if [token.lower for token in tokens[i : i + 3]] == _WORDED_JOINT and i + 3 < len(tokens):
            if _opens_question(tokens, i + 3) and _has_asked(tokens[begin:i]):
                pieces.append(tokens[begin:i])
                begin = i + 3
            continue
        if tokens[i].lower not in _JOINTS:
            if i > begin + 2 and _runs_on(tokens, i) and _has_asked(tokens[begin:i]):
                pieces.append(tokens[begin:i])
                begin = i
            continue
        if _opens_question(tokens, i + 1) and _has_asked(tokens[begin:i]):
            pieces.append(tokens[begin:i])
            begin = i + 1
    pieces.append(tokens[begin:])
    return [piece for piece in pieces if piece]


def _with_antecedent(
    piece: list[w.AskedWord], words: tuple[w.QuestionWord, ...], before: tuple[w.QuestionWord, ...]
) -> tuple[w.QuestionWord, ...]:
    """The words of a part, with those of the previous part that it refers to."""
    if not words:
        return before
    if not before or not any(token.lower in w.PRONOUNS for token in piece):
        return words
    names = tuple(word for word in before if not word.text.islower())
    return (names or before[-1:]) + words


def _runs_on(tokens: list[w.AskedWord], i: int) -> bool:
    """Whether a question word with an auxiliary opens a second question without a joint."""
    return (
        tokens[i].lower in w.QUESTION_WORDS
        and tokens[i - 1].lower not in w.PREPOSITIONS
        and tokens[i + 1].lower in w.AUXILIARIES
        and i + 2 < len(tokens)
        and tokens[i + 2].lower in w.SUBJECTS
    )


def _has_asked(tokens: list[w.AskedWord]) -> bool:
    return tokens[0].lower in w.AUXILIARIES or any(token.lower in w.ASKING for token in tokens)


def _opens_question(tokens: list[w.AskedWord], i: int) -> bool:
    word, following = tokens[i].lower, w.lower_at(tokens, i + 1)
    if word in w.CONTRACTED:
        return True
    if word in w.QUESTION_WORDS and word not in {"whatever", "whoever", "wherever", "whenever", "whether"}:
        return True
    if word in w.PREPOSITIONS:
        return following in {"what", "which", "whom", "how"}
    # "is it safe and does it ...": an auxiliary followed by a subject.
    return word in w.AUXILIARIES and following in w.SUBJECTS


def _content_words(tokens: list[w.AskedWord], parsed: Parse | None) -> tuple[w.QuestionWord, ...]:
    frame = parsed.frame if parsed else frozenset()
    kept = []
    for token in tokens:
        if token.start not in frame and (token.lower not in w.FUNCTION_WORDS or _is_written_as_name(token)):
            kept.append(w.QuestionWord(token.text, token.start, token.end))
    return tuple(kept)


def _is_written_as_name(token: w.AskedWord) -> bool:
    """Whether a function word is written as a name: "IT", "US", "WHO"."""
    return len(token.text) > 1 and token.text.isupper() and token.lower in {"it", "us", "who", "can", "may"}
