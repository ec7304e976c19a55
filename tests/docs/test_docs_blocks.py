"""Every block of README and docs does what the page says."""

import pytest
from doc_blocks import ROOT, blocks_of, console_steps, difference, pages, run_block
from every import each, table

BLOCKS = [block for page in pages() for block in blocks_of(page)]
RUN = [block for block in BLOCKS if not block.not_run]


def test_there_are_pages_and_blocks_to_run():
    assert len(pages()) > 3
    assert {"python", "console", "json"} <= {block.language for block in RUN}


@pytest.mark.parametrize("block", RUN, ids=lambda block: block.place)
def test_block(block, tmp_path):
    earlier = [other for other in BLOCKS if other.page == block.page and other.line < block.line]
    run_block(block, earlier, tmp_path)


@each(*[block for block in RUN if block.file])
def test_a_block_that_is_a_file_is_used_by_a_later_one(block):
    # Otherwise nothing would ever run it.
    later = [other for other in RUN if other.page == block.page and other.line > block.line]
    name = block.file.split("/")[-1]
    users = [other for other in later if other.language in {"console", "python"} and not other.file]
    assert any(name in other.text or "$ pytest" in other.text for other in users), (
        f"{block.place}: no later block of the page uses {block.file}"
    )


@each(*pages())
def test_links_to_files_of_the_repository_exist(page):
    import re

    for target in re.findall(r"\]\((?!https?://|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}, which is not there"


def page_of(text):
    return blocks_of(ROOT / "README.md", text)


def test_the_runner_finds_blocks_with_their_directives():
    found = page_of(
        "a\n<!-- file: a.py -->\n```python\nx = 1\n```\n\n"
        "<!-- not run: no network -->\n```console\n$ y\n```\n"
    )
    assert [(block.language, block.file, block.not_run, block.line) for block in found] == [
        ("python", "a.py", "", 3),
        ("console", "", "no network", 8),
    ]
    with pytest.raises(ValueError, match="never closed"):
        page_of("```python\nx")


@pytest.mark.parametrize(
    "text",
    table(__file__, "test_the_runner_fails_a_block_that_is_wrong"),
)
def test_the_runner_fails_a_block_that_is_wrong(text, tmp_path):
    (block,) = page_of(text)
    with pytest.raises(AssertionError):
        run_block(block, [], tmp_path)


def test_the_runner_passes_blocks_that_are_right(tmp_path):
    found = page_of(
        "<!-- file: greeting.txt -->\n```text\nhello\n```\n"
        "```console\n$ cat greeting.txt\nhello\n$ false\n$ echo $?; echo done\n1\n...\ndone\n```\n"
    )
    with pytest.raises(AssertionError, match="exit status 1"):
        run_block(found[1], found[:1], tmp_path)
    found = page_of(
        "<!-- file: greeting.txt -->\n```text\nhello\n```\n"
        "```console\n$ cat greeting.txt\nhello\n$ false; echo $?\n1\n```\n"
    )
    run_block(found[1], found[:1], tmp_path)


def test_shown_lines_must_stand_in_order_and_together():
    output = "a 1\n\nb in 0.12s\nc\nd\n"
    assert not difference(["a ...", "b in 9.99s"], output)
    assert not difference(["a 1", "...", "d"], output)
    assert not difference(["c", "d"], output)
    assert "not in" in difference(["a 1", "c"], output)
    assert "not in" in difference(["d", "...", "a 1"], output)
    assert "x" in difference(["a 1", "x"], output)


def test_a_command_may_span_several_lines():
    assert console_steps("$ cat <<E\n> a\n> E\na\n") == [("cat <<E\na\nE", ["a"])]
