"""Citations with a dagger: ``‡2`` is the second chunk."""

import re

from pytest_grounding.citations.syntax import Marker, Target

_MARK = re.compile(r"‡([1-9]\d{0,2})")


class DaggerSyntax:
    """Citations by position, behind a dagger."""

    name = "dagger"
    priority = 42

    def find(self, context):
        """All markers of this syntax, in order."""
        for match in _MARK.finditer(context.masked):
            target = Target(match[1], context.lookup.at(int(match[1])))
            yield Marker(match.start(), match.end(), match[0], self.name, (target,))
