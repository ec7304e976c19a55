"""The words of refusals: who does not know, what is not told, and in what."""

from __future__ import annotations

from pytest_grounding.text.attribution import SOURCE_LETTERS as _LETTERS_OF_SOURCES

ADVERBS = r"""(?:[ ](?:actually|really|currently|yet|explicitly|specifically|directly|clearly|fully|always
    |seem[ ]to|appear[ ]to|even|definitively|accurately|necessarily|readily|exactly|have|any|enough
    |sufficient)){0,3}"""
NOT_I = r"""(?:
    [ ](?:do|does|did|can|could|was|were|am|are|have)(?:[ ]not|n['’]?t) | [ ]cannot | [ ]can['’]?t
    | (?:['’]m|['’]re|['’]ve|[ ]am|[ ]was|[ ]are|[ ]were)[ ](?:not(?:[ ]able[ ]to)?|unable[ ]to)
)"""
KNOW = r"""(?:know|find|see|answer|provide|determine|tell|say|give|access|locate|confirm|help|assist|sure
    |certain|aware|familiar|information|knowledge|data|details?|context|verify|offer|respond|identify
    |comment|answers?|infer|conclude|discern|come[ ]across)"""
NOT_IT = r"(?:[ ](?:do|does|did)(?:[ ]not|n['’]?t)|[ ]fails?[ ]to|[ ]never|[ ]cannot|[ ]can['’]?t)"
TELLING = r"""(?:mention|say|state|specify|address|answer|cover|discuss|indicate|explain|reveal|clarify
    |detail|talk[ ]about|tell|touch[ ]on|disclose|outline|refer[ ]to|elaborate|make[ ](?:any[ ])?mention
    |go[ ]into[ ](?:\w+[ ])?(?:details?|depth|specifics))"""
TOLD = r"""(?:mentioned|stated|specified|provided|given|included|addressed|covered|discussed|known
    |available|described|explained|found|listed|defined|indicated|disclosed|detailed|present|contained
    |named|answered|clear|determined|identified|outlined|clarified|referenced|shown)"""
NO = r"(?:no(?:[ ]further)?|not[ ](?:enough|any|sufficient|a)|insufficient|limited)"
INFORMATION = r"""(?:information|mention|details?|data|answers?|evidence|reference|context|indication
    |explanation|specifics|record|passages?|sources?|documents?)"""
ABOUT = r"(?:[ ](?:about|on|for|regarding|here)(?:[ ][\w'-]+){1,8})?"

# What people retrieve from by name. They are no words for the sources as such, so "the guide does not
# include a map" stays a statement; only what is not *said* in them is a refusal.
MANUAL = r"""(?:(?:the|this|our|your|any)[ ](?:[\w-]+[ ]){0,2}(?:handbook|manual|guide|guidelines
    |documentation|faqs?|wiki|knowledge[ ]base|help[ ](?:center|centre|pages?)|web[ ]?(?:site|pages?)
    |pages?)\b)"""
#: Text that somebody holds: "the sections I have", "the pages that I was given".
HELD = r"""(?:\b(?:the|these|any[ ]of[ ]the|all[ ]the)[ ](?:[\w-]+[ ]){0,2}(?:sections?|pages?
    |parts?|extracts?|texts?|excerpts?|passages?|materials?|documents?|files?)[ ](?:that[ ])?(?:
    (?:I|we)(?:[ ](?:have|had|got|was[ ]given|were[ ]given|can[ ]see|could[ ](?:see|find)|found
        |looked[ ]at)|['’]ve[ ](?:got|seen|found|been[ ]given))
    |you[ ](?:gave|sent|showed)[ ]me)\b(?:[ ]here)?)"""
_PART = r"sections?|chapters?|tables?|lists?|entr(?:y|ies)"
#: A part of what is retrieved.
PART = rf"(?:\b(?:the|this|these|those|our|your)[ ](?:[\w-]+[ ]){{0,3}}(?:{_PART})\b)"
#: The same and what may be the matter itself: "the policy does not mention hail" is a statement about it.
RULES = rf"""(?:\b(?:the|this|these|those|our|your)[ ](?:[\w-]+[ ]){{0,3}}(?:{_PART}|clauses?|polic(?:y|ies)
    |notes?)\b)"""
ASKED = r"(?:who|whom|whose|what|which|when|where|why|how|whether|if|much)"
SAID = r"""(?:mentioned|stated|specified|indicated|addressed|discussed|described|explained|documented
    |disclosed|detailed|clarified)"""

# What "no information" must be followed by: "no data cap" is no refusal.
AS_SUCH = r"""(?=\W*$|[.,;)]|[ ](?:about|on|regarding|concerning|for|of|in|available|provided|given|that|to
    |here|from|as[ ]to|related|within|whether|beyond|was|is|were|are)\b)"""
BARE_INFORMATION = r"(?:information|mention|details?|data|specifics|context|explanation|answers?)"

# Letters that a part needs (`Parts`) stand before its pattern, so that few processes compile the long ones.
NOT_I_LETTERS = "not|n't|n’t|nt_|unable"
NOT_IT_LETTERS = (
    "do_not|does_not|did_not|don't|doesn't|didn't|don’t|doesn’t|didn’t|dont_|doesnt_|didnt_|fail|never|cannot"
    "|can't|can’t|cant_"
)
IS_NOT_LETTERS = "is_not|are_not|was_not|were_not|isn't|aren't|wasn't|weren't|isn’t|aren’t|wasn’t|weren’t"
TOLD_LETTERS = (
    "mention|stated|specified|provided|given|included|addressed|covered|discussed|known|available|described"
    "|explained|found|listed|defined|indicated|disclosed|detailed|present|contained|named|answered|clear"
    "|determined|identified|outlined|clarified|referenced|shown"
)
SILENT_LETTERS = (
    "provide_no|provides_no|contain_no|contains_no|give_no|gives_no|make_no|makes_no|offer_no|offers_no|has_no"
    "|have_no|include_no|includes_no|not_sufficient|not_enough|not_clear|not_relevant|insufficient|limited|lack"
    "|silent|irrelevant|unclear"
)
NO_LETTERS = "_no_|not_enough|not_any|not_sufficient|not_a_|insufficient|limited"
INFORMATION_LETTERS = (
    "information|mention|detail|data|answer|evidence|reference|context|indication|explanation|specifics|record"
    "|passage|source|document"
)
SOURCE_LETTERS = "|".join(_LETTERS_OF_SOURCES)
MANUAL_LETTERS = "handbook|manual|guide|documentation|faq|wiki|knowledge|help|web|page"
