"""Citations by name: ``[chunk-id]``, literally the id of a chunk, or of the same form."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_grounding._io.lazy_patterns import lazy
from pytest_grounding.citations.syntax import Marker, SyntaxContext, Target, brackets
from pytest_grounding.lexicon.patterns import plain

_PREFIX = plain("recorded", "id_prefix")
_WORD_PREFIX = lazy(r"(?:source|document|doc|ref|chunk|id)\s{1,3}", re.IGNORECASE)
_SEPARATOR = lazy(r"[,;，；、]")
_LONGEST_NUMBER = 3
_SHORT_NUMBERS = lazy(r"[-−^\s\d,;–—]{1,200}")


class IdSyntax:
    """Citations by the id of a chunk, compared case folded."""

    name = "id"
    priority = 60

    def find(self, context: SyntaxContext) -> Iterable[Marker]:
        """All markers of this syntax, in order."""
        if not context.chunks:
            return
        for bracket in brackets(context.masked):
            yield context.marker(bracket.start, bracket.end, self.name, _id_targets(bracket.body, context))


def _id_targets(body: str, context: SyntaxContext) -> list[Target]:
    """One target for each id in a bracket; empty if it contains anything else."""
    text = body.strip()
    lookup = context.lookup
    # Short numbers are positions or numeric ids; the index syntax decides which for the whole answer.
    if _SHORT_NUMBERS.fullmatch(text) and not (text.isdecimal() and len(text) > _LONGEST_NUMBER):
        return []
    if found := lookup.by_id(text):
        return [Target(found[0], found)]
    text = _PREFIX.sub("", text, count=1) if _PREFIX.match(text) else text
    parts = [part.strip() for part in _SEPARATOR.split(text)]
    targets: dict[str, Target] = {}
    has_name = False
    for part in parts:
        target = _id_target(part, context)
        has_name = has_name or target is not None
        if target is None and part.isdecimal() and len(part) <= _LONGEST_NUMBER:
            # "[1, hr-2]": a number among names is a position. Numbers alone are left to the index syntax.
            target = Target(str(int(part)), lookup.at(int(part)))
        if target is None:
            return []
        targets.setdefault(target.label, target)
    return list(targets.values()) if has_name else []


def _id_target(part: str, context: SyntaxContext) -> Target | None:
    lookup = context.lookup
    prefix = _WORD_PREFIX.match(part)
    candidates = [part, part[prefix.end() :]] if prefix is not None else [part]
    for name in candidates:
        is_number = name.isdecimal() and len(name) <= _LONGEST_NUMBER
        if not is_number and (found := lookup.by_id(name)):
            return Target(found[0], found)
    return next((Target(name) for name in candidates if lookup.is_built_like_ids(name)), None)
