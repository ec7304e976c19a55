"""What the citations of an answer are worth by themselves: no claim is scored for it."""

# No postponed annotations here: pydantic would compile each of them once more, at every import.
from typing import Any, Literal

from pytest_grounding._jsonio import canonical_json
from pytest_grounding.model._base import Model
from pytest_grounding.model.finding import Finding
from pytest_grounding.model.verdict import CitationVerdict


class CitationReport(Model):
    """The citations of one answer, and what the rules on citations found.

    It is true, as in ``assert check_citations(answer, chunks)``, where the answer cites and all of it is
    valid.

    Attributes:
        status: ``valid``: there are citations, and no error rule failed on one; ``invalid``: an error rule
            failed; ``missing``: the answer cites nothing; ``off``: validation is switched off.
        citations: one verdict a citation, in the order of the answer. Their ``support`` is None.
        findings: what the rules found, the gravest first.
        citation_accuracy: valid citations ÷ citations, in [0, 1]; None when there are none.
        cleaned: the answer without its invalid markers.
    """

    status: Literal["valid", "invalid", "missing", "off"]
    citations: tuple[CitationVerdict, ...] = ()
    findings: tuple[Finding, ...] = ()
    citation_accuracy: float | None = None
    cleaned: str

    def __bool__(self) -> bool:
        return self.status == "valid"

    def as_dict(self) -> dict[str, Any]:
        """The report as plain JSON data."""
        return self.model_dump(mode="json")

    def to_json(self) -> str:
        """The report as canonical JSON on one line: equal input gives equal bytes."""
        return canonical_json(self.as_dict())
