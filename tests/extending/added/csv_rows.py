"""A line a transcript, for spreadsheets."""

from pytest_grounding.model.run_report import RunReport


def render(report: RunReport) -> str:
    """The run as lines of id and status."""
    return "".join(f"{verdict.id};{verdict.status}\n" for verdict in report.transcripts)
