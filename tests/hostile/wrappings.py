"""The ways in which a statement is wrapped. Each is one line: a family, a name, and what the answer is."""

import re
import textwrap
from typing import NamedTuple

from every import table
from statements import SOURCES


class Said(NamedTuple):
    """A statement as an answer says it, right or wrong, in the parts that a wrapping needs.

    Attributes:
        before: the sentence up to its value.
        value: what is said there.
        after: the rest.
        plain: another sentence of the source, which is true.
    """

    before: str
    value: str
    after: str
    plain: str

    @property
    def whole(self):
        """The sentence."""
        return f"{self.before}{self.value}{self.after}"

    @property
    def inner(self):
        """The sentence as a part of a longer one: first letter small, no full stop."""
        return self.whole[0].lower() + self.whole[1:-1]

    def with_value(self, change):
        """The sentence with its value changed."""
        return f"{self.before}{change(self.value)}{self.after}"


def said(statement, *, true):
    """What an answer says of a statement."""
    value = statement.right if true else statement.wrong
    return Said(statement.before, value, statement.after, SOURCES[statement.source].plain)


def shifted(small, large, digit):
    """Letters and digits in another style of Unicode; 0 leaves them."""

    def change(text):
        out = []
        for char in text:
            first, base = (
                (small, "a") if "a" <= char <= "z" else (large, "A") if "A" <= char <= "Z" else (0, "")
            )
            if "0" <= char <= "9":
                first, base = digit, "0"
            out.append(chr(first + ord(char) - ord(base)) if first else char)
        return "".join(out)

    return change


FULL_WIDTH = shifted(0xFF41, 0xFF21, 0xFF10)
BOLD = shifted(0x1D41A, 0x1D400, 0x1D7CE)
MONOSPACE = shifted(0x1D68A, 0x1D670, 0x1D7F6)
ARABIC_DIGITS = shifted(0, 0, 0x660)
# Cyrillic and Greek letters that look like Latin ones.
CYRILLIC = str.maketrans("aceiopsxyABCEHKMOPTX", "асеіорѕхуАВСЕНКМОРТХ")
GREEK = str.maketrans("ovABEHIKMNOPTXYZ", "ονΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
#: The same value spelled otherwise.
SPELLED = {
    **{
        "14": "fourteen",
        "45": "forty-five",
        "250": "two hundred and fifty",
        "850": "eight hundred and fifty",
    },
    **{"30": "thirty", "95": "ninety-five", "36": "thirty-six", "24": "twenty-four", "is not": "isn't"},
    **{
        "Maria Keller": "M. Keller",
        "Oliver Brandt": "O. Brandt",
        "Tadao Mori": "T. Mori",
        "are not": "aren't",
    },
    **{"Frank Castell": "F. Castell", "Helena Ortiz": "Ms Ortiz", "Samuel Price": "Mr Price"},
}
SMALL_CAPS = str.maketrans("abcdefghijklmnoprstuvwz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡᴢ")


def between(mark):
    """A mark between any two characters."""
    return mark.join


def middle(mark):
    """A mark in the middle of each word that is longer than one character."""

    def change(text):
        return " ".join(word[: len(word) // 2] + mark + word[len(word) // 2 :] for word in text.split(" "))

    return change


def entities(text):
    """Every second character as a numeric entity."""
    return "".join(f"&#{ord(char)};" if number % 2 else char for number, char in enumerate(text))


TEMPLATES = table(__file__, "templates")


def written(family):
    """The wrappings of a family that are templates."""

    def wrapping(template):
        return lambda s: template.format(
            before=s.before,
            value=s.value,
            after=s.after,
            plain=s.plain,
            plain_open=s.plain[:-1],
            whole=s.whole,
            whole_open=s.whole[:-1],
            inner=s.inner,
        )

    return {name: wrapping(template) for name, template in TEMPLATES[family].items()}


#: Family -> what no template does.
FAMILIES = {
    "plain": written("plain")
    | {
        "all capitals": lambda s: s.whole.upper(),
        "no capitals": lambda s: s.whole.lower(),
        "spelled otherwise": lambda s: s.with_value(lambda text: SPELLED.get(text, text)),
    },
    "markdown": written("markdown"),
    "html": written("html")
    | {
        "tag inside a word": lambda s: s.with_value(middle("<i></i>")),
        "comment inside a word": lambda s: s.with_value(middle("<!-- x -->")),
        "numeric entities": lambda s: s.with_value(entities),
        "blank entities": lambda s: s.whole.replace(" ", "&nbsp;"),
        "invisible entity": lambda s: s.with_value(middle("&shy;")),
    },
    "unicode": written("unicode")
    | {
        "full-width value": lambda s: s.with_value(FULL_WIDTH),
        "bold letters": lambda s: s.with_value(BOLD),
        "monospace letters": lambda s: s.with_value(MONOSPACE),
        "Arabic digits": lambda s: s.with_value(ARABIC_DIGITS),
        "small capitals": lambda s: s.with_value(lambda text: text.lower().translate(SMALL_CAPS)),
        "Cyrillic look-alikes": lambda s: s.whole.translate(CYRILLIC),
        "Cyrillic value": lambda s: s.with_value(lambda text: text.translate(CYRILLIC)),
        "Greek look-alikes": lambda s: s.whole.translate(GREEK),
        "soft hyphen in words": lambda s: s.with_value(middle("\u00ad")),
        "zero-width in words": lambda s: s.with_value(middle("\u200b")),
        "zero-width everywhere": lambda s: between("\u200b")(s.whole),
        "word joiner": lambda s: s.with_value(between("\u2060")),
        "byte order mark": lambda s: "\ufeff" + s.with_value(middle("\ufeff")),
        "no-break blanks": lambda s: s.whole.replace(" ", "\u00a0"),
        "ideographic blanks": lambda s: s.whole.replace(" ", "\u3000"),
        "bidi reversed value": lambda s: s.with_value(lambda text: f"\u202e{text[::-1]}\u202c"),
        "variation selectors": lambda s: s.with_value(between("\ufe0f")),
        "combining marks": lambda s: s.with_value(middle("\u034f")),
        "tag characters": lambda s: s.with_value(middle("\U000e0041")),
        "Hangul filler": lambda s: s.with_value(middle("\u3164")),
        "emoji between": lambda s: s.whole.replace(" ", " 🙂 "),
        "line break inside": lambda s: f"{s.before.rstrip()}\n{s.value}{s.after}",
        "Windows line break": lambda s: f"{s.before.rstrip()}\r\n{s.value}{s.after}",
    },
    "phrase": written("phrase")
    | {
        "last of many": lambda s: " ".join([s.plain] * 5 + [s.whole]),
        "long sentence": lambda s: ", and ".join([s.plain[:-1]] * 6 + [s.inner]) + ".",
    },
    "citation": written("citation"),
}

ATTACKS = written("attacks")

#: How a source is written, where the answer is the plain statement.
WRITTEN = {
    "soft hyphens in long words": lambda text: re.sub(r"([a-z]{4})([a-z]{3})", "\\1\u00ad\\2", text),
    "zero-width in every word": middle("\u200b"),
    "zero-width behind words": lambda text: text.replace(" ", "\u200b "),
    "no-break blanks": lambda text: text.replace(" ", "\u00a0"),
    "two blanks": lambda text: text.replace(" ", "  "),
    "wrapped lines": lambda text: textwrap.fill(text, 40),
    "full-width digits": shifted(0, 0, 0xFF10),
    "full-width letters": FULL_WIDTH,
    "bold letters": BOLD,
    "bold Markdown": lambda text: "**" + text.replace(". ", ".** **") + "**",
    "list": lambda text: "- " + text.replace(". ", ".\n- "),
    "HTML paragraphs": lambda text: "<p>" + text.replace(". ", ".</p><p>") + "</p>",
    "HTML entities": lambda text: text.replace(" ", "&nbsp;"),
    "bidi isolates": lambda text: f"\u2067{text}\u2069",
    "ligatures": lambda text: text.replace("fi", "ﬁ").replace("fl", "ﬂ"),
    "all capitals": str.upper,
}
