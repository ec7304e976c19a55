"""How answers say that something is not known: English at length, other main languages in short."""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, lazy
from pytest_grounding.text.attribution import SOURCE, SOURCE_WORDS
from pytest_grounding.text.refusal_words import (
    ABOUT,
    ADVERBS,
    AS_SUCH,
    ASKED,
    BARE_INFORMATION,
    HELD,
    INFORMATION,
    INFORMATION_LETTERS,
    IS_NOT_LETTERS,
    KNOW,
    MANUAL,
    MANUAL_LETTERS,
    NO,
    NO_LETTERS,
    NOT_I,
    NOT_I_LETTERS,
    NOT_IT,
    NOT_IT_LETTERS,
    PART,
    RULES,
    SAID,
    SILENT_LETTERS,
    SOURCE_LETTERS,
    TELLING,
    TOLD,
    TOLD_LETTERS,
)

# What is not told in a part of the sources, what would have to be known, and who does not want to guess.
_MORE = (
    (
        f"section|chapter|table|list|entr|clause|polic|note & {NOT_IT_LETTERS}",
        rf"""{RULES}{ABOUT}{NOT_IT}{ADVERBS}[ ](?:say|state|specify|mention|tell|indicate|explain|clarify)
        [ ](?:(?:me|us|you)[ ])?{ASKED}\b""",
    ),
    (
        "section|chapter|table|list|entr & nothing",
        rf"{PART}{ABOUT}[ ](?:says?|mentions?|states?)[ ]nothing[ ](?:about|on)\b",
    ),
    (
        f"_i_|_i'|_i’|_we_|_we'|_we’|_you_ & {NOT_IT_LETTERS}",
        rf"{HELD}{NOT_IT}{ADVERBS}[ ](?:{TELLING}\b|go[ ]into\b"
        rf"|(?:contain|include|provide|give)[ ]{INFORMATION}\b)",
    ),
    (
        "_i_|_i'|_i’|_we_|_we'|_we’|_you_ & nothing|silent",
        rf"{HELD}[ ](?:(?:says?|mentions?|states?|contains?)[ ]nothing|(?:is|are)[ ]silent)\b",
    ),
    (
        "n't|n’t|not_|never & found|seen",
        rf"""\b(?:I|we)(?:[ ]have(?:[ ]not|n['’]t)|['’]ve[ ]not)[ ](?:found|seen)[ ]
        (?:it|this|that|one|any|anything|an[ ]answer)\b(?:[ ][\w'-]+){{0,3}}[ ](?:in|among)
        [ ](?:{SOURCE}|{HELD}|{MANUAL})""",
    ),
    (
        "guess|speculat",
        r"""\b(?:I|we)(?:['’]d[ ]rather[ ]not|[ ]would[ ]rather[ ]not|[ ]prefer[ ]not[ ]to
        |[ ](?:do[ ]not|don['’]t)[ ]want[ ]to
        |[ ]will[ ]not|[ ]won['’]t|['’]d[ ](?:only[ ]|just[ ])?be|[ ]would[ ](?:only[ ]|just[ ])?be)
        [ ](?:guess|speculat)(?:e|ing)?\b(?![ ]that\b)""",
    ),
    (
        "need_more_than_ & _to_",
        r"""\b(?:I|we)(?:['’]d|['’]ll|[ ]would|[ ]will)?[ ]need
        [ ]more[ ]than[ ](?:these|this|those|the|that|my|what)\b(?:[ ][\w'-]+){0,6}?
        [ ]to[ ](?:\w+ly[ ])?(?:answer|tell|say|confirm|judge|know)\b(?![ ](?:you[ ])?that\b)""",
    ),
    (
        "nothing_",
        r"""\bnothing[ ](?:that[ ])?(?:I|we)(?:[ ](?:have|was[ ]given|were[ ]given|can[ ]see|found)
        |['’]ve[ ](?:got|seen|found|been[ ]given))[ ](?:here[ ])?
        (?:says|covers|mentions|states|explains|tells|answers|addresses|describes)\b""",
    ),
    (
        "leave & open",
        rf"""(?:{SOURCE}|{HELD}|{MANUAL}|{PART})[ ]leaves?[ ](?:this|that|it|the[ ]\w+)[ ](?:point[ ])?
        open\b""",
    ),
    (
        "for_me_to_|for_us_to_",
        r"""\b(?:not[ ]possible|impossible)[ ]for[ ](?:me|us)[ ]to[ ](?:\w+ly[ ])?(?:answer|say|tell|confirm
        |determine|know|verify)\b(?![ ](?:you[ ])?that\b)""",
    ),
)
_ENGLISH = (
    (f"i_|i'|i’ & {NOT_I_LETTERS}", rf"\bI{NOT_I}{ADVERBS}[ ](?:[\w']+[ ]){{0,3}}{KNOW}\b"),
    (
        f"we_|we'|we’ & {NOT_I_LETTERS}",
        rf"""\bwe{NOT_I}{ADVERBS}[ ](?:know|determine|answer|tell|say|conclude|infer|confirm|find
        |(?:have[ ])?(?:[\w']+[ ]){{0,2}}information|sure|certain)\b""",
    ),
    (
        f"i_|we_ & {NO_LETTERS}",
        rf"\b(?:I|we)[ ](?:have|found|find|see|had)[ ]{NO}[ ](?:[\w']+[ ]){{0,2}}{BARE_INFORMATION}\b",
    ),
    ("lack", rf"\b(?:I|we)[ ]lack[ ](?:[\w']+[ ]){{0,3}}{BARE_INFORMATION}\b"),
    (
        f"{SOURCE_LETTERS} & {NOT_IT_LETTERS}",
        rf"""(?:\b(?:the|these|this|any[ ]of[ ]the|my|your)[ ](?:\w+[ ])?(?:passages?|sources|contexts?
            |excerpts?|chunks?|snippets?|documents|search[ ]results)
        |\b(?:provided|given|retrieved|supplied|available)[ ](?:passages?|sources?|contexts?|texts?|documents?
            |information|articles?|data|material))(?:[ ](?:\d{{1,3}}|provided|given|above))?
        {NOT_IT}{ADVERBS}[ ](?:contain|include|provide|give|have|offer|show|list|name|make|identify|define
            |describe)\b""",
    ),
    (
        f"{SOURCE_LETTERS} & {NOT_IT_LETTERS}",
        rf"""{SOURCE}{ABOUT}{NOT_IT}{ADVERBS}[ ](?:
        {TELLING}\b
        |(?:contain|include|provide|give|have|offer|show|list|name|make|identify|define|describe)\b
            (?:(?:[ ][\w'-]+){{0,6}}[ ]{INFORMATION}\b|(?<=contain)|(?<=provide)))""",
    ),
    (
        f"{SOURCE_LETTERS} & {SILENT_LETTERS}",
        rf"""{SOURCE}{ABOUT}[ ](?:
        (?:provides?|contains?|gives?|makes?|offers?|has|have|includes?)[ ](?:no|insufficient|limited)\b
        |lacks?\b
        |(?:is|are)[ ](?:not[ ](?:sufficient|enough|clear|relevant)|insufficient|silent|irrelevant
            |unclear)\b)""",
    ),
    (
        f"{SOURCE_LETTERS} & not_ & {TOLD_LETTERS}",
        rf"""\bnot{ADVERBS}[ ]{TOLD}[ ](?:\w+[ ]){{0,2}}?(?:in|by|from|within|based[ ]on)[ ]{SOURCE}""",
    ),
    (
        f"{SOURCE_LETTERS} & n't_|n’t_ & {IS_NOT_LETTERS} & {TOLD_LETTERS}",
        rf"""\b(?:is|are|was|were)n['’]t{ADVERBS}[ ]{TOLD}[ ](?:in|by|from|within)[ ]{SOURCE}""",
    ),
    (
        f"{SOURCE_LETTERS} & unknown|unspecified|undisclosed|unclear",
        rf"\b(?:unknown|unspecified|undisclosed|unclear)[ ](?:in|by|from|based[ ]on)[ ]{SOURCE}",
    ),
    (
        f"there|it & {NO_LETTERS} & {INFORMATION_LETTERS}",
        rf"\b(?:there|it)(?:[ ](?:is|are|was|were)"
        rf"|['’]s)[ ]{NO}[ ](?:(?!of\b)[\w'-]+[ ]){{0,3}}{BARE_INFORMATION}{AS_SUCH}",
    ),
    (
        f"there & n't_|n’t_ & {INFORMATION_LETTERS}",
        rf"""\bthere[ ](?:is|are|was|were)n['’]t[ ](?:(?:any|enough|sufficient|an?)[ ])?
        (?:(?!of\b)[\w'-]+[ ]){{0,2}}{BARE_INFORMATION}{AS_SUCH}""",
    ),
    (
        f"no_ & {INFORMATION_LETTERS}",
        rf"""^\W*(?:unfortunately,?[ ])?no[ ](?:[\w'-]+[ ]){{0,2}}{INFORMATION}[ ](?:[\w'-]+[ ]){{0,6}}
        (?:is|are|was|were)[ ]{TOLD}\b""",
    ),
    (
        f"no_ & {INFORMATION_LETTERS} & {SOURCE_LETTERS}",
        rf"""\bno[ ](?:[\w'-]+[ ]){{0,2}}{INFORMATION}[ ](?:about|on|regarding|for|of)[ ]
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
        [ ](?:[\w'-]+[ ])?(?:{TELLING}|contain|include|provide|give|describe)s?\b""",
    ),
    (f"{MANUAL_LETTERS} & {NOT_IT_LETTERS}", rf"{MANUAL}{NOT_IT}{ADVERBS}[ ]{TELLING}\b"),
    (
        f"{MANUAL_LETTERS} & _no_",
        rf"""{MANUAL}[ ](?:makes?|contains?|has|have|gives?|provides?)[ ]no[ ](?:[\w']+[ ]){{0,2}}
        {INFORMATION}\b""",
    ),
    (
        f"{MANUAL_LETTERS} & {IS_NOT_LETTERS}",
        rf"""\b(?:is|are|was|were)(?:[ ]not|n['’]t){ADVERBS}[ ]{SAID}[ ](?:\w+[ ]){{0,2}}?(?:in|by|on)
        [ ]{MANUAL}""",
    ),
    ("nothing", rf"\bnothing[ ](?:[\w'-]+[ ]){{0,3}}?(?:in|within|from|among)[ ](?:{SOURCE}|{MANUAL})"),
    (
        "nothing",
        rf"""(?:{SOURCE}|{MANUAL}){ABOUT}[ ](?:[\w]+ly[ ])?(?:says?|contains?|mentions?|includes?|provides?
        |offers?|tells?[ ](?:me|us|you)|holds?|reveals?|states?)[ ]nothing\b""",
    ),
    (
        f"{SOURCE_LETTERS} & {IS_NOT_LETTERS}",
        rf"""\b(?:answer|information|details?|data|it|this|that|rest|topic|question)\b
        (?:[ ][\w'-]+){{0,8}}[ ](?:is|are|was|were)
        (?:[ ]not|n['’]t)[ ](?:contained[ ]|to[ ]be[ ]found[ ]|part[ ]of[ ])?(?:in[ ]|within[ ]|among[ ])?
        {SOURCE}""",
    ),
    (
        f"to_me|to_us & {IS_NOT_LETTERS}",
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
        f"neither_|no_ & {SOURCE_LETTERS}",
        rf"""\b(?:neither|no)[ ](?:of[ ](?:the|these)[ ](?:two[ ])?)?(?:[\w-]+[ ])?(?:document|passage|source
        |chunk|excerpt|text|result)s?[ ](?:\w+ly[ ])?(?:specifies|{TELLING}(?:e?s)?
        |(?:contain|include|provide|give|describe|explain|define)s?)\b""",
    ),
    (
        "search",
        rf"""\bsearch(?:es|[ ]results?)?(?:{NOT_IT}[ ](?:return|yield|produce|surface|find|turn[ ]up
        |bring[ ]up)\b|[ ](?:returned|yielded|found|produced|brought[ ]up)[ ](?:no|nothing)\b)""",
    ),
    (
        "can_be_",
        r"""\bno[ ](?:[\w-]+[ ])?(?:answer|conclusion|determination)[ ]can[ ]be[ ](?:\w+ly[ ])?
        (?:given|made|provided|drawn|found|derived|determined)\b""",
    ),
    (
        f"i_|i'|i’ & {NOT_I_LETTERS} & _have_",
        rf"\bI{NOT_I}[ ]have[ ](?:the|an?|any)[ ](?:exact|specific|precise|detailed|current|up-to-date"
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
        (?:{SOURCE}|{MANUAL})""",
    ),
    *_MORE,
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
    rf"\b(?:is|are|was|were)(?:[ ]not|n['’]t){ADVERBS}[ ]{TOLD}\W*$",
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
        *("unaware", "guess", "guessing", "speculate", "speculating", "open"),
        *("nicht", "nichts", "keine", "pas", "aucune", "non", "não", "niet", "geen", "sé"),
        *("inte", "ikke", "nie", "brak", "yok"),
        *("bilmiyorum", "nem", "nincs"),
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
        *("page", "pages", "webpage", "webpages", "section", "sections", "chapter", "chapters", "table"),
        *("tables", "list", "lists", "entry", "entries", "clause", "clauses", "policy", "policies", "note"),
        *("notes", "extract", "extracts", "part", "parts", "file", "files"),
        *("ich", "wir", "kann", "quellen", "quelle", "kontext", "dokumente", "dokumenten", "texte", "texten"),
        *("passagen", "informationen", "angaben", "hinweise", "je", "contexte", "textes", "fuentes"),
        *("documento", "documentos", "contexto", "texto", "textos", "pasajes", "no", "non", "fonti"),
        *("documenti", "contesto", "testo", "passaggi", "não", "ik", "bronnen"),
        *("documenten", "tekst", "jag", "jeg"),
        *("informacji", "cette", "questo", "questa"),
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
