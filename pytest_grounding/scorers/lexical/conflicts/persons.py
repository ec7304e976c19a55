"""Who it is said of: "pensioners pay half" for "children pay half", in English and German.

People of two groups are no opposites, but a rule that is said of one group is not said of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pytest_grounding.scorers.lexical.conflicts.contest import Contest, Place
from pytest_grounding.scorers.lexical.conflicts.values import Found
from pytest_grounding.scorers.lexical.conflicts.view import View

#: Groups that shut each other out, a family a line; words of one group stand side by side,
#: without the marks of their vowels, as words are compared.
_FAMILIES = """
child children kid kids | adult adults | pensioner pensioners retiree retirees seniors | student students
buyer buyers customer customers purchaser purchasers | seller sellers vendor vendors dealer dealers
tenant tenants lessee lessees renter renters | landlord landlords lessor lessors
employee employees worker workers staff | employer employers | contractor contractors freelancer freelancers
doctor doctors physician physicians | nurse nurses | patient patients
teacher teachers | pupil pupils student students
lender lenders creditor creditors | borrower borrowers debtor debtors
sender senders | recipient recipients addressee addressees
plaintiff plaintiffs claimant claimants | defendant defendants
driver drivers | passenger passengers | pedestrian pedestrians | cyclist cyclists
member members | guest guests visitor visitors
host hosts | guest guests
insurer insurers | policyholder policyholders insured
mother mothers | father fathers
wife wives | husband husbands
kind kinder kindern | erwachsene erwachsener erwachsenen | rentner rentnern rentnerin rentnerinnen senioren
kaufer kaufers kaufern kunde kunden kundin kundinnen | verkaufer verkaufers verkaufern handler handlern
mieter mieters mietern mieterin mieterinnen | vermieter vermieters vermietern vermieterin
arbeitgeber arbeitgebers arbeitgebern | arbeitnehmer arbeitnehmers arbeitnehmern angestellte angestellten
arzt arzte arzten arztin arztinnen | patient patienten patientin patientinnen
lehrer lehrern lehrerin lehrerinnen | schuler schulern schulerin schulerinnen
absender absenders absendern | empfanger empfangers empfangern
klager klagers klagerin | beklagte beklagten beklagter
mitglied mitglieder mitgliedern | gast gaste gasten besucher besuchern
schwangere schwangeren | kind kinder kindern
studierende studierenden studenten student | rentner rentnern senioren
"""
_SENTENCES = 3
#: What the words around the two must share, and by how much the other group must be bound better.
_LEAST, _MARGIN = 0.3, 0.05


@lru_cache(maxsize=1)
def _groups() -> dict[str, dict[str, bool]]:
    """For each word the words of its families: True for its own group, False for another one."""
    found: dict[str, dict[str, bool]] = {}
    for line in _FAMILIES.strip().splitlines():
        groups = [group.split() for group in line.split("|")]
        for group in groups:
            for word in group:
                known = found.setdefault(word, {})
                for other in groups:
                    for name in other:
                        known[name] = known.get(name, False) or other is group
    return found


def person_conflicts(contest: Contest) -> Iterator[Found]:
    """Groups of people of the claim of which a sentence says the rest of another group."""
    groups = _groups()
    claim = contest.claim
    if groups.keys().isdisjoint(claim.norms):
        return
    for number, token in enumerate(claim.tokens):
        known = groups.get(token.norm)
        if known is None or any(not known.get(norm, True) for norm in claim.norms):
            # Of two groups in one claim, which is which is another finder's business.
            continue
        found = _other_group(contest, number, known)
        if found is None:
            continue
        strength, place, cover = found
        rival = contest.chunks[place.chunk].tokens[place.word]
        yield Found("person", token.start, token.end, *place, rival.start, rival.end, strength, cover)


def _other_group(contest: Contest, number: int, known: dict[str, bool]) -> tuple[float, Place, float] | None:
    without = frozenset({contest.claim.tokens[number].stem})
    ally = max((contest.bind(number, number, place) for place in _own_places(contest, known)), default=0.0)
    best: tuple[float, Place, float] | None = None
    for chunk, sentence in contest.best_sentences(_SENTENCES):
        low, high = contest.bounds(chunk, sentence)
        norms = contest.chunks[chunk].norms
        named = [at for at in range(low, high) if norms[at] in known]
        if not named or any(known[norms[at]] for at in named):
            continue
        for at in named:
            strength = contest.bind(number, number, Place(chunk, at))
            if strength >= _LEAST and (best is None or strength > best[0]):
                best = strength, Place(chunk, at), contest.cover(chunk, sentence, without=without)
    return best if best is not None and best[0] > ally + _MARGIN else None


def _own_places(contest: Contest, known: dict[str, bool]) -> Iterator[Place]:
    """Where the sources speak of the claim's own group."""
    for chunk, view in enumerate(contest.chunks):
        yield from (Place(chunk, at) for at in _named(view) if known.get(view.norms[at]))


def _named(view: View) -> Iterator[int]:
    groups = _groups()
    return (at for at, norm in enumerate(view.norms) if norm in groups)
