"""Lists and alternatives of words in Python, which belong into `pytest_grounding/lexicon`.

``python tests/lexicon/word_lists.py`` writes the table of what is left anew; its numbers only fall.
``python tests/lexicon/word_lists.py FILE…`` shows where they stand.
"""

import ast
import json
import re
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).parents[2] / "pytest_grounding"
TABLE = Path(__file__).with_name("lists_left.txt")
#: From so many words on a literal is a list of words.
FEWEST = 6
#: What holds names and not English, and why.
EXEMPT = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))["exempt"]
_WORD = re.compile(r"[^\W\d_]+(?:['’. -][^\W\d_]+){0,3}['’.]?")
_ALTERNATIVES = re.compile(r"[^\W\d_]{2,}(?:\|[^\W\d_]{2,}){5,}")
_HEAD = """\
# Lists of words and runs of alternatives that still stand in Python, by file.
# The numbers only fall: move words to pytest_grounding/lexicon, then run python tests/lexicon/word_lists.py
"""
_TAKES_WORDS = frozenset({"word_set", "_words", "_set", "stems", "_stems", "word_table", "split"})


def is_exempt(path):
    """Whether a file, seen from the package, holds names and not English."""
    return path in EXEMPT or any(path.startswith(f"{room}/") for room in EXEMPT)


def lists_of(source):
    """Line and words of each list of words in a module, the outermost ones only."""
    return list(_lists(_tree(source)))


def _lists(node):
    for child in ast.iter_child_nodes(node):
        if _is_names(child):
            continue
        words = _words_of(child)
        if len(set(words)) >= FEWEST:
            yield getattr(child, "lineno", 0), words
        else:
            yield from _lists(child)


def _is_names(node):
    """Whether it lists names of this program: ``__all__``, slots, a literal type."""
    targets = node.targets if isinstance(node, ast.Assign) else []
    if any(isinstance(target, ast.Name) and re.fullmatch("__.*__", target.id) for target in targets):
        return True
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Name) and node.value.id == "Literal"
    return False


def _words_of(node):
    """The words that a literal lists; [] where it lists something else as well."""
    if isinstance(node, ast.Call):
        return _called(node)
    if isinstance(node, ast.Dict):
        return _all_words([key for key in node.keys if key is not None])
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return _all_words(node.elts)
    if isinstance(node, ast.BinOp):
        return [*_words_of(node.left), *_words_of(node.right)]
    return []


def _called(node):
    """``"…".split()``, ``word_set("…")``, ``frozenset({…})``."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and name == "split":
        return _texts(node.func.value)
    if name in {"frozenset", "set", "tuple", "dict", "Counter"} and len(node.args) == 1:
        return _words_of(node.args[0])
    if name in _TAKES_WORDS and node.args:
        return [word for argument in node.args for word in _texts(argument)]
    return []


def _texts(node):
    texts = [part.value for part in ast.walk(node) if isinstance(part, ast.Constant)]
    return [word for text in texts if isinstance(text, str) for word in re.findall(r"[^\W\d_]{2,}", text)]


def _all_words(nodes):
    """The words of a collection of which nearly all that is written out is a word."""
    words, others = [], 0
    for node in nodes:
        inner = node.value if isinstance(node, ast.Starred) else node
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            # One text of many words is a list too: ``("one two three", …)``.
            held = inner.value.split() if " " in inner.value else [inner.value]
            fits = [
                word for word in held if _WORD.fullmatch(word) and word[:1].islower() == word[:2].islower()
            ]
            words += fits
            others += len(held) - len(fits)
        else:
            words += _words_of(inner)
    return words if len(words) >= 3 * others else []


def files():
    """The files that are looked at, seen from the package."""
    found = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))
    return [path for path in found if not is_exempt(path)]


def alternatives_of(source):
    """Line and words of each run of alternatives in a pattern: ``one|two|three|…``."""
    return [
        (node.lineno, run.split("|"))
        for node in ast.walk(_tree(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for run in _ALTERNATIVES.findall(re.sub(r"\s+(?=\|)", "", node.value))
    ]


@lru_cache(maxsize=1)
def _tree(source):
    return ast.parse(source)


@lru_cache(maxsize=1)
def counted():
    """File -> number of its lists and of its runs of alternatives, for files that have some."""
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in files()}
    found = {path: (len(lists_of(text)), len(alternatives_of(text))) for path, text in sources.items()}
    return {path: numbers for path, numbers in found.items() if any(numbers)}


def allowed():
    """File -> numbers that it may still hold."""
    rows = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    return {path: (int(lists), int(runs)) for path, lists, runs in rows}


def _renew():
    found = counted()
    if TABLE.exists():
        old = allowed()
        found = {path: _lower(numbers, old.get(path, (0, 0))) for path, numbers in found.items()}
    rows = [f"{path} {lists} {runs}\n" for path, (lists, runs) in sorted(found.items()) if lists or runs]
    TABLE.write_text("".join([_HEAD, *rows]), encoding="utf-8")


def _lower(one, other):
    return min(one[0], other[0]), min(one[1], other[1])


if __name__ == "__main__":
    for file in sys.argv[1:]:
        text = Path(file).read_text(encoding="utf-8")
        for line, words in sorted(lists_of(text) + alternatives_of(text)):
            print(f"{file}:{line}: {' '.join(words)[:100]}")
    if not sys.argv[1:]:
        _renew()
        lists, runs = map(sum, zip(*allowed().values(), strict=True))
        print(lists, "lists and", runs, "runs of alternatives in", len(allowed()), "files")
