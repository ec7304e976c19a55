"""Why a claim has no support, told from the documents behind the retriever."""

import subprocess
import sys

import pytest
import warm_starts
from every import misses

import pytest_grounding as pg
from benchmarks.labelled import rows_of
from benchmarks.root_causes import cause_of, transcript_of, write_corpus
from pytest_grounding.importers.documents import open_corpus

REFUNDS = "# Refunds\n\nRefunds are paid within 14 days.\n\nGift cards cannot be refunded.\n"
SHIPPING = "Parcels leave the warehouse on the same day."


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("cache") / "of"
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    monkeypatch.setenv("LOCALAPPDATA", str(folder))
    return folder


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "refunds.md").write_text(REFUNDS, encoding="utf-8")
    return folder


def recording(answer, chunk=SHIPPING, **more):
    return {
        "id": "t1",
        "question": "Tell me about refunds.",
        "answer": answer,
        "chunks": [{"id": "c1", "text": chunk}],
        **more,
    }


@pytest.mark.row(73)
def test_finds_each_cause_with_its_place(corpus):
    candidates = {"candidates": [{"id": "c1"}, {"id": "refunds.md"}]}
    cases = [
        (recording("Refunds are paid within 14 days."), "retrieval_miss", "refunds.md:3", "Retrieval: "),
        (
            recording("Refunds are paid within 14 days.", metadata=candidates),
            "ranked_too_low",
            "refunds.md:3",
            "Ranking: ",
        ),
        (
            recording("Refunds are paid within 14 days.", "Refunds are paid within"),
            "cut_by_chunking",
            "refunds.md:3",
            "Chunking: ",
        ),
        (recording("Refunds are paid within 45 days."), "overreach", "refunds.md:3", "Generation: "),
        (recording("The shop repairs bicycles."), "not_in_corpus", "", "Generation: "),
    ]

    def check(transcript, kind, place, stage):
        verdict = pg.validate(transcript, settings={"corpus": str(corpus)})
        cause = next(p.details["cause"] for f in verdict.findings for p in f.parts if "cause" in p.details)
        assert (cause["kind"], cause.get("place", "")) == (kind, place)
        assert cause.get("quote", "") in REFUNDS
        assert verdict.diagnosis.startswith(stage), verdict.diagnosis
        assert place in verdict.diagnosis

    assert not misses(check, cases)


def test_a_verdict_without_a_corpus_has_no_cause():
    verdict = pg.validate(recording("Refunds are paid within 14 days."))
    assert verdict.status == "reject"
    assert not cause_of(verdict)


def test_a_corpus_does_not_change_the_decision(corpus):
    for answer in ("Refunds are paid within 14 days.", "Parcels leave on the same day.", "Cats fly."):
        alone = pg.validate(recording(answer))
        beside = pg.validate(recording(answer), settings={"corpus": str(corpus)})
        assert (alone.status, alone.confidence) == (beside.status, beside.confidence)


def test_finds_planted_causes_among_two_thousand_sections(tmp_path):
    rows = list(rows_of("root_causes"))
    write_corpus(tmp_path, rows)
    found = [
        cause_of(pg.validate(transcript_of(row, tmp_path), settings={"corpus": str(tmp_path)}))
        for row in rows
    ]
    right = sum(cause == row["cause"] for cause, row in zip(found, rows, strict=True))
    assert right >= 0.8 * len(rows), right


def test_finds_documents_of_every_kind_with_their_lines(corpus):
    (corpus / "page.html").write_text(
        "<html><style>p {}</style>\n<p>The <b>ferry</b> sails\nat noon.</p>\n<p>Dogs pay €2.</p></html>",
        encoding="utf-8",
    )
    (corpus / "notes.txt").write_text("One.\n\n\nThe lift carries eight people.\n", encoding="utf-8")
    (corpus / "chunks.jsonl").write_text('{"id": "k1", "text": "Parking costs €3."}\n', encoding="utf-8")
    (corpus / "日本.md").write_text("# 図書館\n\n図書館は午前九時に開きます。\n", encoding="utf-8")
    (corpus / ".hidden.md").write_text("The ferry sails at midnight.", encoding="utf-8")
    found = open_corpus(str(corpus))

    def check(words, said, place):
        passage = found.search(words.split(), 1)[0]
        assert passage.place(passage.text.index(said)) == place

    assert not misses(
        check,
        [
            ("ferry", "ferry", "page.html:2"),
            ("dogs", "Dogs", "page.html:4"),
            ("lift people", "lift", "notes.txt:4"),
            ("parking", "Parking", "chunks.jsonl:1"),
            ("図書館", "図書館は", "日本.md:3"),
            ("gift card", "Gift", "refunds.md:5"),
        ],
    )
    assert not found.search(["midnight"], 3)
    assert not found.search([], 3)
    assert not found.search(['"'], 3)


def pdf_of(*pages):
    """A PDF with a line of text on each page."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        shown = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(shown)} >>\nstream\n{shown}\nendstream",
        ]
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} /Root 1 0 R >>\n"
    return f"{body}startxref\n{body.index('xref')}\n%%EOF\n".encode()


def test_names_pages_of_a_pdf(corpus):
    pytest.importorskip("pypdf")
    (corpus / "guide.pdf").write_bytes(pdf_of("First page.", "Late fees are five euros."))
    assert open_corpus(str(corpus)).search(["fees"], 1)[0].place() == "guide.pdf, page 2"


def test_splits_a_long_paragraph_at_sentences(corpus):
    sentences = [f"Room {number} has {number} chairs." for number in range(200)]
    (corpus / "rooms.md").write_text("\n".join(sentences), encoding="utf-8")
    passage = open_corpus(str(corpus)).search(["150"], 1)[0]
    assert len(passage.text) <= 1000
    assert passage.place(passage.text.index("Room 150")) == "rooms.md:151"


def test_keeps_the_index_until_a_document_changes(corpus, cache):
    def seen_by_another_process(word):
        code = (
            "import sys; from pytest_grounding.importers.documents import open_corpus;"
            "print([item.path for item in open_corpus(sys.argv[1]).search([sys.argv[2]], 3)])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(corpus), word], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert seen_by_another_process("refunds") == "['refunds.md']"
    (first,) = cache.rglob("*.sqlite")
    made = first.stat().st_mtime_ns
    assert seen_by_another_process("refunds") == "['refunds.md']"
    assert first.stat().st_mtime_ns == made
    (corpus / "fees.md").write_text("Late fees are €5.", encoding="utf-8")
    assert seen_by_another_process("fees") == "['fees.md']"
    (second,) = cache.rglob("*.sqlite")
    assert second != first
    assert not list(cache.rglob("*.tmp"))


def test_a_killed_build_leaves_no_index(corpus, cache):
    for number in range(300):
        text = "\n\n".join(f"Paragraph {number} {again}. {'word ' * 150}" for again in range(20))
        (corpus / f"d{number}.md").write_text(text, encoding="utf-8")
    code = (
        "import sys; from pytest_grounding.importers.documents import open_corpus; open_corpus(sys.argv[1])"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(corpus)]) as building:
        while building.poll() is None and not list(cache.rglob("*.tmp")):
            pass
        building.kill()
    assert not list(cache.rglob("*.sqlite"))
    assert open_corpus(str(corpus)).search(["refunds"], 1)[0].path == "refunds.md"
    assert len(list(cache.rglob("*.sqlite"))) == 1


def test_reads_the_corpus_without_a_cache(corpus, cache):
    cache.write_text("a file where the folder should be", encoding="utf-8")
    assert open_corpus(str(corpus)).search(["refunds"], 1)[0].path == "refunds.md"


def run_check(folder, *options):
    command = [warm_starts.python(), "-m", "pytest_grounding", "check", "t.json", *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_check_names_the_place(corpus, tmp_path):
    answer = "Refunds are paid within 14 days."
    (tmp_path / "t.json").write_text(
        f'{{"id": "t1", "question": "How long do refunds take?", "answer": "{answer}", "chunks": []}}',
        encoding="utf-8",
    )
    done = run_check(tmp_path, "--corpus", "docs")
    assert done.returncode == 1
    assert "refunds.md:3 states it and was not retrieved" in " ".join(done.stdout.split())


def test_rejects_a_wrong_corpus(tmp_path):
    (tmp_path / "t.json").write_text(
        '{"id": "t1", "question": "Why?", "answer": "Pigs can fly to the moon.", "chunks": []}',
        encoding="utf-8",
    )
    for path, text in (("empty/x.png", ""), ("rows/c.jsonl", '{"a": 1}\n'), ("pdf/d.pdf", "x")):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text, encoding="utf-8")

    def check(name, said):
        done = run_check(tmp_path, "--corpus", name)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr

    cases = [
        ("nowhere", "nowhere' is not there; name a file or folder"),
        ("empty", "no document"),
        ("rows", "c.jsonl:1: is not a passage; write"),
        ("pdf", "d.pdf: is not a PDF that can be read"),
    ]
    assert not misses(check, cases)
