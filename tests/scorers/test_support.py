"""Support of claims and relevance of chunks: wording, spelling, names, titles and parts of a sentence."""

from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding.evidence.all_chunks import context_of
from pytest_grounding.evidence.source_labels import without_labels
from pytest_grounding.model.transcript import Chunk, ChunkMetadata
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin.align import Alignment
from pytest_grounding.scorers.builtin.builtin_scorer import LexicalScorer

WHO = (
    "The World Health Organization (WHO) was founded on 7 April 1948. Its headquarters are in Geneva, "
    "Switzerland. The organization has 194 member states and employs about 8,000 people."
)
WARRANTY = (
    "The warranty lasts 24 months from the date of purchase. Batteries are covered for half a year. "
    "Repairs cost 1,200,000 dollars in 2021."
)
LEAVE = (
    "Employees may carry over up to five unused vacation days into the next year. Requests have to be "
    "approved by a manager before December 15."
)


def score(claim, *texts, question="", context="", language="en"):
    chunks = [Chunk(id=f"c{number}", text=text) for number, text in enumerate(texts)]
    claims = [ClaimText(claim, context)]
    return LexicalScorer().support(claims, chunks, question=question, language=language)[0]


def probability(claim, *texts, question=""):
    value = score(claim, *texts, question=question).probability
    assert value is not None
    return value


@each(*table(__file__, "supported"))
def test_paraphrases_are_supported_and_inventions_are_not(claim, text, is_supported):
    found = probability(claim, text)
    assert found >= 0.8 if is_supported else found < 0.7


def test_two_chunks_join():
    claim = "The WHO was founded on 7 April 1948 and the warranty lasts 24 months."
    joined = score(claim, WHO, WARRANTY)
    assert joined.probability >= 0.8
    assert {evidence.chunk_id for evidence in joined.evidence} == {"c0", "c1"}
    assert probability(claim, WHO) < joined.probability
    assert probability(claim, WARRANTY) < joined.probability


def test_evidence_is_verbatim_best_first_with_its_neighbours():
    found = score("Its headquarters are located in Geneva and it has 194 members.", WARRANTY, WHO)
    assert [evidence.chunk_id for evidence in found.evidence] == ["c1", "c1"]
    texts = {"c0": WARRANTY, "c1": WHO}
    for evidence in found.evidence:
        assert texts[evidence.chunk_id][evidence.start : evidence.end] == evidence.text
    shares = [evidence.score for evidence in found.evidence if evidence.score is not None]
    assert shares == sorted(shares, reverse=True)
    middle = next(evidence for evidence in found.evidence if evidence.sentence_index == 1)
    assert middle.before == "The World Health Organization (WHO) was founded on 7 April 1948."
    assert middle.after.startswith("The organization has 194")


def test_verbatim_is_an_exact_match_and_the_surest():
    exact = score("the warranty lasts 24 months from the date of purchase", WARRANTY)
    assert exact.method == "exact_match"
    assert exact.probability > probability("The warranty takes 24 months from the purchase date.", WARRANTY)


def test_missing_words_and_reason_name_what_no_source_says():
    found = score("The warranty lasts 24 months and covers theft.", WARRANTY)
    assert found.missing == ("theft",)
    assert "theft" in found.reason


def test_words_of_the_question_need_no_source():
    text = "It lasts 24 months from the date of purchase."
    claim = "The Zenith X200 warranty lasts 24 months."
    with_question = probability(claim, text, question="How long is the Zenith X200 warranty?")
    assert with_question > probability(claim, text)


def test_words_of_a_title_need_no_source():
    claim = ClaimText("According to the Fee schedule, late returns cost 2 euros a day.", "")
    text = "Late returns cost 2 euros a day."
    (untitled,) = LexicalScorer().support([claim], [Chunk(id="c1", text=text)])
    titled = Chunk(id="c1", text=text, metadata={"title": "Fee schedule"})
    (score,) = LexicalScorer().support([claim], [titled])
    assert not {"Fee", "schedule"} & set(score.missing)
    assert "schedule" in untitled.missing
    assert score.probability > untitled.probability
    # A title backs nothing by itself, and a number in it backs nothing at all.
    (alone,) = LexicalScorer().support(
        [ClaimText("The Fee schedule costs 40 euros.", "")],
        [Chunk(id="c1", text="Dogs are welcome.", metadata={"title": "Fee schedule 40"})],
    )
    assert alone.probability < 0.3


def test_no_chunks_give_no_support():
    found = score("The warranty lasts 24 months.")
    assert found.probability < 0.01
    assert found.reason == "there is no chunk"
    assert found.evidence == ()


@each("", "   ", "...", "—", "[1]")
def test_a_claim_without_words_abstains(claim):
    found = score(claim, WHO)
    assert found.probability is None
    assert found.reason


@each(
    ("日本の首都は東京です。", "東京は日本の首都です。人口は多い。", "富士山は高い山です。"),
    ("Die Garantie gilt 24 Monate ab Kauf.", "Die Garantie gilt 24 Monate ab dem Kauf.", "Der Hund schläft."),
    ("Гарантия составляет 24 месяца.", "Гарантия на устройство составляет 24 месяца.", "Собака спит дома."),
    ("सम्मेलन दिल्ली में हुआ।", "यह सम्मेलन दिल्ली में हुआ था।", "कुत्ता घर पर है।"),
)
def test_other_languages_are_scored_but_not_calibrated(claim, text, other):
    found, lost = score(claim, text, language="und"), score(claim, other, language="und")
    assert not found.calibrated
    assert "not calibrated" in found.reason
    assert found.probability is not None
    assert lost.probability < 0.7 <= found.probability


def test_a_bare_label_of_a_source_is_supported():
    found = score("(Passage 1)", WHO)
    assert found.probability > 0.9
    assert found.reason == "it only names a source"


def test_each_claim_is_scored_alone():
    claims = [ClaimText("The WHO was founded in 1948."), ClaimText("Penguins fly."), ClaimText("")]
    chunks = [Chunk(id="a", text=WHO)]
    together = LexicalScorer().support(claims, chunks)
    assert together == [LexicalScorer().support([claim], chunks)[0] for claim in claims]


TEXT = st.one_of(
    st.text(max_size=120),
    st.lists(
        st.sampled_from(
            ["The", "WHO", "12", "1.2", "million", "not", "東京", "Geneva", ".", "?", "[1]", "%", "\n", "I"]
        ),
        max_size=25,
    ).map(" ".join),
)


@settings(max_examples=150, deadline=None)
@given(claim=TEXT, texts=st.lists(TEXT, max_size=3), question=TEXT)
def test_any_text_gets_a_probability_or_a_reason_why_not(claim, texts, question):
    found = score(claim, *texts, question=question)
    if found.probability is None:
        assert found.reason
    else:
        assert 0.0 <= found.probability <= 1.0
    for evidence in found.evidence:
        source = texts[int(evidence.chunk_id[1:])]
        assert source[evidence.start : evidence.end] == evidence.text
        assert evidence.score is not None
        assert 0.0 <= evidence.score <= 1.0
    assert all(word in claim for word in found.missing)


@settings(max_examples=60, deadline=None)
@given(text=TEXT, question=TEXT)
def test_any_question_gets_a_relevance_or_a_reason_why_not(text, question):
    found = LexicalScorer().relevance(question, [Chunk(id="a", text=text)])[0]
    assert found.reason
    assert found.value is None or 0.0 <= found.value <= 1.0


def relevance(question, *chunks):
    return [found.value for found in LexicalScorer().relevance(question, chunks)]


@each("How long does the warranty last?", "Are batteries covered by the warranty?", "What is the warranty?")
def test_the_chunk_that_answers_is_relevant_and_the_other_is_not(question):
    good, bad = relevance(question, Chunk(id="a", text=WARRANTY), Chunk(id="b", text=LEAVE))
    assert good is not None
    assert bad is not None
    assert good >= 0.6
    assert bad < 0.3


def test_each_chunk_is_scored_alone():
    chunks = [Chunk(id="a", text=WARRANTY), Chunk(id="b", text=LEAVE)]
    question = "Who approves vacation requests?"
    assert relevance(question, *chunks) == [relevance(question, chunk)[0] for chunk in chunks]


def test_words_of_the_title_count_for_relevance():
    text = "It lasts 24 months."
    plain = relevance("How long does the Zenith warranty last?", Chunk(id="a", text=text))[0]
    titled = Chunk(id="a", text=text, metadata=ChunkMetadata(title="Zenith warranty"))
    better = relevance("How long does the Zenith warranty last?", titled)[0]
    assert plain is not None
    assert better > plain


def test_a_question_of_stop_words_gets_no_score():
    found = LexicalScorer().relevance("What is it?", [Chunk(id="a", text=WARRANTY)])[0]
    assert found.value is None
    assert "no content words" in found.reason


def missing(claim, source):
    alignment = Alignment(claim, tokenize(without_labels(claim)), context_of((source,)), frozenset(), "en")
    return [token.text for token in alignment.missing]


@each(*table(__file__, "test_another_spelling_is_found_in_both_directions"))
def test_another_spelling_is_found_in_both_directions(claim, source):
    assert missing(claim, source) == []
    assert missing(source, claim) == [] or "24" in source


@each(*table(__file__, "test_a_word_that_only_looks_alike_is_missing"))
def test_a_word_that_only_looks_alike_is_missing(claim, source, lost):
    assert lost in missing(claim, source)


def test_an_acronym_is_found_where_it_is_spelled_out_and_a_very_long_word_is_not_split():
    assert missing("The CEO resigned.", "The chief executive officer resigned.") == []
    assert missing("A " + "data" * 5000, "data " * 5000) == ["data" * 5000]


@each("(passages 1, 2, and 3)", "documents 2, 3 & 4", "(sources 1, or 2)")
def test_a_list_of_sources_is_one_label(label):
    assert without_labels(f"It rained {label}").strip() == "It rained"


def verdict_on(answer, *chunks):
    return pg.validate(
        {
            "id": "one",
            "question": "What is known of it?",
            "chunks": [
                chunk if isinstance(chunk, dict) else {"id": f"c{number}", "text": chunk}
                for number, chunk in enumerate(chunks)
            ],
            "answer": answer,
        }
    )


@each(*table(__file__, "passes"))
def test_the_same_in_other_words_passes_and_a_detail_without_a_source_does_not(claim, source, passes):
    (found,) = verdict_on(claim, source).claims
    assert found.checked
    assert (found.status in {"supported", "borderline"}) is passes


@each(*table(__file__, "titles"))
def test_a_title_with_a_number_needs_no_source_but_its_number_alone_backs_nothing(
    title, text, answer, is_supported
):
    chunk = {"id": "c1", "text": text, "score": 0.9, "metadata": {"title": title}}
    status = next(claim.status for claim in verdict_on(answer, chunk).claims if claim.checked)
    assert status in (("supported",) if is_supported else ("unsupported", "contradicted"))


@each(*table(__file__, "names"))
def test_another_name_raises_a_doubt_and_another_form_of_it_does_not(chunk, answer, is_known):
    verdict = verdict_on(answer, chunk)
    (claim,) = verdict.claims
    rules = {finding.rule for finding in verdict.causes if finding.claim == claim.index}
    doubts = rules & {"possible_conflict", "contradicted", "unknown_entity"}
    assert (claim.status == "supported" and not doubts) is is_known


def test_the_reason_names_the_words_without_a_source():
    assert (
        pg.support("The Pro plan is free.", ["The Pro plan costs $20 a month."]).reason
        == "not in the sources in these words: free"
    )


def test_words_without_a_source_are_listed_for_a_passing_claim():
    source = "The festival in Oldenhain is in July, with concerts on three stages and a market."
    verdict = verdict_on(source.replace("a market", "a lively market"), source)
    assert [(item.status, item.missing_words) for item in verdict.claims] == [("supported", ("lively",))]
    assert '"missing_words":["lively"]' in verdict.model_dump_json()


def test_english_patterns_are_not_applied_to_other_languages():
    score = pg.support("Der Tarif ist kostenlos.", ["Der Tarif kostet zwanzig Euro im Monat."], language="de")
    assert "in these words" not in score.reason
