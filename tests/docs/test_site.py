"""The site: every page has a place in it, and it builds without a broken link where its tools are."""

import importlib.util
import os
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from every import each

ROOT = Path(__file__).resolve().parents[2]
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"


def pages(nav):
    """The pages of a navigation, in their order."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [page for part in parts for page in pages(part)]


def test_every_page_has_one_place_in_the_site():
    nav = pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    docs = ROOT / "docs"
    assert sorted(nav) == sorted(path.relative_to(docs).as_posix() for path in docs.rglob("*.md"))


def site_hooks():
    """The module that mkdocs loads."""
    spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "site_hooks.py")
    assert spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks


@each(
    ("", "See the service and [this](ci.md)."),
    (
        "https://git.example/us/it/",
        "See [the service](https://git.example/us/it/blob/main/examples/a/README.md) and [this](ci.md).",
    ),
)
def test_links_out_of_the_pages_lead_to_the_repository(home, shown):
    text = "See [the service](../examples/a/README.md) and [this](ci.md)."
    assert site_hooks().on_page_markdown(text, config={"repo_url": home}, page=SimpleNamespace()) == shown


def test_issue_forms_link_to_the_repository():
    form = "Use [the form](../.github/ISSUE_TEMPLATE/false_alarm.yml)."
    shown = site_hooks().on_page_markdown(form, config={"repo_url": "https://git.example/us/it"}, page=None)
    assert shown == "Use [the form](https://git.example/us/it/issues/new?template=false_alarm.yml)."
    assert site_hooks().on_page_markdown(form, config={"repo_url": ""}, page=None) == "Use the form."


@pytest.mark.slow
@pytest.mark.skipif(not MKDOCS.exists(), reason="needs the tools of the site: make docs-site")
def test_the_site_builds_and_loads_nothing_external(tmp_path):
    built = subprocess.run(
        [str(MKDOCS), "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert built.returncode == 0, built.stderr
    reference = (tmp_path / "reference" / "index.html").read_text(encoding="utf-8")
    assert 'id="pytest_grounding.validate"' in reference
    loaded = re.compile(r"""<(?:script|link|img)[^>]+(?:src|href)=["']?(https?://[^"'> ]+)""")
    for page in tmp_path.rglob("*.html"):
        outside = set(loaded.findall(page.read_text(encoding="utf-8")))
        assert not outside, f"{page.name} loads {outside}"
