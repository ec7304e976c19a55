"""The document of `benchmarks.layouts`: as HTML, Word and PDF, with answers that are right or wrong."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

BOATS = (
    ("Boat", "Seats", "Day fee", "Sail", "Toilet"),
    ("Curlew", "4", "95 euros", "yes", "no"),
    ("Plover", "6", "130 euros", "no", "yes"),
    ("Dunlin", "9", "175 euros", "no", "no"),
)
RANGES = (
    ("Motor", "Range (calm)", "Range (waves)"),
    ("Vela", "40 km", "25 km"),
    ("Orka", "65 km", "48 km"),
)
CODES = (("Code", "Meaning"), ("3", "battery low"), ("8", "rope jammed"), ("21", "hatch open"))
TERMS = (
    ("Bollard", "Holds the rope on the quay."),
    ("Fender", "Softens the touch of the wall."),
    ("Capstan", "Winds the anchor chain."),
)
MEMBERS, GUESTS = ("Stay: 21 nights", "Deposit: 50 euros"), ("Stay: 5 nights", "Deposit: 200 euros")
LEFT_OUT, INCLUDED = ("fuel", "breakfast"), ("life vests", "charts")
SENTENCE = "The harbour office opens at 7:30 and closes at 19:00."

#: A right and a wrong answer, the question, and what the document has for it.
MORE = (
    (
        "The Dunlin has the most seats.",
        "The Plover has the most seats.",
        "Which boat has the most seats?",
        "Dunlin",
    ),
    (
        "The Curlew is the cheapest boat.",
        "The Dunlin is the cheapest boat.",
        "Which boat is cheapest?",
        "Curlew",
    ),
    (
        "In calm water the Orka has the longest range.",
        "In calm water the Vela has the longest range.",
        "Which motor has the longest range in calm water?",
        "65 km",
    ),
    ("There are three boats.", "There are four boats.", "How many boats are there?", "Dunlin"),
    (
        "In calm water the Vela has a range of 40 km.",
        "In calm water the Vela has a range of 25 km.",
        "What is the range of the Vela in calm water?",
        "40 km",
    ),
    (
        "In calm water the Orka has a range of 65 km.",
        "In calm water the Orka has a range of 48 km.",
        "What is the range of the Orka in calm water?",
        "65 km",
    ),
    ("The Plover has no sail.", "The Plover has a sail.", "Has the Plover a sail?", "Plover"),
    ("The Dunlin has no sail.", "The Dunlin has a sail.", "Has the Dunlin a sail?", "Dunlin"),
    ("The Dunlin has no toilet.", "The Dunlin has a toilet.", "Has the Dunlin a toilet?", "Dunlin"),
    (
        "The bollard holds the rope on the quay.",
        "The bollard softens the touch of the wall.",
        "What does the bollard do?",
        "Holds the rope",
    ),
    ("Members may stay 21 nights.", "Members may stay 5 nights.", "How long may members stay?", "21 nights"),
    (
        "Guests pay a deposit of 200 euros.",
        "Guests pay a deposit of 50 euros.",
        "What deposit do guests pay?",
        "200 euros",
    ),
    (
        "Fuel is not included in the fee.",
        "Fuel is included in the fee.",
        "Is fuel included in the fee?",
        "fuel",
    ),
    (
        "Life vests are included in the fee.",
        "Life vests are not included in the fee.",
        "Are life vests included in the fee?",
        "life vests",
    ),
    ("The office opens at 7:30.", "The office opens at 19:00.", "When does the harbour office open?", "7:30"),
    (
        "The harbour office is closed at 20:00.",
        "The harbour office is open at 20:00.",
        "Is the harbour office open at 20:00?",
        "19:00",
    ),
    (
        "The Plover and the Dunlin have no sail.",
        "The Curlew and the Plover have a sail.",
        "Which boats have no sail, and which have one?",
        "Plover",
    ),
    (
        "Code 8 means rope jammed.",
        "Code 21 means rope jammed.",
        "Which code means rope jammed?",
        "rope jammed",
    ),
    (
        "The Dunlin costs 80 euros more a day than the Curlew.",
        "The Dunlin costs 60 euros more a day than the Curlew.",
        "How much more does the Dunlin cost than the Curlew?",
        "175 euros",
    ),
)

#: What is a table, a list of terms, or a list below its line.
TABLES = (("Boats", BOATS), ("Motors", RANGES), ("Codes of the alarm", CODES))
LISTS = (
    ("Members", MEMBERS),
    ("Guests", GUESTS),
    ("The following are not included in the fee:", LEFT_OUT),
    ("The following are included in the fee:", INCLUDED),
)


@dataclass(frozen=True)
class Row:
    """An answer, with the words of the document that its right form rests on."""

    question: str
    answer: str
    fact: str
    is_right: bool


def _pairs() -> Iterator[tuple[str, str, str, str]]:
    """Question, right answer, wrong answer, and what the document has for them."""
    for name, seats, fee, others in (
        ("Curlew", "4", "95 euros", ("6", "130 euros")),
        ("Plover", "6", "130 euros", ("9", "175 euros")),
        ("Dunlin", "9", "175 euros", ("4", "95 euros")),
    ):
        asked = f"How many seats has the {name}?"
        yield asked, f"The {name} has {seats} seats.", f"The {name} has {others[0]} seats.", name
        asked = f"What is the day fee of the {name}?"
        yield asked, f"The day fee of the {name} is {fee}.", f"The day fee of the {name} is {others[1]}.", fee
    yield "Has the Curlew a toilet?", "The Curlew has no toilet.", "The Curlew has a toilet.", "Curlew"
    yield "Has the Curlew a sail?", "The Curlew has a sail.", "The Curlew has no sail.", "Curlew"
    yield "Has the Plover a toilet?", "The Plover has a toilet.", "The Plover has no toilet.", "Plover"
    for name, calm, waves in (("Vela", "40 km", "25 km"), ("Orka", "65 km", "48 km")):
        asked = f"What is the range of the {name} in waves?"
        said = f"In waves the {name} has a range of"
        yield asked, f"{said} {waves}.", f"{said} {calm}.", waves
    for code, meaning, other in (("3", "battery low", "rope jammed"), ("8", "rope jammed", "hatch open")):
        asked = f"What does code {code} mean?"
        yield asked, f"Code {code} means {meaning}.", f"Code {code} means {other}.", meaning
    yield "What does code 21 mean?", "Code 21 means hatch open.", "Code 21 means battery low.", "hatch open"
    yield (
        "What does the fender do?",
        "The fender softens the touch of the wall.",
        "The fender winds the anchor chain.",
        "Softens the touch",
    )
    yield (
        "What does the capstan do?",
        "The capstan winds the anchor chain.",
        "The capstan holds the rope on the quay.",
        "Winds the anchor chain",
    )
    yield (
        "How long may guests stay?",
        "Guests may stay 5 nights.",
        "Guests may stay 21 nights.",
        "5 nights",
    )
    asked = "What deposit do members pay?"
    yield asked, "Members pay a deposit of 50 euros.", "Members pay a deposit of 200 euros.", "50 euros"
    asked = "Is breakfast included in the fee?"
    yield asked, "Breakfast is not included in the fee.", "Breakfast is included in the fee.", "breakfast"
    asked = "Are charts included in the fee?"
    yield asked, "Charts are included in the fee.", "Charts are not included in the fee.", "charts"
    asked = "When does the harbour office close?"
    yield asked, "The office closes at 19:00.", "The office closes at 7:30.", "19:00"
    for right, wrong, question, fact in MORE:
        yield question, right, wrong, fact


ROWS = tuple(
    Row(question, answer, fact, is_right)
    for question, right, wrong, fact in _pairs()
    for answer, is_right in ((right, True), (wrong, False))
)


def _html() -> Iterator[str]:
    yield f"<h1>Harbour</h1><p>{SENTENCE}</p>"
    for title, rows in TABLES:
        cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
        cells[0] = cells[0].replace("td>", "th>")
        yield f"<h2>{title}</h2><table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
    yield "<h2>Words</h2><dl>"
    yield from (f"<dt>{term}</dt><dd>{text}</dd>" for term, text in TERMS)
    yield "</dl>"
    for title, items in LISTS:
        tag = "p" if title.endswith(":") else "h2"
        yield f"<{tag}>{title}</{tag}><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


HTML = "\n".join(_html())


@cache
def as_docx() -> bytes:
    """The document as Word writes it; needs python-docx."""
    from docx import Document

    document = Document()
    document.add_heading("Harbour", 1)
    document.add_paragraph(SENTENCE)
    for title, rows in TABLES:
        document.add_heading(title, 2)
        table = document.add_table(len(rows), len(rows[0]))
        for row, texts in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
    document.add_heading("Words", 2)
    for term, text in TERMS:
        document.add_paragraph(term)
        document.add_paragraph(f"    {text}")
    for title, items in LISTS:
        if title.endswith(":"):
            document.add_paragraph(title)
        else:
            document.add_heading(title, 2)
        for item in items:
            document.add_paragraph(item, style="List Bullet")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


@cache
def as_pdf() -> bytes:
    """The document as a page of a PDF; needs reportlab."""
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import ListFlowable, Paragraph, SimpleDocTemplate, Spacer, Table

    styles = getSampleStyleSheet()
    parts = [Paragraph("Harbour", styles["Heading1"]), Paragraph(SENTENCE, styles["Normal"])]
    for title, rows in TABLES:
        parts += [Paragraph(title, styles["Heading2"]), Table([list(row) for row in rows], hAlign="LEFT")]
    parts.append(Paragraph("Words", styles["Heading2"]))
    for term, text in TERMS:
        parts.append(Paragraph(term, styles["Normal"]))
        parts.append(Paragraph(text, styles["Definition"]))
    for title, items in LISTS:
        parts.append(Paragraph(title, styles["Normal" if title.endswith(":") else "Heading2"]))
        texts = [Paragraph(item, styles["Normal"]) for item in items]
        parts += [ListFlowable(texts, bulletType="bullet"), Spacer(1, 6)]
    stream = io.BytesIO()
    SimpleDocTemplate(stream).build(parts)
    return stream.getvalue()
