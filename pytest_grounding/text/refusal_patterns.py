"""How answers say that something is not known: English at length, other main languages in short."""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, lazy
from pytest_grounding.text.attribution import SOURCE, SOURCE_LETTERS, SOURCE_WORDS

_ADVERBS = r"""(?:[ ](?:actually|really|currently|yet|explicitly|specifically|directly|clearly|fully|always
    |seem[ ]to|appear[ ]to|even|definitively|accurately|necessarily|readily|exactly|have|any|enough
    |sufficient)){0,3}"""
_NOT_I = r"""(?:
    [ ](?:do|does|did|can|could|was|were|am|are|have)(?:[ ]not|n['’]?t) | [ ]cannot | [ ]can['’]?t
    | (?:['’]m|['’]re|['’]ve|[ ]am|[ ]was|[ ]are|[ ]were)[ ](?:not(?:[ ]able[ ]to)?|unable[ ]to)
)"""
_KNOW = r"""(?:know|find|see|answer|provide|determine|tell|say|give|access|locate|confirm|help|assist|sure
    |certain|aware|familiar|information|knowledge|data|details?|context|verify|offer|respond|identify
    |comment|answers?|infer|conclude|discern|come[ ]across)"""
_NOT_IT = r"(?:[ ](?:do|does|did)(?:[ ]not|n['’]?t)|[ ]fails?[ ]to|[ ]never|[ ]cannot|[ ]can['’]?t)"
_TELLING = r"""(?:mention|say|state|specify|address|answer|cover|discuss|indicate|explain|reveal|clarify
    |detail|talk[ ]about|tell|touch[ ]on|disclose|outline|refer[ ]to|elaborate|make[ ](?:any[ ])?mention
    |go[ ]into[ ](?:\w+[ ])?(?:details?|depth|specifics))"""
_TOLD = r"""(?:mentioned|stated|specified|provided|given|included|addressed|covered|discussed|known
    |available|described|explained|found|listed|defined|indicated|disclosed|detailed|present|contained
    |named|answered|clear|determined|identified|outlined|clarified|referenced|shown)"""
_NO = r"(?:no(?:[ ]further)?|not[ ](?:enough|any|sufficient|a)|insufficient|limited)"
_INFORMATION = r"""(?:information|mention|details?|data|answers?|evidence|reference|context|indication
    |explanation|specifics|record|passages?|sources?|documents?)"""
_ABOUT = r"(?:[ ](?:about|on|for|regarding|here)(?:[ ][\w'-]+){1,8})?"

# What people retrieve from by name. They are no words for the sources as such, so "the guide does not
# include a map" stays a statement; only what is not *said* in them is a refusal.
_MANUAL = r"""(?:(?:the|this|our|your|any)[ ](?:[\w-]+[ ]){0,2}(?:handbook|manual|guide|guidelines
    |documentation|faqs?|wiki|knowledge[ ]base|help[ ](?:center|centre|pages?)|web[ ]?(?:site|pages?)
    |pages?)\b)"""
_SAID = r"""(?:mentioned|stated|specified|indicated|addressed|discussed|described|explained|documented
    |disclosed|detailed|clarified)"""

# What "no information" must be followed by: "no data cap" is no refusal.
_AS_SUCH = r"""(?=\W*$|[.,;)]|[ ](?:about|on|regarding|concerning|for|of|in|available|provided|given|that|to
    |here|from|as[ ]to|related|within|whether|beyond|was|is|were|are)\b)"""
_BARE_INFORMATION = r"(?:information|mention|details?|data|specifics|context|explanation|answers?)"

# Letters that a part needs (`Parts`) stand before its pattern, so that few processes compile the long ones.
_NOT_I_LETTERS = "not|n't|n’t|nt_|unable"
_NOT_IT_LETTERS = (
    "do_not|does_not|did_not|don't|doesn't|didn't|don’t|doesn’t|didn’t|dont_|doesnt_|didnt_|fail|never|cannot"
    "|can't|can’t|cant_"
)
_IS_NOT_LETTERS = "is_not|are_not|was_not|were_not|isn't|aren't|wasn't|weren't|isn’t|aren’t|wasn’t|weren’t"
_TOLD_LETTERS = (
    "mention|stated|specified|provided|given|included|addressed|covered|discussed|known|available|described"
    "|explained|found|listed|defined|indicated|disclosed|detailed|present|contained|named|answered|clear"
    "|determined|identified|outlined|clarified|referenced|shown"
)
_SILENT_LETTERS = (
    "provide_no|provides_no|contain_no|contains_no|give_no|gives_no|make_no|makes_no|offer_no|offers_no|has_no"
    "|have_no|include_no|includes_no|not_sufficient|not_enough|not_clear|not_relevant|insufficient|limited|lack"
    "|silent|irrelevant|unclear"
)
_NO_LETTERS = "_no_|not_enough|not_any|not_sufficient|not_a_|insufficient|limited"
_INFORMATION_LETTERS = (
    "information|mention|detail|data|answer|evidence|reference|context|indication|explanation|specifics|record"
    "|passage|source|document"
)
_SOURCE_LETTERS = "|".join(SOURCE_LETTERS)
_MANUAL_LETTERS = "handbook|manual|guide|documentation|faq|wiki|knowledge|help|web|page"

_ENGLISH = (
    (f"i_|i'|i’ & {_NOT_I_LETTERS}", rf"\bI{_NOT_I}{_ADVERBS}[ ](?:[\w']+[ ]){{0,3}}{_KNOW}\b"),
    (
        f"we_|we'|we’ & {_NOT_I_LETTERS}",
        rf"""\bwe{_NOT_I}{_ADVERBS}[ ](?:know|determine|answer|tell|say|conclude|infer|confirm|find
        |(?:have[ ])?(?:[\w']+[ ]){{0,2}}information|sure|certain)\b""",
    ),
    (
        f"i_|we_ & {_NO_LETTERS}",
        rf"\b(?:I|we)[ ](?:have|found|find|see|had)[ ]{_NO}[ ](?:[\w']+[ ]){{0,2}}{_BARE_INFORMATION}\b",
    ),
    ("lack", rf"\b(?:I|we)[ ]lack[ ](?:[\w']+[ ]){{0,3}}{_BARE_INFORMATION}\b"),
    (
        f"{_SOURCE_LETTERS} & {_NOT_IT_LETTERS}",
        rf"""(?:\b(?:the|these|this|any[ ]of[ ]the|my|your)[ ](?:\w+[ ])?(?:passages?|sources|contexts?
            |excerpts?|chunks?|snippets?|documents|search[ ]results)
        |\b(?:provided|given|retrieved|supplied|available)[ ](?:passages?|sources?|contexts?|texts?|documents?
            |information|articles?|data|material))(?:[ ](?:\d{{1,3}}|provided|given|above))?
        {_NOT_IT}{_ADVERBS}[ ](?:contain|include|provide|give|have|offer|show|list|name|make|identify|define
            |describe)\b""",
    ),
    (
        f"{_SOURCE_LETTERS} & {_NOT_IT_LETTERS}",
        rf"""{SOURCE}{_ABOUT}{_NOT_IT}{_ADVERBS}[ ](?:
        {_TELLING}\b
        |(?:contain|include|provide|give|have|offer|show|list|name|make|identify|define|describe)\b
            (?:(?:[ ][\w'-]+){{0,6}}[ ]{_INFORMATION}\b|(?<=contain)|(?<=provide)))""",
    ),
    (
        f"{_SOURCE_LETTERS} & {_SILENT_LETTERS}",
        rf"""{SOURCE}{_ABOUT}[ ](?:
        (?:provides?|contains?|gives?|makes?|offers?|has|have|includes?)[ ](?:no|insufficient|limited)\b
        |lacks?\b
        |(?:is|are)[ ](?:not[ ](?:sufficient|enough|clear|relevant)|insufficient|silent|irrelevant
            |unclear)\b)""",
    ),
    (
        f"{_SOURCE_LETTERS} & not_ & {_TOLD_LETTERS}",
        rf"""\bnot{_ADVERBS}[ ]{_TOLD}[ ](?:\w+[ ]){{0,2}}?(?:in|by|from|within|based[ ]on)[ ]{SOURCE}""",
    ),
    (
        f"{_SOURCE_LETTERS} & n't_|n’t_ & {_IS_NOT_LETTERS} & {_TOLD_LETTERS}",
        rf"""\b(?:is|are|was|were)n['’]t{_ADVERBS}[ ]{_TOLD}[ ](?:in|by|from|within)[ ]{SOURCE}""",
    ),
    (
        f"{_SOURCE_LETTERS} & unknown|unspecified|undisclosed|unclear",
        rf"\b(?:unknown|unspecified|undisclosed|unclear)[ ](?:in|by|from|based[ ]on)[ ]{SOURCE}",
    ),
    (
        f"there|it & {_NO_LETTERS} & {_INFORMATION_LETTERS}",
        rf"\b(?:there|it)(?:[ ](?:is|are|was|were)"
        rf"|['’]s)[ ]{_NO}[ ](?:(?!of\b)[\w'-]+[ ]){{0,3}}{_BARE_INFORMATION}{_AS_SUCH}",
    ),
    (
        f"there & n't_|n’t_ & {_INFORMATION_LETTERS}",
        rf"""\bthere[ ](?:is|are|was|were)n['’]t[ ](?:(?:any|enough|sufficient|an?)[ ])?
        (?:(?!of\b)[\w'-]+[ ]){{0,2}}{_BARE_INFORMATION}{_AS_SUCH}""",
    ),
    (
        f"no_ & {_INFORMATION_LETTERS}",
        rf"""^\W*(?:unfortunately,?[ ])?no[ ](?:[\w'-]+[ ]){{0,2}}{_INFORMATION}[ ](?:[\w'-]+[ ]){{0,6}}
        (?:is|are|was|were)[ ]{_TOLD}\b""",
    ),
    (
        f"no_ & {_INFORMATION_LETTERS} & {_SOURCE_LETTERS}",
        rf"""\bno[ ](?:[\w'-]+[ ]){{0,2}}{_INFORMATION}[ ](?:about|on|regarding|for|of)[ ]
        .{{1,80}}[ ](?:in|from|within)[ ]{SOURCE}""",
    ),
    (
        "unable|impossible|not_possible|not_able",
        r"""^\W*(?:unfortunately,?[ ]|sorry,?[ ]|answer:[ ])?(?:unable|impossible|not[ ]possible
        |not[ ]able)[ ]to[ ]
        (?:\w+ly[ ])?(?:answer|find|provide|determine|locate|say|tell|give|confirm|verify|conclude)\b""",
    ),
    ("answered", r"\bcan(?:[ ]?not|['’]t)[ ]be[ ](?:\w+ly[ ])?answered\b"),
    (
        "beyond|outside",
        r"\b(?:beyond|outside)[ ](?:of[ ])?(?:my[ ](?:knowledge|scope|expertise)|the[ ]scope[ ]of[ ](?:this"
        r"|my))\b",
    ),
    (
        "none_of_the",
        rf"""\bnone[ ]of[ ](?:the|these)[ ](?:[\w'-]+[ ]){{0,2}}(?:passages|sources|documents|results
        |excerpts|chunks)
        [ ](?:[\w'-]+[ ])?(?:{_TELLING}|contain|include|provide|give|describe)s?\b""",
    ),
    (f"{_MANUAL_LETTERS} & {_NOT_IT_LETTERS}", rf"{_MANUAL}{_NOT_IT}{_ADVERBS}[ ]{_TELLING}\b"),
    (
        f"{_MANUAL_LETTERS} & _no_",
        rf"""{_MANUAL}[ ](?:makes?|contains?|has|have|gives?|provides?)[ ]no[ ](?:[\w']+[ ]){{0,2}}
        {_INFORMATION}\b""",
    ),
    (
        f"{_MANUAL_LETTERS} & {_IS_NOT_LETTERS}",
        rf"""\b(?:is|are|was|were)(?:[ ]not|n['’]t){_ADVERBS}[ ]{_SAID}[ ](?:\w+[ ]){{0,2}}?(?:in|by|on)
        [ ]{_MANUAL}""",
    ),
    ("nothing", rf"\bnothing[ ](?:[\w'-]+[ ]){{0,3}}?(?:in|within|from|among)[ ](?:{SOURCE}|{_MANUAL})"),
    (
        "nothing",
        rf"""(?:{SOURCE}|{_MANUAL}){_ABOUT}[ ](?:[\w]+ly[ ])?(?:says?|contains?|mentions?|includes?|provides?
        |offers?|tells?[ ](?:me|us|you)|holds?|reveals?|states?)[ ]nothing\b""",
    ),
    (
        f"{_SOURCE_LETTERS} & {_IS_NOT_LETTERS}",
        rf"""\b(?:answer|information|details?|data|it|this|that)\b(?:[ ][\w'-]+){{0,8}}[ ](?:is|are|was|were)
        (?:[ ]not|n['’]t)[ ](?:contained[ ]|to[ ]be[ ]found[ ]|part[ ]of[ ])?(?:in[ ]|within[ ]|among[ ])?
        {SOURCE}""",
    ),
    (
        f"to_me|to_us & {_IS_NOT_LETTERS}",
        r"""\b(?:information|details?|data|that|this|it)[ ](?:is|are)(?:[ ]not|n['’]t)[ ](?:\w+ly[ ])?
        (?:available|accessible|known)[ ]to[ ](?:me|us)\b""",
    ),
    (
        "more_|additional_|further_ & need|require",
        r"""\b(?:I|we)(?:['’]d|['’]ll|[ ]would|[ ]will|[ ]do)?[ ](?:also[ ])?(?:need|require)
        [ ](?:some[ ]|a[ ]bit[ ]|a[ ]little[ ])?(?:more|additional|further)[ ](?:[\w]+[ ])?
        (?:information|context|details?)\b""",
    ),
    ("something", r"(?:\bnot|n['’]t)[ ]something[ ](?:that[ ])?(?:I|we)[ ](?:can|could|am|are|know|have)\b"),
    (
        "missing|absent|omitted",
        rf"""\b(?:is|are|was|were)[ ](?:\w+ly[ ])?(?:missing|absent|omitted)[ ](?:from|in)[ ]{SOURCE}
        (?=\W*$|[,;]|[ ]and[ ])""",
    ),
    (
        f"neither_|no_ & {_SOURCE_LETTERS}",
        rf"""\b(?:neither|no)[ ](?:of[ ](?:the|these)[ ](?:two[ ])?)?(?:[\w-]+[ ])?(?:document|passage|source
        |chunk|excerpt|text|result)s?[ ](?:\w+ly[ ])?(?:specifies|{_TELLING}(?:e?s)?
        |(?:contain|include|provide|give|describe|explain|define)s?)\b""",
    ),
    (
        "search",
        rf"""\bsearch(?:es|[ ]results?)?(?:{_NOT_IT}[ ](?:return|yield|produce|surface|find|turn[ ]up
        |bring[ ]up)\b|[ ](?:returned|yielded|found|produced|brought[ ]up)[ ](?:no|nothing)\b)""",
    ),
    (
        "can_be_",
        r"""\bno[ ](?:[\w-]+[ ])?(?:answer|conclusion|determination)[ ]can[ ]be[ ](?:\w+ly[ ])?
        (?:given|made|provided|drawn|found|derived|determined)\b""",
    ),
    (
        f"i_|i'|i’ & {_NOT_I_LETTERS} & _have_",
        rf"\bI{_NOT_I}[ ]have[ ](?:the|an?|any)[ ](?:exact|specific|precise|detailed|current|up-to-date"
        rf"|real-time|live|latest)\b",
    ),
    (
        "have_no_|unaware_of",
        r"\b(?:I|we)[ ]have[ ]no[ ](?:idea|way[ ]of[ ]knowing|knowledge[ ]of)\b|\bI['’]m[ ]unaware[ ]of\b",
    ),
    (
        "not_related|unrelated",
        rf"""(?:{SOURCE})[ ](?:is|are|seems?|appears?)[ ](?:to[ ]be[ ])?(?:\w+ly[ ])?(?:not[ ]related
        |unrelated)[ ]to[ ](?:the|your|this)[ ](?:question|query|topic)\b""",
    ),
    (
        "beyond|outside",
        rf"""\b(?:goes|falls|lies|is)[ ](?:beyond|outside)[ ](?:what[ ])?(?:the[ ]scope[ ]of[ ])?
        (?:{SOURCE}|{_MANUAL})""",
    ),
    (
        "n/a|na|unknown|unanswerable|cannot|no_|not_|insufficient",
        r"""^\W*(?:n/?a|unknown|unanswerable|cannot[ ]?answer|no[ ]answer(?:[ ]found)?|no[ ]idea|not[ ]sure
        |not[ ](?:found|available|specified|stated|mentioned|provided)
        |(?:insufficient|not[ ]enough)[ ](?:information|context|data)
        |no[ ](?:relevant[ ])?(?:results?|information)(?:[ ](?:was|were))?
            (?:[ ](?:found|available))?)\W*$""",
    ),
)

# Refusals only where the sentence also names the sources or the information at hand: without that,
# "It is unclear who fired first" and "The file cannot be found" are statements.
_ENGLISH_WEAK = (
    r"""\b(?:unable|impossible|not[ ]possible|not[ ]able|difficult|hard)[ ](?:for[ ]me[ ])?to[ ](?:\w+ly[ ])?
        (?:answer|find|provide|determine|locate|say|tell|give|confirm|verify|conclude|ascertain|infer)\b""",
    r"""\b(?:can[ ]?not|can['’]t|could[ ]not|couldn['’]t)[ ]be[ ](?:\w+ly[ ])?
        (?:determined|found|inferred|established|verified|confirmed|ascertained|concluded)\b""",
    r"""\bit(?:[ ](?:is|was|remains)|['’]s)[ ](?:also[ ])?
        (?:unclear|not[ ]clear|not[ ]known|unknown|not[ ]specified|not[ ]stated|not[ ]mentioned
            |uncertain)\b""",
    r"\b(?:insufficient|not[ ]enough|inadequate|limited)[ ](?:information|context|data|evidence|details?)\b",
    rf"\b(?:is|are|was|were)(?:[ ]not|n['’]t){_ADVERBS}[ ]{_TOLD}\W*$",
)

_FLAGS = re.IGNORECASE | re.VERBOSE

REFUSAL = Parts(_ENGLISH, _FLAGS)
#: The same, where `AT_HAND` matches too.
ENGLISH_WEAK = lazy("|".join(f"(?:{pattern})" for pattern in _ENGLISH_WEAK), _FLAGS)
#: Words that name the sources or what they tell.
AT_HAND = lazy(
    rf"""{SOURCE}|\b(?:further|more|additional|provided|given|available|this|the)[ ](?:\w+[ ])?
    (?:information|context|details?)\b|\b(?:information|context|details)[ ](?:provided|given|available
        |here)\b""",
    _FLAGS,
)
#: Words of which every refusal of the patterns here holds one (or one that ends in "n't").
HINT_WORDS = frozenset(
    (
        *("not", "no", "nor", "never", "none", "cannot", "n", "dont", "doesnt", "cant", "unable", "unclear"),
        *("uncertain", "unknown", "unspecified", "undisclosed", "unanswerable", "fails", "fail", "lack"),
        *("lacks", "insufficient", "inadequate", "limited", "impossible", "difficult", "hard", "beyond"),
        *("outside", "silent", "irrelevant", "sorry", "afraid", "apologies", "apologize", "apologise"),
        *("nothing", "neither", "missing", "absent", "omitted", "need", "require", "unrelated"),
        *("unaware",),
        *("nicht", "nichts", "keine", "pas", "aucune", "non", "não", "niet", "geen", "sé"),
    )
)
#: Who does not know, or what is not told: a refusal of more than a few words holds one of these too.
SUBJECT_WORDS = SOURCE_WORDS | frozenset(
    (
        *("i", "i'm", "i've", "we", "we're", "we've", "my", "mention", "detail", "details", "specifics"),
        *(
            "explanation",
            "answer",
            "answered",
            "answers",
            "unable",
            "impossible",
            "possible",
            "able",
            "scope",
        ),
        *("i'd", "i'll", "me", "us", "something", "nothing", "search", "searches", "conclusion", "question"),
        *("handbook", "manual", "guide", "guidelines", "faq", "faqs", "wiki", "help", "website", "web"),
        *("page", "pages", "webpage", "webpages"),
        *("ich", "wir", "kann", "quellen", "quelle", "kontext", "dokumente", "dokumenten", "texte", "texten"),
        *("passagen", "informationen", "angaben", "hinweise", "je", "contexte", "textes", "fuentes"),
        *("documento", "documentos", "contexto", "texto", "textos", "pasajes", "no", "non", "fonti"),
        *("documenti", "contesto", "testo", "passaggi", "não", "ik", "bronnen"),
    )
)
APOLOGY = lazy(
    r"""\W*(?:(?:I['’]m|I[ ]am|we['’]re|we[ ]are)[ ](?:very[ ]|so[ ]|really[ ])?(?:sorry|afraid)
    |sorry|my[ ]apologies|(?:I|we)[ ]apologi[sz]e)(?:[ ](?:for|about|that)[ ]?[^.]{0,80})?\W*$""",
    _FLAGS,
)
#: A part of a refusing sentence that claims nothing: offers, "they only discuss …".
EMPTY_PART = Parts(
    (
        ("please", r"\W*(?:and[ ]|so[ ])?please\b"),
        (
            "i_|we_",
            r""".{0,200}\b(?:I|we)[ ](?:can|could|would|will|may|might|am|are|recommend|suggest|hope
            |apologi[sz]e|only|do)\b(?![ ](?:tell|say|confirm|share|inform|see)\b)""",
        ),
        ("let_me|feel_free", r"\W*(?:let[ ]me|feel[ ]free)\b"),
        (
            "only|solely|mainly|primarily|just|mostly|focus|discuss|cover|talk|about|is_not|are_not",
            rf"""\W*(?:{SOURCE}|they|it)[ ](?:
            (?:only|solely|mainly|primarily|just|mostly)[ ]\w+|focus(?:es)?[ ](?:\w+[ ])?on\b
            |(?:does|do)[ ](?:discuss|cover|focus|talk)\b|(?:is|are)[ ](?:about|only|not|focused|primarily
                |mainly)\b)""",
        ),
        (
            "further|more|additional & research|information|context|detail",
            r".{0,200}\b(?:further|more|additional)[ ](?:research|information|context|details?)\b",
        ),
    ),
    _FLAGS,
)
#: Advice to look elsewhere.
REFERRAL = lazy(
    r"""\W*(?:(?:however|therefore|instead|alternatively|so|for[ ][\w' ]{1,60}|to[ ][\w' ]{1,80}
        |if[ ][^,]{1,100}),?[ ])?(?:and[ ])?(?:
    (?:(?:I|we)(?:['’]d|[ ]would|[ ]can|[ ]could)?[ ](?:recommend|suggest|advise|encourage)[ ]
        |(?:you|one|users?)[ ](?:may|might|could|can|should|would|will|['’]ll)?[ ]?(?:also[ ]|still[ ])?
            (?:(?:want|wish|need|try|have|like)[ ](?:to[ ])?|consider[ ])?
        |please[ ]|(?:try|consider)[ ]
        |it[ ](?:is|would|may|might)[ ](?:be[ ])?(?:best|recommended|advisable|helpful|better|useful
            |necessary)[ ]to[ ]
    )(?:that[ ]you[ ])?(?:directly[ ])?(?:consult|check|contact|refer|visit|look|search|reach|ask|seek
        |speak|talk
        |turn|rephras|clarif|provid|specif|shar|review|verify|explor)(?:e|ing|ying|y)?\b
    | (?:I|we)(?:['’]d|[ ]would|['’]ll|[ ]will|[ ]can|[ ]could)[ ](?:be[ ](?:happy|glad)|help|try|assist
        |offer)\b
    | (?:further|additional|more)[ ](?:\w+[ ]){0,3}(?:is|are|would|may|might)[ ](?:be[ ])?
        (?:needed|required|necessary|helpful)\b
    | (?:consult|contact|refer[ ]to)\b
    )""",
    _FLAGS,
)
