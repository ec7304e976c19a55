"""Words that say the same in questions and sources: the shipped synonyms of answer presence."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding.scorers.lexical.tokens import tokenize

# One group a line. A group is one sense; a word may stand in several. Pairs of direction (buy, sell) are
# left out on purpose: they are how a near miss looks.
_GROUPS = """
found founded founder founding establish established start started create created set-up
invent invented inventor develop developed devise create created
begin begins began start starts started commence launch
end ends ended finish finished conclude conclusion stop
cost costs price priced fee charge pricing rate
pay paid payment payable
buy bought purchase purchased order
salary wage pay compensation earn
employee employees staff worker workers workforce employ employs people
employer company organisation organization firm business corporation
boss manager supervisor
ceo chief-executive head
lead leads leader head heads run runs
headquarters hq head-office headquartered based located
located location situated based lies
live lives reside resides residence inhabitant population
population inhabitants residents
born birth birthplace birthday
die died death dead
write wrote written author wrote
paint painted painter painting
build built construct constructed construction erect
design designed designer architect
discover discovered discovery find found
make made manufacture manufactured produce produced production
big large size great
biggest largest greatest
small little tiny
tall height high
long length
wide width
deep depth
heavy weight weigh weighs
fast speed quick quickly rapid
old age aged
hot temperature heat warm
car vehicle automobile
doctor physician
kid kids child children
film movie
photo photograph picture image
phone telephone call
email e-mail mail
help assistance assist
fix repair resolve solve
error problem issue fault failure
delete remove erase
add include includes contain contains
allow allowed permit permitted
forbid forbidden prohibit prohibited banned
require required need needed must mandatory necessary
change modify edit update alter adjust
cancel cancellation terminate termination
refund reimbursement reimburse money-back
return returned send-back
ship shipping shipped deliver delivery delivered dispatch send
arrive arrival
leave vacation holiday
sick illness ill
rule policy regulation
deadline due date
allowed allowance entitled entitlement
limit maximum max cap
minimum min least
maximum max most limit upto
store storage stored keep kept save saved retain
shop store outlet
password passcode
login log-in sign-in signin
register registration sign-up signup enroll enrol enrolment
subscription plan
user customer client
client customer
guest visitor
show display displayed
use used usage utilise utilize
get obtain receive acquire
choose select pick
happen occur took-place take-place
hold held host hosted take-place took-place
win won winner victory
lose lost loss
cause causes caused reason lead result
reason why because
treat treatment cure therapy
symptom sign symptoms signs
safe safety secure
dangerous danger harmful hazardous risk
effect impact influence
benefit advantage
drawback disadvantage
difference differ different distinguish
kind type sort category
method way procedure process
step steps stage
compose composed composer
consist made-up comprise composed contain
speak spoken language
eat feed diet food
drink beverage
grow growth
increase rise rose grow grew raised
decrease reduce drop fall fell decline
close closed closing shut
open opens opened opening
responsible responsibility charge accountable
approve approval approved sign-off authorise authorize
apply application request submit
contact reach call email
expire expires expiry expiration valid
valid validity
warranty guarantee
luggage baggage
flight fly flew
lawyer attorney solicitor
law act statute legislation
country nation state
city town
war conflict
president head
marry married wife husband spouse wed
currency money
profit earnings income
revenue turnover sales
acquire acquired acquisition buy bought purchase takeover
merge merged merger
color colour
centre center
programme program
metre meter
launch launched release released introduce introduced rollout
version release
average mean typical
annual annually yearly year
monthly month
daily day
weekly week
frequently often
feature features functionality capability
free complimentary gratis
orbit orbits revolve
boil boiling
melt melting
freeze freezing
capital capital-city
near close nearby
parking park
pet pets animal animals dog dogs cat cats
breakfast meal
room rooms
wifi wi-fi internet
""".strip()


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for line in _GROUPS.splitlines():
        # A hyphenated entry is a phrase; its words one by one would match too much.
        words = " ".join(word for word in line.split() if "-" not in word)
        stems = {t.stem for t in tokenize(words) if not t.is_stop}
        for stem in stems:
            table.setdefault(stem, set()).update(stems)
    return {stem: frozenset(group - {stem}) for stem, group in table.items()}


def synonyms_of(stem: str) -> frozenset[str]:
    """Stems of words that say the same as a stem, without itself."""
    return _table().get(stem, frozenset())


_LONGEST_ENDING = 3
#: Letters that two words of one family share at least.
SHORTEST_ROOT = 5


def same_family(a: str, b: str) -> bool:
    """Whether two stems are inflections that the stemmer left apart: "deliver" and "deliveri"."""
    if len(a) > len(b):
        a, b = b, a
    return len(a) >= SHORTEST_ROOT and len(b) - len(a) <= _LONGEST_ENDING and b.startswith(a)
