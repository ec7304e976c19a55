"""The verb of a question, and the noun after its "which": what a statement has to say itself."""

from __future__ import annotations

from itertools import pairwise

from pytest_grounding.checks.retrieval.weighing import IMPLIED_WORDS, WEAK_WORDS
from pytest_grounding.lexicon import ordered, words
from pytest_grounding.lexicon.patterns import pattern
from pytest_grounding.scorers.lexical.tokens import Token, stems_of, tokenize
from pytest_grounding.text.grammar import has_finite_verb
from pytest_grounding.text.questions import QuestionPart
from pytest_grounding.text.questions.words import COPULAS, DOERS, PREPOSITIONS

DOES = frozenset(["do", "does", "did"])
_ASKING = DOES | words("questions", "modals")
_INVERTED = _ASKING | {"has", "have", "had"}
_PARTICIPLE = pattern("answers", "participle")
_CONTAINS = " ".join(ordered("questions", "contains"))


def is_participle(word: str) -> bool:
    """Whether a word in lower case looks like the participle of a passive."""
    return _PARTICIPLE.fullmatch(word) is not None


def kinds_of(part: QuestionPart) -> frozenset[str]:
    """The stem of the noun after "which": "filter" in "which filter fits the pump"."""
    tokens = tokenize(part.text, "en")
    place = next((n for n, t in enumerate(tokens) if t.norm in {"which", "what"}), len(tokens))
    found = ""
    before = ""
    for token in tokens[place + 1 :]:
        verb = (
            before and not before.endswith("s") and token.norm.endswith("s") and not token.norm.endswith("ss")
        )
        if verb or token.is_stop or has_finite_verb([token.norm]):
            break
        found, before = token.stem, token.norm
    return frozenset({found} if found else ())


def plain_deed_of(part: QuestionPart) -> str:
    """The stem of a verb that is no content word and is asked about ("What does it use?"), or ""."""
    tokens = tokenize(part.text, "en")
    norms = [token.norm for token in tokens]
    if tokens and norms[-1] in {"use", "need", "make"} and not DOES.isdisjoint(norms):
        return tokens[-1].stem
    place = next((n for n, norm in enumerate(norms) if norm in COPULAS), len(norms))
    return next((token.stem for token in tokens[place + 1 :] if token.norm in {"made", "used"}), "")


def predicate_of(part: QuestionPart, content: list[Token], key: str, named: set[str]) -> str:
    """The stem of the word that a statement has to say itself, whatever it takes over from another one.

    Args:
        part: the question part.
        content: its content words.
        key: stem of the word that names the attribute or deed that is asked for, or "".
        named: stems of names and numbers.
    """
    tokens = tokenize(part.text, "en")
    norms = [token.norm for token in tokens]
    done = _done_by(norms)
    if part.type == "who" or (part.type == "yes_no" and not done):
        return key if key not in stems_of(WEAK_WORDS) else ""
    stems = {token.stem for token in content}
    if done:
        stem = tokens[done].stem
        return stem if stem in stems and stem not in stems_of(WEAK_WORDS) | stems_of(IMPLIED_WORDS) else ""
    passive = _passive(tokens)
    if passive in stems:
        return passive
    if not content or norms[-1] in {"do", "does", "did", "done", "doing"}:
        return ""
    last = content[-1]
    inverted = not _INVERTED.isdisjoint(norms)
    if part.type == "which" and not inverted:
        return _chosen_by(part, content, named)
    if last.stem in named or last.stem in stems_of(IMPLIED_WORDS):
        return ""
    asked = inverted and part.type in {"what", "when", "where", "which"}
    return last.stem if asked or is_participle(last.norm) else ""


def _chosen_by(part: QuestionPart, content: list[Token], named: set[str]) -> str:
    """The verb behind the noun of "which": "transmits" in "which mosquito transmits malaria"."""
    kinds = kinds_of(part)
    deeds = [t.stem for before, t in pairwise(content) if before.stem in kinds and t.stem not in kinds]
    wanted = deeds[0] if deeds and deeds[0] not in stems_of(_CONTAINS) | named else content[-1].stem
    return wanted if wanted not in stems_of(WEAK_WORDS) | named and len(content) > 1 else ""


def _done_by(norms: list[str]) -> int:
    """Number of the verb in "can I freeze", "do you ship"; 0 where there is none."""
    for number in range(len(norms) - 2):
        if norms[number] in _ASKING and norms[number + 1] in DOERS:
            return number + 2
    return 0


def _passive(tokens: list[Token]) -> str:
    """The stem of the participle in "is spoken in", "are held"; "" where there is none."""
    place = next((n for n, token in enumerate(tokens) if token.norm in COPULAS), len(tokens))
    for number in range(place + 1, len(tokens)):
        following = tokens[number + 1].norm if number + 1 < len(tokens) else ""
        if is_participle(tokens[number].norm) and (not following or following in PREPOSITIONS):
            return tokens[number].stem
    return ""
