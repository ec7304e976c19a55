"""Support of claims and relevance of chunks: wording, spelling, names, titles and parts of a sentence."""

from every import each, table
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_grounding as pg
from pytest_grounding import validate
from pytest_grounding.model.transcript import Chunk, ChunkMetadata
from pytest_grounding.reading.words import tokenize
from pytest_grounding.scorers import ClaimText
from pytest_grounding.scorers.builtin.align import Alignment, without_labels
from pytest_grounding.scorers.builtin.all_chunks import context_of
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


@each(*table(__file__, "test_paraphrases_are_supported"))
def test_paraphrases_are_supported(claim, text):
    assert probability(claim, text) >= 0.8


@each(
    ("Penguins huddle together to survive the Antarctic winter.", WHO),
    ("The warranty lasts 36 months from the date of purchase.", WARRANTY),
    ("The WHO employs 9,500 people.", WHO),
    ("The WHO was founded on 9 April 1953.", WHO),
    ("Its headquarters are in Nairobi, Kenya.", WHO),
    ("Elon Musk approved the vacation requests.", LEAVE),
    ("The treaty obliges every government to fund vaccine laboratories.", WHO),
)
def test_inventions_are_not_supported(claim, text):
    assert probability(claim, text) < 0.7


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


def test_labels_of_sources_are_ignored():
    assert probability("According to Passage 7, employees may carry over five days.", LEAVE) >= 0.8
    assert probability("Employees may carry over five unused days [12].", LEAVE) >= 0.8


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


WARRANTY_TERMS = (
    "The warranty lasts 24 months from the date of purchase. Batteries are covered for half a year."
)
LEAVE_RULES = (
    "Employees may carry over up to five vacation days. A manager approves requests before December 15."
)


def relevance(question, *chunks):
    return [found.value for found in LexicalScorer().relevance(question, chunks)]


@each("How long does the warranty last?", "Are batteries covered by the warranty?", "What is the warranty?")
def test_the_chunk_that_answers_is_relevant_and_the_other_is_not(question):
    good, bad = relevance(question, Chunk(id="a", text=WARRANTY_TERMS), Chunk(id="b", text=LEAVE_RULES))
    assert good is not None
    assert bad is not None
    assert good >= 0.6
    assert bad < 0.3


def test_each_chunk_is_scored_alone():
    chunks = [Chunk(id="a", text=WARRANTY_TERMS), Chunk(id="b", text=LEAVE_RULES)]
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
    found = LexicalScorer().relevance("What is it?", [Chunk(id="a", text=WARRANTY_TERMS)])[0]
    assert found.value is None
    assert "no content words" in found.reason


def missing(claim, source):
    alignment = Alignment(claim, tokenize(without_labels(claim)), context_of((source,)), frozenset(), "en")
    return [token.text for token in alignment.missing]


@each(*table(__file__, "test_another_spelling_is_found_in_both_directions"))
def test_another_spelling_is_found_in_both_directions(claim, source):
    assert missing(claim, source) == []
    assert missing(source, claim) == [] or "24" in source


def test_an_acronym_is_found_where_the_source_spells_it_out():
    assert missing("The CEO resigned.", "The chief executive officer resigned.") == []


@each(
    ("A notable success.", "He was not able to come.", "notable"),
    ("The team on line two.", "The team is online.", "line"),
    ("The dataset is open.", "He found the data. Set the table.", "dataset"),
    ("It costs 5 dollars.", "It costs 5 euros.", "dollars"),
    ("She finished third.", "She finished 4th.", "third"),
    ("It takes half an hour.", "It takes 40 minutes.", "half"),
    ("The CEO resigned.", "The chief of each office resigned.", "CEO"),
    ("A seat is free.", "They see at night.", "seat"),
)
def test_a_word_that_only_looks_alike_is_missing(claim, source, lost):
    assert lost in missing(claim, source)


@each("(passages 1, 2, and 3)", "documents 2, 3 & 4", "(sources 1, or 2)")
def test_a_list_of_sources_is_one_label(label):
    assert without_labels(f"It rained {label}").strip() == "It rained"


def test_an_acronym_does_not_cross_a_sentence_end():
    assert missing("The CEO resigned.", "He is the chief. Executive officer is she.") == ["CEO", "resigned"]


def test_a_very_long_word_is_not_split():
    assert missing("A " + "data" * 5000, "data " * 5000) == ["data" * 5000]


FILTER = "The filter is changed every 6 months."
MANUAL = "Service Manual X200"
PARKING = "Only residents may park in the yard."
STAFF = "In the second quarter 12 staff left."


def status_with_title(title, text, answer):
    chunk = {"id": "c1", "text": text, "score": 0.9, "metadata": {"title": title}}
    verdict = pg.validate({"id": "t", "question": "What is said?", "chunks": [chunk], "answer": answer})
    return next(claim.status for claim in verdict.claims if claim.checked)


@each(
    ("Leave Policy 2024", "It grants 28 days.", "The Leave Policy 2024 grants 28 days."),
    (MANUAL, FILTER, "The Service Manual X200 says: the filter is changed every 6 months."),
    ("House Rules 2021", PARKING, "The House Rules 2021 say that only residents may park in the yard."),
    ("Q2 Report 2023", STAFF, "The Q2 Report 2023 says that 12 staff left in the second quarter."),
)
def test_a_title_with_a_number_needs_no_source(title, text, answer):
    assert status_with_title(title, text, answer) == "supported"


@each(
    ("House Rules 2021", PARKING, "The House Rules 2019 say that only residents may park in the yard."),
    (MANUAL, FILTER, "The Service Manual X200 says: the filter is changed every 9 months."),
    ("Report 2023", STAFF, "In the second quarter 2023 staff left."),
    ("2023", STAFF, "In the second quarter 2023 staff left."),
)
def test_another_title_or_its_bare_number_is_not_supported(title, text, answer):
    assert status_with_title(title, text, answer) in ("unsupported", "contradicted")


def doubts(chunk, answer):
    verdict = validate(
        {"id": "x", "question": "What is known?", "chunks": [{"id": "c", "text": chunk}], "answer": answer}
    )
    (claim,) = verdict.claims
    rules = {finding.rule for finding in verdict.causes if finding.claim == claim.index}
    return claim.status, sorted(rules & {"possible_conflict", "contradicted", "unknown_entity"})


@each(*table(__file__, "test_another_form_of_a_name_raises_no_doubt"))
def test_another_form_of_a_name_raises_no_doubt(chunk, answer):
    assert doubts(chunk, answer) == ("supported", [])


@each(
    ("Rangers lost to Celtic in the final.", "Rangers lost to Hibs in the final."),
    ("The Eagles of Brighton signed Keating.", "The Gulls signed Keating."),
    ("Ann Wood, a French publicist, runs Luna Park.", "Mary Dole runs Luna Park."),
)
def test_another_name_raises_a_doubt(chunk, answer):
    assert doubts(chunk, answer)[1] or doubts(chunk, answer)[0] != "supported"


PLAN = "The Pro plan costs $20 a month. It includes five seats and email support."
DOUGH = "Cover the dough with a towel and leave it in a warm place."
CELLS = "White blood cells are produced in the bone marrow. They defend the body against infection."


def passes(claim, *chunks, question=""):
    transcript = {
        "id": "one",
        "question": question or "What is known of it?",
        "chunks": [{"id": f"c{number}", "text": text} for number, text in enumerate(chunks)],
        "answer": claim,
    }
    claims = pg.validate(pg.Transcript.model_validate(transcript)).claims
    assert [item.checked for item in claims] == [True]
    return claims[0].status in {"supported", "borderline"}


@each(
    ("The Pro plan is free.", PLAN),
    ("The Pro plan is waterproof.", PLAN),
    ("The bridge was renovated.", "The bridge was built in 1932. It carries two railway tracks."),
    ("Requests are encrypted.", "Requests are limited to 100 per minute."),
    ("Return shipping is included.", "Return shipping takes four days."),
    ("Marta Lind resigned.", "Marta Lind joined the company in 2011."),
)
def test_a_detail_that_no_source_gives_does_not_pass(claim, source):
    assert not passes(claim, source)


def test_the_reason_names_the_words_without_a_source():
    assert pg.support("The Pro plan is free.", [PLAN]).reason == "not in the sources in these words: free"


@each(
    ("The Pro plan isn't free.", PLAN),
    ("Plastic bags are prohibited.", "The law bans plastic bags in shops."),
    ("The library shuts at 6 p.m.", "The library opens at 9 a.m. and closes at 6 p.m."),
    ("The hike is 14 km.", "The trail is 14 km long; the hike takes a day."),
    ("Refunds aren't slow.", "Refunds are fast."),
)
def test_the_same_in_other_words_passes(claim, source):
    assert passes(claim, source)


@each(
    (f"{DOUGH[:-1]} for an hour.", DOUGH),
    ("Stir the paint well and let it stand for one day.", "Stir the paint well and let it stand."),
    ("White blood cells are produced in the bone marrow at a lower rate than red blood cells.", CELLS),
    (
        "The old mill grinds rye more slowly than the new one.",
        "The old mill grinds rye for the bakery. The new one stands empty.",
    ),
)
def test_a_duration_or_a_comparison_that_no_source_makes_does_not_pass(claim, source):
    assert not passes(claim, source)


def test_a_converted_duration_and_a_comparison_of_numbers_pass():
    assert passes("The reset link is valid for one day.", "The reset link is valid for 24 hours.")
    assert passes(
        "The Basic plan is cheaper than the Team plan.",
        "The Basic plan costs $10 a month and the Team plan $25 a month.",
    )


def test_words_without_a_source_are_listed_for_a_passing_claim():
    source = "The festival in Oldenhain is in July, with concerts on three stages and a market."
    claim = "The festival in Oldenhain is in July, with concerts on three stages and a lively market."
    transcript = {
        "id": "one",
        "question": "What is on?",
        "chunks": [{"id": "a", "text": source}],
        "answer": claim,
    }
    verdict = pg.validate(pg.Transcript.model_validate(transcript))
    assert [(item.status, item.missing_words) for item in verdict.claims] == [("supported", ("lively",))]
    assert '"missing_words":["lively"]' in verdict.model_dump_json()


def test_english_patterns_are_not_applied_to_other_languages():
    score = pg.support("Der Tarif ist kostenlos.", ["Der Tarif kostet zwanzig Euro im Monat."], language="de")
    assert "in these words" not in score.reason
