"""A line a transcript, for spreadsheets."""


def render(report):
    """The run as lines of id and status."""
    return "".join(f"{verdict.id};{verdict.status}\n" for verdict in report.transcripts)
