"""The search for conflicts: what holds for any text, caches, marks of words, and German."""

import functools
import importlib
import pkgutil
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from counted_calls import calls_of
from every import each
from hypothesis import example, given
from hypothesis import strategies as st

import pytest_grounding
import pytest_grounding as pg
from pytest_grounding.evidence.sentence_view import Sources
from pytest_grounding.evidence.token_index import index_of
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers.builtin.conflicts import conflicts_between, find_conflicts

SENTENCE_WORDS = (
    "the a not no all some most more less than before after safe unsafe open closed rose fell Paris "
    "London Acme Globex acquired by 5 12 5% $5 km hours 1998 2001 May , . ( ) [1] \n passage 3 city tower "
    "mentions opened is was can n't 名前 é don't if only World War II"
).split(" ")
SENTENCES = st.lists(st.sampled_from(SENTENCE_WORDS), max_size=16).map(" ".join)
SENTENCES_OR_TEXT = st.one_of(SENTENCES, st.text(max_size=40))


def found_in(claim, chunks):
    ids = [f"c{number}" for number in range(len(chunks))]
    return find_conflicts(claim, tokenize(claim), [index_of(chunk) for chunk in chunks], ids)


@given(SENTENCES_OR_TEXT, st.lists(SENTENCES_OR_TEXT, max_size=3))
@example("(passage 5)", ["a"])
@example("[3]", ["5"])
@example("", [""])
def test_quotes_are_verbatim_and_do_not_overlap(claim, chunks):
    end = 0
    for conflict in found_in(claim, chunks):
        assert conflict.severity in {"error", "warning"}
        assert conflict.claim_start >= end
        end = conflict.claim_start + len(conflict.claim_text)
        assert conflict.claim_text == claim[conflict.claim_start : end]
        assert conflict.claim_text
        assert conflict.evidence_text
        chunk = chunks[int(conflict.evidence.chunk_id[1:])]
        assert conflict.evidence.text == chunk[conflict.evidence.start : conflict.evidence.end]
        assert conflict.evidence_text in chunk
        assert conflict.claim_text in conflict.message


@given(
    st.lists(st.sampled_from([word for word in SENTENCE_WORDS if word.isalpha()]), min_size=1, max_size=12)
)
def test_a_sentence_has_no_error_against_itself(words):
    text = " ".join(dict.fromkeys(words))
    assert [c for c in conflicts_between(text, text) if c.severity == "error"] == []


def test_a_long_context_is_linear_work():
    # Every sentence holds the claim's words: each place is looked at, but none twice.
    sentence = "The tower in Paris opened in 1998 and it is safe. "
    claim = "The tower in Paris opened in 2001 and it is not safe."
    alone = {c.kind for c in found_in(claim, [sentence])}
    calls = []
    for times in (100, 800):
        index = index_of(sentence * times)
        kinds = set()
        work = partial(find_conflicts, claim, tokenize(claim), [index], ["c0"])
        calls.append(calls_of(lambda work=work, kinds=kinds: kinds.update(c.kind for c in work())))
        assert "date" in kinds
        assert kinds <= alone
    # Quadratic work would be 64 times as much.
    assert 0 < calls[1] <= 10 * calls[0]


CHUNKS = (
    "The old museum opened in 1950. It is open on all weekdays and costs 8 euros. Anna Berg founded it.",
    "The new gallery was built by Carl Dorn in 1990. Entry is never free. It is not a safe place for dogs.",
)
CLAIMS = (
    "The museum opened in 1960 and costs 9 euros.",
    "Carl Dorn founded the old museum.",
    "The gallery is a safe place for dogs.",
    "Some weekdays the old museum is closed.",
)


def test_a_verdict_does_not_depend_on_earlier_claims():
    def judged(claims):
        shared = Sources([index_of(text) for text in CHUNKS])
        return {claim: find_conflicts(claim, tokenize(claim), shared, ["a", "b"]) for claim in claims}

    alone = {claim: judged((claim,))[claim] for claim in CLAIMS}
    assert any(alone.values())
    assert judged(CLAIMS) == alone
    assert judged(CLAIMS[::-1]) == alone


def test_threads_that_share_sources_find_the_same_conflicts():
    shared = Sources([index_of(text) for text in CHUNKS])
    alone = [
        find_conflicts(claim, tokenize(claim), [index_of(t) for t in CHUNKS], ["a", "b"]) for claim in CLAIMS
    ]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(
            lambda claim: find_conflicts(claim, tokenize(claim), shared, ["a", "b"]), CLAIMS * 20
        )
    assert list(found) == alone * 20


def test_every_cache_of_the_package_has_a_bound():
    found = 0
    for module in pkgutil.walk_packages(pytest_grounding.__path__, "pytest_grounding."):
        if module.name.startswith(
            ("pytest_grounding.scorers.builtin", "pytest_grounding.evidence", "pytest_grounding.text")
        ):
            for name, value in vars(importlib.import_module(module.name)).items():
                # Those of other rooms keep what the package ships: names of patterns and words.
                if isinstance(value, functools._lru_cache_wrapper) and value.__module__ == module.name:
                    found += 1
                    assert value.cache_parameters()["maxsize"] is not None, f"{module.name}.{name}"
    assert found > 20


SOURCES = [
    "Die Garantie beträgt zwei Jahre ab dem Kaufdatum und deckt Materialfehler ab. Der Kunde muss die "
    "Rechnung vorlegen. Schäden durch Wasser sind ausgeschlossen.",
    "Mitarbeiter erhalten 28 Urlaubstage pro Jahr. Anträge werden über das Portal gestellt.",
    "Die Firma hat ihren Sitz in Berlin und wurde 1998 von Anna Keller gegründet.",
]


@each(
    "Die Garantie gilt zwei Jahre ab Kauf.",
    "Wasserschäden sind von der Garantie ausgeschlossen.",
    "Pro Jahr erhalten Mitarbeiter 28 Tage Urlaub.",
    "Die Garantie deckt Fehler im Material ab.",
    "Anna Keller hat die Firma 1998 gegründet.",
)
def test_german_nouns_and_free_word_order_are_not_conflicts(claim):
    found = pg.support(claim, SOURCES, language="de")
    assert found.conflicts == ()
    assert found.probability > 0.8


@each(
    ("Die Firma hat ihren Sitz in Hamburg.", "entity", "Hamburg", "Berlin"),
    ("Der Kunde muss den Ausweis vorlegen.", "entity", "Ausweis", "Rechnung"),
    ("Die Garantie beträgt drei Jahre ab dem Kaufdatum.", "number", "drei", "zwei"),
)
def test_a_german_sentence_with_another_word_is_a_conflict(claim, kind, ours, theirs):
    (conflict,) = pg.support(claim, SOURCES, language="de").conflicts
    assert (conflict.kind, conflict.claim_text, conflict.evidence_text) == (kind, ours, theirs)
