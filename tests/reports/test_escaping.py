"""Escaping for each output: no text breaks out of its place."""

import html
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest
from every import each
from hypothesis import given
from hypothesis import strategies as st
from made_runs import HOSTILE
from markdown_it import MarkdownIt

from pytest_grounding.reports import escaping

#: Text that is likely to meet the marks that the functions look for.
NASTY = st.text(
    alphabet=st.one_of(
        st.sampled_from(
            "`*_{}[]()#+-.!|<>~@&:\\\"'/%,;$^=\n\r\t\x1b\x07\x00\u202e\u200b\u200d\ufeff#vsoerror "
        ),
        st.characters(),
    )
)


@given(NASTY)
def test_no_log_line_starts_a_build_command(text):
    shown = escaping.terminal(text)
    assert not re.search(r"(?:^|\s)::", shown)
    assert "##[" not in shown
    assert "##vso[" not in shown


@given(NASTY)
def test_invisible_characters_are_escaped_and_others_kept(text):
    shown = escaping.visible(text)
    assert not re.search(
        "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]", shown
    )
    assert escaping.visible(shown) == shown
    if text.isprintable():
        assert shown == text


def test_joiners_are_kept_only_where_they_shape_words():
    persian, family = "می\u200cخواهم", "👩\u200d👧"
    assert escaping.visible(persian) == persian
    assert escaping.visible(family) == family
    assert escaping.visible("pass\u200dword") == "pass\\u200dword"
    assert escaping.visible("tag \U000e0041") == "tag \\U000e0041"
    assert escaping.visible("\ud800") == "\ufffd"


@given(NASTY)
def test_a_workflow_command_stays_one_line_with_one_message(text):
    line = f"::error file={escaping.workflow_property(text)}::{escaping.workflow_message(text)}"
    assert "\n" not in line
    assert "\r" not in line
    name = line.removeprefix("::error file=").split("::")[0]
    assert not set(name) & {":", ","}


@each("commonmark", "gfm-like")
def test_markdown_keeps_a_hostile_text_in_one_code_element(preset):
    markdown = MarkdownIt(preset, {"html": True, "linkify": False})
    page = markdown.render(f"| a |\n|---|\n| {escaping.markdown(HOSTILE)} |\n")
    tags = re.findall(r"</?([a-z]+)", page)
    assert set(tags) <= {"table", "thead", "tbody", "tr", "th", "td", "code", "p"}
    assert page.count("<code>") == 1
    inside = html.unescape(re.search("<code>(.*)</code>", page, re.DOTALL)[1])
    assert inside == escaping.one_line(HOSTILE)


@given(NASTY)
def test_markdown_shows_just_the_text(text):
    page = MarkdownIt("commonmark", {"html": True}).render(f"a {escaping.markdown(text)} b")
    shown = escaping.one_line(text)
    expected = f"a <code>{html.escape(shown)}</code> b" if shown else "a  b"
    assert html.unescape(page.strip()) == html.unescape(f"<p>{expected}</p>")
    assert not set(re.findall("<([a-z]+)", page)) - {"p", "code"}


@given(NASTY)
def test_xml_can_be_read_back(text):
    element = ET.Element("a", b=escaping.xml(escaping.one_line(text)))
    element.text = escaping.xml(text)
    assert ET.fromstring(ET.tostring(element)).text in (escaping.xml(text) or None, None)


@given(st.recursive(NASTY, lambda inner: st.lists(inner) | st.dictionaries(NASTY, inner), max_leaves=5))
def test_data_in_a_script_element_never_closes_it_and_is_read_back(value):
    value = json.loads(json.dumps(value).replace("\\ud", "\\uf"))
    text = escaping.script_json(value)
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == value

    class Seen(HTMLParser):
        data = ""

        def handle_data(self, data):
            self.data += data

    seen = Seen()
    seen.feed(f'<script type="application/json">{text}</script>')
    assert seen.data == text


@pytest.mark.row(58)
def test_sarif_messages_contain_no_link_or_placeholder():
    assert escaping.sarif_message("see [here](1) and {0}") == "see [here] (1) and { 0}"


def test_long_lines_are_shortened_and_uris_encoded():
    assert escaping.one_line("a" * 50, 10) == "aaaaaaa..."
    assert escaping.uri_path("a b\\c%.json") == "a%20b/c%25.json"
