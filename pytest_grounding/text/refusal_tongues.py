"""How answers say that something is not known, in short, in other main languages than English."""

from __future__ import annotations

import re

from pytest_grounding._patterns import Parts, lazy

# The short forms of "I do not know" and "the sources do not say", each behind the letters that it needs.
_OTHER = (
    (
        "ich_",
        r"\bich[ ](?:weiß|weiss)[ ](?:\w+[ ]){0,2}nicht\b|\bich[ ](?:habe|finde)[ ](?:\w+[ ]){0,2}keine\b",
    ),
    (
        "nicht",
        r"\bwei(?:ß|ss)[ ]ich[ ](?:\w+[ ]){0,3}nicht\b"
        r"|\b(?:ist|sind)[ ]mir[ ](?:\w+[ ]){0,2}nicht[ ]bekannt\b",
    ),
    (
        "nicht",
        r"\b(?:kann[ ]ich|konnte[ ]ich|können[ ]wir|konnten[ ]wir|(?:ich|wir)[ ]k[aoö]nn(?:en?|te|ten)?"
        r"|(?:frage|das|dies|es)[ ]kann)[ ](?:\w+[ ]){0,5}nichts?[ ](?:\w+[ ]){0,2}"
        r"(?:beantworten|beantwortet|sagen|finden)\b"
        r"|\b(?:habe|haben)[ ](?:ich[ ]|wir[ ])?(?:\w+[ ]){0,5}nichts[ ](?:\w+[ ]){0,2}gefunden\b",
    ),
    (
        "keine|nicht",
        r"\b(?:quellen?|kontext|dokumente?n?|texte?n?|passagen)[ ](?:\w+[ ]){0,3}(?:keine|nicht)\b",
    ),
    ("keine", r"\bkeine[ ](?:informationen|angaben|hinweise|information)\b"),
    (
        "_pas|aucun",
        r"\bje[ ]ne[ ](?:sais|peux|trouve|dispose|connais)[ ]pas\b|\bje[ ]n['’]ai[ ](?:pas"
        r"|(?:trouvé[ ])?aucune)\b",
    ),
    (
        "_pas|aucun",
        r"\b(?:sources|documents|passages|contexte|textes?)[ ](?:\w+[ ]){0,3}(?:ne[ ]|n['’])\w+[ ](?:pas"
        r"|aucune?)\b",
    ),
    ("aucune", r"\baucune[ ]information\b"),
    (
        "no_ & sé|tengo|puedo|dispongo|encuentro|encontré|hay",
        r"\bno[ ](?:lo[ ]sé|sé\b|tengo[ ](?:\w+[ ]){0,2}(?:información|datos|respuesta))"
        r"|\bno[ ](?:puedo|dispongo|encuentro|encontré|hay)[ ](?:\w+[ ]){0,4}(?:información|respuesta"
        r"|responder|datos)",
    ),
    (
        "fuentes|documento|contexto|texto|pasajes & _no_",
        r"\b(?:fuentes|documentos?|contexto|textos?|pasajes)[ ]no[ ](?:\w+[ ])?(?:menciona|dice|especifica"
        r"|contiene|indica"
        r"|proporciona|incluye)n?\b",
    ),
    (
        "non_",
        r"\bnon[ ](?:lo[ ]so|so\b|(?:posso|trovo|ho|dispongo)[ ](?:\w+[ ]){0,4}(?:informazioni|rispondere"
        r"|risposta))",
    ),
    ("_non_", r"\b(?:fonti|documenti|contesto|testo|passaggi)[ ]non[ ]\w+"),
    (
        "não_",
        r"\bnão[ ](?:sei\b|(?:tenho|posso|encontrei|há)[ ](?:\w+[ ]){0,4}(?:informaç\w+|resposta|responder"
        r"|dados))",
    ),
    ("_não_", r"\b(?:fontes|documentos|contexto|trechos)[ ]não[ ]\w+"),
    (
        "non_ & trova|trovo|risulta|mentre",
        r"\bnon[ ](?:ho|abbiamo|riesco[ ]a|è[ ]possibile)[ ]trova(?:to|re)\b|\bnon[ ]trovo\b",
    ),
    (
        "_nicht",
        r"\b(?:steht|stehen)[ ](?:\w+[ ]){0,2}nicht[ ](?:in|im)[ ]|\bgeht[ ](?:\w+[ ]){0,6}nicht[ ]hervor\b"
        r"|\bin[ ](?:den|diesen|meinen)[ ](?:quellen|dokumenten|texten)[ ]steht[ ](?:\w+[ ])?nichts?\b",
    ),
    (
        "no_ & encontr|aparece|especifica|indica|menciona|consta",
        r"\bno[ ](?:he|hemos)[ ]encontrado\b|\bno[ ](?:aparece|consta|se[ ](?:menciona|indica"
        r"|especifica))n?\b",
    ),
    (
        "não_ & encontr|mencion|consta|especific",
        r"\bnão[ ](?:encontrei|encontramos|consta|é[ ](?:mencionad|especificad)[oa])\b",
    ),
    (
        "pas_ & trouv|mentionn|précis|indiqu",
        r"\bn['’](?:ai|avons)[ ]pas[ ]trouvé\b|\bn['’]est[ ]pas[ ](?:mentionné|précisé|indiqué)e?\b",
    ),
    (
        "inte",
        r"\b(?:vet|hittar|finner)[ ](?:det[ ])?jag[ ](?:det[ ])?inte\b|\bjag[ ](?:vet|hittar|kan"
        r"|har)[ ](?:det[ ])?inte\b"
        r"|\b(?:står|framgår|nämns|anges)[ ](?:det[ ])?inte\b",
    ),
    (
        "ikke",
        r"\b(?:vet|ved|finner|finder|har|kan)[ ](?:det[ ])?jeg[ ](?:det[ ])?ikke\b"
        r"|\bjeg[ ](?:vet|ved|finner|finder|kan|har)[ ](?:det[ ])?ikke\b|\b(?:står|fremgår|nevnes|nævnes"
        r"|oppgis)[ ](?:det[ ])?ikke\b",
    ),
    (
        "nie|brak",
        r"^\W*nie[ ]wiem\b|\bnie[ ](?:mam|znalaz\w+|podano|wspomni\w+)\b|\bbrak[ ]informacji\b"
        r"|\bnie[ ]ma[ ](?:\w+[ ]){0,3}(?:informacji|w[ ])",
    ),
    (
        "bilm|yok|belirt",
        r"\bbilmiyorum\b|\bbilgi(?:si|ler)?[ ](?:\w+[ ]){0,2}(?:yok|bulunm\w+)\b|\bbelirtilme\w+",
    ),
    ("nev|nen", r"\bnevím\b|\bnení[ ](?:uvedeno|zmíněno)\b"),
    ("en_|ei_", r"^\W*en[ ]tiedä\b|\bei[ ](?:mainita|kerrota)\b"),
    ("nem_|nincs", r"\bnem[ ]tudom\b|\bnincs[ ](?:\w+[ ])?információ"),
    (
        "ne_ & _pas",
        r"\bne[ ](?:figure|mentionne|précise|se[ ]trouve|disent)(?:nt)?[ ]pas\b",
    ),
    (
        "non_",
        r"\bnon[ ](?:dispongo|ho|c['’]è|ci[ ]sono)[ ](?:\w+[ ]){0,3}informazion\w+|\bnon[ ](?:è|viene)[ ]"
        r"(?:specificat|menzionat|indicat|riportat)[oa]\b",
    ),
    (
        "niet|geen",
        r"\bweet[ ]ik[ ](?:\w+[ ])?niet\b|\bheb[ ]ik[ ](?:\w+[ ])?(?:niet|geen)\b"
        r"|\binformatie[ ]heb[ ]ik[ ]niet\b",
    ),
    ("niet", r"\bstaat[ ](?:\w+[ ]){0,3}niet[ ]in[ ]|\bniet[ ](?:vermeld|genoemd|gevonden|vinden)\b"),
    (
        "niet|geen",
        r"\bik[ ]weet[ ]het[ ]niet\b|\bik[ ]heb[ ]geen[ ]informatie\b"
        r"|\bde[ ]bronnen[ ]\w+[ ](?:\w+[ ])?(?:niet|geen)\b",
    ),
    (
        "不|无|無|没|沒|未|抱",
        r"我不知道|无法回答|無法回答|没有(?:提到|提及|相关信息|足够的?信息|说明)|沒有(?:提到|提及|相關)"
        r"|未提及|未提到|(?:未|没有|沒有|不)(?:包含|涉及|提供|给出|給出|找到).{0,8}(?:信息|内容|資訊|資料|资料|答案|说明)"
        r"|抱歉.{0,6}(?:无法|不能|没有)",
    ),
    (
        "ません|ない|いません",
        r"わかりません|分かりません|答えられません|お答えできません|情報(?:が|は)(?:ありません"
        r"|見つかりません|ない)"
        r"|記載(?:が|は|されて)(?:ありません|いません|ない)|言及(?:が|は|されて)(?:ありません|いません|いない)",
    ),
    (
        "없|않|모르",
        r"모르겠습니다|알[ ]수[ ]없(?:습니다|다)|정보가[ ]없(?:습니다|다)|답변할[ ]수[ ]없|언급(?:되지"
        r"|하지)[ ]않|찾을[ ]수[ ]없|(?:언급|명시|기재|기술|포함|나와)(?:되어[ ]|돼[ ]|[ ])?있지[ ]않",
    ),
    (
        "не",
        r"\bя[ ]не[ ](?:знаю|могу[ ]ответить|наш[её]л|располагаю)\b|\bнет[ ](?:\w+[ ]){0,2}"
        r"(?:информации|данных|сведений)\b",
    ),
    ("не", r"\bв[ ](?:источниках|тексте|контексте|документах)[ ](?:\w+[ ]){0,3}(?:нет|не[ ]\w+)"),
    (
        "ไม่",
        r"(?:ฉัน|ผม|ดิฉัน|เรา)ไม่(?:ทราบ|รู้|มีข้อมูล)|^\W*ไม่(?:ทราบ|รู้)\W*$|ไม่(?:มี"
        r"|พบ)ข้อมูล(?:เกี่ยวกับ|นี้|ดังกล่าว|เพียงพอ|ใน)"
        r"|ไม่สามารถตอบ|(?:เอกสาร|แหล่งข้อมูล|ข้อความ|บริบท).{0,20}ไม่ได้(?:ระบุ|กล่าวถึง)",
    ),
    (
        "नहीं",
        r"(?:दस्तावे|स्रोत|संदर्भ|पाठ).{0,40}(?:उल्लेख|जानकारी)[ ]नहीं|(?:उत्तर|जवाब)[ ]नहीं[ ](?:दे"
        r"|बता)[ ]?सक",
    ),
    ("नहीं", r"मुझे[ ](?:नहीं[ ]पता|पता[ ]नहीं|जानकारी[ ]नहीं)|जानकारी[ ](?:उपलब्ध[ ])?नहीं[ ]है"),
    (
        "لا|ليس|لم",
        r"لا[ ]أعرف|لا[ ]أعلم|لا[ ](?:توجد|يوجد|تتوفر)[ ](?:لدي(?:نا)?[ ])?(?:\w+[ ])?(?:ال)?معلومات"
        r"|ليس[ ]لدي(?:نا)?[ ](?:\w+[ ])?(?:ال)?معلومات|لم[ ](?:يتم[ ]|يرد[ ])?ذكر.{0,40}"
        r"(?:المستند|المصادر|النص|السياق|الوثائق)"
        r"|لم[ ]يُ?ذكر|لا[ ]يمكنني[ ]الإجابة|لا[ ](?:تذكر"
        r"|تحتوي)[ ]المصادر",
    ),
)

#: That something is not known.
OTHER = Parts(_OTHER, re.IGNORECASE | re.VERBOSE)

_HINT_WORDS = lazy(
    r"(?i:\bnicht|\bkeine|\bpas\b|\baucune|\bno\b|\bnon\b|\bnão\b|\bniet\b|\bgeen\b|\binte\b|\bikke\b"
    r"|\bnie\b|\bbrak\b|\byok\b|\bbilmiyorum|\bnem\b|\bnincs\b|\bnevím)"
)
# Letters that are one, where case is ignored, with a letter of U+0400 to U+FFFF.
_HINT_LETTERS = frozenset(
    "Kk\u00c5\u00df\u00e5\u023a\u023e\u023f"
    "\u0240\u0250\u0251\u0252\u025c\u0261\u0265\u0266\u026a\u026b\u026c\u0271\u027d\u0282"
    "\u0287\u029d\u029e\u0345\u0390\u0399\u03a9\u03b0\u03b9\u03c9"
)


def hints_at_another(text: str) -> bool:
    """Whether a character or word stands in a text without which `OTHER` is unlikely to match."""
    if not _HINT_LETTERS.isdisjoint(text):
        return True
    # A class of all these characters would take milliseconds to compile.
    if not text.isascii() and any("\u0400" <= character <= "\uffff" for character in text):
        return True
    return _HINT_WORDS.search(text) is not None
