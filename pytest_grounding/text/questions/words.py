"""Word lists of question analysis: frames, measures, and the nouns that tell what answer is wanted."""

from __future__ import annotations

from pytest_grounding.lexicon import words


def word_set(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())


AUXILIARIES = words("questions", "auxiliaries")

#: Those after which the noun that names the answer may stand.
COPULAS = word_set("is are was were be been")

#: Contracted forms whose first part is a question word.
CONTRACTED = {
    "what's": "what", "whats": "what", "what're": "what", "what'd": "what", "what'll": "what", "wat": "what",
    "who's": "who", "who'd": "who", "who'll": "who", "who're": "who", "who've": "who", "whos": "who",
    "where's": "where", "where'd": "where", "where're": "where", "wheres": "where",
    "when's": "when", "when'd": "when", "when'll": "when", "whens": "when",
    "why's": "why", "why'd": "why", "whys": "why", "how's": "how", "how'd": "how", "hows": "how",
    "which's": "which",
}  # fmt: skip

QUESTION_WORDS = {
    "who": "who", "whom": "who", "whose": "who", "whoever": "who", "what": "what", "whatever": "what",
    "when": "when", "whenever": "when", "where": "where", "wherever": "where", "why": "why", "how": "how",
    "which": "which", "whichever": "which", "whether": "yes_no",
}  # fmt: skip

PREPOSITIONS = word_set("""
    about above across after against along among around as at before behind below between beyond by
    despite during except following for from in inside into like near of off on onto out over per since
    than through throughout to toward towards under until up upon via with within without
""")

#: Words that open a subordinate clause: what follows its comma is the question.
SUBORDINATORS = word_set("""
    if when whenever while once after before because since although though unless until as where given
    assuming suppose supposing considering for in on at with without during under according regarding
    concerning besides apart despite following by from to
""")

#: Openings that carry no question of their own; longest match first.
_OPENINGS = tuple(
    tuple(line.split())
    for line in sorted(
        """please
hi
hello
hey
ok
okay
so
and
but
also
then
well
now
thanks
sorry
yes
no
i mean
i meant
i wonder
i was wondering
i am wondering
i'm wondering
i want to know
i'd like to know
i would like to know
i need to know
i need to find out
i want to find out
i'm trying to find out
i am trying to find out
i'm curious
i am curious
i do not know
i don't know
i have no idea
can you tell me
could you tell me
would you tell me
will you tell me
can you please tell me
could you please tell me
can you explain to me
can you explain
could you explain
could you please explain
can you please explain
can you describe
could you describe
can you show me
could you show me
show me
can you remind me
could you remind me
remind me
can you say
can you let me know
let me know
can anyone tell me
does anyone know
does anybody know
do you know
do you happen to know
do you have any idea
any idea
tell me
tell us
explain to me
help me understand
please help me understand
out of curiosity
just curious
quick question""".splitlines(),
        key=lambda line: -len(line.split()),
    )
)

#: The same by their first word.
OPENINGS: dict[str, tuple[tuple[str, ...], ...]] = {
    first: tuple(opening for opening in _OPENINGS if opening[0] == first)
    for first in sorted({opening[0] for opening in _OPENINGS})
}

#: Imperatives that ask for a thing; a question word right after them decides instead.
IMPERATIVES = word_set("""
    name list give identify state define describe explain summarize summarise outline compare find
    discuss enumerate specify mention provide suggest recommend share cite tell show
""")

#: "how" + one of these asks for an amount; the value is the kind of measure.
HOW_MEASURES = {
    "many": "count", "much": "amount", "long": "duration", "often": "frequency", "frequently": "frequency",
    "far": "distance", "old": "duration", "tall": "length", "big": "size", "large": "size", "fast": "speed",
    "high": "length", "deep": "length", "wide": "length", "heavy": "weight", "quickly": "duration",
    "expensive": "money", "cheap": "money", "hot": "temperature", "cold": "temperature",
    "warm": "temperature",
    "thick": "length", "short": "length", "small": "size", "close": "distance", "likely": "percent",
    "loud": "amount", "bright": "amount", "rapidly": "speed", "young": "duration", "few": "count",
    "strong": "amount", "steep": "amount", "common": "amount",
}  # fmt: skip

#: "how" + one of these asks for a point in time.
HOW_TIMES = frozenset(["soon", "late", "early", "recently"])


def _table(**groups: str) -> dict[str, str]:
    return {word: group for group, words in groups.items() for word in words.split()}


#: Head noun after what/which/name -> expected type; a colon adds the kind of measure.
FOCUS_TYPES: dict[str, str] = {
    noun: kind.replace("_", ":", 1)
    for noun, kind in _table(
        date="""year years date dates day days month months deadline decade century time times season birthday
            anniversary weekday hour hours week schedule era""",
        location="""city cities country countries town towns place places state states location locations
            address continent region island village capital province county street site venue headquarters
            birthplace airport river building hometown destination planet nation room floor district
            neighborhood neighbourhood territory ocean sea lake mountain valley desert island county""",
        person="""person people author authors founder founders ceo president inventor inventors director
            directors king queen scientist scientists artist artists actor actress player players minister
            owner owners manager winner winners writer painter composer architect explorer physicist chemist
            engineer astronaut leader mathematician singer emperor chancellor mayor governor judge coach
            captain pope discoverer creator creators musician poet philosopher novelist psychologist
            biologist cto cfo chairman chairwoman chairperson politician boss husband wife father mother
            landlord tenant teacher doctor nurse lawyer spouse maintainer member members contact
            team organisation organization company department supervisor chairperson professor""",
        reason="reason reasons cause causes purpose rationale motivation motive",
        method="""way ways method methods procedure procedures process steps step approach instructions
            technique techniques recipe strategy workaround fix""",
        quantity_money="""price prices cost costs fee fees salary budget revenue revenues profit turnover rent
            fare premium deductible income wage wages gdp charge deposit penalty fine surcharge""",
        quantity_percent="percentage percent proportion share fraction probability likelihood ratio odds",
        quantity_count="number count population quantity headcount attendance",
        quantity_duration="""duration age lifespan timeout lifetime length-of-stay half-life retention latency
            timeframe period term""",
        quantity_temperature="temperature temperatures",
        quantity_speed="speed velocity pace",
        quantity_length="height width depth length thickness diameter radius altitude elevation",
        quantity_distance="distance range",
        quantity_weight="weight mass",
        quantity_size="size capacity area volume resolution memory storage",
        quantity_amount="""amount rate limit maximum minimum quota threshold score total average level dose
            dosage interest yield voltage pressure density frequency bandwidth throughput max min wattage
            calories mileage discount bonus magnitude""",
    ).items()
    for noun in [noun]
}

#: Before "time", these make it a length of time.
TIME_MODIFIERS = word_set(
    "response delivery processing waiting wait lead cooking travel flight running loading turnaround "
    "recovery charging reaction preparation prep drying setup lag half-life gestation"
)

#: Verbs after "what ..." that say what kind of answer is wanted.
FOCUS_VERBS = {"causes": "reason", "caused": "reason", "makes": "reason", "made": "reason", "cause": "reason"}

#: Words that can be the subject right after an auxiliary or at the start of a statement.
SUBJECTS = word_set("""
    i you he she it we they there this that these those one anyone anybody someone somebody everyone the
    a an my your our their his her its any all employees users customers people
""")

#: Subjects that open a declarative question ("you offer refunds?"), and those of an inversion.
PRONOUN_SUBJECTS = word_set("i you he she it we they there this that these those")
#: "can you" before one of these is politeness.
REQUESTS = (
    "can you",
    "could you",
    "would you",
    "will you",
    "can you please",
    "could you please",
    "would you please",
)

#: Nouns that an answer of the expected kind says by itself: "29 euros" is a price without the word.
IMPLIED = word_set(
    """
    price prices cost costs fee fees pay charge paid spend earn year years date dates day days time
    times month months decade century percentage percent share proportion number amount quantity count
    temperature age height width depth length distance weight mass size speed altitude elevation
    diameter duration capacity city cities country countries town place location state continent address
    people person persons name names difference differences thing way ways reason reasons cause causes
    purpose tall long high wide heavy big old fast far takes lasts last hours minutes weeks seconds
    dollars euros miles kilometers kilometres meters metres money rate total level value detail details
    information info overview example examples
    """
)

#: Who does it, in a question of how to do it.
DOERS = word_set("i you we one they he she users customers employees people students")

#: Nouns that stand for anybody.
GENERIC = word_set("person people someone others customers users everyone")

#: Words that stand for what the part before named.
PRONOUNS = word_set("it its they them their he him his she her this that these those")

#: Words that never follow the auxiliary of a question: "Will of ...", "May and June".
NOT_SUBJECTS = word_set("of and or to from with for")

#: Verbs that make an amount one of money.
MONEY_VERBS = word_set("cost costs pay paid pays charge charged charges earn earns spend spent owe sell")

#: "how many/much" + unit: the measure.
COUNT_UNITS = {
    **dict.fromkeys(word_set("days weeks months years hours minutes seconds nights"), "duration"),
    **dict.fromkeys(word_set("dollars euros pounds cents yen money"), "money"),
    **dict.fromkeys(word_set("miles kilometers kilometres meters metres feet inches yards km"), "distance"),
    **dict.fromkeys(word_set("percent percentage"), "percent"),
    **dict.fromkeys(word_set("degrees"), "temperature"),
    "times": "frequency",
}

#: "what ... NOUN" heads that say nothing themselves: the noun after their "of" decides.
EMPTY_HEADS = frozenset(
    ["name", "names", "kind", "kinds", "type", "types", "sort", "sorts", "title", "identity"]
)

#: Words of a question that are no content: function words, and the verbs of asking.
FUNCTION_WORDS = (
    AUXILIARIES
    | PREPOSITIONS
    | frozenset(QUESTION_WORDS)
    | frozenset(CONTRACTED)
    | word_set("""
        a an the this that these those i me my mine we us our ours you your yours he him his she her
        hers it its they them their theirs there here and or but nor so yet if then else not no any some
        all each every both either neither one ones such same other another own very too also just only
        even still much many more most less least few being been doing having get gets got getting
        please exactly actually really currently ever usually normally generally typically someone
        somebody anyone anybody something anything everything nothing thing things way ways many me
        about upon let us because while although though unless i'm i'd i've i'll you're you'd we're we'd
        they're it's that's there's let's tell explain describe name list give mean means kind kinds
        type types sort sorts going go want wants need needs take takes possible
    """)
)
