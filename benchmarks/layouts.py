"""One document through each loader and chunker: right answers that pass, wrong ones stopped, pair by pair.

    python -m benchmarks.layouts [--show PAIR]

The document has tables, lists, definitions, headings and yes/no cells in words of our own. Each answer is
checked against all chunks of a pair. A row whose value the loader's text no longer has is left out and
counted as lost. Needs the dependency group ``loaders``; a pair whose packages are missing is left out.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import pytest_grounding as pg
from benchmarks.layouts_document import HTML, ROWS, Row, as_docx, as_pdf

#: Characters of a chunk; the document is cut two to four times.
CHUNK = 900

Loader = Callable[[], str]
Chunker = Callable[[str], list[str]]


def by_markdownify() -> str:
    from markdownify import markdownify

    return str(markdownify(HTML, heading_style="ATX"))


def by_html2text() -> str:
    import html2text

    reader = html2text.HTML2Text()
    reader.body_width = 0
    return str(reader.handle(HTML))


def by_bs4() -> str:
    from bs4 import BeautifulSoup

    return str(BeautifulSoup(HTML, "html.parser").get_text("\n", strip=True))


def by_markitdown() -> str:
    from markitdown import MarkItDown

    return str(MarkItDown().convert_stream(io.BytesIO(as_docx()), file_extension=".docx").text_content)


def by_pypdf() -> str:
    from pypdf import PdfReader

    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(as_pdf())).pages)


def by_pdfplumber() -> str:
    import pdfplumber

    with pdfplumber.open(io.BytesIO(as_pdf())) as pdf:
        return "\n".join(page.extract_text() for page in pdf.pages)


def by_pymupdf() -> str:
    import pymupdf

    return "\n".join(page.get_text() for page in pymupdf.open(stream=as_pdf(), filetype="pdf"))


def in_langchain(text: str) -> list[str]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return list(RecursiveCharacterTextSplitter(chunk_size=CHUNK, chunk_overlap=0).split_text(text))


def in_semchunk(text: str) -> list[str]:
    import semchunk

    return list(semchunk.chunkerify(lambda part: len(part.split()), CHUNK // 6)(text))


def in_chonkie(text: str) -> list[str]:
    from chonkie import RecursiveChunker

    return [chunk.text for chunk in RecursiveChunker("character", chunk_size=CHUNK)(text)]


LOADERS: Mapping[str, Loader] = {
    "markdownify": by_markdownify,
    "html2text": by_html2text,
    "bs4": by_bs4,
    "markitdown (docx)": by_markitdown,
    "pypdf": by_pypdf,
    "pdfplumber": by_pdfplumber,
    "pymupdf": by_pymupdf,
}
CHUNKERS: Mapping[str, Chunker] = {"langchain": in_langchain, "semchunk": in_semchunk, "chonkie": in_chonkie}


@dataclass
class Counts:
    """What came of the rows of one pair."""

    right: int = 0
    passed: int = 0
    wrong: int = 0
    stopped: int = 0
    lost: int = 0

    def add(self, row: Row, status: str) -> None:
        """Count one answer."""
        if row.is_right:
            self.right += 1
            self.passed += status == "pass"
        else:
            self.wrong += 1
            self.stopped += status != "pass"

    @property
    def line(self) -> str:
        """Shares in percent, with how many rows stand behind them."""
        passed, stopped = 100 * self.passed / max(1, self.right), 100 * self.stopped / max(1, self.wrong)
        return f"{passed:.0f} % of {self.right} | {stopped:.0f} % of {self.wrong} | {self.lost}"


def judged(chunks: list[str]) -> Iterator[tuple[Row, str]]:
    """Each row with the status of its answer, or "lost" if no chunk has what the right answer says."""
    text = " ".join(" ".join(chunks).split())
    given = [{"id": f"c{number}", "text": chunk} for number, chunk in enumerate(chunks)]
    for row in ROWS:
        if row.fact not in text:
            yield row, "lost"
            continue
        transcript = {"id": row.answer, "question": row.question, "answer": row.answer, "chunks": given}
        yield row, pg.validate(transcript).status


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", default="", help="print the misses of pairs whose name contains this")
    arguments = parser.parse_args()
    print("| loader, chunker | right answers that pass | wrong ones stopped | lost |\n|---|---|---|---|")
    for loader, load in LOADERS.items():
        for chunker, cut in CHUNKERS.items():
            try:
                chunks = cut(load())
            except ImportError as missing:
                print(f"{loader}, {chunker} left out: {missing}", file=sys.stderr)
                continue
            counts = Counts()
            for row, status in judged(chunks):
                if status == "lost":
                    counts.lost += 1
                    continue
                counts.add(row, status)
                is_miss = (status == "pass") != row.is_right
                if is_miss and arguments.show and arguments.show in f"{loader}, {chunker}":
                    print(f"{'right' if row.is_right else 'wrong'} {status}: {row.answer}", file=sys.stderr)
            print(f"| {loader}, {chunker} | {counts.line} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
