"""What in an answer is not checked, and why: one reason for each piece that claims nothing."""

from __future__ import annotations

import re

from pytest_grounding.text.attribution import is_bare_attribution
from pytest_grounding.text.grammar import AUXILIARIES, has_finite_verb, words_of
from pytest_grounding.text.refusals import is_refusal

_FLAGS = re.IGNORECASE | re.VERBOSE

_QUESTION_END = re.compile(r"[?？؟][\"'”’»)\]*_」』]*$")
_INNER_QUOTE_END = re.compile(r"[?？؟][\"'”’»」』)]+$")
# "Did you know that bees dance?" says that they do.
_DID_YOU_KNOW = re.compile(
    r"\b(?:did you know|do you know that)\b(?! (?:what|who|whom|how|where|when|which|why|if|whether|any|of|about|it|him|her|them)\b)",
    re.IGNORECASE,
)
_APPENDED = re.compile(
    r",\s+(?:do|does|did|have|has|are|is|was|were|can|could|would|will|what|how|who|so what|right)\b[^,]{0,120}$",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\W*(?:if|when|since|as|while|given|because|although|hello|hi|hey|yes|no|so|and)\b", re.IGNORECASE
)
_INTERROGATIVE = re.compile(
    r"\W*(?:how|what|when|where|who|whom|whose|why|which|is|are|was|were|do|does|did|can|could|should|will|would)\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"""\W*(?:
    (?:hi|hello|hey|greetings|dear|good[ ](?:morning|afternoon|evening|day))\b(?:[ ,]+[\w'’]+){0,4}
    | (?:thanks|thank[ ]you)\b.{0,80}
    | (?:you(?:['’]re|[ ]are)[ ](?:very[ ]|most[ ])?welcome|no[ ]problem|my[ ]pleasure|glad[ ]to[ ]help)\b.{0,60}
    | (?:sure|certainly|of[ ]course|absolutely|okay|ok|alright|great|gladly|understood|got[ ]it)(?:[ ]thing)?
    | (?:that(?:['’]s|[ ]is)[ ]a[ ])?(?:great|good|excellent|interesting)[ ]question.{0,20}
    | (?:I['’]d|I[ ]would|I['’]ll|I[ ]will)[ ](?:be[ ])?(?:happy|glad|love|try|do[ ]my[ ]best)\b.{0,90}
    | (?:welcome[ ]to)\b.{0,60}
    | (?:hallo|guten[ ]tag|guten[ ]morgen|bonjour|salut|bonsoir|hola|buenos[ ]días|buenas[ ]tardes|ciao
        |buongiorno|olá|bom[ ]dia|merci|danke|gracias|grazie|obrigad[oa])\b(?:[ ,]+[\w'’]+){0,3}
    | (?:你好|您好|谢谢|謝謝|こんにちは|ありがとうございます|안녕하세요|감사합니다|привет|здравствуйте|спасибо|नमस्ते|धन्यवाद|مرحبا|شكرا)
      .{0,12}
    )\W*$""",
    _FLAGS,
)
_CLOSING = re.compile(
    r"""\W*(?:
    I[ ]hope[ ](?:this|that|it|these)\b.{0,120}
    | hope[ ](?:this|that|it)[ ]helps\b.{0,60}
    | (?:please[ ])?(?:let[ ]me[ ]know|feel[ ]free|do[ ]not[ ]hesitate|don['’]t[ ]hesitate)\b.{0,200}
    | (?:if|should|in[ ]case)[ ](?:you|there)\b.{0,160}\b(?:let[ ]me[ ]know|feel[ ]free|hesitate
        |just[ ]ask|I['’]?(?:d|ll|[ ]can|[ ]would|[ ]will|['’]m|[ ]am)\b).{0,120}
    | (?:is[ ]there[ ]anything|would[ ]you[ ]like|do[ ]you[ ](?:want|have|need))\b.{0,160}
    | (?:please|kindly|could[ ]you|can[ ]you)[ ](?:\w+[ ])?(?:provide|share|specify|clarify|rephrase|give[ ]me|tell[ ]me)\b.{0,200}
    | (?:have[ ]a|enjoy)[ ](?:great|nice|good|wonderful|lovely|your|the)\b.{0,60}
    | (?:best|kind|warm)?[ ]?(?:regards|wishes|cheers|sincerely)
    | (?:good[ ]luck|take[ ]care|goodbye|bye)\b.{0,60}
    )\W*$""",
    _FLAGS,
)
_FILLER = re.compile(
    r"""\W*(?:
    (?:sure|certainly|of[ ]course|okay|ok|yes|absolutely|great)?[,!.]?[ ]*
      (?:here(?:['’]s|[ ]is|[ ]are)|below[ ](?:is|are))[ ](?:what[ ]I[ ]found|what[ ]the|an?[ ]|the[ ]|some[ ]|my[ ]|your[ ])?.{0,120}[:]
    | here(?:['’]s|[ ]is|[ ]are)[ ](?:what[ ]I[ ](?:found|know|could[ ]find)|(?:the|my|your|an?)[ ](?:answer|summary|response|overview|breakdown|explanation|details?))
      .{0,60}
    | let(?:['’]s|[ ]us|[ ]me)[ ](?:\w+[ ])?(?:break|look|take|explain|start|dive|see|go|walk|summari[sz]e|clarify|help|answer|think|find|check|analy[sz]e)\b.{0,120}
    | (?:to[ ])?(?:answer|address)(?:ing)?[ ]your[ ]question
    | (?:as[ ]for|regarding|concerning|about)[ ](?:your|the)[ ](?:question|query|request)\b.{0,60}
    | (?:I['’]ll|I[ ]will|I['’]m[ ]going[ ]to|I[ ]can|allow[ ]me[ ]to)[ ](?:now[ ]|try[ ]to[ ]|help[ ]you[ ])?(?:answer|explain|summari[sz]e|describe|help|provide|list|go|break|do[ ]my|use|assist|outline)\b.{0,120}
    | (?:the[ ])?(?:answer|final[ ]answer|short[ ]answer|response|summary|conclusion|explanation|note|example|in[ ]summary|in[ ]short|in[ ]conclusion|overall|to[ ]summari[sz]e|tl;?dr|output|result)
    | (?:based[ ]on|using|from|given)[ ](?:this|that|the[ ]above|the[ ](?:provided|given)[ ]\w+),?[ ](?:I[ ](?:can|will)|here)\b.{0,80}:
    | (?:step|part|option|question|passage|source|section|chapter|q|a)[ ]?\#?\d{0,2}[ ]?
    )\W*$""",
    _FLAGS,
)
_INTRO_END = re.compile(
    r"""\b(?:includ(?:e|es|ed|ing)|are|is|were|was|as[ ]follows|(?:the[ ]|these[ ])?following|these|below|such[ ]as|like
    |be|steps?|ways?|methods?|tips?|reasons?|factors?|things?|points?|benefits?|options?|examples?|facts?|features?
    |ingredients?|instructions?|details?|differences?|symptoms?|requirements?|tasks?|guidelines?|suggestions?
    |information|passages?|text|that|by|of|for|to|on|in|with|do|need|want|have|has|can|should|must|may|might|mention|mentions|state|states)
    (?:[ ](?:[\w'’-]+)){0,5}[ ]?:\W*$""",
    _FLAGS,
)
_INTRO_WORD = re.compile(
    r"\b(?:here (?:are|is)|here's|follow(?:ing|s)?|these steps|steps|as follows|below|include|includes|including)\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|several hundred|dozen)\b", re.IGNORECASE
)
_SOURCES_LINE = re.compile(
    r"\W*(?:sources?|references?|citations?|bibliography|further reading|works cited|quellen|références|fuentes|"
    r"fonti|bronnen|来源|參考資料|参考文献|出典|출처|источники)[ ]?[:：]",
    re.IGNORECASE,
)
_SOURCES_HEADING = re.compile(
    r"\W*(?:sources?|references?|citations?|bibliography|further reading|works cited|sources? (?:used|cited)|quellen|"
    r"références|fuentes|fonti|bronnen|来源|參考資料|参考文献|出典|출처|источники)\W*$",
    re.IGNORECASE,
)
_RESTATED = re.compile(
    r"\W*(?:you(?:['’]re| are| have|['’]ve)? (?:asked|asking|want(?:ed)? to know|would like to know|wonder(?:ing|ed)?|"
    r"inquired|were wondering)|your question (?:is|was|asks?|concerns)|the question (?:is|asks|was|being asked))\b",
    re.IGNORECASE,
)
_HEADING_OPENER = re.compile(
    r"\W*(?:how|why|what|when|where|who|which|step|part|chapter|section)\b", re.IGNORECASE
)


def is_sources_heading(plain: str) -> bool:
    """Whether a heading or line opens a list of sources ("References")."""
    return len(plain) < 40 and _SOURCES_HEADING.match(plain) is not None


def skip_reason(plain: str, bare: str, question: str, *, introduces: bool) -> str:
    """Why a piece of prose claims nothing that can be checked; "" when it claims something.

    Args:
        plain: the piece without markers and markup.
        bare: the same without attribution.
        question: the question that was asked, or "".
        introduces: the piece is followed by a list, a table or code.

    Returns:
        separator, question, greeting, filler, list_intro, source_list, restated_question, refusal, or "".
    """
    if not any(char.isalnum() for char in plain):
        return "separator"
    if _is_question(plain):
        return "restated_question" if question and _same_words(plain, question) else "question"
    if len(plain) <= 400:
        if _is_source_line(plain):
            return "source_list"
        if _GREETING.match(plain) is not None or _CLOSING.match(plain) is not None:
            return "greeting"
        if _FILLER.match(plain) is not None or is_bare_attribution(plain):
            return "filler"
        if _is_restated(plain, question):
            return "restated_question"
        if plain.rstrip("*_ ").endswith((":", "：")) and _is_list_intro(bare, introduces):
            return "list_intro"
    return "refusal" if is_refusal(plain) else ""


def heading_claims(plain: str) -> bool:
    """Whether a heading is a full statement ("The plan costs $20 a month")."""
    if _HEADING_OPENER.match(plain) is not None or plain.rstrip().endswith((":", "?", "？", "：")):
        return False
    words = words_of(plain)
    return len(words) >= 4 and has_finite_verb(words[1:]) and any(word in AUXILIARIES for word in words[1:])


def _is_question(plain: str) -> bool:
    if _QUESTION_END.search(plain[-8:]) is None or _DID_YOU_KNOW.search(plain) is not None:
        return False
    if _INNER_QUOTE_END.search(plain[-8:]) is not None and plain[0] not in "\"'“‘«「『(":
        return False  # 'She asked, "Why?"' is a statement; '"Why?"' is a question
    appended = _APPENDED.search(plain)
    if appended is None or _CONDITION.match(plain) is not None or _INTERROGATIVE.match(plain) is not None:
        return True
    # "The plan costs $20, is that right?" states something before it asks.
    words = words_of(plain[: appended.start()])
    return len(words) < 4 or not has_finite_verb(words)


def _same_words(plain: str, question: str) -> bool:
    return words_of(plain) == words_of(question)


def _is_source_line(plain: str) -> bool:
    """ "Sources: the handbook, page 3", but not "Source: it is made from dried fruit"."""
    match = _SOURCES_LINE.match(plain)
    return match is not None and ("://" in plain or not has_finite_verb(words_of(plain[match.end() :])))


def _is_restated(plain: str, question: str) -> bool:
    if _RESTATED.match(plain) is not None:
        return True
    if not question or _INTERROGATIVE.match(plain) is None:
        return False
    return len(words_of(plain)) >= 3 and _same_words(plain, question)


def _is_list_intro(bare: str, introduces: bool) -> bool:
    """A line that ends with a colon: does it only announce, or does it claim something besides?"""
    words = words_of(bare)
    if (
        _COUNT.search(bare) is not None
        and has_finite_verb(words)
        and "step" not in words
        and "steps" not in words
    ):
        return False
    if not has_finite_verb(words) or len(words) <= 4:
        return True
    if len(words) > 24 or not introduces:
        return _INTRO_WORD.search(bare) is not None and len(words) <= 24
    return _INTRO_END.search(bare) is not None
