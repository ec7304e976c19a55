"""How a sentence denies telling something; what it must not add besides stands in `untold`."""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, lazy

_FLAGS = re.IGNORECASE | re.VERBOSE
_NOT = r"(?:[ ]not|n['’]t|[ ]never|[ ]nowhere)"
_BE = rf"(?:(?:is|are|was|were){_NOT}|(?:has|have|had){_NOT}[ ]been|(?:is|are|was|were)[ ]nowhere)"
_ADVERB = r"(?:[ ](?:\w+ly|really|even|yet|further|at[ ]all|anywhere))?"
#: Said of words alone: what is not mentioned may be so all the same.
_TOLD = r"""(?:mentioned|stated|specified|indicated|discussed|disclosed|quoted|explained|documented
|clarified|detailed
    |spelled[ ]out|spelt[ ]out|touched[ ](?:up)?on|gone[ ]into|elaborated[ ]on|addressed|told|recounted
    |stipulated)"""
#: Said of things too ("lunch is not provided"): only of figures, names and the like.
_LEFT = (
    r"(?:named|listed|given|provided|supplied|included|recorded|shown|available|found|known|identified|noted)"
)
_TELL = r"""(?:mention|say|state|specify|address|discuss|indicate|explain|reveal|clarify|disclose|tell
|quote|document
    |elaborate[ ]on|speak[ ]of|talk[ ]about|touch[ ](?:up)?on|go[ ]into|comment[ ]on|recommend|describe
    |detail)"""
_GIVE = (
    r"(?:give|name|list|contain|include|provide|offer|show|hold|have|identify|cover|supply|record"
    r"|note|quote|cite)"
)
_ASKED = r"(?:who|whom|whose|what|which|when|where|why|how|whether|if)"
_END = (
    rf"(?:[ ](?:here|there|anywhere|at[ ]all|to[ ](?:me|us)|(?:in|by|from|within|among)[ ][^,;]{{1,60}}))?"
    rf"(?=\W*$|[,;]\s|[ ]{_ASKED}\b)"
)
_VALUE = r"""(?:dates?|figures?|numbers?|reasons?|times?|places?|names?|amounts?|prices?|values?|years?
|details?
    |durations?|lists?|instructions?|explanations?|limits?|locations?|lengths?|heights?|widths?|depths?
    |sizes?|weights?
    |costs?|fees?|rates?|sums?|quantit(?:y|ies)|periods?|terms?|ages?|colou?rs?|populations?|speeds?
    |distances?
    |temperatures?|address(?:es)?|authors?|owners?|data|information|statements?|mention|answers?|specifics
    |indications?
    |contents|types?|kinds?|hours|deadlines?|directors?|percentages?|shares?)"""

DENIES = Parts(
    (
        (
            "told|mention|stated|specified|indicated|discussed|disclosed|quoted|explained|documented"
            "|clarified|detailed"
            "|spelled|spelt|touched|gone_into|elaborated|addressed|recounted|stipulated|named|listed",
            rf"\b{_BE}{_ADVERB}[ ](?:{_TOLD}|named|listed){_END}",
        ),
        (
            "given|provided|supplied|recorded|shown|available|found|known|identified|noted|established"
            "|determined|gathered",
            rf"""\b{_VALUE}\b(?:[ ](?:of|for|on|about|to|in)[ ][^,;]{{1,60}}?)?[ ]
         (?:{_BE}|(?:could|can)(?:not|n['’]t|[ ]not)[ ]be){_ADVERB}[ ](?:{_LEFT}|established|determined
         |gathered){_END}""",
        ),
        (
            "be & from",
            r"""\b(?:cannot|can['’]t|could[ ]not|couldn['’]t|can[ ]not)[ ]be[ ](?:\w+ly[ ])?
         (?:gathered|inferred|learn(?:ed|t)|seen|told|read|derived|established|determined)[ ]from\b""",
        ),
        ("nowhere", r"\bnowhere[ ](?:in|among)[ ][^,;]{1,60}?[ ](?:is|are|was|were|do|does|did)[ ]"),
        (
            "unnamed|unsaid|unmentioned|unstated|unspecified|unexplained|undisclosed|unanswered|unknown"
            "|unclear",
            rf"""\b(?:remains?|stays?)[ ](?:unknown|unclear){_END}|\b(?:is|are|was|were|remains?|stays?
            |goes)[ ](?:left[ ])?(?:unsaid|unmentioned|unstated|unspecified
         |unexplained|undisclosed|unanswered|unnamed){_END}""",
        ),
        ("_left_", rf"\b(?:is|are|was|were)[ ]left[ ](?:open|out|unclear){_END}"),
        (
            "leave",
            rf"""\bleaves?[ ](?:(?:the|its|his|her|their|this|that)[ ])?(?:\w+[ ]){{1,3}}?(?:out|open
            |unsaid|unclear){_END}""",
        ),
        (
            "nothing",
            r"""\b(?:says?|states?|mentions?|tells?|contains?|reveals?|holds?|gives?|have|has|had|see|found
            |find)[ ]nothing
         [ ](?:about|on|of|regarding|concerning|as[ ]to)\b""",
        ),
        (
            "no_",
            rf"""\bno[ ](?:[\w'’-]+[ ]){{0,3}}?{_VALUE}[ ](?:[^,;]{{1,50}}?[ ])?(?:is|are|was|were|can[ ]be
            |could[ ]be
         |has[ ]been|have[ ]been)[ ](?:{_LEFT}|{_TOLD}){_END}""",
        ),
        ("no_", rf"\bno[ ](?:[\w'’-]+[ ]){{1,3}}?(?:is|are|was|were)[ ](?:{_TOLD}|named){_END}"),
        (
            "_no_",
            r"\b(?:makes?|made|contains?|is|are|found|find|see|saw|there['’]s)[ ]no[ ](?:mention"
            r"|indication|statement)\b",
        ),
        (
            "without",
            r"""\bwithout[ ](?:ever[ ]|further[ ])?(?:saying|naming|stating|giving|specifying|mentioning
            |telling|explaining
         |disclosing|quoting|detailing|going[ ]into)\b""",
        ),
        (
            "appear|come_up|came_up|comes_up|learn|ends",
            rf"""\b{_VALUE}\b[^,;]{{0,40}}?[ ](?:(?:do|does|did)(?:[ ]not|n['’]t)|never)[ ](?:appear
            |come[ ]up){_END}
         |\b(?:one|we|you|the[ ]reader)[ ](?:do|does)(?:[ ]not|n['’]t)[ ]learn\b""",
        ),
        (
            "part_of",
            r"""\b(?:is|are|was|were)(?:[ ]not|n['’]t)[ ]part[ ]of[ ](?:the|this|my|what)[ ][^,;]{0,20}?
         (?:texts?|context|material|sources?|documents?|passages?|excerpts?)\b""",
        ),
        ("there", r"\b(?:isn['’]t|aren['’]t|is[ ]not|are[ ]not)[ ](?:in[ ])?there(?=\W*$)"),
        ("nothing", r"^\W*nothing[ ](?:was[ ]|is[ ])?(?:found|there|here|in[ ]here|about|on)\b"),
        ("no_way_of", r"\b(?:me|us)[ ]no[ ]way[ ]of[ ](?:knowing|telling)\b"),
        ("i_ & _hand", r"\bI[ ]have[ ]no[ ](?:[\w-]+[ ]){1,3}(?:at|to)[ ]hand\b"),
        (
            "i_ & no",
            rf"""\bI[ ](?:see|find|found|saw|have|know|could[ ]find|can[ ]find|can[ ]see)[ ]
         (?:no[ ]{_VALUE}|no[ ]statement|nothing)\b""",
        ),
        (
            "i_ & verify|say|tell|make_out|find",
            r"""\bI[ ](?:can|could)(?:not|n['’]t|[ ]not)[ ](?:\w+[ ]){0,2}?(?:verify|say|tell|make[ ]out
            |find)\b""",
        ),
        ("position", r"\bI(?:[ ]am|['’]m)[ ]not[ ]in[ ]a[ ]position[ ]to[ ](?:answer|say|tell)\b"),
        (
            "neither|none",
            rf"""\b(?:neither|none)[ ]of[ ](?:the|these|those|them)(?:[ ]\w+)?[ ](?:\w+ly[ ])?(?:{_TELL}
            |{_GIVE}|speaks[ ]of)(?:e?s)?\b""",
        ),
    ),
    _FLAGS,
)
#: Who does not tell: a subject that the question names tells of itself.
SILENT = lazy(
    rf"""(?P<who>^|[,;][ ](?:but|and|as|since|because|while|though|although)?[ ]?)(?P<subject>[^,;]{{1,80}}?)
    (?:(?:[ ](?:do|does)(?:[ ]not|n['’]t)|[ ]fails?[ ]to|[ ]never)(?:[ ]\w+ly)?[ ](?P<tells>{_TELL}|{_GIVE})s?
    |[ ](?:gives?|names?|lists?|contains?|includes?|provides?|offers?|has|have|states?|mentions?|quotes?
    |cites?)
        [ ](?P<none>no)[ ](?P<what>[\w-]+(?:[ ][\w-]+)?))\b""",
    _FLAGS,
)
GIVING = lazy(_GIVE, _FLAGS)
FIGURES = lazy(_VALUE, _FLAGS)
