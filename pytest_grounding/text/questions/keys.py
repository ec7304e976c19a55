"""The word of a question that names the attribute or deed that is asked for."""

from __future__ import annotations

from pytest_grounding.text.questions import words as w
from pytest_grounding.text.questions.parse import Parse
from pytest_grounding.text.questions.tokens import Word


def key_of(tokens: list[Word], parsed: Parse, content: set[int]) -> int:
    """Offset of the word that an answer cannot do without, or -1.

    Args:
        tokens: the words of one question part.
        parsed: its parsed.
        content: offsets of its content words.
    """
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
