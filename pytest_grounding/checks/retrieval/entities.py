"""Persons, bodies and places as answers."""

from __future__ import annotations

from pytest_grounding._patterns import lazy
from pytest_grounding.checks.retrieval.asked import Asked
from pytest_grounding.checks.retrieval.sentence import Sentence
from pytest_grounding.scorers.lexical.tokens import tokenize
from pytest_grounding.text.facts import Fact
from pytest_grounding.text.questions.words import word_set

_ROLES = word_set(
    """
    accountant administrator advisor agent alumni ambassador analyst applicant architect artist
    assistant association attorney auditor author authority board body boss broker buyer captain
    caregiver ceo cfo chair chairman chairperson chancellor chef chief child children citizen clerk
    client coach colleague commission committee company congress consultant contractor controller
    coordinator council counsel couple court cto customer dean dentist department designer developer
    director doctor donor driver editor employee employer engineer executive expert farmer father firm
    founder friend government group guardian guest head helpdesk holder hr inspector insurer instructor
    inventor investigator janitor judge king landlord lawyer leader learner legislature librarian
    maintainer management manager mayor mechanic member merchant minister ministry mother musician
    neighbor neighbour nurse occupant officer official operator organisation organization owner painter
    parent parents parliament participant partner passenger patient people person personnel pharmacist
    physician pilot pioneer plumber poet police president prime-minister principal producer professor
    programmer provider public publisher queen recipient recruiter regulator representative resident
    responder reviewer scientist secretary seller senate senator sender shareholder shipper specialist
    staff state student supervisor supplier surgeon taxpayer teacher team technician tenant tourist
    trainee trainer treasurer trustee union user vendor veterinarian visitor volunteer voter warden wife
    husband winner woman women man men worker writer you everyone anyone everybody anybody nobody no-one
    none adults minors seniors beginners those reception concierge adult minor senior architect admin
    admins finance legal payroll procurement
    """
)
_ROLE_ENDINGS = lazy(r".{3,}(?:ists?|icians?|ologists?|eers?|ographers?|(?<!c)keepers?|masters?|holders?)$")
_NOT_ROLES = word_set(
    "exist list lists twist mist career careers pioneer persist consist resist insist assist"
)
_PLACE_BEFORE = word_set(
    "in at near from to into across throughout outside inside around via toward towards within"
)
_ROLE_WORD = lazy(r"[a-z][a-z'\-]+")


def _is_known(asked: Asked, fact: Fact) -> bool:
    """Whether a name says only what the question names, or more of it ("Acme Robotics" for "Acme")."""
    stems = {t.stem for t in tokenize(fact.text)}
    if stems <= asked.stems:
        return True
    return any(run <= stems for run in asked.names)


def holds_person(asked: Asked, sentence: Sentence) -> bool:
    """A person, a body or a role that the question does not name."""
    if asked.asks_identity:
        return _describes(asked, sentence)
    for fact in sentence.facts:
        if fact.kind != "name" or _is_known(asked, fact):
            continue
        before = sentence.words_before(fact.start, 1)
        if before and before[0] in _PLACE_BEFORE:
            continue
        if fact.initial:
            # A capital at the start says nothing by itself: ask what stands after it.
            if _acts(asked, sentence, fact):
                return True
            continue
        return True
    return _holds_role(asked, sentence) or _holds_agent(asked, sentence)


def _acts(asked: Asked, sentence: Sentence, fact: Fact) -> bool:
    """Whether the words right after a name are those of the question: "Tesla invented ..."."""
    following = sentence.tokens_after(fact.end, 2)
    if any(token.stem in asked.content for token in following):
        return not fact.text.lower().endswith(("ing", "ly", "tion", "ment"))
    words = sentence.words_after(fact.end, 1)
    return bool(words) and words[0] in {"is", "was", "and", "has", "who", "led", "must", "can", "may"}


_AGENT = lazy(r"\b\w+(?:ed|en|wn|un|ut|lt|nt|ld|de)(?: in \w+)? by (?:the|an?|our|its|their) ([\w\- ]{3,40})")
_NO_AGENT = word_set("end start time way use means phone date side deadline hand rule law following same")


def _holds_agent(asked: Asked, sentence: Sentence) -> bool:
    """Who or what did it, in the passive: "built by the release bot"."""
    for match in _AGENT.finditer(sentence.lower):
        words = [t for t in tokenize(match[1])[:3] if not t.is_stop]
        if words and words[0].norm not in _NO_AGENT and any(t.stem not in asked.stems for t in words):
            return True
    return False


def _holds_role(asked: Asked, sentence: Sentence) -> bool:
    for match in _ROLE_WORD.finditer(sentence.lower):
        word = match.group().removesuffix("'s")
        single = word.removesuffix("s")
        is_role = (
            word in _ROLES
            or single in _ROLES
            or (_ROLE_ENDINGS.match(word) is not None and word not in _NOT_ROLES)
        )
        if is_role and not any(t.stem in asked.stems for t in tokenize(word)):
            return True
    return False


_HONORIFICS = frozenset(
    t.stem for t in tokenize("Mr Mrs Ms Dr Sir Dame Professor President King Queen Lord Lady Saint Pope")
)
_IS_A = lazy(r"\b(?:is|was|are|were|as|became|served as|,) (?:an?|the|one of)\b|, (?:an?|the) ")


def _describes(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence says who somebody is: "Ada Lovelace was an English mathematician"."""
    for fact in sentence.facts:
        stems = {t.stem for t in tokenize(fact.text)} if fact.kind == "name" else set()
        if any(run < stems for run in asked.names) and not stems & _HONORIFICS:
            # "The James Webb Space Telescope" says nothing on James Webb.
            return False
    match = _IS_A.search(sentence.lower)
    return match is not None and bool(sentence.new_words(asked.stems, after=match.end()))


_PLACE_NOUNS = (
    "office|offices|room|floor|building|street|road|avenue|lane|square|city|town|village|country|"
    "countries|state|"
    "province|region|district|county|continent|kitchen|bathroom|basement|attic|garage|garden|yard|roof|"
    "lobby|reception|"
    "desk|counter|drawer|cabinet|shelf|box|bin|cupboard|locker|bag|menu|settings|page|pages|tab|panel|"
    "folder|directory|section|"
    "sidebar|toolbar|header|footer|screen|window|dialog|dashboard|portal|website|site|app|store|shop|market|"
    "warehouse|factory|plant|laboratory|lab|hospital|clinic|school|university|library|museum|park|"
    "station|airport|"
    "harbour|harbor|port|coast|shore|beach|island|islands|river|lake|sea|ocean|mountain|mountains|valley|"
    "desert|forest|forests|"
    "jungle|hemisphere|north|south|east|west|northern|southern|eastern|western|centre|center|corner|"
    "entrance|exit|"
    "gate|terminal|platform|lot|area|areas|zone|place|home|house|inbox|account|profile|file|files|"
    "database|repository|cloud|"
    "server|servers|bucket|registry|console|wall|ceiling|hood|trunk|engine|compartment|stomach|liver|"
    "heart|brain|lungs|blood|"
    "bones|skin|body|cell|cells|nucleus|chloroplasts|mitochondria|atmosphere|crust|mantle|core|soil|"
    "refrigerator|fridge|"
    "freezer|oven|pantry|bank|post office|branch|headquarters|campus|canteen|hallway|corridor|field|form|"
    "line|box|"
    "tropics|wetlands|grasslands|wild|ground|label|cover|back|front|side|top|bottom|left|right"
)
_PLACE_PHRASE = lazy(
    r"\b(?:in|at|on|under|beneath|behind|inside|outside|near|from|within|into|to|beside|above|below|via|"
    r"through|across|"
    r"along|off|opposite)"
    rf"(?: [\w'\-]+){{0,4}}? (?:{_PLACE_NOUNS})\b"
)
# "to the original payment method": what stands after the preposition is where it goes.
_SPOT = lazy(
    r"\b(?:to|into|onto|in|on|at|inside|under|behind|beneath) (?:(?:the|a|an|your|their|his|her|its|"
    r"our) )?[\w\-]+(?: [\w\-]+){0,2}"
)
_NO_SPOT = frozenset(
    t.stem
    for t in tokenize(
        "year years month day days week hour time times moment case event end beginning start way "
        "addition fact order future "
        "past present morning evening afternoon night summer winter spring autumn century decade age "
        "rate cost price speed "
        "result basis condition extent meantime contrast favor favour first second third last next same "
        "other company"
    )
)
_MENU = lazy(r"\w [>→] \w")


def _holds_path(text: str) -> bool:
    """Whether a text names a file, an address or a way through a menu. One look at each word: linear."""
    if _MENU.search(text):
        return True
    if not any(sign in text for sign in "/@\\") and "www." not in text:
        return False
    for word in text.split():
        bare = word.strip("()[]{}<>\"'`,;:.!?")
        if (
            "://" in bare
            or bare.startswith(("www.", "~/", "C:\\"))
            or (bare.startswith("/") and len(bare) > 2)
        ):
            return True
        if "/" in bare and ("." in bare or bare.count("/") > 1):
            return True
        name, at, host = bare.partition("@")
        if name and at and "." in host:
            return True
    return False


_AWAY = lazy(
    r"\b(?:online|upstream|downstream|offshore|abroad|nearby|next door|upstairs|downstairs|"
    r"everywhere|nowhere|"
    r"(?:miles?|kilomet(?:re|er)s?|km|met(?:re|er)s?|feet|minutes) (?:from|north|south|east|west|away|"
    r"outside))\b"
)
_PLACE_AFTER = word_set(
    "in at near from to into across on off outside inside around via between along of through towards "
    "toward towards"
)
_SITED = lazy(
    r"\b(?:located|situated|based|headquartered|found|lies|capital|city|born|held|lives?|home to|seat)\b"
)


_STANDS = lazy(
    r"\b(?:is|are|was|were|lies?|lay|stands?|stood|sits?|located|situated|based|found|headquartered|built|runs?|"
    r"extends?|has its|have their)\b"
)


def _is_sited(asked: Asked, sentence: Sentence) -> bool:
    """Whether a sentence says of the thing itself where it is, where nothing but the thing is asked about."""
    first = next((n for n, t in enumerate(sentence.tokens) if t.stem in asked.content), -1)
    if first < 0:
        return True
    # "Lost cards of Corvus Bank are blocked in the app": the cards are.
    return not any(
        not t.is_stop and t.stem not in asked.known and t.text.islower() for t in sentence.tokens[:first]
    )


def holds_location(asked: Asked, sentence: Sentence) -> bool:
    """A place that the question does not name: a name after a preposition, a kind of place, a path."""
    if asked.asks_site and not _is_sited(asked, sentence):
        return False
    for fact in sentence.facts:
        if fact.kind != "name" or _is_known(asked, fact):
            continue
        before = sentence.words_before(fact.start, 2)
        if before and (before[-1] in _PLACE_AFTER or (before[-1] == "the" and before[0] in _PLACE_AFTER)):
            return True
        if asked.part.type != "where" or asked.part.focus:
            # "Which city ...", "what is the capital ...": the place may be the subject.
            if not fact.initial or _acts(asked, sentence, fact):
                return True
        elif not fact.initial and _SITED.search(sentence.lower):
            return True
    lower = sentence.lower
    if asked.part.focus and asked.part.type != "where":
        return False
    for match in _SPOT.finditer(lower) if not asked.asks_site or _STANDS.search(lower) else ():
        words = [t for t in tokenize(match.group()) if not t.is_stop]
        if words and words[-1].stem not in asked.stems and words[-1].stem not in _NO_SPOT:
            return True
    for match in _PLACE_PHRASE.finditer(lower):
        words = [t for t in tokenize(match.group()) if not t.is_stop]
        if any(t.stem not in asked.stems for t in words) and match.group() not in asked.lower:
            return True
    return _AWAY.search(lower) is not None or _holds_path(sentence.text)
