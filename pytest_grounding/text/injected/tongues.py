"""Orders in other languages, and how each language says "ignore all previous instructions"."""

from __future__ import annotations

import re

from pytest_grounding._frozen import frozen
from pytest_grounding._patterns import lazy
from pytest_grounding.text.injected.letters import Letters

_NEVER = r"(?!)"


@frozen
class Override:
    """How one language leaves earlier orders aside.

    Attributes:
        needs: letters of which one stands in each of its verbs, where words are not parted by blanks.
        words: words of which one stands in each of its verbs.
        verb: to ignore, to forget.
        prior: previous, above, all, your.
        noun: instructions, prompts.
        domain: what makes the noun that of another matter ("instructions on assembly"), right behind it.
        weak: what stands behind the verb in an order that may be one of a manual too.
        is_loose: the verb stands behind its object, or words are not parted by blanks.
        negation: what denies the verb from behind, or None.
    """

    needs: tuple[str, ...]
    words: frozenset[bytes]
    verb: re.Pattern[str]
    prior: re.Pattern[str]
    noun: re.Pattern[str]
    domain: re.Pattern[str]
    weak: re.Pattern[str]
    is_loose: bool = False
    negation: re.Pattern[str] | None = None

    def may_stand(self, letters: Letters) -> bool:
        """Whether a text holds what each of its verbs holds."""
        if self.is_loose:
            return len(letters.low) > len(letters.text) and any(need in letters.text for need in self.needs)
        return not self.words.isdisjoint(letters.words)


def _override(
    needs: str,
    verb: str,
    prior: str,
    noun: str,
    domain: str = _NEVER,
    weak: str = _NEVER,
    *,
    negation: str = "",
    is_loose: bool = False,
) -> Override:
    return Override(
        tuple(needs.split("|")),
        frozenset(word.encode() for word in needs.split("|")),
        lazy(verb),
        lazy(prior),
        lazy(noun),
        lazy(domain),
        lazy(weak),
        is_loose,
        lazy(negation) if negation else None,
    )


OVERRIDES: tuple[Override, ...] = (
    _override(
        "ignore|disregard|forget|override|bypass|attention|neglect|skip",
        r"\b(?:ignore|disregard|forget|override|bypass|neglect|skip|pay no attention to)\b",
        r"\b(?:previous|prior|earlier|above|preceding|foregoing|all|any|your|before|so far|initial|original|"
        r"past|"
        r"existing|safety|given)\b",
        r"\b(?:instructions?|prompts?|directives?|guidelines|commands|directions|context|rules that you)\b",
        r"(?: \w{4,12})? (?:of|on|about|for|from|in|dated|regarding|at|concerning|by)\b",
        r"(?: (?:all|any|the|your|what|other|prior|previous|earlier|safety|of|everything|these))* ?"
        r"(?:above|prior|previous|rules?|directions|documents?|sources?|user|question|manual|context|"
        r"retrieved|figures|"
        r"other rows|price list|official page|everything|contact data|guidelines|instructions?)\b",
    ),
    _override(
        "ignoriere|ignorieren|vergiss|vergesst|vergessen|missachte|missachtet|missachten",
        r"\b(?:ignorier(?:e|en)?|vergiss|vergesst|vergessen|missachte[nt]?)\b",
        r"\b(?:vorherigen?|vorigen?|bisherigen?|obigen?|früheren?|alle|vorangegangenen?|deine|"
        r"vorstehenden?)\b",
        r"\b(?:anweisungen?|instruktionen|vorgaben|regeln|befehle|prompts?|hinweise)\b",
        r" (?:des|der|zu|zum|zur|über|für|in|aus|im|von)\b",
        r" (?:alles|die frage|die quellen|die dokumente|den nutzer|das handbuch)\b",
        negation=r"\bnicht\b",
    ),
    _override(
        "ignore|ignorez|ignorer|oublie|oubliez|oublier|compte|abstraction",
        r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:plus|pas) compte|fai(?:s|tes) abstraction)\b",
        r"\b(?:précédente?s?|antérieure?s?|toutes?|tous|ci-dessus|préalables|tes|vos|d'avant|des)\b",
        r"\b(?:instructions?|consignes?|directives?|ordres|règles)\b",
        r" (?:[\wé]{4,14} )?(?:du|de la|sur|pour|concernant|quand|en|dans)\b",
        r" (?:la question|les sources|les documents|tout)\b",
        negation=r"\bpas\b",
    ),
    _override(
        "ignora|ignorad|ignore|ignorate|ignoren|olvida|olvide|olviden|caso|descarta|descarte|dimentica|"
        "dimenticate|esqueça|desconsidere",
        r"\b(?:ignor[aeo](?:d|te)?|ignoren|olvid[ae]|olviden|haz caso omiso|haga caso omiso|descart[ae]|"
        r"dimentica(?:te)?|"
        r"esqueça|desconsidere)\b",
        r"\b(?:anteriore?s?|previas?|todas?|todos|precedenti|tutte|arriba|antes|tus|tue|suas)\b",
        r"\b(?:instrucciones|indicaciones|reglas|órdenes|istruzioni|regole|instruções|regras|ordens|se te "
        r"indicó)\b",
        r" (?:[\wé]{4,14} )?(?:del|de la|sobre|para|en|su|per|do|da)\b",
        r" (?:la pregunta|las fuentes|los documentos|lo que|tutto|todo|tudo)\b",
    ),
    _override(
        "negeer|vergeet|ignorera|bortse|glöm|zignoruj|ignoruj|zapomnij",
        r"\b(?:negeer|vergeet|ignorera|bortse från|glöm|zignoruj|ignoruj|zapomnij)\b",
        r"\b(?:vorige|eerdere|alle|bovenstaande|voorgaande|alla|tidigare|föregående|wszystkie|poprzednie|"
        r"wcześniejsze|"
        r"powyższe|wszystkich|poprzednich)\b",
        r"\b(?:instructies|opdrachten|regels|instruktioner|anvisningar|regler|instrukcje|instrukcji|"
        r"polecenia|zasady)\b",
        r" (?:van|over|voor|om|för|dotycząc\w*)\b",
    ),
    _override(
        "игнорируй|игнорируйте|забудь|забудьте|внимания",
        r"(?:игнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания)",
        r"(?:предыдущи|прежни|все |всё|выше)",
        r"(?:инструкц|указани|правил|команд|подсказ)",
    ),
    _override(
        "忽略|无视|忘记|無視|忘れ|忽視|무시",
        r"(?:忽略|无视|忘记|忽視|無視(?:し|する|せよ)?|忘れ(?:て|ろ)|무시)",
        r"(?:之前|以前|先前|上述|所有|以上|これまで|すべて|全て|前の|이전|모든)",
        r"(?:指令|指示|提示|说明|說明|命令|规则|指図|지시|명령)",
        is_loose=True,
        negation=r"(?:不要|请不要|勿|ないで)",
    ),
    _override(
        "yok say|görmezden gel|unut",
        r"\b(?:yok say\w{0,6}|görmezden gel\w{0,6}|unut)\b",
        r"\b(?:önceki|tüm|yukarıdaki|bütün)\b",
        r"\b(?:talimat\w{0,8}|yönerge\w{0,8}|kural\w{0,8}|komut\w{0,8})\b",
        is_loose=True,
    ),
)

#: Kind, weight, words of which one is needed, pattern.
TELLING: tuple[tuple[str, int, str, str], ...] = (
    (
        "tell_user",
        1,
        "nutzer benutzer anwender leser nutzern benutzern anwendern lesern",
        r"\b(?:sag(?:e|en sie)?|teilen? (?:sie )?|nenne|informiere|bitte|schicke|empfiehl) (?:dem|den|der|"
        r"alle[nm]?) (?:nutzer|benutzer|anwender|leser)\w{0,3}\b",
    ),
    (
        "only_with",
        1,
        "antworte antworten beende beenden",
        r"\bantworte(?:n sie)? (?:nur|ausschließlich|immer|stets)\b|\bbeende(?:n sie)? (?:jede|deine) "
        r"antwort",
    ),
    (
        "to_model",
        2,
        "sprachmodell sprachmodelle assistent assistenten chatbots chatbot ki kis",
        r"\b(?:hinweis|anweisung|nachricht) (?:für|an) (?:alle |die |den |das )?(?:sprachmodelle?|kis?|"
        r"assistenten?|chatbots?)\b"
        r"|\ban (?:die ki|das sprachmodell|den (?:ki-)?assistenten)\s?:|\b(?:ki|assistent): (?:sag|antwort|"
        r"empf|nenn|teil)\w{0,6}\b",
    ),
    (
        "persona",
        2,
        "bist",
        r"\b(?:du bist (?:jetzt|nun|ab sofort)|ab jetzt bist du) (?:ein(?:e|en)? )?(?:\w+ )?(?:assistent|ki|"
        r"bot|chatbot|pirat|modell)\w{0,4}\b",
    ),
    (
        "leak",
        2,
        "systemprompt system-prompt systemanweisung systemanweisungen",
        r"\b(?:verrate|zeige|nenne|gib) (?:mir )?(?:deine[nr]?|den|die) (?:system-?prompt|"
        r"systemanweisung)\w{0,3}\b",
    ),
    ("recommend", 1, "empfiehl empfehle", r"\b(?:empfiehl|empfehle) (?:immer|nur|ausschließlich|stets)\b"),
    (
        "tell_user",
        1,
        "utilisateur utilisateurs lecteur lecteurs",
        r"\b(?:di[st]|dites|indique[zr]?|demande[zr]?|informe[zr]?|salue[zr]?|conseille[zr]?|envoie|envoyez) "
        r"(?:à |aux |l'|les |au |le )*(?:l')?(?:utilisateurs?|lecteurs?)\b",
    ),
    (
        "only_with",
        1,
        "réponds répondez réponse",
        r"\brépond(?:s|ez) (?:uniquement|seulement|toujours|exclusivement)\b|\bdans (?:ta|votre) réponse\b",
    ),
    (
        "to_model",
        2,
        "assistant assistants modèle modèles ia robot robots",
        r"\bà l'(?:attention|intention) (?:de l'|du |des )(?:assistants?|ia|modèles?|modèles? de langage|"
        r"robots?)"
        r"|\b(?:note|instruction|consigne)s? (?:pour|à) (?:l'|le |les )(?:assistants?|ia|modèles?)\b",
    ),
    (
        "persona",
        2,
        "maintenant désormais",
        r"\b(?:tu es|vous êtes) (?:maintenant|désormais) (?:une? )?(?:\w+ )?(?:assistant|ia|robot|bot|pirate|"
        r"modèle)\b",
    ),
    (
        "secrecy",
        2,
        "révèle révélez mentionne mentionnez",
        r"\bne (?:révèle|révélez|mentionne|mentionnez) (?:pas|jamais) (?:cette|ces|ce) (?:note|consigne|"
        r"instruction|message)s?\b",
    ),
    (
        "tell_user",
        1,
        "usuario usuarios usuaria usuário usuários utente utenti utilizador utilizadores lector lectores",
        r"\b(?:dile|diles|di|diga|informa|informe|pide|pida|dì|di'|dire|chiedi|comunica|envía|avisa) (?:al|a "
        r"los|o|ao|aos|all'|agli|a todos los) ?(?:usuari[oa]s?|usuários?|utent[ei]|utilizador(?:es)?|"
        r"lector(?:es)?)\b",
    ),
    (
        "only_with",
        1,
        "responde responda rispondi rispondere respuesta",
        r"\b(?:responde|responda|rispondi|rispondere) (?:solamente|solo|únicamente|sólo|siempre|sempre|"
        r"apenas|unicamente|somente)\b|\ben (?:tu|su) respuesta\b",
    ),
    (
        "to_model",
        2,
        "asistente asistentes assistente assistentes assistenti modelo modelos modello modelli ia chatbot "
        "chatbots",
        r"\b(?:nota|aviso|instrucción|instrucciones|istruzioni|istruzione|instruções|instrução) (?:para|a|"
        r"per|ao|al)(?: el| la| los| il| l'|l'| o)? ?(?:asistentes?|assistentes?|assistenti|modelos?|"
        r"modell[oi]|ia|chatbots?)\b",
    ),
    (
        "persona",
        2,
        "ahora ora agora adesso",
        r"\b(?:ahora eres|eres ahora|ora sei|adesso sei|agora você é|agora és) (?:una?|um|uma|un')? ?(?:\w+ "
        r")?(?:asistente|assistente|ia|bot|chatbot|pirata|modelo|modello)\b",
    ),
    (
        "leak",
        2,
        "internas interne sistema",
        r"\b(?:revela|muestra|rivela|mostra|revele|mostre) (?:tus|sus|las|le|le tue|as|suas|tue|el|il)(?: "
        r"\w+)? ?(?:instrucciones internas|istruzioni interne|prompt del sistema|prompt di sistema|"
        r"instruções internas)",
    ),
    (
        "recommend",
        1,
        "recomienda consiglia recomende recommande",
        r"\b(?:recomienda siempre|consiglia sempre|recomende sempre|recommande toujours)\b",
    ),
    (
        "tell_user",
        1,
        "gebruiker gebruikers användaren użytkownikowi пользователю пользователям пользователя kullanıcıya",
        r"\b(?:vertel|zeg|stuur) (?:tegen |aan )?(?:de )?gebruikers?\b|\bsäg till användaren\b|\bpowiedz "
        r"użytkownikowi\b"
        r"|\b(?:скажи|сообщи)(?:те)? пользовател\w{1,4}\b|\bkullanıcıya [^.\n]{1,60}söyle",
    ),
)

#: As `TELLING`, in languages without blanks: letters of which one is needed, as a tuple.
UNBROKEN: tuple[tuple[str, int, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "tell_user",
        1,
        ("用户", "用戶", "ユーザー", "使用者", "사용자"),
        lazy(
            r"(?:告诉|告知|請告訴|告訴)(?:用户|用戶|使用者)|ユーザーに[^。\n]{1,40}(?:伝え|言っ|答え)|사용자에게"
        ),
    ),
)
