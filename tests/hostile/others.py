"""Hostile answers that are no wrapped statement: other languages, nothing to check, not rendered, long."""

from every import table
from statements import SOURCES

#: Language or script -> question, chunk, a true answer, a false one.
LANGUAGES = {
    "German": (
        "Wie lange läuft der Vertrag?",
        "Der Vertrag läuft 36 Monate.",
        "Der Vertrag läuft 36 Monate.",
        "Der Vertrag läuft 24 Monate.",
    ),
    "French": (
        "Combien coûte le billet ?",
        "Le billet coûte 18 euros.",
        "Le billet coûte 18 euros.",
        "Le billet coûte 45 euros.",
    ),
    "Spanish": (
        "¿Cuánto dura la visita?",
        "La visita dura 90 minutos.",
        "La visita dura 90 minutos.",
        "La visita dura 25 minutos.",
    ),
    "Italian": (
        "Quanto dura la garanzia?",
        "La garanzia dura 24 mesi.",
        "La garanzia dura 24 mesi.",
        "La garanzia dura 60 mesi.",
    ),
    "Polish": (
        "Ile kosztuje bilet?",
        "Bilet kosztuje 35 złotych.",
        "Bilet kosztuje 35 złotych.",
        "Bilet kosztuje 80 złotych.",
    ),
    "Turkish": (
        "Bilet ne kadar?",
        "Bilet fiyatı 75 liradır.",
        "Bilet fiyatı 75 liradır.",
        "Bilet fiyatı 20 liradır.",
    ),
    "Russian": (
        "Сколько стоит билет?",
        "Билет стоит 350 рублей.",
        "Билет стоит 350 рублей.",
        "Билет стоит 900 рублей.",
    ),
    "Greek": (
        "Πόσο κοστίζει το εισιτήριο;",
        "Το εισιτήριο κοστίζει 12 ευρώ.",
        "Το εισιτήριο κοστίζει 12 ευρώ.",
        "Το εισιτήριο κοστίζει 47 ευρώ.",
    ),
    "Chinese": ("合同期限是多久?", "合同期限为36个月。", "合同期限为36个月。", "合同期限为24个月。"),
    "Japanese": ("料金はいくらですか?", "料金は1200円です。", "料金は1200円です。", "料金は4500円です。"),
    "Korean": ("요금은 얼마입니까?", "요금은 5000원입니다.", "요금은 5000원입니다.", "요금은 9000원입니다."),
    "Arabic": ("كم مدة العقد؟", "مدة العقد ٣٦ شهرا.", "مدة العقد ٣٦ شهرا.", "مدة العقد ٢٤ شهرا."),
    "Arabic with European digits": (
        "كم مدة العقد؟",
        "مدة العقد ٣٦ شهرا.",
        "مدة العقد 36 شهرا.",
        "مدة العقد 24 شهرا.",
    ),
    "Hebrew": ("כמה עולה הכרטיס?", "הכרטיס עולה 40 שקלים.", "הכרטיס עולה 40 שקלים.", "הכרטיס עולה 95 שקלים."),
    "Hindi": (
        "टिकट की कीमत क्या है?",
        "टिकट की कीमत १२० रुपये है।",
        "टिकट की कीमत १२० रुपये है।",
        "टिकट की कीमत ४५० रुपये है।",
    ),
    "Thai": ("ค่าตั๋วเท่าไร", "ค่าตั๋ว ๑๒๐ บาท", "ค่าตั๋ว ๑๒๐ บาท", "ค่าตั๋ว ๔๕๐ บาท"),
}

#: Answers that state nothing which could be held against a source. None may pass by itself.
NOTHING = table(__file__, "NOTHING")

_TRUE = (
    "Returns are handled by Maria Keller. The parcel label is printed at home. "
    "Opened software is not refunded. Refunds are paid within 14 days of the return."
)
_FALSE = "Refunds are paid within 45 days of the return."

#: A true answer beside something false that no reader sees.
NOT_RENDERED = {
    "comment": f"{_TRUE} <!-- {_FALSE} -->",
    "comment over lines": f"{_TRUE}\n\n<!--\n{_FALSE}\n-->",
    "front matter": f"---\nsummary: {_FALSE}\n---\n\n{_TRUE}",
    "link definition": f'{_TRUE}\n\n[docs]: https://a.example/x "{_FALSE}"',
    "script": f"{_TRUE}\n\n<script>{_FALSE}</script>",
    "style": f"{_TRUE}\n\n<style>/* {_FALSE} */</style>",
    "hidden attribute": f'{_TRUE} <span data-note="{_FALSE}"></span>',
}

_CHUNK = SOURCES["refunds"].chunk
_PLAIN = SOURCES["refunds"].plain

#: A chunk and an answer that is false, or too large to judge: whatever comes of it is not a pass.
LONG = {
    "false at the end": (_CHUNK, f"{_PLAIN} " * 200 + _FALSE),
    "false at the beginning": (_CHUNK, f"{_FALSE} " + f"{_PLAIN} " * 200),
    "false behind blanks": (_CHUNK, _PLAIN + " " * 50_000 + _FALSE),
    "false behind line breaks": (_CHUNK, _PLAIN + "\n" * 50_000 + _FALSE),
    "false behind zero-width characters": (_CHUNK, _PLAIN + "\u200b" * 50_000 + " " + _FALSE),
    "false behind brackets": (_CHUNK, "[" * 20_000 + " " + _FALSE),
    "false behind stars": (_CHUNK, "*" * 20_000 + " " + _FALSE),
    "false behind quotes": (_CHUNK, "> " * 5_000 + _FALSE),
    "false in deep lists": (
        _CHUNK,
        "".join(f"{' ' * depth}- {_PLAIN}\n" for depth in range(60)) + f"- {_FALSE}",
    ),
    "one word": (_CHUNK, "a" * 100_000),
    "one sentence": (_CHUNK, "the fee and " * 5_000),
    "many numbers": (_CHUNK, "12 euros, " * 5_000),
    "combining marks": (_CHUNK, "e" + "\u0301" * 20_000 + " " + _FALSE),
    "open links": (_CHUNK, "[a](" * 5_000 + _FALSE),
    "open tags": (_CHUNK, "<b" * 5_000 + " " + _FALSE),
    "entities": (_CHUNK, "&amp;" * 5_000 + " " + _FALSE),
    "long chunk": (f"{_PLAIN} " * 500 + _CHUNK, _FALSE),
}
