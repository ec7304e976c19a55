"""What a reader sees of a claim is what is scored."""

from every import each
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounding.claims.splitting import extract_claims
from pytest_grounding.reading.sentences import segment
from pytest_grounding.reading.visible_text import as_read, decode_entities, hide_entities
from pytest_grounding.reading.words import tokenize


@each(
    ("4&#53; days", "45 days"),
    ("4&#x35; days", "45 days"),
    ("a&nbsp;fee &amp; a tax", "a\u00a0fee & a tax"),
    ("R&D; AT&T; a?b=1&lt=2", "R&D; AT&T; a?b=1&lt=2"),
    ("&#" + "9" * 5_000 + ";", "&#" + "9" * 5_000 + ";"),
    ("A &#124; B", "A &#124; B"),
)
def test_entities_are_their_characters(text: str, seen: str) -> None:
    assert decode_entities(text) == seen


@each(
    ("n\u00ado\u200bt", "not"),
    ("\ufeffnot\u2060 so\U000e0041", "not so"),
    ("n\u3164ot", "not"),
    ("می\u200cخواهم", "می\u200cخواهم"),
    ("\u202ekcab\u202c said", "back said"),
    ("\u202d45\u202c days", "45 days"),
    ("４５ ｄａｙｓ", "45 days"),
    ("𝟒𝟓 𝐝𝐚𝐲𝐬", "45 days"),
    ("10³ m", "10³ m"),
    ("費用は１２円、税込", "費用は12円、税込"),
    ("ᴍᴀʀɪᴀ", "maria"),
    ("Раris and Rоmе", "Paris and Rome"),
    ("Ραris", "Paris"),
    ("как это", "как это"),
    ("Москва and NATO", "Москва and NATO"),
    ("5 μm, β-carotene, ΔT", "5 μm, β-carotene, ΔT"),
    ("Zoë naïve straße", "Zoë naïve straße"),
)
def test_what_a_reader_sees(text: str, seen: str) -> None:
    assert as_read(text) == seen


@given(st.text(max_size=60))
def test_any_text_is_read_and_stays_as_long_where_entities_are_hidden(text: str) -> None:
    assert len(as_read(text)) <= len(text)
    assert len(hide_entities(text)) == len(text)


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_plain_text_stays(text: str) -> None:
    assert as_read(text) is text


@each(
    ("The fee is 4<b>5</b> euros.", "The fee is 45 euros."),
    ("The fee is 12<sup>2</sup> euros.", "The fee is 12 2 euros."),
    ("<table><tr><td>The fee is 45 euros.</td></tr></table>", "The fee is 45 euros."),
    ("The list is of type List<String> here.", "The list is of type List<String> here."),
    ("> [!NOTE]\n> The fee is 45 euros.", "The fee is 45 euros."),
    ("[The fee is 45 euros.][docs]\n\n[docs]: https://a.example/x", "The fee is 45 euros."),
    ("The fee is &quot;45 euros&quot; at most.", 'The fee is "45 euros" at most.'),
    ("The fish &amp; chips cost 12 euros.", "The fish & chips cost 12 euros."),
    ("`&amp;` is an entity of HTML.", "&amp; is an entity of HTML."),
)
def test_the_bare_words_are_those_that_are_seen(answer: str, bare: str) -> None:
    claims = [claim for claim in extract_claims(answer) if claim.checked]
    assert claims[0].bare == bare
    assert all(answer[claim.start : claim.end] == claim.text for claim in claims)


def test_a_comment_over_lines_is_one_piece_that_is_not_checked() -> None:
    answer = "The fee is 12 euros.\n\n<!--\nThe fee is 45 euros.\nIt is due.\n-->\n\nIt is due today."
    comment = "<!--\nThe fee is 45 euros.\nIt is due.\n-->"
    assert comment in [sentence.text for sentence in segment(answer)]
    reasons = {claim.text: claim.skip_reason for claim in extract_claims(answer)}
    assert reasons == {"The fee is 12 euros.": "", comment: "comment", "It is due today.": ""}


@each("\u00ad", "\u200b", "\u2060")
def test_a_word_of_a_source_is_one_word_through_what_is_not_seen(mark: str) -> None:
    (word,) = tokenize(f"refrig{mark}erator")
    assert (word.norm, word.start, word.end) == ("refrigerator", 0, 13)
    first, second = tokenize(f"status{mark} light{mark}")
    assert (first.norm, second.norm) == ("status", "light")
