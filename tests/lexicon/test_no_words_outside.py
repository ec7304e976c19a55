"""Words stand in the lexicon: what is still listed in Python only gets less."""

from every import each
from word_lists import ROOT, allowed, alternatives_of, counted, is_exempt, lists_of


def test_no_file_gains_a_list_of_words():
    found, known = counted(), allowed()
    more = {
        path: f"{numbers}, allowed {known.get(path, (0, 0))}"
        for path, numbers in found.items()
        if any(number > limit for number, limit in zip(numbers, known.get(path, (0, 0)), strict=True))
    }
    assert more == {}, "words go to pytest_grounding/lexicon/data; word_lists.py FILE shows where they stand"


def test_the_table_allows_nothing_that_is_gone():
    found = counted()
    gone = {
        path: f"{numbers}, found {found.get(path)}"
        for path, numbers in allowed().items()
        if found.get(path) != numbers
    }
    assert gone == {}, "run python tests/lexicon/word_lists.py"


def test_exempt_files_exist():
    from word_lists import EXEMPT

    assert [room for room in EXEMPT if not (ROOT / room).exists()] == []
    assert is_exempt("lexicon/__init__.py")
    assert not is_exempt("claims/splitting.py")


@each(
    ('A = frozenset({"one", "two", "three", "four", "five", "six"})', 6),
    ('A = "one two three four five six".split()', 6),
    ('A = word_set("one two three", "four five six seven")', 7),
    ('A = (*("one", "two", "three"), *("four", "five", "six"))', 6),
    ('A = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}', 6),
    ('def f():\n    return word in ("one", "two", "three", "four", "five", "six")', 6),
    ('A = B | {"one", "two", "three", "four", "five", "six"}', 6),
    ('A = {"one", "two", "three", "four", "five"}', 0),
    ('__all__ = ["one", "two", "three", "four", "five", "six"]', 0),
    ('A = {"a_b", "c_d", "e_f", "g_h", "i_j", "k_l"}', 0),
    ("A = (1, 2, 3, 4, 5, 6, one, two)", 0),
)
def test_lists_are_seen(source, words):
    assert sum(len(set(found)) for _, found in lists_of(source)) == words


def test_alternatives_are_seen():
    assert alternatives_of('A = lazy(r"""(?:one|two|three\n  |four|five|six)s?""")')
    assert alternatives_of('A = lazy(r"(?:one|two|three|four|five)s?")') == []
