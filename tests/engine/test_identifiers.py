"""Paths, addresses and names in code must match exactly."""

import pytest
from every import each, table

import pytest_grounding as pg

RULE = "identifier_not_in_sources"
ENGINE = {"path": "src/delegation/engine.py", "title": "Delegation engine"}
SAYS = "The delegation engine assigns tasks to workers."


def validated(answer, *chunks, question="Where are tasks assigned?", settings=None, metadata=None, **more):
    made = [
        {"id": f"c{number}", "text": text, "score": 0.9, "metadata": metadata or {}}
        for number, text in enumerate(chunks, start=1)
    ]
    return pg.validate({"id": "t", "question": question, "chunks": made, "answer": answer, **more}, settings)


def named(verdict):
    """Unknown identifiers with the nearest ones in the sources."""
    causes = [cause for cause in verdict.causes if cause.rule == RULE]
    return {name: near for cause in causes for name, near in cause.details["nearest"].items()}


@pytest.fixture
def root(tmp_path):
    for name in ("src/delegation/engine.py", "src/kitchen/oven.py"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("def assign(task):\n    return task\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("has_root", [False, True])
def test_only_the_right_path_of_a_chunk_passes(root, has_root):
    settings = {"source_root": str(root)} if has_root else None
    said = "The delegation engine assigns tasks to workers in {}."
    right = validated(said.format("src/delegation/engine.py"), SAYS, settings=settings, metadata=ENGINE)
    wrong = validated(said.format("src/kitchen/chef.py"), SAYS, settings=settings, metadata=ENGINE)
    assert (right.status, named(right)) == ("pass", {})
    assert right.claims[0].support > 0.9
    assert wrong.status == "reject"
    assert list(named(wrong)) == ["src/kitchen/chef.py"]
    assert wrong.claims[0].status == "unsupported"


@each(
    "Tasks are assigned to workers in `engine.py`.",
    "Tasks are assigned to workers in delegation/engine.py.",
    "The file src/delegation/engine.py assigns tasks to workers.",
    "It is in src/delegation/engine.py.",
    "The delegation engine is implemented in the file `./src/delegation/engine.py`.",
)
def test_the_path_of_a_chunk_is_evidence(answer):
    verdict = validated(answer, SAYS, metadata=ENGINE)
    assert not {cause.rule for cause in verdict.causes} & {RULE, "unsupported_claim", "contradicted"}
    assert verdict.claims[0].evidence


def test_a_path_supports_no_other_claim():
    verdict = validated("Invoices are archived in src/delegation/engine.py.", SAYS, metadata=ENGINE)
    assert verdict.claims[0].status == "unsupported"


def test_a_file_under_the_source_root_is_known_but_no_evidence(root):
    answer = "The delegation engine assigns tasks to workers in src/kitchen/oven.py."
    settings = {"source_root": str(root)}
    verdict = validated(answer, SAYS, settings=settings, metadata=ENGINE)
    assert named(verdict) == {}
    assert verdict.status != "pass"
    for other in ("src/kitchen/hob.py", "/etc/kitchen/oven.py", "src/kitchen/oven.py.txt"):
        verdict = validated(
            answer.replace("src/kitchen/oven.py", other), SAYS, settings=settings, metadata=ENGINE
        )
        assert list(named(verdict)) == [other]


@each(*table(__file__, "test_names_the_nearest_known_identifier"))
def test_names_the_nearest_known_identifier(source, wrong, near):
    for text, expected in ((source, {}), (source.replace(near, wrong), {wrong: near})):
        verdict = validated(text, source, question="What do the notes say?")
        assert named(verdict) == expected
    [cause] = [cause for cause in verdict.causes if cause.rule == RULE]
    assert cause.severity == "warning"
    assert wrong in cause.message
    assert near in cause.suggestion


@each(*table(__file__, "test_accepts_other_forms_of_a_name"))
def test_accepts_other_forms_of_a_name(source, answer):
    assert named(validated(answer, source, question="What is it about?")) == {}


@pytest.mark.parametrize(
    "more",
    [
        {"question": "Does KITCHEN_LIMIT change how long an order may wait?"},
        {"history": [{"role": "user", "content": "I have set KITCHEN_LIMIT."}]},
        {"settings": {"glossary": "KITCHEN_LIMIT = KITCHEN_TIMEOUT"}},
        {"metadata": {"document": "KITCHEN_LIMIT.md"}},
        {"metadata": {"note": "formerly KITCHEN_LIMIT"}},
    ],
    ids=["question", "history", "glossary", "document", "metadata"],
)
def test_accepts_names_from_question_history_glossary_and_metadata(more):
    answer = "Set KITCHEN_LIMIT to change how long an order may wait."
    source = "Set KITCHEN_TIMEOUT to change how long an order may wait."
    assert list(named(validated(answer, source))) == ["KITCHEN_LIMIT"]
    assert named(validated(answer, source, **more)) == {}


def test_a_word_in_code_style_is_a_name():
    source = "Send the `cursor` of a page to get the next one. A missing one is None there."
    assert named(validated("Send the `cursor` to get the next page, or `null`.", source)) == {}
    assert named(validated("Send the cursors to get the `next` page.", source)) == {}
    verdict = validated("Send the `bookmark` to get the next page.", source)
    assert list(named(verdict)) == ["bookmark"]
    assert verdict.status != "pass"


def test_finds_identifiers_in_other_languages():
    source = "Die Wartezeit stellt man mit KITCHEN_TIMEOUT ein."
    assert named(validated("Die Wartezeit stellt man mit KITCHEN_LIMIT ein.", source)) == {
        "KITCHEN_LIMIT": "KITCHEN_TIMEOUT"
    }
    assert named(validated("请看 src/kitchen/chef.py。", "请看src/delegation/engine.py。")) == {
        "src/kitchen/chef.py": "src/delegation/engine.py"
    }


def test_ignores_code_refusals_and_answers_without_sources():
    assert named(validated("```\nexport KITCHEN_LIMIT=3\n```", SAYS)) == {}
    assert named(validated("The sources do not mention KITCHEN_LIMIT.", SAYS)) == {}
    assert named(validated("Set KITCHEN_LIMIT to change it.")) == {}


@each(
    ("class DelegationEngine:\n    def run(self, task): ...\n", "The delegation engine is defined in", True),
    ("class DelegationEngine:\n    def run(self, task): ...\n", "`DelegationEngine` is implemented in", True),
    ("def delegate(task, worker):\n    worker.take(task)\n", "The delegate function is defined in", True),
    ("class DelegationEngine:\n    def run(self, task): ...\n", "The payment queue is defined in", False),
    ("def delegate(task, worker):\n    worker.take(task)\n", "The DelegationEngine is defined in", False),
    ("The delegation engine hands out tasks.", "The payment queue is implemented in", False),
)
def test_a_sentence_about_where_something_is_defined(text, answer, passes):
    verdict = validated(
        f"{answer} src/delegation/engine.py:45-58.",
        text,
        question="Where are the delegation engine, the delegate function and the payment queue defined?",
        metadata={"path": "src/delegation/engine.py", "line_start": 45, "line_end": 58},
    )
    assert (verdict.status == "pass") is passes, verdict.reason
