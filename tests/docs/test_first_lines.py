"""A page begins with what its reader can do and how, and speaks of nothing that readers do not have."""

import re

from doc_blocks import pages
from every import each

PAGES = [page for page in pages() if "contributing" not in page.parts]
#: What only those who make the package have seen.
_UNSEEN = re.compile(r"\bthe specification\b|\bSPEC\b|\bits user narrowed\b", re.IGNORECASE)


@each(*PAGES)
def test_a_page_begins_with_a_sentence_and_the_quickest_way(page):
    title, empty, *rest = page.read_text(encoding="utf-8").split("\n")
    assert title.startswith("# ")
    assert empty == ""
    assert re.match(r"[A-Z*]", rest[0]), f"{page.name} begins with {rest[0]!r}"
    first = re.split(r"(?m)^## ", "\n".join(rest))[0]
    assert "`" in first, f"{page.name} names no command, option or call before its first part"


@each(*(page for page in PAGES if page.name != "specification.md"))
def test_a_page_mentions_no_internal_files(page):
    found = _UNSEEN.search(page.read_text(encoding="utf-8"))
    assert found is None, f"{page.name}: {found}"
