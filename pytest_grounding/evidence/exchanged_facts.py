"""Two sides that a claim exchanges: cause and effect, earlier and later, two things and their places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_word
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.words import Token

#: Word or words -> what the clause behind it is to the one before.
_LINKS = table("exchanged", "links")
_FIRST = frozenset(link.partition(" ")[0] for link in _LINKS)  # for a quick look
_OPENING, _OF_DEGREE = words("exchanged", "opening"), words("exchanged", "of degree")
_LATER_STEPS, _STEPS = words("exchanged", "later steps"), words("exchanged", "steps")
_JOINTS = words("exchanged", "joints")
_WITH_AFTER = words("exchanged", "before after")  # "looks after"
_CAUSE, _EFFECT, _EARLIER, _LATER = "cause", "effect", "earlier", "later"
_STEP = "step"  # which a claim says to be later, and a sentence may but list
#: Roles of the clause behind a link that come first in a relation.
_TURNED = frozenset({_CAUSE, _EARLIER})
_KINDS = {_EFFECT: _CAUSE, _EARLIER: _LATER}
_SO, _IF = "so", "if"
_CUTS, _ENDS = frozenset(",;:()"), frozenset(";:()")
_LONGEST_LINK = 4  # words of a link at most
_LONGEST, _MOST_STEPS = 60, 8  # words of a sentence that is compared, and its steps, at most
_LEAST_HELD = 0.9  # share of a claim in a sentence that has its words in another order
_HALF = 0.5  # of the words that do not stay on their side, at least these stand on the other one

Forms = Mapping[str, frozenset[str]]
Step = tuple[Token, ...]


@dataclass(frozen=True)
class Sides:
    """The words of two sides, by stem."""

    first: frozenset[str]
    second: frozenset[str]

    @property
    def apart(self) -> Sides:
        """The sides without the words that both have: the branch of two branches."""
        return Sides(self.first - self.second, self.second - self.first)

    def exchanged_in(self, theirs: Sides, forms: Forms) -> bool:
        """Whether most words of each side that do not stay on it stand on the other one."""
        own, other = self.apart, theirs.apart
        shares = (
            _share_moved(own.first, other.first, other.second, forms),
            _share_moved(own.second, other.second, other.first, forms),
        )
        return min(shares) >= _HALF

    def stays_in(self, theirs: Sides, forms: Forms) -> bool:
        """Whether each side has a word that stays on it."""
        own, other = self.apart, theirs.apart
        return bool(_in_both(own.first, other.first, forms) and _in_both(own.second, other.second, forms))


def _share_moved(own: frozenset[str], same: frozenset[str], other: frozenset[str], forms: Forms) -> float:
    """Share of the words that do not stay on a side which stand on the other one; 0 to 1."""
    left = own - _in_both(own, same, forms)
    return len(_in_both(left, other, forms)) / len(left) if left else 0.0


def _in_both(own: frozenset[str], theirs: frozenset[str], forms: Forms) -> frozenset[str]:
    return frozenset([stem for stem in own if not forms.get(stem, frozenset((stem,))).isdisjoint(theirs)])


@dataclass(frozen=True)
class _Relation:
    """Two clauses: a cause and its effect, a means and its aim, an earlier and a later step."""

    kind: str
    sides: Sides


def exchanged_of(grounds: Grounds) -> Iterator[Settled]:
    """A claim that exchanges the sides of a link, the order of steps, or what two statements say of two."""
    if len(grounds.tokens) > _LONGEST or grounds.words.is_denying:
        return
    turned = _turned_link(grounds) or _turned_statements(grounds)
    if turned is not None:
        yield Settled("role", grounds.tokens[0].start, grounds.tokens[-1].end, turned.outcome("denied"))


def _turned_link(grounds: Grounds) -> Statement | None:
    """A sentence with a relation of the claim turned, where no sentence has it as it is."""
    own = list(_linked(grounds.tokens, grounds.text))
    if len(own) > 1:
        # "After the petition and before the judgment" has two sides too many.
        own = []
    if grounds.words.has(_LATER_STEPS) and not grounds.words.has({_IF}):
        own += [_Relation(_STEP, sides) for sides in _steps(grounds.tokens, grounds.text, is_said=True)]
    if not own:
        return None
    kinds = frozenset([relation.kind for relation in own])
    told = [
        (statement, relation)
        for statement in grounds.statements
        for relation in _relations_in(statement, grounds, kinds)
    ]
    forms = _forms_of(grounds) if told else {}
    return next(filter(None, [_turned_in(relation, told, forms) for relation in own]), None)


def _forms_of(grounds: Grounds) -> Forms:
    return {stem: grounds.forms(stem) for stem in grounds.content}


def _turned_in(own: _Relation, told: Sequence[tuple[Statement, _Relation]], forms: Forms) -> Statement | None:
    found = None
    for statement, relation in told:
        if relation.kind != (_LATER if own.kind == _STEP else own.kind):
            continue
        if own.sides.exchanged_in(relation.sides, forms):
            found = found or statement
        elif own.sides.stays_in(relation.sides, forms):
            return None
    return found


def _relations_in(statement: Statement, grounds: Grounds, kinds: frozenset[str]) -> list[_Relation]:
    tokens = statement.tokens
    if len(tokens) > _LONGEST or statement.words.is_denying:
        return []
    text = grounds.text_of(statement)
    found = list(_linked(tokens, text, grounds.tokens_before(statement)))
    is_listed = _STEP in kinds
    if statement.held >= _LEAST_HELD and (is_listed or (_LATER in kinds and statement.has(_LATER_STEPS))):
        found += [_Relation(_LATER, sides) for sides in _steps(tokens, text, is_said=not is_listed)]
    return found


def _linked(tokens: Sequence[Token], text: str, before: Sequence[Token] = ()) -> Iterator[_Relation]:
    """The relations that a link of a sentence tells; ``before``, of the sentence before it."""
    norms = [token.norm for token in tokens]
    if _FIRST.isdisjoint(norms):
        return
    for at in range(len(tokens)):
        link = _link_at(tokens, at)
        if not link:
            continue
        first = at + 1 + link.count(" ")
        end = _end_of(tokens, text, first, _ENDS)
        left, right = tokens[:at], tokens[first:end]
        if not _content(left):
            comma = _end_of(tokens, text, first, _CUTS)
            left, right = (before, right) if link in _OPENING else (tokens[comma:], tokens[first:comma])
        role = _LINKS[link]
        sides = Sides(_content(left), _content(right))
        if role in _TURNED:
            sides = Sides(sides.second, sides.first)
        yield _Relation(_KINDS.get(role, role), sides)


def _link_at(tokens: Sequence[Token], at: int) -> str:
    """The longest link that begins with a word, or ""."""
    if tokens[at].norm not in _FIRST:
        return ""
    norms = [token.norm for token in tokens[at : at + _LONGEST_LINK]]
    starts = (" ".join(norms[:count]) for count in range(len(norms), 0, -1))
    link = next((start for start in starts if start in _LINKS), "")
    is_of_degree = link == _SO and len(norms) > 1 and norms[1] in _OF_DEGREE
    is_of_time = _LINKS.get(link) in (_EARLIER, _LATER)
    is_of_verb = is_of_time and has_word(tokens[:at], _WITH_AFTER)
    return "" if is_of_degree or is_of_verb else link


def _end_of(tokens: Sequence[Token], text: str, first: int, signs: frozenset[str]) -> int:
    """The first word behind another one that a sign stands before."""
    for number in range(first + 1, len(tokens)):
        if not signs.isdisjoint(text[tokens[number - 1].end : tokens[number].start]):
            return number
    return len(tokens)


def _content(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset([token.stem for token in tokens if not (token.is_stop or token.norm in _STEPS)])


def _steps(tokens: Sequence[Token], text: str, *, is_said: bool) -> Iterator[Sides]:
    """An earlier and a later step, between which a word says so, or as a sentence lists them."""
    steps = _steps_of(tokens, text)[:_MOST_STEPS]
    for first, second in combinations(range(len(steps)), 2):
        between = [token.norm for step in steps[first + 1 : second + 1] for token in step[:2]]
        if not is_said or not _LATER_STEPS.isdisjoint(between):
            yield Sides(_content(steps[first]), _content(steps[second]))


def _steps_of(tokens: Sequence[Token], text: str) -> list[Step]:
    """The words of a sentence, cut at signs, before joints and before words of order."""
    cuts = [0]
    for number in range(1, len(tokens)):
        norm = tokens[number].norm
        is_cut = norm in _JOINTS or (norm in _LATER_STEPS and tokens[number - 1].norm not in _JOINTS)
        if is_cut or not _CUTS.isdisjoint(text[tokens[number - 1].end : tokens[number].start]):
            cuts.append(number)
    cuts.append(len(tokens))
    steps = [tuple(tokens[first:last]) for first, last in pairwise(cuts)]
    return [step for step in steps if _content(step)]


def _turned_statements(grounds: Grounds) -> Statement | None:
    """A sentence with two statements of a claim of which each has what the other one says."""
    if not grounds.words.has(_JOINTS):
        return None
    own = list(pairwise(_steps_of(grounds.tokens, grounds.text)))
    for statement in grounds.statements:
        if statement.held < _LEAST_HELD:
            break
        if len(statement.tokens) > _LONGEST or not statement.has(_JOINTS):
            continue
        theirs = list(pairwise(_steps_of(statement.tokens, grounds.text_of(statement))))
        forms = _forms_of(grounds)
        if any(_say_each_others(mine, other, forms) for mine in own for other in theirs):
            return statement
    return None


def _say_each_others(own: tuple[Step, Step], theirs: tuple[Step, Step], forms: Forms) -> bool:
    """Whether both statements begin as the two of a sentence, and end as the other one does."""
    mine, other = Sides(*map(_content, own)).apart, Sides(*map(_content, theirs)).apart
    if not mine.exchanged_in(other, forms) or not mine.stays_in(other, forms):
        return False
    openings = [_first_of(step) for step in (*own, *theirs)]
    return openings[1] == openings[3] and openings[0] == openings[2]


def _first_of(step: Step) -> str:
    return next(token.stem for token in step if not token.is_stop and token.norm not in _STEPS)
