"""What a question asks: its type, the kind of answer, its parts, its words."""

from itertools import pairwise

from counted_calls import calls_of
from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.questions import analyse, looks_english

CASES = [
    ("Who wrote Dune?", "who", "person"),
    ("Whose signature is needed?", "who", "person"),
    ("To whom do I report an accident?", "who", "person"),
    ("who's the maintainer", "who", "person"),
    ("What is entropy?", "what", "definition"),
    ("What's a monad?", "what", "definition"),
    ("what does HTTP stand for", "what", "definition"),
    ("What does idempotent mean?", "what", "definition"),
    ("Define photosynthesis.", "what", "definition"),
    ("What did the committee decide?", "what", "thing"),
    ("What is the boiling point?", "what", "thing"),
    ("What is the price of the Pro plan?", "what", "quantity"),
    ("What year was the company founded?", "what", "date"),
    ("What is the capital of Peru?", "what", "location"),
    ("What is the name of the founder?", "what", "person"),
    ("What is the reason for the delay?", "what", "reason"),
    ("What causes rust?", "what", "reason"),
    ("What is the best way to clean a lens?", "what", "method"),
    ("What should I do if the pump leaks?", "what", "method"),
    ("What percentage of users pay?", "what", "quantity"),
    ("What time does the shop open?", "what", "date"),
    ("When does the sale end?", "when", "date"),
    ("Since when has the rule been in force?", "when", "date"),
    ("By when must I pay?", "when", "date"),
    ("Where is the office?", "where", "location"),
    ("where do i find my invoices", "where", "location"),
    ("Why is the sky blue?", "why", "reason"),
    ("How come the build fails?", "why", "reason"),
    ("Explain why the build fails.", "why", "reason"),
    ("How do I reset my password?", "how", "method"),
    ("how to hire a lawyer", "how", "method"),
    ("How does a heat pump work?", "how", "method"),
    ("Can you explain how a heat pump works?", "how", "method"),
    ("How many seats are left?", "how_many", "quantity"),
    ("Can you tell me how many seats are left?", "how_many", "quantity"),
    ("How much does it cost?", "how_much", "quantity"),
    ("How long does shipping take?", "how_much", "quantity"),
    ("How often is the filter changed?", "how_much", "quantity"),
    ("How old is the universe?", "how_much", "quantity"),
    ("How far is the station?", "how_much", "quantity"),
    ("For how long is the ticket valid?", "how_much", "quantity"),
    ("Which plan includes support?", "which", "choice"),
    ("Which city hosts the fair?", "which", "location"),
    ("In which year did it happen?", "which", "date"),
    ("Which author wrote it?", "which", "person"),
    ("Is the museum open on Mondays?", "yes_no", "polarity"),
    ("Can gift cards be returned?", "yes_no", "polarity"),
    ("Don't employees get a bonus?", "yes_no", "polarity"),
    ("Is it red or blue?", "yes_no", "choice"),
    ("It is open today, isn't it?", "yes_no", "polarity"),
    ("You accept cash?", "yes_no", "polarity"),
    ("If I lose my card, what should I do?", "what", "method"),
    ("When a user logs in, where is the token stored?", "where", "location"),
    ("when you have a fever do you sweat", "yes_no", "polarity"),
    ("In Python, how do I sort a list?", "how", "method"),
    ("I bought a kettle last week. How do I return it?", "how", "method"),
    ("Hi, could you please tell me who approves leave?", "who", "person"),
    ("The capital of France is what?", "what", "thing"),
    ("Name the largest city in Japan.", "what", "location"),
    ("Could you list the opening hours?", "what", "date"),
    ("leasing meaning", "other", ""),
    ("Spousal support", "other", ""),
    ("Thanks for the help!", "other", ""),
    ('When I say "America", I mean the continent.', "other", ""),
    ("What about it?", "other", ""),
    ("   ", "other", ""),
    ("", "other", ""),
    ("???", "other", ""),
]


@each(*CASES)
def test_type_and_expected_answer(question: str, kind: str, expected: str) -> None:
    info = analyse(question)
    assert (info.type, info.expected) == (kind, expected)


FOREIGN = [
    ("Wer hat die Firma gegründet?", "de"),
    ("Was ist das?", "de"),
    ("Wie hoch ist der Turm?", "de"),
    ("Quand l'entreprise a-t-elle été fondée ?", "fr"),
    ("Qui est le directeur ?", "fr"),
    ("¿Quién fundó la empresa?", "es"),
    ("Cuánto cuesta el plan", "es"),
    ("这家公司是谁创立的？", "zh"),
    ("会社を設立したのは誰ですか？", "ja"),
    ("من أسس الشركة؟", "ar"),
    ("कंपनी की स्थापना किसने की?", "hi"),
    ("Кто основал компанию?", "ru"),
]


@each(*FOREIGN)
def test_another_language_is_other(question: str, language: str) -> None:
    for told in (language, "en"):
        info = analyse(question, told)
        assert (info.type, info.expected) == ("other", "")
        assert info.language != "en"


@each("en", "en-GB", "EN_us", "")
def test_english_by_any_tag(tag: str) -> None:
    assert analyse("Who wrote Dune?", tag).type == "who"


@each(
    "Where is La Paz?",
    "Who was Charles de Gaulle?",
    "What is a la carte?",
    "GPT-4 price",
    "12345",
    "Café menu?",
)
def test_foreign_names_do_not_make_a_foreign_question(text: str) -> None:
    assert looks_english(text)


def test_parts_of_a_question() -> None:
    question = "Who founded Acme and when was it founded?"
    info = analyse(question)
    assert [part.type for part in info.parts] == ["who", "when"]
    assert [part.text for part in info.parts] == ["Who founded Acme", "when was it founded?"]
    # "it" leans on Acme.
    assert [word.text for word in info.parts[1].words] == ["Acme", "founded"]


@each(
    ("What is a transistor how does it work", ["what", "how"]),
    ("Who founded Acme, and why?", ["who", "why"]),
    ("Where is the office? When does it open?", ["where", "when"]),
    ("What do bees and wasps eat?", ["what"]),
    ("Is it safe and does it hurt?", ["yes_no", "yes_no"]),
)
def test_how_many_things_are_asked(question: str, types: list[str]) -> None:
    assert [part.type for part in analyse(question).parts] == types


def test_content_words_leave_out_the_frame() -> None:
    info = analyse("Can you tell me in which city the European Parliament meets?")
    assert [word.text for word in info.words] == ["European", "Parliament", "meets"]


def test_measure_and_key() -> None:
    rent = analyse("How much is the monthly rent?").parts[0]
    assert rent.text[rent.key - rent.start :].startswith("rent")
    assert analyse("How long does it take?").parts[0].measure == "duration"
    assert analyse("How many days of leave do I get?").parts[0].measure == "duration"
    assert analyse("What is the price of bread?").parts[0].measure == "money"


TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            "who what when where why how much many which is does the , ? . and or if Acme ¿ tell me".split()
        ),
        max_size=40,
    ).map(" ".join),
)


@given(TEXTS)
def test_any_text_is_analysed_and_offsets_are_exact(text: str) -> None:
    info = analyse(text)
    assert info.parts
    assert info == analyse(text)
    for part in info.parts:
        assert text[part.start : part.end] == part.text
        for word in part.words:
            assert text[word.start : word.end] == word.text
    assert all(one.end <= other.start for one, other in pairwise(info.words))
    # The parts bring all words; one that has none ("… and who?") asks by those of the whole question.
    assert {word for part in info.parts for word in part.words} == set(info.words)


@each("how ", "who and ", "a", "what is X of Y, ", "Is 1 or 2? ", '"a" ')
def test_four_times_a_hostile_question_takes_about_four_times_the_calls(piece: str) -> None:
    short, long = (piece * (number // len(piece)) for number in (10_000, 40_000))
    analyse(short)
    once, often = calls_of(lambda: analyse(short + "x")), calls_of(lambda: analyse(long))
    # Quadratic work would be sixteen times as much.
    assert 0 < often <= 5 * once + 1_000
