"""Is a text English? Enough of an answer to abstain where it is not."""

from __future__ import annotations

from functools import lru_cache

from pytest_grounding._patterns import lazy
from pytest_grounding.text.questions.words import word_set

_WORD = lazy(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
#: For ASCII: what is no part of a word becomes a blank.
_BLANKED = "".join(char.lower() if char.isalpha() or char == "'" else " " for char in map(chr, range(128)))

_ENGLISH = word_set("""
    the of and to in is are was were do does did what who whom when where why how which with for from by
    on at it its this that these those be been has have had can could will would should may might must
    not or if but about into than then there their they you your my our we he she his her i'm don't
    doesn't isn't what's who's any some all many much long between after before during as an a
""")

#: Function words of other languages in Latin script, without those that are English words too.
_FOREIGN = word_set("""
    der die das den dem des ein eine einen einem einer und ist sind war waren wer wie wo wann warum
    wieso weshalb welche welcher welches wieviel viele kann können wird werden nicht mit von zu zum zur
    für auf aus bei nach über unter gibt es ich wir sie ihr mein meine im ab le la les un une des du est
    sont était étaient qui que quoi quel quelle quels quelles où quand comment pourquoi combien avec
    pour dans sur par pas ne et ou je nous vous ils elles peut cette ces aux au en el los las una unos
    unas es son fue fueron quién quien qué cuál cual cuándo cuando dónde donde cómo como cuánto cuántos
    cuánta por para con del al y o se su sus puede está están hay il lo gli uno dei delle chi che cosa
    quale quali dove perché quanto quanti quanta per con sono era nel della di da os uma uns quem qual
    quais onde porque quantos quantas com do dos das na nos são foi é não het een wie wat waar wanneer
    waarom hoe hoeveel welke zijn werd niet met voor van op naar och är vad vem när var varför hur
    vilken inte på som av hvem hva hvor hvornår hvorfor hvordan ikke og kto co gdzie kiedy dlaczego jak
    ile jest są nie czy się w z na do ne nerede kim nasıl neden kaç ve bir bu mi mı
""") - {
    "war",
    "do",
    "on",
    "in",
    "no",
    "so",
    "me",
    "an",
    "as",
    "a",
    "i",
    "is",
    "co",
    "hat",
}

#: Among the foreign words, those that an English sentence may hold: in a name or loan ("La Paz", "de facto"),
#: or as a verb ("die").
_IN_NAMES = word_set(
    "die la le el de da di van von los las del des du en ad se per con dos des al was par es mit ab"
)


@lru_cache(maxsize=1024)
def looks_english(text: str, *, limit: int = 400) -> bool:
    """Whether a text reads as English, judged by script and function words.

    Args:
        text: any text.
        limit: how many characters from its start to look at.

    Returns:
        False for text that is mostly in another script, or that holds more function words of another
        language than English ones. True for text that gives no hint at all (names, numbers, keywords in
        plain Latin letters).
    """
    head = text[:limit]
    letters = latin = accented = 0
    if head.isascii():
        letters = latin = sum(map(str.isalpha, head))
    for char in () if head.isascii() else head:
        if char.isalpha():
            letters += 1
            if char < "\u0250":
                latin += 1
                accented += char > "\u00bf"
    if not letters:
        return True
    if latin < 0.6 * letters or "¿" in head or "¡" in head:
        return False
    words = _words(head)
    others = [word for word in words if word not in _ENGLISH]
    english = len(words) - len(others)
    foreign = weak = 0
    for word in others:
        if word in _FOREIGN or (
            "'" in word and word.split("'")[0] in {"l", "d", "qu", "n", "s", "c", "j", "m"}
        ):
            if word in _IN_NAMES:
                weak += 1
            else:
                foreign += 1
    if english:
        return english >= foreign + 0.5 * weak
    return foreign == 0 and not (weak and (weak > 1 or accented)) and accented * 12 <= max(letters, 12)


def _words(text: str) -> list[str]:
    """The words of a text in lower case, with straight apostrophes."""
    if text.isascii():
        words = text.translate(_BLANKED).split()
        if "'" not in text:
            return words
        return [found for word in words for found in (_WORD.findall(word) if "'" in word else (word,))]
    return [word.lower().replace("’", "'") for word in _WORD.findall(text)]
