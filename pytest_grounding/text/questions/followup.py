"""A question that says what it is about only together with the turns before it: "How long?", "And then?"."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from pytest_grounding._frozen import frozen
from pytest_grounding._patterns import lazy
from pytest_grounding.model.transcript import Turn
from pytest_grounding.text.questions import words as w
from pytest_grounding.text.questions.analysis import analyse
from pytest_grounding.text.questions.tokens import split_words
from pytest_grounding.text.questions.values import QuestionInfo

_SENTENCE_END = lazy(r"[.?!\n。？！]+")
#: A longer question names something, whatever its words are.
_LONGEST = 120
#: The words of questions in other languages that name nothing: question words, measures, "and", "then".
_ELSEWHERE = w.word_set("""
    und dann also warum wieso weshalb wie wer wen wem was wann wo wohin woher lange viel viele oft weit
    teuer alt sonst noch mehr genau bis seit wirklich ja nein
    et puis alors pourquoi comment qui quoi quand où ou combien de temps longtemps plus encore donc depuis
    jusqu'à vraiment oui non
    y entonces luego por para qué que quién quien cuándo cuando dónde donde cómo como cuánto cuánta cuántos
    cuántas tiempo más después sí no
    e poi allora perché chi che cosa quando dove come quanto quanta quanti quante tempo ancora più
    então porquê quem onde quanto quantos mais depois
    en dan waarom hoe wie wat wanneer waar lang veel vaak ver meer nog
    og så hvorfor hvordan hvem hva hvad hvornår när hur varför vem vad var länge lenge længe mycket
    а и что потом почему зачем как кто когда где куда сколько долго ещё еще
    多久 多长 多长时间 多少 多少钱 为什么 为何 怎么 怎样 如何 什么 什么时候 何时
    哪里 哪儿 谁 然后 然后呢 还有 还有呢
    なぜ どうして いつ どこ だれ 誰 何 いくら いくつ どう どのくらい どれくらい それで
    왜 언제 어디 누구 얼마 얼마나 어떻게 무엇 뭐 그리고
""")

#: Words that answer what was said before, and name nothing.
_REPLIES = w.word_set("""
    good great ok okay thanks thank perfect nice cool sure fine awesome alright right correct wow hi hello hey
    understood interesting true welcome summarize elaborate continue clarify repeat
""")


@frozen
class ContextualQuestion:
    """A question as it is to be read.

    Attributes:
        text: the question, after the turn that it leans on, if any.
        turn: that turn, or "".
        names_topic: whether ``text`` names anything that can be looked for.
    """

    text: str
    turn: str = ""
    names_topic: bool = True


@lru_cache(maxsize=1024)
def names_topic(question: str, language: str = "en") -> bool:
    """Whether a question has a word that says what it is about.

    Args:
        question: any text.
        language: BCP 47 tag of the question.
    """
    if len(question) > _LONGEST:
        return True
    tokens = split_words(question)
    if all(token.lower in _ELSEWHERE for token in tokens):
        return False
    pieces = [piece for piece in _SENTENCE_END.split(question) if piece.strip()]
    content = (word.text for piece in pieces for word in analyse(piece + "?", language).words)
    return any(text.lower() not in _REPLIES for text in content)


def leans(question: str, language: str = "en") -> bool:
    """Whether a question refers to what was said before: it names nothing, or it has a pronoun."""
    pronoun = any(token.lower in w.PRONOUNS for token in split_words(question[:_LONGEST]))
    return pronoun or not names_topic(question, language)


def topic_turn(history: Iterable[Turn], language: str = "en") -> str:
    """The last thing that the user said which names a topic, or else the last that anybody said, or "".

    Args:
        history: the earlier turns, the oldest first.
        language: BCP 47 tag of the conversation.
    """
    said = [(turn.role.strip().casefold(), turn.content.strip()) for turn in history]
    named = [(role, text) for role, text in said if text and names_topic(text, language)]
    users = [text for role, text in named if role in {"user", "human"}]
    return (users or [text for _, text in named] or [""])[-1]


def asked_after(question: str, history: Iterable[Turn], language: str = "en") -> ContextualQuestion:
    """The question as it is to be read: alone where it names its topic, else after the turn that does."""
    if names_topic(question, language):
        return ContextualQuestion(question)
    turn = topic_turn(history, language)
    if turn:
        return ContextualQuestion(f"{turn}\n{question}", turn)
    return ContextualQuestion(question, names_topic=False)


def analyse_after(asked: ContextualQuestion, question: str, language: str = "en") -> QuestionInfo:
    """What a question asks, with the content words of the turn that it leans on.

    A kind of question that cannot be told alone ("And then?") cannot be told after that turn either.
    """
    alone = analyse(question, language)
    if not asked.turn:
        return alone
    joined = analyse(asked.text, language)
    first = len(asked.text) - len(question)
    parts = tuple(part for part in joined.parts if part.start >= first)
    if not parts or alone.type == "other":
        return alone
    return replace(joined, type=parts[0].type, expected=parts[0].expected, parts=parts)
