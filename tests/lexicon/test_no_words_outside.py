"""Words stand in the lexicon: what is still listed in Python only gets less."""

from every import each, table
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


@each(*table(__file__, "test_lists_are_seen"))
def test_lists_are_seen(source, words):
    assert sum(len(set(found)) for _, found in lists_of(source)) == words


def test_alternatives_are_seen():
    assert alternatives_of('A = lazy(r"""(?:one|two|three\n  |four|five|six)s?""")')
    assert alternatives_of('A = lazy(r"(?:one|two|three|four|five)s?")') == []
