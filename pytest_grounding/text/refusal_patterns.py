"""How answers say that something is not known: English at length, other main languages in short."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_grounding._patterns import lazy
from pytest_grounding.text.attribution import SOURCE, SOURCE_WORDS, may_name_sources

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

_ENGLISH = (
    rf"\bI{_NOT_I}{_ADVERBS}[ ](?:[\w']+[ ]){{0,3}}{_KNOW}\b",
    rf"""\bwe{_NOT_I}{_ADVERBS}[ ](?:know|determine|answer|tell|say|conclude|infer|confirm|find
        |(?:have[ ])?(?:[\w']+[ ]){{0,2}}information|sure|certain)\b""",
    rf"\b(?:I|we)[ ](?:have|found|find|see|had)[ ]{_NO}[ ](?:[\w']+[ ]){{0,2}}{_BARE_INFORMATION}\b",
    rf"\b(?:I|we)[ ]lack[ ](?:[\w']+[ ]){{0,3}}{_BARE_INFORMATION}\b",
    rf"""(?:\b(?:the|these|this|any[ ]of[ ]the|my|your)[ ](?:\w+[ ])?(?:passages?|sources|contexts?|excerpts?
            |chunks?|snippets?|documents|search[ ]results)
        |\b(?:provided|given|retrieved|supplied|available)[ ](?:passages?|sources?|contexts?|texts?|documents?
            |information|articles?|data|material))(?:[ ](?:\d{{1,3}}|provided|given|above))?
        {_NOT_IT}{_ADVERBS}[ ](?:contain|include|provide|give|have|offer|show|list|name|make|identify|define
            |describe)\b""",
    rf"""{SOURCE}{_ABOUT}{_NOT_IT}{_ADVERBS}[ ](?:
        {_TELLING}\b
        |(?:contain|include|provide|give|have|offer|show|list|name|make|identify|define|describe)\b
            (?:(?:[ ][\w'-]+){{0,6}}[ ]{_INFORMATION}\b|(?<=contain)|(?<=provide)))""",
    rf"""{SOURCE}{_ABOUT}[ ](?:
        (?:provides?|contains?|gives?|makes?|offers?|has|have|includes?)[ ](?:no|insufficient|limited)\b
        |lacks?\b
        |(?:is|are)[ ](?:not[ ](?:sufficient|enough|clear|relevant)|insufficient|silent|irrelevant
            |unclear)\b)""",
    rf"""\bnot{_ADVERBS}[ ]{_TOLD}[ ](?:\w+[ ]){{0,2}}?(?:in|by|from|within|based[ ]on)[ ]{SOURCE}""",
    rf"""\b(?:is|are|was|were)n['’]t{_ADVERBS}[ ]{_TOLD}[ ](?:in|by|from|within)[ ]{SOURCE}""",
    rf"\b(?:unknown|unspecified|undisclosed|unclear)[ ](?:in|by|from|based[ ]on)[ ]{SOURCE}",
    rf"\b(?:there|it)(?:[ ](?:is|are|was|were)"
    rf"|['’]s)[ ]{_NO}[ ](?:(?!of\b)[\w'-]+[ ]){{0,3}}{_BARE_INFORMATION}{_AS_SUCH}",
    rf"""\bthere[ ](?:is|are|was|were)n['’]t[ ](?:(?:any|enough|sufficient|an?)[ ])?
        (?:(?!of\b)[\w'-]+[ ]){{0,2}}{_BARE_INFORMATION}{_AS_SUCH}""",
    rf"""^\W*(?:unfortunately,?[ ])?no[ ](?:[\w'-]+[ ]){{0,2}}{_INFORMATION}[ ](?:[\w'-]+[ ]){{0,6}}
        (?:is|are|was|were)[ ]{_TOLD}\b""",
    rf"""\bno[ ](?:[\w'-]+[ ]){{0,2}}{_INFORMATION}[ ](?:about|on|regarding|for|of)[ ]
        .{{1,80}}[ ](?:in|from|within)[ ]{SOURCE}""",
    r"""^\W*(?:unfortunately,?[ ]|sorry,?[ ]|answer:[ ])?(?:unable|impossible|not[ ]possible
        |not[ ]able)[ ]to[ ]
        (?:\w+ly[ ])?(?:answer|find|provide|determine|locate|say|tell|give|confirm|verify|conclude)\b""",
    r"\bcan(?:[ ]?not|['’]t)[ ]be[ ](?:\w+ly[ ])?answered\b",
    r"\b(?:beyond|outside)[ ](?:of[ ])?(?:my[ ](?:knowledge|scope|expertise)|the[ ]scope[ ]of[ ](?:this"
    r"|my))\b",
    rf"""\bnone[ ]of[ ](?:the|these)[ ](?:[\w'-]+[ ]){{0,2}}(?:passages|sources|documents|results
        |excerpts|chunks)
        [ ](?:[\w'-]+[ ])?(?:{_TELLING}|contain|include|provide|give|describe)s?\b""",
    rf"{_MANUAL}{_NOT_IT}{_ADVERBS}[ ]{_TELLING}\b",
    rf"""{_MANUAL}[ ](?:makes?|contains?|has|have|gives?|provides?)[ ]no[ ](?:[\w']+[ ]){{0,2}}
        {_INFORMATION}\b""",
    rf"""\b(?:is|are|was|were)(?:[ ]not|n['’]t){_ADVERBS}[ ]{_SAID}[ ](?:\w+[ ]){{0,2}}?(?:in|by|on)
        [ ]{_MANUAL}""",
    rf"\bnothing[ ](?:[\w'-]+[ ]){{0,3}}?(?:in|within|from|among)[ ](?:{SOURCE}|{_MANUAL})",
    rf"""(?:{SOURCE}|{_MANUAL}){_ABOUT}[ ](?:[\w]+ly[ ])?(?:says?|contains?|mentions?|includes?|provides?
        |offers?|tells?[ ](?:me|us|you)|holds?|reveals?|states?)[ ]nothing\b""",
    rf"""\b(?:answer|information|details?|data|it|this|that)\b(?:[ ][\w'-]+){{0,8}}[ ](?:is|are|was|were)
        (?:[ ]not|n['’]t)[ ](?:contained[ ]|to[ ]be[ ]found[ ]|part[ ]of[ ])?(?:in[ ]|within[ ]|among[ ])?
        {SOURCE}""",
    r"""\b(?:information|details?|data|that|this|it)[ ](?:is|are)(?:[ ]not|n['’]t)[ ](?:\w+ly[ ])?
        (?:available|accessible|known)[ ]to[ ](?:me|us)\b""",
    r"""\b(?:I|we)(?:['’]d|['’]ll|[ ]would|[ ]will|[ ]do)?[ ](?:also[ ])?(?:need|require)
        [ ](?:some[ ]|a[ ]bit[ ]|a[ ]little[ ])?(?:more|additional|further)[ ](?:[\w]+[ ])?
        (?:information|context|details?)\b""",
    r"(?:\bnot|n['’]t)[ ]something[ ](?:that[ ])?(?:I|we)[ ](?:can|could|am|are|know|have)\b",
    rf"""\b(?:is|are|was|were)[ ](?:\w+ly[ ])?(?:missing|absent|omitted)[ ](?:from|in)[ ]{SOURCE}
        (?=\W*$|[,;]|[ ]and[ ])""",
    rf"""\b(?:neither|no)[ ](?:of[ ](?:the|these)[ ](?:two[ ])?)?(?:[\w-]+[ ])?(?:document|passage|source
        |chunk|excerpt|text|result)s?[ ](?:\w+ly[ ])?(?:specifies|{_TELLING}(?:e?s)?
        |(?:contain|include|provide|give|describe|explain|define)s?)\b""",
    rf"""\bsearch(?:es|[ ]results?)?(?:{_NOT_IT}[ ](?:return|yield|produce|surface|find|turn[ ]up
        |bring[ ]up)\b|[ ](?:returned|yielded|found|produced|brought[ ]up)[ ](?:no|nothing)\b)""",
    r"""\bno[ ](?:[\w-]+[ ])?(?:answer|conclusion|determination)[ ]can[ ]be[ ](?:\w+ly[ ])?
        (?:given|made|provided|drawn|found|derived|determined)\b""",
    rf"\bI{_NOT_I}[ ]have[ ](?:the|an?|any)[ ](?:exact|specific|precise|detailed|current|up-to-date|real-time"
    rf"|live|latest)\b",
    r"\b(?:I|we)[ ]have[ ]no[ ](?:idea|way[ ]of[ ]knowing|knowledge[ ]of)\b|\bI['’]m[ ]unaware[ ]of\b",
    rf"""(?:{SOURCE})[ ](?:is|are|seems?|appears?)[ ](?:to[ ]be[ ])?(?:\w+ly[ ])?(?:not[ ]related|unrelated)
        [ ]to[ ](?:the|your|this)[ ](?:question|query|topic)\b""",
    rf"""\b(?:goes|falls|lies|is)[ ](?:beyond|outside)[ ](?:what[ ])?(?:the[ ]scope[ ]of[ ])?
        (?:{SOURCE}|{_MANUAL})""",
    r"""^\W*(?:n/?a|unknown|unanswerable|cannot[ ]?answer|no[ ]answer(?:[ ]found)?|no[ ]idea|not[ ]sure
        |not[ ](?:found|available|specified|stated|mentioned|provided)
        |(?:insufficient|not[ ]enough)[ ](?:information|context|data)
        |no[ ](?:relevant[ ])?(?:results?|information)(?:[ ](?:was|were))?(?:[ ](?:found|available))?)\W*$""",
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

# The short forms of "I do not know" and "the sources do not say".
_OTHER = (
    r"\bich[ ](?:weiß|weiss)[ ](?:\w+[ ]){0,2}nicht\b|\bich[ ](?:habe|finde)[ ](?:\w+[ ]){0,2}keine\b",
    r"\bwei(?:ß|ss)[ ]ich[ ](?:\w+[ ]){0,3}nicht\b|\b(?:ist|sind)[ ]mir[ ](?:\w+[ ]){0,2}nicht[ ]bekannt\b",
    r"\bkann[ ](?:\w+[ ]){0,5}nicht[ ](?:beantworten|beantwortet|sagen|finden)\b",
    r"\b(?:quellen?|kontext|dokumente?n?|texte?n?|passagen)[ ](?:\w+[ ]){0,3}(?:keine|nicht)\b",
    r"\bkeine[ ](?:informationen|angaben|hinweise|information)\b",
    r"\bje[ ]ne[ ](?:sais|peux|trouve|dispose|connais)[ ]pas\b|\bje[ ]n['’]ai[ ](?:pas"
    r"|(?:trouvé[ ])?aucune)\b",
    r"\b(?:sources|documents|passages|contexte|textes?)[ ](?:\w+[ ]){0,3}(?:ne[ ]|n['’])\w+[ ](?:pas"
    r"|aucune?)\b",
    r"\baucune[ ]information\b",
    r"\bno[ ](?:lo[ ]sé|sé\b|tengo[ ](?:\w+[ ]){0,2}(?:información|datos|respuesta))"
    r"|\bno[ ](?:puedo|dispongo|encuentro|encontré|hay)[ ](?:\w+[ ]){0,4}(?:información|respuesta"
    r"|responder|datos)",
    r"\b(?:fuentes|documentos?|contexto|textos?|pasajes)[ ]no[ ](?:\w+[ ])?(?:menciona|dice|especifica"
    r"|contiene|indica"
    r"|proporciona|incluye)n?\b",
    r"\bnon[ ](?:lo[ ]so|so\b|(?:posso|trovo|ho|dispongo)[ ](?:\w+[ ]){0,4}(?:informazioni|rispondere"
    r"|risposta))",
    r"\b(?:fonti|documenti|contesto|testo|passaggi)[ ]non[ ]\w+",
    r"\bnão[ ](?:sei\b|(?:tenho|posso|encontrei|há)[ ](?:\w+[ ]){0,4}(?:informaç\w+|resposta|responder"
    r"|dados))",
    r"\b(?:fontes|documentos|contexto|trechos)[ ]não[ ]\w+",
    r"\bik[ ]weet[ ]het[ ]niet\b|\bik[ ]heb[ ]geen[ ]informatie\b"
    r"|\bde[ ]bronnen[ ]\w+[ ](?:\w+[ ])?(?:niet|geen)\b",
    r"我不知道|无法回答|無法回答|没有(?:提到|提及|相关信息|足够的?信息|说明)|沒有(?:提到|提及|相關)"
    r"|未提及|未提到|(?:未|没有|沒有|不)(?:包含|涉及|提供|给出|給出|找到).{0,8}(?:信息|内容|資訊|資料|资料|答案|说明)"
    r"|抱歉.{0,6}(?:无法|不能|没有)",
    r"わかりません|分かりません|答えられません|お答えできません|情報(?:が|は)(?:ありません"
    r"|見つかりません|ない)"
    r"|記載(?:が|は|されて)(?:ありません|いません|ない)|言及(?:が|は|されて)(?:ありません|いません|いない)",
    r"모르겠습니다|알[ ]수[ ]없(?:습니다|다)|정보가[ ]없(?:습니다|다)|답변할[ ]수[ ]없|언급(?:되지"
    r"|하지)[ ]않|찾을[ ]수[ ]없|(?:언급|명시|기재|기술|포함|나와)(?:되어[ ]|돼[ ]|[ ])?있지[ ]않",
    r"\bя[ ]не[ ](?:знаю|могу[ ]ответить|наш[её]л|располагаю)\b|\bнет[ ](?:\w+[ ]){0,2}"
    r"(?:информации|данных|сведений)\b",
    r"\bв[ ](?:источниках|тексте|контексте|документах)[ ](?:\w+[ ]){0,3}(?:нет|не[ ]\w+)",
    r"(?:ฉัน|ผม|ดิฉัน|เรา)ไม่(?:ทราบ|รู้|มีข้อมูล)|^\W*ไม่(?:ทราบ|รู้)\W*$|ไม่(?:มี|พบ)ข้อมูล(?:เกี่ยวกับ|นี้|ดังกล่าว|เพียงพอ|ใน)"
    r"|ไม่สามารถตอบ|(?:เอกสาร|แหล่งข้อมูล|ข้อความ|บริบท).{0,20}ไม่ได้(?:ระบุ|กล่าวถึง)",
    r"(?:दस्तावे|स्रोत|संदर्भ|पाठ).{0,40}(?:उल्लेख|जानकारी)[ ]नहीं|(?:उत्तर|जवाब)[ ]नहीं[ ](?:दे|बता)[ ]?सक",
    r"मुझे[ ](?:नहीं[ ]पता|पता[ ]नहीं|जानकारी[ ]नहीं)|जानकारी[ ](?:उपलब्ध[ ])?नहीं[ ]है",
    r"لا[ ]أعرف|لا[ ]أعلم|لا[ ](?:توجد|يوجد|تتوفر)[ ](?:لدي(?:نا)?[ ])?(?:\w+[ ])?(?:ال)?معلومات"
    r"|ليس[ ]لدي(?:نا)?[ ](?:\w+[ ])?(?:ال)?معلومات|لم[ ](?:يتم[ ]|يرد[ ])?ذكر.{0,40}"
    r"(?:المستند|المصادر|النص|السياق|الوثائق)"
    r"|لم[ ]يُ?ذكر|لا[ ]يمكنني[ ]الإجابة|لا[ ](?:تذكر"
    r"|تحتوي)[ ]المصادر",
)

_FLAGS = re.IGNORECASE | re.VERBOSE


def _union(patterns: Iterable[str]) -> re.Pattern[str]:
    return lazy("|".join(f"(?:{pattern})" for pattern in patterns), _FLAGS)


_MANUAL_LETTERS = (
    "handbook",
    "manual",
    "guide",
    "documentation",
    "faq",
    "wiki",
    "knowledge",
    "help",
    "web",
    "page",
)
_PLAIN_REFUSAL = _union(pattern for pattern in _ENGLISH if SOURCE not in pattern and _MANUAL not in pattern)
_OF_SOURCES = _union(pattern for pattern in _ENGLISH if SOURCE in pattern and _MANUAL not in pattern)
_OF_MANUALS = _union(pattern for pattern in _ENGLISH if _MANUAL in pattern)


def refuses_in_english(text: str) -> bool:
    """Whether a text holds something that only a refusal, in English, is likely to hold.

    The patterns that name sources are the long ones, and are not tried where no word for a source stands.
    """
    if _PLAIN_REFUSAL.search(text) is not None:
        return True
    sources = may_name_sources(text)
    if sources and _OF_SOURCES.search(text) is not None:
        return True
    folded = text.casefold()
    return (sources or any(letters in folded for letters in _MANUAL_LETTERS)) and (
        _OF_MANUALS.search(text) is not None
    )


#: The same, where `AT_HAND` matches too.
ENGLISH_WEAK = _union(_ENGLISH_WEAK)
#: Words that name the sources or what they tell.
AT_HAND = lazy(
    rf"""{SOURCE}|\b(?:further|more|additional|provided|given|available|this|the)[ ](?:\w+[ ])?
    (?:information|context|details?)\b|\b(?:information|context|details)[ ](?:provided|given|available
        |here)\b""",
    _FLAGS,
)
#: The same for other languages.
OTHER = _union(_OTHER)
#: A character or word without which `OTHER` is unlikely to match.
OTHER_HINT = lazy(
    r"(?i:\bnicht|\bkeine|\bpas\b|\baucune|\bno\b|\bnon\b|\bnão\b|\bniet\b|\bgeen\b)"
    # Letters of other scripts, and those that are one with such a letter where case is ignored. Spelled out:
    # working them out takes the compiler ten milliseconds.
    r"|[\u0400-\uffffKk\u00c5\u00df\u00e5\u023a\u023e\u023f"
    r"\u0240\u0250\u0251\u0252\u025c\u0261\u0265\u0266\u026a\u026b\u026c\u0271\u027d\u0282"
    r"\u0287\u029d\u029e\u0345\u0390\u0399\u03a9\u03b0\u03b9\u03c9]"
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
        *("nicht", "keine", "pas", "aucune", "non", "não", "niet", "geen", "sé"),
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
        *("ich", "kann", "quellen", "quelle", "kontext", "dokumente", "dokumenten", "texte", "texten"),
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
EMPTY_PART = lazy(
    rf"""\W*(?:and[ ]|so[ ])?please\b
    |.{{0,200}}\b(?:I|we)[ ](?:can|could|would|will|may|might|am|are|recommend|suggest|hope|apologi[sz]e
        |only|do)\b
        (?![ ](?:tell|say|confirm|share|inform|see)\b)
    |\W*(?:let[ ]me|feel[ ]free)\b
    |\W*(?:{SOURCE}|they|it)[ ](?:
        (?:only|solely|mainly|primarily|just|mostly)[ ]\w+|focus(?:es)?[ ](?:\w+[ ])?on\b
        |(?:does|do)[ ](?:discuss|cover|focus|talk)\b|(?:is|are)[ ](?:about|only|not|focused|primarily
            |mainly)\b)
    |.{{0,200}}\b(?:further|more|additional)[ ](?:research|information|context|details?)\b""",
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
