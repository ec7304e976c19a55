"""Two sides that a claim exchanges: cause and effect, earlier and later, two things and their places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from pytest_grounding.evidence.settled import Settled
from pytest_grounding.evidence.statements import Grounds, Statement, has_word, sign_behind
from pytest_grounding.lexicon import table, words
from pytest_grounding.reading.words import Token

#: Word or words -> the kind of relation of which the first or the second clause stands behind them.
_TO_FIRST, _TO_SECOND = table("exchanged", "before the first"), table("exchanged", "before the second")
_LINKS = _TO_FIRST | _TO_SECOND
_FIRST = frozenset(link.partition(" ")[0] for link in _LINKS)  # for a quick look
_OF_DEGREE = words("exchanged", "of degree")
_LATER_STEPS, _STEPS = words("exchanged", "later steps"), words("exchanged", "steps")
_JOINTS = words("exchanged", "joints")
_BEFORE_ADJECTIVES = _JOINTS | words("denials", "articles")  # "the then mayor"
_BEING = words("denials", "being")
_WITH_AFTER = words("exchanged", "before after")  # "looks after"
_CAUSE, _ORDER = "cause", "order"
_SO, _IF, _TWO_SIDED = "so", "if", frozenset({"of", "to"})
_CUTS, _ENDS = frozenset(",;:()"), frozenset(";:()")
_LONGEST_LINK = 4  # words of a link at most
_LONGEST, _MOST_STEPS = 60, 8  # words of a sentence that is compared, and its steps, at most
_WITH_JOINT = 2  # words of a step that are searched for one of order: "and then"
_LEAST_HELD = 0.9  # share of a claim in a sentence that has its words in another order
_HALF = 0.5  # of the words that do not stay on their side, at least these stand on the other one

Forms = Callable[[str], frozenset[str]]  # a stem with what stands for it in the sources
Step = tuple[Token, ...]


@dataclass(slots=True)
class Sides:
    """The words of two sides, by stem."""

    first: frozenset[str]
    second: frozenset[str]

    @classmethod
    def around(cls, word: Token, tokens: Sequence[Token]) -> Sides:
        """The content words before "south of" and behind it; none where no "of" or "to" stands there."""
        at = tokens.index(word)
        if not has_word(tokens[at + 1 : at + 2], _TWO_SIDED):
            return cls(frozenset(), frozenset())
        return cls(content_of(tokens[:at]), content_of(tokens[at + 1 :]))

    @property
    def apart(self) -> Sides:
        """The sides without the words that both have: the branch of two branches."""
        return Sides(self.first - self.second, self.second - self.first)

    def exchanged_in(self, theirs: Sides, forms: Forms) -> bool:
        """Whether most words of each side that do not stay on it stand on the other one."""
        own, other = self.apart, theirs.apart
        if not other.first or not other.second:
            return False
        if _share_moved(own.first, other.first, other.second, forms) < _HALF:
            return False
        return _share_moved(own.second, other.second, other.first, forms) >= _HALF

    def stays_in(self, theirs: Sides, forms: Forms) -> bool:
        """Whether each side has a word that stays on it."""
        own, other = self.apart, theirs.apart
        return bool(_in_both(own.first, other.first, forms) and _in_both(own.second, other.second, forms))


def _share_moved(own: frozenset[str], same: frozenset[str], other: frozenset[str], forms: Forms) -> float:
    """Share of the words that do not stay on a side which stand on the other one; 0 to 1."""
    left = own - _in_both(own, same, forms)
    return len(_in_both(left, other, forms)) / len(left) if left else 0.0


def _in_both(own: frozenset[str], theirs: frozenset[str], forms: Forms) -> frozenset[str]:
    return frozenset([stem for stem in own if not forms(stem).isdisjoint(theirs)])


@dataclass(frozen=True)
class _Relation:
    """Two clauses: a cause and its effect, a means and its aim, an earlier and a later step."""

    kind: str
    sides: Sides
    opening: frozenset[str] = frozenset()  # what the first of all steps says

    def sides_beside(self, theirs: _Relation) -> Sides:
        """Its sides without what both sentences open with: "the bus stops in"."""
        shared = self.opening & theirs.opening
        return Sides(self.sides.first - shared, self.sides.second - shared) if shared else self.sides


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
    if grounds.words.has(_LATER_STEPS) and not grounds.words.has({_IF}):
        own += _steps(grounds.tokens, grounds.text, is_said=True)
    if not own:
        return None
    told = [(said, relation) for said in grounds.statements for relation in _relations_in(said, grounds)]
    return next(filter(None, [_statement_turning(relation, told, grounds.forms) for relation in own]), None)


def _statement_turning(
    own: _Relation, told: Sequence[tuple[Statement, _Relation]], forms: Forms
) -> Statement | None:
    found = None
    for statement, relation in told:
        sides = own.sides_beside(relation)
        if relation.kind != own.kind:
            continue
        if sides.exchanged_in(relation.sides, forms):
            found = found or statement
        elif sides.stays_in(relation.sides, forms):
            return None
    return found


def _relations_in(statement: Statement, grounds: Grounds) -> Iterator[_Relation]:
    """What a sentence says of two clauses; as steps it may but list what a claim calls the later one."""
    tokens, text = statement.tokens, grounds.text_of(statement)
    if len(tokens) > _LONGEST or statement.words.is_denying:
        return
    yield from _linked(tokens, text, grounds.tokens_before(statement))
    is_listed = grounds.words.has(_LATER_STEPS) and statement.held >= _LEAST_HELD
    if is_listed or statement.has(_LATER_STEPS):
        yield from _steps(tokens, text, is_said=not is_listed)


def _linked(tokens: Sequence[Token], text: str, before: Sequence[Token] = ()) -> Iterator[_Relation]:
    """The relations that the links of a sentence tell; ``before``, of the sentence before it."""
    openings = [at for at, token in enumerate(tokens) if token.norm in _FIRST]
    links = [(at, link) for at in openings if (link := _link_at(tokens, at))]
    kinds = [_LINKS[link] for _, link in links]
    for at, link in links:
        if kinds.count(_LINKS[link]) > 1:
            # "Dry before the bridge and muddy after it" has two sides too many.
            continue
        sides = _clauses_around(tokens, text, at, link)
        if not sides.first and link in _TO_SECOND:
            # "As a result, …"
            sides = Sides(content_of(before), sides.second)
        yield _Relation(_LINKS[link], Sides(sides.second, sides.first) if link in _TO_FIRST else sides)


def _clauses_around(tokens: Sequence[Token], text: str, at: int, link: str) -> Sides:
    """The clause that a link joins to another one, if the sentence has it, and the clause behind the link."""
    first = at + 1 + link.count(" ")
    is_effect = _TO_SECOND.get(link) == _CAUSE
    if not is_effect and not content_of(tokens[:at]):
        comma = sign_behind(text, tokens, first, _CUTS)
        return Sides(content_of(tokens[comma:]), content_of(tokens[first:comma]))
    end = sign_behind(text, tokens, first, _ENDS)
    return Sides(content_of(tokens[:at]), content_of(tokens[first:end]))


def _link_at(tokens: Sequence[Token], at: int) -> str:
    """The longest link that begins with a word, or ""."""
    norms = [token.norm for token in tokens[at : at + _LONGEST_LINK]]
    starts = (" ".join(norms[:count]) for count in range(len(norms), 0, -1))
    link = next((start for start in starts if start in _LINKS), "")
    is_of_degree = link == _SO and len(norms) > 1 and norms[1] in _OF_DEGREE
    is_of_verb = _LINKS.get(link) == _ORDER and has_word(tokens[:at], _WITH_AFTER)
    # "It was caused in May by …"
    is_passive = link in _TO_SECOND and has_word(tokens[max(0, at - 1) : at], _BEING)
    return "" if is_of_degree or is_of_verb or is_passive else link


def content_of(tokens: Iterable[Token]) -> frozenset[str]:
    """The stems of the words that say something; words of order do not."""
    return frozenset([token.stem for token in tokens if not (token.is_stop or token.norm in _STEPS)])


def _steps(tokens: Sequence[Token], text: str, *, is_said: bool) -> Iterator[_Relation]:
    """An earlier and a later step, between which a word says so, or as a sentence lists them."""
    steps = _steps_of(tokens, text)[:_MOST_STEPS]
    for first, second in combinations(range(len(steps)), 2):
        between = [token.norm for step in steps[first + 1 : second + 1] for token in step[:_WITH_JOINT]]
        if not is_said or not _LATER_STEPS.isdisjoint(between):
            sides = Sides(content_of(steps[first]), content_of(steps[second]))
            yield _Relation(_ORDER, sides, content_of(steps[0]))


def _steps_of(tokens: Sequence[Token], text: str) -> list[Step]:
    """The words of a sentence, cut at signs, before joints and before words of order."""
    cuts = [0]
    for number in range(1, len(tokens)):
        norm, before = tokens[number].norm, tokens[number - 1]
        is_cut = norm in _JOINTS or (norm in _LATER_STEPS and before.norm not in _BEFORE_ADJECTIVES)
        between = text[before.end : tokens[number].start]
        if is_cut or (between != " " and not _CUTS.isdisjoint(between)):
            cuts.append(number)
    cuts.append(len(tokens))
    steps = [tuple(tokens[first:last]) for first, last in pairwise(cuts)]
    return [step for step in steps if content_of(step)]


def _turned_statements(grounds: Grounds) -> Statement | None:
    """A sentence with two statements of a claim of which each has what the other one says."""
    if not grounds.words.has(_JOINTS):
        return None
    near = [item for item in grounds.statements if item.held >= _LEAST_HELD and item.has(_JOINTS)]
    own = list(pairwise(_steps_of(grounds.tokens, grounds.text))) if near else []
    for statement in near:
        if len(statement.tokens) > _LONGEST:
            continue
        theirs = list(pairwise(_steps_of(statement.tokens, grounds.text_of(statement))))
        if any(_say_each_others(mine, other, grounds.forms) for mine in own for other in theirs):
            return statement
    return None


def _say_each_others(own: tuple[Step, Step], theirs: tuple[Step, Step], forms: Forms) -> bool:
    """Whether both statements begin as the two of a sentence, and end as the other one does."""
    sides, others = Sides(*map(content_of, own)).apart, Sides(*map(content_of, theirs)).apart
    if not sides.exchanged_in(others, forms) or not sides.stays_in(others, forms):
        return False
    return list(map(_first_stem, own)) == list(map(_first_stem, theirs))


def _first_stem(step: Step) -> str:
    return next(token.stem for token in step if content_of((token,)))
