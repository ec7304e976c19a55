"""The wordings of an answer that claim nothing: greetings, announcements, offers, lists of sources."""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, gated, lazy

_FLAGS = re.IGNORECASE | re.VERBOSE

#: A question mark at the end, behind it at most quotes and brackets.
QUESTION_END = lazy(r"[?？؟][\"'”’»)\]*_」』]*$")
#: The same with a closing quote or bracket behind it.
QUOTED_QUESTION_END = lazy(r"[?？؟][\"'”’»」』)]+$")
#: "Did you know that bees dance?" says that they do.
DID_YOU_KNOW = lazy(
    r"""\b(?:did[ ]you[ ]know|do[ ]you[ ]know[ ]that)\b
    (?![ ](?:what|who|whom|how|where|when|which|why|if|whether|any|of|about|it|him|her|them)\b)""",
    _FLAGS,
)
#: A question hung on a statement: "The plan costs $20, is that right?"
APPENDED_QUESTION = lazy(
    r""",\s+(?:do|does|did|have|has|are|is|was|were|can|could|would|will|what|how|who|so[ ]what|right)\b
    [^,]{0,120}$""",
    _FLAGS,
)
#: A beginning that makes what follows no statement of its own.
CONDITION = lazy(
    r"\W*(?:if|when|since|as|while|given|based|according|in|from|for|with|to|because|although|hello|hi|hey|yes|no|so|and)\b",
    re.IGNORECASE,
)
INTERROGATIVE = lazy(
    r"""\W*(?:how|what|when|where|who|whom|whose|why|which|is|are|was|were|do|does|did|can|could|should|will
    |would)\b""",
    _FLAGS,
)

_POLITE = r"(?:(?:sure|certainly|of[ ]course|absolutely|okay|ok|yes|great|hello|hi)(?:[ ]thing)?[,!.][ ]+)?"
_START = lazy(r"\W*")
_POLITE_START = lazy(rf"\W*{_POLITE}", _FLAGS)

_GREETINGS = (
    (
        "hi|hello|hey|greetings|dear|good_morning|good_afternoon|good_evening|good_day",
        r"""
    (?:hi|hello|hey|greetings|dear|good[ ](?:morning|afternoon|evening|day))\b(?:[ ,]+[\w'’]+){0,4}
    """,
    ),
    ("thank", r"(?:thanks|thank[ ]you)\b.{0,80}"),
    (
        "welcome|no_problem|my_pleasure|glad_to_help",
        r"""
    (?:you(?:['’]re|[ ]are)[ ](?:very[ ]|most[ ])?welcome|no[ ]problem|my[ ]pleasure|glad[ ]to[ ]help)
        \b.{0,60}
    """,
    ),
    (
        "sure|certainly|of_course|absolutely|ok|alright|great|gladly|understood|got_it",
        r"""
    (?:sure|certainly|of[ ]course|absolutely|okay|ok|alright|great|gladly|understood|got[ ]it)(?:[ ]thing)?
    """,
    ),
    (
        "question",
        r"(?:that(?:['’]s|[ ]is)[ ]a[ ])?(?:great|good|excellent|interesting)[ ]question.{0,20}",
    ),
    (
        "happy|glad|love|try|do_my_best",
        r"""
    (?:I['’]d|I[ ]would|I['’]ll|I[ ]will)[ ](?:be[ ])?(?:happy|glad|love|try|do[ ]my[ ]best)\b.{0,90}
    """,
    ),
    ("welcome_to", r"welcome[ ]to\b.{0,60}"),
    (
        "hallo|guten|bonjour|salut|bonsoir|hola|buenos|buenas|ciao|buongiorno|olá|bom_dia|merci|danke|gracias|grazie|obrigad",
        r"""
    (?:hallo|guten[ ]tag|guten[ ]morgen|bonjour|salut|bonsoir|hola|buenos[ ]días|buenas[ ]tardes|ciao
        |buongiorno|olá|bom[ ]dia|merci|danke|gracias|grazie|obrigad[oa])\b(?:[ ,]+[\w'’]+){0,3}
    """,
    ),
    (
        "你好|您好|谢谢|謝謝|こんにちは|ありがとうございます|안녕하세요|감사합니다|привет|здравствуйте|спасибо|สวัสดี|ขอบคุณ|नमस्ते|धन्यवाद|مرحبا|شكرا",
        r"""
    (?:你好|您好|谢谢|謝謝|こんにちは|ありがとうございます|안녕하세요|감사합니다|привет|здравствуйте|спасибо
        |สวัสดี|ขอบคุณ|नमस्ते|धन्यवाद|مرحبا|شكرا).{0,12}
    """,
    ),
    (
        "ich_hoffe|espère|espero|spero|ik_hoop|надеюсь",
        r"""
    (?:ich[ ]hoffe|j['’]espère|espero|spero|ik[ ]hoop|надеюсь),?[ ]
        (?:das|dies|que[ ](?:cela|ça|ceci|esto|isso|isto)|che[ ]questo|dat[ ]dit|что|это)\b.{0,40}
    """,
    ),
    (
        "希望|お役に立て|도움이|หวังว่า|आशा|آمل|أتمنى",
        r"""
    (?:希望(?:[这這对對能您]|以上)|お役に立て|도움이[ ]되[셨었길기]|หวังว่า|आशा[ ]है
        |آمل[ ]أن|أتمنى[ ]أن).{0,40}
    """,
    ),
)
GREETING = Parts(((needs, rf"(?:{pattern})\W*$") for needs, pattern in _GREETINGS), _FLAGS)
_CLOSINGS = (
    ("hope", r"(?:I[ ])?hope[ ](?:this|that|it|these)\b.{0,120}"),
    (
        "let_me_know|hesitate",
        r"(?:please[ ])?(?:let[ ]me[ ]know|do[ ]not[ ]hesitate|don['’]t[ ]hesitate)\b.{0,200}",
    ),
    (
        "feel_free",
        r"""
    (?:please[ ])?feel[ ]free[ ]to[ ](?:ask|reach|contact|let|share|provide|clarify|message|get
        |return)\b.{0,200}
    """,
    ),
    (
        "if_|should_|in_case & _you|_there",
        r"""
    (?:if|should|in[ ]case)[ ](?:you|there)\b.{0,160}\b(?:let[ ]me[ ]know|feel[ ]free|hesitate|just[ ]ask
        |I['’]?(?:d|ll|[ ]can|[ ]would|[ ]will|['’]m|[ ]am)\b).{0,120}
    """,
    ),
    (
        "is_there_anything|would_you_like|do_you",
        r"(?:is[ ]there[ ]anything|would[ ]you[ ]like|do[ ]you[ ](?:want|have|need))\b.{0,160}",
    ),
    (
        "please_|kindly_|could_you_|can_you_",
        r"""
    (?:please|kindly|could[ ]you|can[ ]you)[ ](?:\w+[ ])?(?:specify|clarify|rephrase|give[ ]me|tell[ ]me
        |(?:provide|share)[ ](?:me[ ]|us[ ])?(?:with[ ])?(?:some[ ]|any[ ]|the[ ]|a[ ]bit[ ])?(?:more
            |additional|further
        |context|details|information|specific|relevant|full))\b.{0,200}
    """,
    ),
    (
        "have_a|enjoy",
        r"(?:have[ ]a|enjoy)[ ](?:great|nice|good|wonderful|lovely|your|the)\b[^,;]{0,30}",
    ),
    (
        "regards|wishes|cheers|sincerely",
        r"(?:best|kind|warm)?[ ]?(?:regards|wishes|cheers|sincerely)",
    ),
    (
        "tell_me_|tell_us_|show_me_|send_me_",
        r"""
    (?:(?:if|should|in[ ]case)[ ](?:you|there|this|that|it|none|neither|nothing|not|so|still)\b
            [^,\d]{0,120},[ ])?
        (?:then[ ])?(?:please[ ]|just[ ])?(?:tell[ ](?:me|us)[ ](?:a[ ](?:bit|little)[ ])?more
        |tell[ ]me[ ](?:which|what|whether|how|where|when|if)
        |(?:show|send)[ ]me[ ](?:what|which|a[ ](?:photo|picture|screenshot)))\b[^\d]{0,160}
    """,
    ),
    (
        "happy_to_|glad_to_",
        r"(?:I['’]m[ ]|I[ ]am[ ]|we['’]re[ ]|we[ ]are[ ])?(?:always[ ]|also[ ])?(?:happy|glad)[ ]to[ ]"
        r"(?:help|assist|explain|answer|walk|look|go|clarify)\b.{0,90}",
    ),
    ("good_luck|take_care|bye", r"(?:good[ ]luck|take[ ]care|goodbye|bye)\b.{0,60}"),
)
CLOSING = Parts(((needs, rf"(?:{pattern})\W*$") for needs, pattern in _CLOSINGS), _FLAGS)
#: What a letter ends with; lines behind it are a signature.
SIGN_OFF = lazy(
    r"\W*(?:(?:best|kind|warm|many)?[ ]?(?:regards|wishes|greetings)"
    r"|(?:yours[ ])?(?:sincerely|faithfully|truly)|cheers"
    r"|mit freundlichen grüßen|cordialement|saludos(?: cordiales)?)\W*\Z",
    re.IGNORECASE,
)
_FILLERS = (
    ("here|below & :", r"(?:here(?:['’]s|[ ]is|[ ]are)|below[ ](?:is|are))\b[^:]{0,130}:"),
    (
        "here",
        r"""
    here(?:['’]s|[ ]is|[ ]are)[ ](?:what[ ]I[ ](?:found|know|could[ ]find)
        |(?:the|my|your|an?)[ ](?:answer|summary|response|overview|breakdown|explanation|details?))
        [^:]{0,60}
    """,
    ),
    (
        "let's|let’s|let_us|let_me",
        r"""
    let(?:['’]s|[ ]us|[ ]me)[ ](?:\w+[ ])?(?:break|look|take|explain|start|dive|see|go|walk|summari[sz]e
        |clarify|help|answer|think|find|check|analy[sz]e)\b.{0,120}
    """,
    ),
    ("your_question", r"(?:to[ ])?(?:answer|address)(?:ing)?[ ]your[ ]question"),
    (
        "question|query|request",
        r"""
    (?:as[ ]for|regarding|concerning|about)[ ](?:your|the)[ ](?:question|query|request)\b.{0,60}
    """,
    ),
    (
        "i'll_|i’ll_|i_will_|going_to_|i_can_|allow_me_to_",
        r"""
    (?:I['’]ll|I[ ]will|I['’]m[ ]going[ ]to|I[ ]can|allow[ ]me[ ]to)
        [ ](?:now[ ]|try[ ]to[ ]|help[ ]you[ ])?(?:answer|explain|summari[sz]e|describe|help|provide|list|go
        |break|do[ ]my|use|assist|outline)\b.{0,120}
    """,
    ),
    (
        "answer|response|summary|conclusion|explanation|note|example|in_short|overall|summari|tl;dr|tldr|output|result",
        r"""
    (?:the[ ])?(?:answer|final[ ]answer|short[ ]answer|response|summary|conclusion|explanation|note|example
        |in[ ]summary|in[ ]short|in[ ]conclusion|overall|to[ ]summari[sz]e|tl;?dr|output|result)
    """,
    ),
    (
        ": & i_can|i_will|here",
        r"""
    (?:based[ ]on|using|from|given)[ ](?:this|that|the[ ]above|the[ ](?:provided|given)[ ]\w+),?
        [ ](?:I[ ](?:can|will)|here)\b.{0,80}:
    """,
    ),
    ("", r"(?:step|part|option|question|passage|source|section|chapter|q|a)[ ]?\#?\d{0,2}[ ]?"),
    (
        "see|cf|refer_to|source|from|via|more",
        r"""
    (?:please[ ])?(?:see|cf|refer[ ]to|source|from|via
        |(?:read|learn|see)[ ]more(?:[ ](?:here|at|in|about[ ]this))?
        |(?:see[ ])?(?:for[ ])?more[ ](?:details?|info|information)(?:[ ](?:here|at|in|is[ ]in
            |see))?)(?:[ ]also)?
    """,
    ),
    (
        "more|further|additional|full",
        r"""
    (?:please[ ])?(?:see|visit|check(?:[ ]out)?|read|consult|refer[ ]to|go[ ]to)[ ](?:[\w'’&-]+[ ]){1,8}
        (?:for|to)[ ](?:learn[ ]|get[ ]|find[ ]|see[ ])?(?:more|further|additional|full)\b[^\d\r\n]{0,60}
    """,
    ),
    (
        "more|further|additional|full & see|visit|check|read|consult|refer|go",
        r"""
    (?:for|to[ ](?:learn|get|find|see))[ ](?:more|further|additional|full)
        (?:[ ](?:information|details?|info|help))?(?:[ ][\w'’ -]{1,60})?,
        [ ](?:please[ ])?(?:see|visit|check|read|consult|refer|go)\b[^\d\r\n]{0,120}
    """,
    ),
    (
        "answer & question",
        r"""
    (?:(?:therefore|thus|so|hence|accordingly|in[ ](?:conclusion|summary|short)|overall|finally),?[ ])?
        (?:based[ ]on[ ][^,:"]{0,60},[ ])?(?:here(?:['’]s|[ ]is)[ ])?
        (?:the|my|a|an)[ ](?:\w+[ ])?answer[ ](?:to|of)[ ](?:the|your|this)[ ](?:\w+[ ])?question\b
        (?:.{0,160}\b(?:is|would[ ]be|as[ ]follows)[ ]?:|[^.:]{0,160}[?][”"']?
        |[ ]is[ ]based[ ]on[ ].{0,80})
    """,
    ),
    (
        "question",
        r"""
    (?:(?:therefore|thus|so|hence|accordingly),?[ ])?I[ ](?:am[ ]able[ ]to|can|could)[ ](?:\w+ly[ ])?
        (?:answer|address)[ ](?:the|your|this)[ ]question(?:[ ](?:based[ ]on|from|using|with)[ ].{0,60})?
    """,
    ),
    (
        "passage|source|document",
        r"""
    (?:this|it|that|(?:this|the)[ ](?:information|answer))[ ](?:is|was|are|can[ ]be)[ ](?:also[ ])?
        (?:mentioned|stated|described|found|given|provided|explained|supported|confirmed|discussed)
        [ ](?:in|by)[ ](?:both[ ])?(?:the[ ])?(?:passages?|sources?|documents?)[ ]
        (?:\d|,|[ ]|and|&|passages?|sources?|documents?){1,40}
    """,
    ),
    (
        "passage|source|document & information|detail|answer|statement|context",
        r"""
    (?:(?:the[ ])?(?:first|second|third|fourth|fifth|last|other|next)[ ](?:passage|source|document)
        |(?:passage|source|document)[ ]\d+)[ ](?:also[ ])?(?:repeats?|provides?|contains?|gives?|offers?|has)
        [ ](?:(?:the|same|similar|exact|necessary|relevant|required|needed|enough|sufficient|no|any
            |additional|further|more|new|other)[ ])+(?:information|details?|answer|statement|context)
        (?:[ ](?:needed[ ]|required[ ])?to[ ]answer[ ](?:the|your|this)[ ]question)?
    """,
    ),
)
FILLER = Parts(((needs, rf"(?:{pattern})\W*$") for needs, pattern in _FILLERS), _FLAGS)
#: The end of a line that announces a list: "… include:", "… the following steps:".
INTRO_END = lazy(
    r"""\b(?:includ(?:e|es|ed|ing)|are|is|were|was|as[ ]follows|(?:the[ ]|these[ ])?following|these|below
    |such[ ]as|like|be|steps?|ways?|methods?|tips?|reasons?|factors?|things?|points?|benefits?|options?
    |examples?|facts?|features?|ingredients?|instructions?|details?|differences?|symptoms?|requirements?
        |tasks?
    |guidelines?|suggestions?|information|passages?|text|that|by|of|for|to|on|in|with|do|need|want|have
        |has|can
    |should|must|may|might|mentions?|states?)
    (?:[ ][\w'’-]+){0,5}[ ]?:\W*$""",
    _FLAGS,
)
INTRO_WORD = lazy(
    r"""\b(?:here[ ](?:are|is)|here's|follow(?:ing|s)?|these[ ]steps|steps|as[ ]follows|below|includes?
    |including)\b""",
    _FLAGS,
)
#: A number: "There are three types:" claims something.
COUNT = lazy(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|dozen)\b", re.IGNORECASE)

_SOURCES = r"""(?:sources?(?:[ ](?:used|cited))?|references?|citations?|bibliography|further[ ]reading
    |works[ ]cited|quellen|références|fuentes|fonti|bronnen|来源|參考資料|参考文献|出典|출처|источники)"""
SOURCES_LINE = lazy(rf"\W*{_SOURCES}[ ]?[:：]", _FLAGS)
SOURCES_HEADING = lazy(rf"\W*{_SOURCES}\W*$", _FLAGS)
RESTATED = gated(
    "ask|to_know|wonder|inquired|question",
    r"""\W*(?:you(?:['’]re|[ ]are|[ ]have|['’]ve)?[ ](?:asked|asking|want(?:ed)?[ ]to[ ]know
        |would[ ]like[ ]to[ ]know|wonder(?:ing|ed)?|inquired|were[ ]wondering)
    |your[ ]question[ ](?:is|was|asks?|concerns)
    |the[ ]question[ ](?:is|asks|was|being[ ]asked))\b
    (?![ ](?:\w+ly[ ])?(?:outside|beyond|not|unanswerable|unclear|answered))""",
    _FLAGS,
)
HEADING_OPENER = lazy(r"\W*(?:how|why|what|when|where|who|which|step|part|chapter|section)\b", re.IGNORECASE)

# "(Passage 1)", "Sources 2 and 3": it points, and states nothing.
BARE_REFERENCE = lazy(
    r"\W*(?:see|cf|refs?:?|sources?|references?|passages?|documents?|docs?|chunks?|excerpts?)?"
    r"(?:\s+(?:passages?|sources?|documents?|chunks?|excerpts?))?(?:[\W_]|\d|\band\b)*\Z",
    re.IGNORECASE,
)

#: "Yes, it does.", "I agree with you.", "That's true!": it takes up what was said and says nothing more.
ACKNOWLEDGEMENT = lazy(
    r"""\W*(?:(?:oh|ah|yes|yeah|yep|yup|no|nope|well|wow|haha|ha|lol|so|and|right|ok|okay|sure|true|hmm)\b
        [\s,.!…]*){0,3}
    (?:
    I[ ](?:(?:totally|completely|fully|really|do|also|can|definitely|would)[ ])?agree
        (?:[ ]with[ ](?:you|that|this))?(?:[ ]there)?
    | (?:I[ ])?know,?[ ]right
    | I[ ](?:really[ ]|sure[ ])?(?:do|did|have|am|was|know|see|understand)(?:[ ](?:not|too|that|it))?
    | I[ ](?:think|believe|guess|suppose|hope)[ ](?:so|not
        |(?:it|they|that|he|she|you)[ ](?:is|was|are|were|do|does|did|has|have))
    | (?:it|that|this|they|he|she|we|you|there)(?:[ ](?:really|sure|certainly|definitely|probably|surely
        |truly))?[ ](?:is|are|was|were|does|do|did|has|have|can|could|would|might|may|will|should)
        (?:[ ]?n?['’]t|[ ]not)?(?:[ ]be)?
    | (?:it|that|this|they|you)[ ]?(?:['’]?s|['’]re|[ ]is|[ ]was|[ ]are|[ ]sounds?|[ ]seems?|[ ]would[ ]be
        |[ ]must[ ]be)
        (?:[ ](?:so|very|really|pretty|quite|kind[ ]of|also|all))?
        [ ](?:true|right|correct|interesting|cool|nice|great|good|funny|crazy|amazing|wonderful|fair|awesome
        |sad|fascinating|understandable|an?[ ](?:good|great|fair|interesting)[ ](?:point|question|fact)
        |(?:perfectly|completely|quite|entirely|totally)?[ ]?(?:normal|expected|intended|usual)
            (?:[ ]behaviou?r)?
        |good[ ]to[ ]know)
    | (?:very|so)[ ]true | same[ ]here | me[ ](?:too|neither|either) | (?:good|great|fair)[ ]point
    | (?:that[ ])?makes[ ]sense | exactly | of[ ]course
    )\W*\Z""",
    _FLAGS,
)


def is_greeting(plain: str) -> bool:
    """Whether a piece greets, thanks, welcomes or promises to help, and says nothing more."""
    return _goes_on_with(GREETING, plain)


def is_closing(plain: str) -> bool:
    """Whether a piece ends a conversation: hopes, offers, wishes, requests for more to go on."""
    return CLOSING.match(plain, _end(_START, plain))


def is_filler(plain: str) -> bool:
    """Whether a piece announces, introduces or points, and states nothing."""
    return _goes_on_with(FILLER, plain)


def _goes_on_with(parts: Parts, plain: str) -> bool:
    """Whether a part matches at the first word, or behind a polite opening ("Sure, …")."""
    start, polite = _end(_START, plain), _end(_POLITE_START, plain)
    return parts.match(plain, start) or (polite > start and parts.match(plain, polite))


def _end(pattern: re.Pattern[str], plain: str) -> int:
    found = pattern.match(plain)
    return found.end() if found is not None else 0
