"""Opposites: words that cannot both be said of the same thing. Written for this project.

Each line holds two sides, parted by a bar; every word of one side is opposed to every word of the other.
Words are compared by stem, so inflections are listed only where the stem differs.
"""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts.tokens import words

_ANTONYMS = """
safe secure harmless | dangerous unsafe hazardous harmful risky
true correct accurate | false incorrect wrong inaccurate
high | low
large big huge vast massive enormous | small tiny little minimal
good beneficial positive favorable | bad detrimental negative adverse unfavorable
hot warm heated | cold cool chilled frozen
wet moist damp humid | dry arid dehydrated
hard firm | soft tender
full | empty vacant
open | closed shut
strong powerful | weak feeble
rich wealthy affluent | poor impoverished
young | old elderly aged
new modern recent | ancient outdated obsolete
clean | dirty filthy contaminated
light bright | dark dim
heavy | lightweight
thick dense | thin sparse
deep | shallow
wide broad | narrow
long lengthy | short brief
tall | short
fast quick rapid rapidly quickly swift | slow slowly gradual gradually
heavy | light
dry | wet soaked
easy simple straightforward | difficult hard complicated complex
cheap inexpensive affordable | expensive costly
legal lawful permitted allowed permissible | illegal unlawful forbidden prohibited banned
allow permit enable | forbid prohibit prevent ban bar disallow
accept approve pass sign | reject refuse deny decline block veto
written | oral orally verbal verbally
enable | disable
insert | remove extract
deposit | withdraw
upload | download
online | offline
encrypt | decrypt
senior | junior
raise boost | cut
shrink | grow
cover | exclude
safe | forbidden
wholesale | retail
tighten | loosen
mild | severe
agree | disagree
win won victory | lose lost defeat
success succeed successful | failure fail unsuccessful
alive living | dead deceased
born birth | died death
public | private
internal inner inside interior indoor indoors | external outer outside exterior outdoor outdoors
north northern northward | south southern southward
east eastern eastward | west western westward
top upper | bottom lower
front | back rear
male man men boy boys husband father son brother | female woman women girl girls wife mother daughter sister
summer | winter
spring | autumn fall
day daytime | night nighttime
morning | evening
acid acidic | alkaline basic
liquid | solid
natural | artificial synthetic
permanent permanently | temporary temporarily
voluntary optional | mandatory compulsory required obligatory
include contain | exclude omit
import | export
buy purchase acquire | sell sold
lend | borrow
hire employ | fire dismiss
enter arrive | exit depart
start begin commence launch open | end stop finish cease terminate
create build construct | destroy demolish
add | remove subtract eliminate
attach connect join | detach disconnect separate
push | pull
attract | repel
appear emerge | disappear vanish
love | hate dislike
encourage promote | discourage deter
support favor endorse | oppose reject
praise | criticize condemn
improve enhance strengthen | worsen deteriorate weaken impair
help aid assist | hinder hamper
cause | prevent cure
protect | endanger damage harm
active | inactive passive
present | absent
visible | invisible hidden
common frequent widespread | rare uncommon infrequent scarce
normal usual typical | abnormal unusual atypical
sensitive | insensitive resistant
flexible | rigid stiff
smooth | rough coarse
sharp | blunt dull
sweet | sour bitter
raw uncooked | cooked
fresh | stale rotten
loud noisy | quiet silent
guilty | innocent
friend ally | enemy foe
peace | war
urban | rural
domestic national | foreign
major | minor
simple | complex
single unmarried | married
primary main | secondary
original | copy
direct | indirect
healthy | sick ill unhealthy
benign | malignant cancerous
chronic | acute
fertile | infertile sterile
conscious awake | unconscious asleep
profit profitable gain | loss unprofitable
asset | liability
credit | debit
income revenue | expense expenditure
supply | demand
employer | employee
landlord | tenant
teacher | student pupil
buyer | seller
parent | child
predator | prey
ascend upward upwards up | descend downward downwards down
clockwise | counterclockwise anticlockwise
vertical vertically | horizontal horizontally
freeze froze frozen | melt thaw
float | sink
inhale | exhale
expand | contract
stable steady | unstable volatile
constant fixed | variable changing
certain sure | uncertain unsure doubtful
possible | impossible
necessary needed essential required important crucial vital | unnecessary needless superfluous unimportant
important significant relevant | insignificant irrelevant trivial unimportant
clear obvious | unclear obscure
useful effective | useless ineffective
efficient | inefficient
similar alike same identical | different dissimilar unlike distinct
equal | unequal
related | unrelated
complete entire whole | incomplete partial
perfect | imperfect flawed
honest | dishonest
polite | rude
brave | cowardly
proud | ashamed
happy glad | sad unhappy
optimistic | pessimistic
generous | stingy
careful | careless
lock | unlock
pass | fail
gain | lose
save | waste spend
remember | forget
hide conceal | reveal show expose disclose
confirm verify | deny refute disprove
attack | defend
victory | defeat
raise raises | lower lowers
agreement | disagreement
advantage benefit pro | disadvantage drawback con
asleep | awake
ripe | unripe
edible | inedible poisonous toxic
toxic poisonous | nontoxic harmless
sunny | cloudy rainy
straight | curved bent crooked
convex | concave
tight | loose
abundant plentiful | scarce lacking
early | late
oldest | newest youngest
"""

_COMPARISONS = """
more greater higher larger bigger | less fewer lower smaller
most greatest highest largest biggest maximum max | least lowest smallest fewest minimum min
increase rise grow growth climb gain surge raise expand | decrease fall drop decline reduce shrink diminish
increased rose grew risen grown raised | decreased fell dropped declined reduced fallen shrank
above over exceed exceeding | below under beneath
better best superior | worse worst inferior
faster quicker fastest | slower slowest
longer longest | shorter shortest
older oldest | younger youngest newer
taller tallest | shorter shortest
stronger strongest | weaker weakest
heavier heaviest | lighter lightest
hotter warmer hottest | colder cooler coldest
cheaper cheapest | pricier costlier
wider widest broader | narrower narrowest
deeper deepest | shallower
thicker thickest | thinner thinnest
richer richest | poorer poorest
easier easiest | harder hardest
closer nearer closest nearest | farther further farthest
earlier earliest sooner | later latest
majority | minority
maximize | minimize
upward up | downward down
double doubled tripled | halve halved
"""

_ORDERS = """
before prior preceding precede | after following follow afterwards afterward subsequent subsequently
until till | since
earlier previously formerly previous | later subsequently next
first initial initially | last final finally
begin start beginning | end ending
past | future
predecessor | successor
"""

#: Verbs whose two sides are not alike: what A does to B, B need not do to A.
_ONE_WAY = """
absorb accuse acquire affect appoint arrest attack attract beat bite build buy capture carry cause chase
choose command comprise conquer consist contain control convert cover create criticize cure damage
defeat define depend derive design destroy develop direct discover drive eat eliminate emit employ
enclose enforce exceed export fear feed finance follow form found fund generate govern guide hire hunt
improve include increase influence inherit inspire invade invent kill lead lend manufacture mean monitor
nominate oppose outnumber overtake own pay precede predict prevent produce promote protect publish pull
push recruit reduce regulate release remove replace represent require rescue rule run save sell send
receive flow lose colonize approve reject orbit elect visit inspect supervise borrow owe collect drain
serve store sue sued supply support surround teach threaten train transmit treat trigger use win write
"""

#: Position of a quantifier on its scale: how much of the whole it speaks of. Scales are not compared
#: with each other: things ("all"), times ("always").
QUANTIFIERS: dict[str, tuple[str, int]] = {
    "no": ("amount", 0),
    "none": ("amount", 0),
    "nobody": ("amount", 0),
    "few": ("amount", 1),
    "some": ("amount", 2),
    "several": ("amount", 2),
    "many": ("amount", 3),
    "numerous": ("amount", 3),
    "most": ("amount", 4),
    "all": ("amount", 5),
    "every": ("amount", 5),
    "each": ("amount", 5),
    "entire": ("amount", 5),
    "never": ("time", 0),
    "rarely": ("time", 1),
    "seldom": ("time", 1),
    "hardly": ("time", 1),
    "occasionally": ("time", 2),
    "sometimes": ("time", 2),
    "often": ("time", 3),
    "frequently": ("time", 3),
    "usually": ("time", 4),
    "generally": ("time", 4),
    "typically": ("time", 4),
    "normally": ("time", 4),
    "commonly": ("time", 4),
    "mostly": ("time", 4),
    "always": ("time", 5),
}

_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "non-", "mis")
#: Words that only look like the negative of another ("discover", "income").
_NO_NEGATIVES = frozenset(
    words(
        """
        discover disease discount intend inform inside input income impress import improve display
        dissolve disposition indeed impact inhabit invest unless unit until union implant impart
        inflammable invaluable intense instill install insure infield inland indoor intake insight
        dismember discuss dismiss dispose discharge disappoint uncover increase indifferent interest
        incline include inclose inquire institute discourse discipline distance disaster undo
        understand under uncle uniform unique universe inspire instance instant intent invent
        involve imprint impose imply immigrant immigrate illuminate illustrate irrigate nonetheless
        nonsense mission missile mister mistake dispatch distribute disturb district income infant
        inflate inflict influence ingredient inherit initial injure inner innovate dish disk incase
        inform inbound infuse insert inscribe indent index indicate induce indulge infect infer
        """
    )
)


@lru_cache(maxsize=1)
def opposites() -> dict[str, dict[str, str]]:
    """For each stem its opposed stems, with the kind of conflict that they make."""
    table: dict[str, dict[str, str]] = {}
    for kind, block in (("antonym", _ANTONYMS), ("comparison", _COMPARISONS), ("order", _ORDERS)):
        for line in block.strip().splitlines():
            left, right = ([tokenize(word)[0].stem for word in side.split()] for side in line.split("|"))
            for a in left:
                for b in right:
                    if a != b:
                        table.setdefault(a, {})[b] = kind
                        table.setdefault(b, {})[a] = kind
    return table


@lru_cache(maxsize=1)
def one_way_stems() -> frozenset[str]:
    """The stems of the verbs whose two sides are not alike."""
    return frozenset(tokenize(word)[0].stem for word in _ONE_WAY.split())


@lru_cache(maxsize=1)
def quantifier_stems() -> tuple[str, ...]:
    """The stems of all quantifiers."""
    return tuple(sorted({tokenize(word)[0].stem for word in QUANTIFIERS}))


@lru_cache(maxsize=65536)
def stem_of(word: str) -> str:
    """The stem of one word."""
    tokens = tokenize(word)
    return tokens[0].stem if tokens else word


@lru_cache(maxsize=1)
def _no_negative_stems() -> frozenset[str]:
    return frozenset(stem_of(word) for word in _NO_NEGATIVES)


@lru_cache(maxsize=65536)
def negative_of(word: str) -> tuple[str, ...]:
    """The words that a word may be the negative of, by its form: "safe" for "unsafe"."""
    if len(word) < 5 or stem_of(word) in _no_negative_stems():
        return ()
    found = [
        word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix) and len(word) > len(prefix) + 2
    ]
    if word.endswith("less") and len(word) > 6:
        found += [word[:-4], word[:-4] + "ful"]
    return tuple(found)


@lru_cache(maxsize=65536)
def negated_stems(word: str) -> tuple[str, ...]:
    """What the words that a word may be the negative of may stand as: themselves, and their stems."""
    return tuple(stem for base in negative_of(word) for stem in (base, stem_of(base)))


@lru_cache(maxsize=65536)
def opposed_to(norm: str, stem: str, is_stop: bool) -> tuple[tuple[str, str], ...]:
    """Stems that a word is opposed to, each with the kind of conflict; a later pair overrules an earlier one.

    Kept for each word of a language, of which there are not many more than the cache holds.
    """
    pairs = list(opposites().get(stem, {}).items())
    if not is_stop:
        pairs += [(base, "antonym") for base in negated_stems(norm)]
    return tuple(pairs)
