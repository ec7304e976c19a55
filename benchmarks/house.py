"""How much a reader of the package has to keep in mind, in a few numbers.

    python -m benchmarks.house [FOLDER] [--worst 5]

Prints the measures of a Python package, and for each the places where it is worst.
tests/packaging/test_house.py keeps them from growing.
"""

from __future__ import annotations

import argparse
import ast
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "pytest_grounding"
TOP = "top"
#: A part with fewer lines of code has no density worth a comparison.
LEAST_LINES_OF_A_PART = 150
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DENSE = (ast.IfExp, *COMPREHENSIONS)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)


@dataclass(frozen=True)
class Source:
    """A module of the package."""

    path: Path
    module: str
    part: str
    text: str
    tree: ast.Module
    nodes: tuple[ast.AST, ...]


@dataclass(frozen=True)
class Place:
    """Where a measure is counted, and how much of it."""

    where: str
    amount: float


@dataclass(frozen=True)
class Measure:
    """One number about the package.

    Args:
        name: its name in the table of limits.
        about: what it counts, in words.
        value: what stands.
        places: where, the worst first.
        remedy: what lowers it.
    """

    name: str
    about: str
    value: float
    places: tuple[Place, ...]
    remedy: str


def sources_of(package: Path) -> list[Source]:
    """Every module of a package that can be parsed; no vendored code and no tests."""
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        if any("_vendor" in part or part.startswith("tests") for part in parts[:-1]):
            continue
        text = path.read_text(encoding="utf-8")
        module = ".".join([package.name, *parts]).removesuffix(".py").removesuffix(".__init__")
        part = parts[0] if len(parts) > 1 else TOP
        tree = ast.parse(text)
        nodes = tuple(ast.walk(tree))
        found.append(Source(path.relative_to(package), module, part, text, tree, nodes))
    return found


def measures(package: Path = PACKAGE) -> dict[str, Measure]:
    """All measures of a package, by name."""
    sources = sources_of(package)
    found = [
        *_sizes(sources),
        *_lines_to_read(sources),
        *_densities(sources),
        *_counts(sources),
        *_names_in_more_than_one_file(sources),
    ]
    return {measure.name: measure for measure in found}


def breaches(found: dict[str, Measure], limits: dict[str, float], *, shown: int = 3) -> list[str]:
    """One message for each measure above its limit: what, where it is worst, what to do."""
    messages = []
    for name, limit in limits.items():
        measure = found[name]
        if measure.value > limit:
            worst = "; ".join(f"{place.where} ({place.amount:g})" for place in measure.places[:shown])
            messages.append(
                f"{measure.about}: {measure.value:g}, at most {limit:g} allowed. Worst: {worst}. "
                f"Remedy: {measure.remedy}."
            )
    return messages


def _ranked(amounts: dict[str, float]) -> tuple[Place, ...]:
    ranked = sorted(amounts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Place(where, amount) for where, amount in ranked if amount)


def _sizes(sources: list[Source]) -> Iterator[Measure]:
    lines: dict[str, float] = {str(source.path): source.text.count("\n") for source in sources}
    functions: dict[str, float] = {}
    for source in sources:
        for node in source.nodes:
            if isinstance(node, FUNCTIONS):
                where = f"{source.path}:{node.lineno} {node.name}"
                functions[where] = (node.end_lineno or node.lineno) - node.lineno + 1
    two_ideas = "it holds two ideas: give one of them a module or a function of its own"
    yield Measure(
        "package", "lines of the package", sum(lines.values()), _ranked(lines), "remove what is twice"
    )
    for name, about, amounts in (
        ("file", "lines of the longest file", lines),
        ("function", "lines of the longest function", functions),
    ):
        yield Measure(name, about, max(amounts.values(), default=0), _ranked(amounts), two_ideas)


def _lines_to_read(sources: list[Source]) -> Iterator[Measure]:
    """A file, plus signature and docstring of every name that it imports from the package."""
    outside = {source.module: _outside_sizes(source.tree) for source in sources}
    read: dict[str, float] = {}
    for source in sources:
        imported = sum(_imported_size(*name, outside) for name in _imported_names(source))
        read[str(source.path)] = source.text.count("\n") + imported
    amounts = sorted(read.values()) or [0]
    remedy = "import less, or move what is used together into one module"
    for name, about, value in (
        ("read_median", "lines to read for a change, median", statistics.median(amounts)),
        ("read_p90", "lines to read for a change, 90th percentile", amounts[int(0.9 * len(amounts))]),
        ("read_worst", "lines to read for a change, worst file", amounts[-1]),
    ):
        yield Measure(name, about, round(value), _ranked(read), remedy)


def _outside_sizes(tree: ast.Module) -> dict[str, int]:
    """Lines that a user of a module reads of each of its functions and classes."""
    sizes = {}
    for node in tree.body:
        if isinstance(node, FUNCTIONS):
            sizes[node.name] = _signature_size(node)
        elif isinstance(node, ast.ClassDef):
            sizes[node.name] = 1 + sum(map(_member_size, node.body))
    return sizes


def _signature_size(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = node.body[0]
    last = first.lineno - 1
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        last = first.end_lineno or first.lineno
    return max(1, last - node.lineno + 1)


def _member_size(node: ast.stmt) -> int:
    if isinstance(node, ast.FunctionDef):
        return 0 if node.name.startswith("_") else 2
    if isinstance(node, ast.AnnAssign | ast.Assign):
        return 1
    if isinstance(node, ast.Expr):
        return (node.end_lineno or node.lineno) - node.lineno + 1
    return 0


def _imported_names(source: Source) -> Iterator[tuple[str, str]]:
    """Module and name of each import that is executed; relative modules are made absolute."""
    for_types_only = {
        id(child)
        for node in source.nodes
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for child in ast.walk(node)
    }
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and id(node) not in for_types_only:
            base = node.module or ""
            if node.level:
                parts = source.module.split(".")
                is_package = source.path.name == "__init__.py"
                kept = parts[: len(parts) - node.level + is_package]
                base = ".".join([*kept, base] if base else kept)
            for alias in node.names:
                yield base, alias.name


def _imported_size(base: str, name: str, outside: dict[str, dict[str, int]]) -> int:
    module = outside.get(f"{base}.{name}")
    if module is not None:
        return sum(size for inner, size in module.items() if not inner.startswith("_"))
    return outside[base].get(name, 1) if base in outside else 0


def _densities(sources: list[Source]) -> Iterator[Measure]:
    """Ternaries and comprehensions per 100 lines of code, of the whole and of the densest part."""
    code: Counter[str] = Counter()
    dense: Counter[str] = Counter()
    by_file: dict[str, float] = {}
    for source in sources:
        here = sum(isinstance(node, DENSE) for node in source.nodes)
        code[source.part] += _code_lines(source)
        dense[source.part] += here
        by_file[str(source.path)] = here
    parts = {
        part: round(100 * dense[part] / lines, 1)
        for part, lines in code.items()
        if lines >= LEAST_LINES_OF_A_PART
    }
    remedy = "write loops with a name for each step, and give a condition a name"
    whole = round(100 * dense.total() / max(1, code.total()), 1)
    about = "ternaries and comprehensions per 100 lines of code"
    yield Measure("dense", about, whole, _ranked(by_file), remedy)
    worst = max(parts.values(), default=0)
    yield Measure("dense_worst", f"{about}, densest part", worst, _ranked(parts), remedy)


def _code_lines(source: Source) -> int:
    """Lines that are neither blank, nor a comment, nor a docstring."""
    docstrings: set[int] = set()
    for node in source.nodes:
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in docstrings
        for number, line in enumerate(source.text.split("\n"), start=1)
    )


def _counts(sources: list[Source]) -> Iterator[Measure]:
    """Habits that make a reader stop, counted."""
    counted = (
        ("nested", "ternaries in ternaries, comprehensions in comprehensions", _nested, "name the inner one"),
        ("named_tuples", "NamedTuple classes", _named_tuples, "make it a frozen dataclass, used by name"),
        ("booleans", "booleans used as integers", _booleans_as_integers, "write an if, or count with sum()"),
    )
    for name, about, counts, remedy in counted:
        amounts: dict[str, float] = {str(source.path): counts(source.nodes) for source in sources}
        yield Measure(name, about, sum(amounts.values()), _ranked(amounts), remedy)
    groups = {str(source.path): _groups_of_late_constants(source.tree) for source in sources}
    late: dict[str, float] = {where: number for where, number in groups.items() if number >= 2}
    about = "files with two groups of constants below code"
    yield Measure("late_constants", about, len(late), _ranked(late), "move the constants to the top")


def _nested(nodes: Iterable[ast.AST]) -> int:
    number = 0
    for node in nodes:
        for kinds in ((ast.IfExp,), COMPREHENSIONS):
            if isinstance(node, kinds):
                number += any(isinstance(child, kinds) for child in ast.walk(node) if child is not node)
    return number


def _named_tuples(nodes: Iterable[ast.AST]) -> int:
    classes = (node for node in nodes if isinstance(node, ast.ClassDef))
    return sum(any("NamedTuple" in ast.unparse(base) for base in node.bases) for node in classes)


def _booleans_as_integers(nodes: Iterable[ast.AST]) -> int:
    number = 0
    for node in nodes:
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
            number += isinstance(node.value, ast.Compare | ast.BoolOp)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            number += isinstance(node.left, ast.Compare) or isinstance(node.right, ast.Compare)
    return number


def _groups_of_late_constants(tree: ast.Module) -> int:
    """Runs of assignments that follow a function or class."""
    number = 0
    previous = "top"
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, *FUNCTIONS)):
            previous = "code"
        elif isinstance(node, ast.Assign | ast.AnnAssign) and previous == "code":
            number += 1
            previous = "constants"
    return number


def _names_in_more_than_one_file(sources: list[Source]) -> Iterator[Measure]:
    paths: dict[str, defaultdict[str, set[Path]]] = {
        kind: defaultdict(set) for kind in ("classes", "public", "private")
    }
    for source in sources:
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef):
                paths["classes"][node.name].add(source.path)
            elif isinstance(node, FUNCTIONS):
                paths["private" if node.name.startswith("_") else "public"][node.name].add(source.path)
    for kind, about in (
        ("classes", "names of classes in more than one file"),
        ("public", "names of public functions in more than one file"),
        ("private", "names of private functions in more than one file"),
    ):
        twice: dict[str, float] = {name: len(files) for name, files in paths[kind].items() if len(files) > 1}
        remedy = "share what is the same, and name what differs after its difference"
        yield Measure(f"names_{kind}", about, len(twice), _ranked(twice), remedy)


def lines_of_report(found: Iterable[Measure], worst: int) -> Iterator[str]:
    """What is printed."""
    for measure in found:
        yield f"{measure.value:>10,g}  {measure.about}"
        for place in measure.places[:worst]:
            yield f"{'':14}{place.amount:g} {place.where}"


def main() -> int:
    """Print the measures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=PACKAGE, help="a package's folder")
    parser.add_argument("--worst", type=int, default=0, help="how many of the worst places are shown")
    options = parser.parse_args()
    for line in lines_of_report(measures(options.folder.resolve()).values(), options.worst):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
