"""The words that faults are planted with. Written for planting; the engine detects with other tables."""

from __future__ import annotations

from itertools import product

MONTHS = tuple(
    "January February March April May June July August September October November December".split()
)
WEEKDAYS = tuple("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())

#: Number words that are rarely anything but numbers ("one" often is).
SPELLED_NUMBERS: dict[str, int] = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip

#: Ring by ring: each unit becomes the next of its ring, never its own synonym.
_UNIT_RINGS = """
seconds minutes hours days weeks months years decades
second minute hour day week month year decade
milligrams grams kilograms
mg g kg
mm cm m km
millimeters centimeters meters kilometers
millimetres centimetres metres kilometres
inches feet yards miles
inch foot yard mile
ounces pounds tons
ounce pound ton
teaspoons tablespoons cups gallons
teaspoon tablespoon cup gallon
milliliters liters
ml litres
dollars euros rupees
percent dollars
calories joules
mph knots
volts amps watts
MB GB TB
bar volts
""".strip().splitlines()
UNIT_SWAPS: dict[str, str] = {
    old: new
    for ring in _UNIT_RINGS
    for old, new in zip(ring.split(), [*ring.split()[1:], ring.split()[0]], strict=True)
    if old != new
} | {"kilograms": "milligrams", "volts": "amps", "degrees": "percent"}

#: Names that no real person, place or firm is known by.
INVENTED_SINGLE = tuple(
    "Varnholt Quistara Ostrellin Pellworth Dagmora Trisbane Ulvendal Corvessa Lindermoor Hesperax "
    "Brankovic-Sule Mirelund Tolvessen Jastrow-Kemp Ravendry Sundelius".split()
)
INVENTED_GIVEN = tuple("Ottoline Casimir Hedwig Torvald Philippa Anselm Ludmila Barnaby".split())
INVENTED_ACRONYMS = tuple("QVX ZKR WUJ XQB JVH".split())
#: Last words that say what kind of thing a name names; they stay when its other words change.
KIND_WORDS = frozenset(
    "University College Institute School Hospital Company Corporation Inc Group Bank "
    "Foundation Society Museum "
    "Observatory Library River Lake County City Park Island Islands Mountains Mountain Valley "
    "Street Avenue "
    "Act Award Prize Party Church Association Agency Department Ministry Center Centre".split()
)
#: Words that are written large and name nothing a fault could be planted into.
NO_NAMES = frozenset(
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun "
    "Fahrenheit Celsius Make Change Put Choose Click Select Open Enter Type Press Sunny "
    "Him Her Us Them Me One Two Three Four Five Six Seven Eight Nine Ten None True False I The A "
    "An In On At Of For And Or But If It This That These Those He She They We You "
    "Your Our My His Her "
    "Its Their There Here When While However According Based Yes No Not Also As By From To "
    "With Without After "
    "Before During Since Until Passage Passages Source Sources Step Steps Chapter Section "
    "Table Figure Note "
    "Answer Question Document Documents Page Tip Example Part Article Mr Mrs Ms Dr Internet "
    "Web PDF FAQ OK Some "
    "Many Most All Each Every Both Other Others Additionally Finally First Second Third Next "
    "Then Once Overall "
    "Therefore Thus English French German Spanish Italian Chinese Japanese Dutch Latin Greek "
    "Christmas Easter".split()
) | frozenset(MONTHS) | frozenset(WEEKDAYS)  # fmt: skip

#: Each word becomes a word that denies it. Only words with one common reading stand here.
_ANTONYM_LINES = """
safe hazardous; unsafe harmless; dangerous harmless; harmful wholesome; healthy harmful; beneficial harmful
hot cold; warm cold; cold hot; cool hot; dry wet; wet dry; large small; larger smaller; largest smallest
small large; smaller larger; smallest largest; big small; bigger smaller; huge tiny; high low; higher lower
highest lowest; low high; lower higher; lowest highest; long short; longer shorter; longest shortest
strong weak; stronger weaker; weak strong; rich poor; easy difficult; easier harder
difficult easy; simple complicated; complex simple; cheap expensive; expensive cheap; affordable costly
fast slow; faster slower; quickly slowly; slowly quickly; rapidly slowly; early late; earlier later
later earlier; old new; older younger; oldest youngest; younger older; youngest oldest; modern ancient
ancient modern; increase decrease; increases decreases; increased decreased; increasing decreasing
decrease increase; decreases increases; decreased increased; reduce increase; reduces increases
reduced increased; reducing increasing; rise fall; rises falls; rose fell; improve worsen; improves worsens
improved worsened; improving worsening; strengthen weaken; strengthens weakens; legal unlawful
illegal lawful; allowed forbidden; permitted forbidden; forbidden allowed; prohibited allowed; allow forbid
allows forbids; allowing forbidding; prevent cause; prevents causes; preventing causing; include exclude
includes excludes; included excluded; including excluding; contain lack; contains lacks; containing lacking
accept refuse; accepts refuses; accepted refused; approved rejected; rejected approved; possible impossible
impossible possible; necessary needless; required optional; mandatory optional; optional compulsory
voluntary compulsory; essential superfluous; important irrelevant; useful useless; effective useless
efficient wasteful; common rare; rare common; commonly rarely; popular unpopular; famous obscure
similar different; different identical; positive negative; negative positive; good bad; bad good
better worse; worse better; best worst; worst best; internal external; external internal; inside outside
outside inside; indoor outdoor; outdoor indoor; upper lower; northern southern; southern northern
eastern western; western eastern; north south; south north; east west; west east; above below; below above
before after; after before; male female; female male; public private; private public; permanent temporary
temporary permanent; natural artificial; artificial natural; organic synthetic; solid liquid; liquid solid
raw cooked; cooked raw; fresh stale; soft hard; thick thin; thin thick; thicker thinner; deep shallow
wide narrow; heavy light; heavier lighter; bright dim; sharp blunt; smooth rough; full empty
complete partial; active dormant; flexible rigid; stable unstable; mild severe; severe mild; acute chronic
chronic acute; benign malignant; malignant benign; major minor; minor major; direct indirect
primary secondary; begin end; begins ends; began ended; starts stops; started stopped; won lost; wins loses
gain lose; gains loses; gained lost; buy sell; buys sells; bought sold; added removed; adding removing
open closed; closed open; free chargeable; maximum minimum; minimum maximum; attract repel
absorb release; absorbs releases; encourage discourage; encourages discourages; protects endangers
protect endanger; summer winter; winter summer; morning evening; evening morning; day night; top bottom
bottom top; vertical horizontal; horizontal vertical; true false; false true; correct wrong
visible invisible; edible poisonous; poisonous edible; toxic harmless; married single; alive dead
clockwise counterclockwise; sturdy flimsy; crowded deserted; lenient harsh; thorough sloppy; quiet rowdy
fertile barren; tasty bland; dense sparse; humid arid; rural urban; urban rural; polite rude
abundant scarce; scarce abundant; transparent opaque; opaque transparent; vague precise; precise vague
obvious hidden; guilty innocent; noisy quiet; daily yearly; indoors outdoors; upstream downstream
enjoy hate; enjoys hates; repair damage; repaired damaged; defended betrayed; created abolished
launched cancelled; hired dismissed; attached detached; promoted demoted; inflate deflate; inhale exhale
reveal conceal; reveals conceals; revealed concealed; melts hardens; floats sinks; loyal treacherous
""".replace("\n", ";")
ANTONYMS: dict[str, str] = {
    pair.split()[0]: pair.split()[1] for pair in _ANTONYM_LINES.split(";") if pair.strip()
}

#: Before these words an antonym's key is part of a fixed phrase, not a statement of its own.
FIXED_PHRASES = frozenset(
    "high school|high schools|hard drive|light bulb|long term|long as|well as|best known|"
    "best friend|open source|"
    "free will|short term|day care|old age|new york|new zealand|new jersey|new orleans|"
    "new mexico|new england|"
    "north america|south america|north carolina|south carolina|north dakota|south dakota|west virginia|"
    "south africa|south korea|north korea|dry ice|hot dog|hot dogs|cold war|fast food|"
    "soft drink|soft drinks|"
    "common law|common sense|middle east|far east|public school|private school|major league|minor league|"
    "early bird|allow for|allows for|allowing for|free t-shirt|day of|day to|day after|"
    "day before|contain the|after all|before long|full time|good idea|best way|"
    "best time|simple syrup|raw materials|upper case|lower case|free from|free of|free to".split("|")
)

_AMOUNT = r"(?:[$€£]?\d|one\b|two\b|three\b|four\b|five\b|six\b|eight\b|ten\b|half\b)"
_PLURAL = r"[a-z]{2,}(?<!ou)(?<!s)s\b"
#: Words that are verbs or nouns as often as adjectives: they count only behind "is" and its like.
PREDICATES = frozenset(
    "open closed free dry wet complete clean warm cool light direct empty full top bottom".split()
)

#: How many or how often: what stands there (a regular expression), whether only at the start of the
#: statement, and what is planted. The amounts of each pair exclude each other, or the new one says more.
QUANTIFIER_SWAPS: tuple[tuple[str, bool, str], ...] = (
    (r"all of", False, "none of"),
    (r"(?<!of )most of", False, "hardly any of"),
    (r"(?<!how )(?<!as )(?<!so )(?<!too )many of", False, "hardly any of"),
    (r"some of", False, "all of"),
    (r"each of", False, "none of"),
    (r"both of", False, "neither of"),
    (
        r"(?<!n't )(?<!not )every(?! (?:day|year|week|month|hour|few|two|other|night|time)\b)(?= [a-z])",
        False,
        "no",
    ),
    (r"(?<!not )always", False, "never"),
    (r"never", False, "always"),
    (r"(?<!not )usually", False, "hardly ever"),
    (r"(?<!not )typically", False, "hardly ever"),
    (r"(?<!not )generally", False, "hardly ever"),
    (r"(?<!not )(?<!as )(?<!how )often", False, "hardly ever"),
    (r"(?<!not )frequently", False, "hardly ever"),
    (r"sometimes(?! even)", False, "at all times"),
    (r"rarely", False, "nearly always"),
    (rf"at least(?= {_AMOUNT})", False, "less than"),
    (rf"at most(?= {_AMOUNT})", False, "more than"),
    (rf"up to(?= {_AMOUNT})", False, "no less than"),
    (rf"more than(?= {_AMOUNT})", False, "less than"),
    (rf"less than(?= {_AMOUNT})", False, "more than"),
    (rf"fewer than(?= {_AMOUNT})", False, "more than"),
    (rf"(?<!the )(?<!at )(?<!two )most(?= {_PLURAL})", False, "hardly any"),
    (rf"(?<!how )(?<!as )(?<!so )(?<!too )(?<!very )(?<!of )many(?= {_PLURAL})", False, "hardly any"),
    (
        rf"(?<!are )(?<!is )(?<!for )some(?= {_PLURAL})(?! (?:cases|examples|ways|methods|tips)\b)",
        False,
        "all",
    ),
    (rf"all(?= {_PLURAL})", True, "no"),
    (rf"(?<=in )all(?= {_PLURAL})", False, "no"),
    (r"each(?= [a-z]+)(?! (?:other|of)\b)", True, "no"),
)

#: Verbs of a statement without an auxiliary, and the base form that "does not" or "do not" takes.
DENIABLE_VERBS: dict[str, str] = {
    "contains": "contain", "includes": "include", "requires": "require", "needs": "need",
    "provides": "provide",
    "allows": "allow", "causes": "cause", "helps": "help", "makes": "make", "means": "mean",
    "takes": "take",
    "produces": "produce", "uses": "use", "affects": "affect", "covers": "cover", "holds": "hold",
    "reduces": "reduce", "increases": "increase", "offers": "offer", "supports": "support",
    "consists": "consist",
    "refers": "refer", "involves": "involve", "occurs": "occur", "depends": "depend", "costs": "cost",
    "lasts": "last", "lives": "live", "grows": "grow", "comes": "come", "belongs": "belong",
    "starts": "start",
    "begins": "begin", "ends": "end", "works": "work", "stands": "stand", "serves": "serve",
    "arrives": "arrive",
    "protects": "protect", "prevents": "prevent", "applies": "apply", "expires": "expire",
    "removes": "remove",
}  # fmt: skip

#: Verbs whose two sides cannot change places.
ONE_WAY_VERBS = tuple(
    "acquired bought founded created invented discovered defeated conquered killed wrote designed built "
    "directed produced published replaced sued hired taught influenced inspired led leads owns operates runs "
    "manages selected approved lost sold attacked caused signed "
    "is_part_of is_owned_by was_founded_by was_created_by was_invented_by was_written_by was_discovered_by "
    "was_built_by was_directed_by was_produced_by was_acquired_by was_defeated_by was_designed_by "
    "was_named_after is_named_after is_produced_by is_caused_by are_caused_by are_made_of is_made_of "
    "is_made_from are_made_from is_made_up_of are_made_up_of is_made_by is_derived_from "
    "is_formed_by are_formed_by "
    "is_used_by is_controlled_by comes_from come_from is_followed_by is_served_by has_been_selected_by "
    "contains contain causes cause produces produce requires require affects affect "
    "control stimulates stimulate regulates inhibits precedes follows surrounds supplies "
    "provides protects prevents reduces increases creates makes carries converts "
    "removes replaces sells receives "
    "is_larger_than is_smaller_than is_faster_than is_older_than is_cheaper_than is_bigger_than "
    "is_higher_than is_lower_than are_larger_than are_smaller_than are_faster_than is_located_in "
    "is_a_type_of is_a_form_of is_a_part_of is_a_variation_of is_a_member_of are_a_type_of belongs_to "
    "reports_to depends_on consists_of turns_into becomes".split()
)
#: Between two names, one of these words says that they cannot change places.
ONE_WAY_WORDS = frozenset(
    "by than from into after before owns bought acquired founded invented discovered defeated wrote directed "
    "selected owns sued hired taught led lost replaced follows following follows named near under within "
    "capital member part son daughter mother father founder author".split()
)

OFF_TOPIC_SENTENCES = (
    "Penguins huddle together in winter and take turns at the cold edge of the colony.",
    "The violin is tuned in perfect fifths, and its bow is strung with horsehair.",
    "Sourdough starters should be fed with flour every morning.",
    "A chess grandmaster usually memorizes thousands of opening positions.",
    "Glassblowers in Murano guarded their recipes for centuries.",
    "The lighthouse keeper polished the lens before sunset.",
    "Bamboo scaffolding is still common on building sites in Hong Kong.",
    "Camels store fat in their humps rather than water.",
    "The orchestra rehearses in the old tram depot on Thursdays.",
    "Beekeepers calm a hive with smoke before they lift the frames.",
    "Volcanic ash can stall the turbines of a passenger jet.",
    "Curling stones are quarried from granite on a Scottish island.",
    "The subway ticket machines were painted yellow by local art students.",
    "Knitting patterns were once used by spies to pass on messages.",
    "Goldfish recognize the faces of those who feed them.",
    "The ferry crew rescued a kitten from the harbor wall.",
)

FABRICATED_CLAUSES = (
    "a rule that parliament tightened after a scandal",
    "although insurers dropped this practice recently",
    "which earned the team a gold medal in Stockholm",
    "a finding that a retired engineer disputed in court",
    "and the mayor celebrated it with a parade",
    "which smugglers exploited during the blockade",
    "a detail that the original blueprints left out",
    "and astronauts confirmed this aboard the station",
    "which a whistleblower revealed to journalists",
    "as a lighthouse keeper had predicted decades ago",
)

#: Passages that take the place of a chunk that is taken out; they speak of nothing anyone asks.
STAND_IN_PASSAGES = tuple(
    f"{first} {second}" for first, second in product(OFF_TOPIC_SENTENCES[:4], OFF_TOPIC_SENTENCES[8:12])
)
#: Words that a quote's word is exchanged for.
QUOTE_WORDS = (
    "velvet", "turnip", "harpoon", "marmalade", "cathedral", "sandpaper", "orchid", "thimble",
    "walnut", "saxophone",
)  # fmt: skip
