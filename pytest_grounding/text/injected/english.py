"""What orders to a model look like in English."""

from __future__ import annotations

import re

from pytest_grounding.text.injected.cue import Cue, cue

#: Who is spoken to.
_MODEL = (
    r"(?:ai|a\.i\.|ais|llms?|large language models?|language models?|gpt|chatgpt|claude|gemini|copilot|"
    r"chatbots?|"
    r"assistants?|ai assistants?|ai systems?|ai models?|ai agents?|ai readers|virtual assistants?|models?|"
    r"bots?)"
)
#: What an answer is made to do.
SAYING = (
    r"(?:say|tell|inform|state|answer|reply|respond|write|claim|mention|recommend|advise|ask|include|add|"
    r"append|output|"
    r"print|send|direct|point|refer|offer|greet|render|embed|reveal|repeat|forward|confirm|praise|advertise|"
    r"promote|"
    r"ignore|disregard|forget|encode|summari[sz]e|start|begin|end|cite|quote|use|replace|pretend|act|speak|"
    r"rate|insert|"
    r"skip|remember|give|call|warn|convince|urge|set|disable|always|never|do not|don't|you (?:must|are|will|"
    r"shall|answer)|"
    r"the (?:user|answer|assistant|correct|new|true|real)|from now on|your (?:new|answer|reply|response|task|"
    r"next)|let)"
)
#: The same without words that people are called too.
_MACHINE = (
    r"(?:ai|a\.i\.|ais|llms?|(?:large )?language models?|gpt|chatgpt|claude|gemini|copilot|chatbots?|ai "
    r"(?:assistants?|systems?|models?|agents?|"
    r"readers)|assistant|bot)"
)
_READER = r"(?:users?|readers?|humans?|people|everybody|everyone)"
_CUSTOMER = r"(?:customers?|person|clients?|visitors?)"


_MODELS = (
    "ai ais llm llms model models gpt chatgpt claude gemini copil"
    "ot chatbot chatbots assistant assistants agents "
    "bot bots"
)
_SAID = "say claim state write reply respond answer insist mention"
_VERBS = " ".join(re.findall(r"\w+", SAYING.replace("summari[sz]e", "summarise|summarize")))
_MODALS = "must shall should has have is are required instructed"


ENGLISH: tuple[Cue, ...] = (
    cue(
        "tell_user",
        1,
        "user users user's reader readers human humans people everybody everyone",
        rf"\b(?:tell|inform|advise|ask|instruct|direct|send|point|warn|notify|convince|urge|lead|give|offer|"
        rf"refer|show|greet) "
        rf"(?:all |every |each |any |your )?(?:of )?(?:the |your )?{_READER}\b",
        also="tell inform advise ask instruct direct send point warn notify convince urge lead give offer "
        "refer show greet",
    ),
    cue(
        "tell_customer",
        1,
        "customer customers person client clients visitor visitors",
        rf"\b(?:tell|inform|advise|ask|instruct|direct|send|point|warn|notify|convince|urge|lead|give|offer|"
        rf"refer|show|greet|quote) "
        rf"(?:[\w -]{{1,40}} )?(?:all |every |each |any |your )?(?:of )?(?:the |your )?{_CUSTOMER}\b",
        also="tell inform advise ask instruct direct send point warn notify convince urge lead give offer "
        "refer show greet quote",
    ),
    cue(
        "user_must",
        1,
        "user users reader readers visitor visitors",
        r"\b(?:the|all|every) (?:users?|readers?|visitors?) (?:must|has to|have to|should|needs to|is to|are "
        r"to)\b",
        also=_MODALS + " needs",
        is_second=True,
    ),
    cue(
        "say",
        1,
        _SAID,
        r"(?:^|[.:;,!?>\])\"'“‘(|*/#\n-]\s{0,3}|\b(?:and|then|instead|now|please|always|just|must|to|shall|"
        r"should|simply) )"
        r"(?:say|claim|state|write|reply|respond|answer|insist|mention)(?: only| always| instead| exactly| "
        r"in all cases)?"
        r"(?:[:,]? ?['\"“‘]| that\b| with\b|: )",
        is_second=True,
    ),
    cue(
        "only_with",
        1,
        "respond reply output answer write say",
        r"\b(?:respond|reply|answer|output|write|say)(?: to [^.\n]{1,30})?(?: only| solely| exactly| nothing "
        r"but)\b"
        r"|\banswer every question with\b|\band nothing else\b|\bno matter what (?:the|is|you|they)\b",
        also="only solely exactly",
        phrases="nothing else;no matter what;every question with;nothing but",
    ),
    cue(
        "your_answer",
        1,
        "",
        r"\b(?:in|to|into|end|start|begin|finish|open|close) (?:each |every |all )?(?:of )?(?:the |your |any "
        r")?(?:answers?|responses?|repl(?:y|ies)|"
        r"summar(?:y|ies))\b"
        r"|\byour (?:next )?(?:answer|response|reply|summary|output) (?:must|has to|should|is to|will|needs "
        r"to|shall)\b"
        r"|\b(?:when|whenever|before|after|while|as) (?:you )?(?:answer|reply|respond|summari[sz]e|answering|"
        r"replying|"
        r"responding|summari[sz]ing)\b|\bevery (?:answer|response|reply)\b|\b(?:after|before) (?:each|every) "
        r"(?:answer|reply|response)\b"
        r"|\b(?:answers?|responses?|replies) (?:based on this|generated from)\b|\bif the user asks?\b",
        phrases="answering;your answer;your answers;your reply;your response;your next;your output;your "
        "summary;every answer;every reply;every response;each answer;each reply;each response;all answers;"
        "all replies;all responses;based on this;generated from;user asks;you answer;you reply;you respond;"
        "the answer;summarizing;summarising;responding;replying;any answer;the reply;the response;the "
        "summary",
    ),
    cue(
        "payload",
        1,
        "include contain mention have carry show render embed append insert output",
        r"\b(?:must|should|shall|has to|have to|always) (?:include|contain|mention|have|carry|show) (?:the|"
        r"this|a) (?:following|sentence|words?|url|link|phrase|line|image)\b"
        r"|\b(?:render|embed|append|insert|output) (?:the |an |this |a )?(?:image|link|url|!\[|<img)",
        is_second=True,
    ),
    cue(
        "given",
        1,
        "given told got",
        r"\b(?:documents|instructions|rules|persona|orders|sources|messages) (?:that )?you (?:were given|"
        r"were told|got)\b",
        also="you",
        is_second=True,
    ),
    cue(
        "model_must",
        1,
        _MODELS,
        rf"\b{_MODEL}(?: reading this(?: \w+)?| that reads? this)? (?:must|shall|should|has to|have to|is to|"
        rf"are to|are required to|"
        rf"is required to|are instructed to|is instructed to)(?: not| now| always| also)? (?:\w+ (?:the |all "
        rf"|every )?(?:{_READER}|{_CUSTOMER})|(?=\w))",
        also=_MODALS,
    ),
    cue(
        "to_model",
        1,
        _MODELS,
        rf"(?:(?:^|"
        rf"[.!?>\"'({{|*/#\n:;,-])\s{{0,3}}|\b(?:hey|dear|hello|hi|and)"
        rf" ){_MODEL}[,:]? (?=(?:please )?{SAYING}\b)",
        also=_VERBS,
    ),
    cue(
        "note_to_model",
        2,
        _MODELS,
        r"\b(?:note|notes|notice|attention|message|instructions?|orders?|hint|memo|important|step \d|prompt|"
        r"command|task)"
        rf"(?: (?:to|for))?[:,]? (?:the |all |any |every )?{_MACHINE}(?: and [^.:\n]{{1,30}})?(?: that "
        rf"reads? this| reading this[^.:,\n]{{0,20}})?[:,-]"
        r"|\b(?:to|for) the (?:assistant|ai|llm|language model|chatbot|bot|model that reads this|model "
        r"reading this):"
        r"|\btodo ?\((?:ai|llm|assistant|copilot)\)|\b(?:ai|llm|assistant|model) (?:note|instruction|"
        r"directive)s?:"
        r"|\bnew (?:instructions?|orders?|task)s? for the (?:assistant|ai|llm|model|chatbot|bot)\b",
    ),
    cue(
        "if_model",
        2,
        _MODELS,
        rf"\bif you(?: are|'re) (?:an? )?{_MODEL}(?! \w+er\b)(?=[,.:;]| and\b| read| that\b| process| or\b)|"
        rf"\bas an ai(?: language model| assistant)?,? you (?:must|are to|should|have to|will|shall)\b"
        rf"|\b{_MODEL} (?:that (?:reads?|process(?:es)?)|reading|processing) this\b|\bai readers must\b",
        also="if as reads processes process read reading processing readers",
    ),
    cue(
        "persona",
        2,
        "",
        r"\byou(?: are|'re) (?:now|no longer|from now on)(?: an?| the| in)? ?(?:\w+ ){0,3}"
        r"(?:ai|assistant|bot|chatbot|\w{1,20}bot|\w{1,20}gpt|dan|model|developer mode|jailbroken|"
        r"unrestricted|unfiltered|help desk|pirate)\b"
        r"|\bact as (?:an? |the )?(?:unrestricted|unfiltered|uncensored|evil|jailbroken) (?:\w+ )?(?:ai|"
        r"assistant|bot|chatbot|model)\b"
        r"",
        phrases="act as;you are now;you are no longer;you're now;you are from now",
    ),
    cue(
        "role",
        1,
        "",
        r"\byou are (?:now|no longer|a sales|an? (?:ai|assistant|salesman|chatbot|bot))\b|\bdrop (?=the "
        r"persona\b)|\bspeak as (?:captain|an? )|\bpretend (?:that )?you (?:are|have)\b"
        r"|\bfrom (?:now|here) on\b|\bunrestricted\b|\bwithout (?:any )?(?:rules|restrictions|limits|"
        r"filters)\b|\bspeak as\b",
        phrases="you are now;you are no longer;you are a sales;you are an ai;you are an assistant;you are a "
        "chatbot;you are a bot;drop the persona;pretend;from now on;from here on;unrestricted;without any;"
        "without rules;without restrictions;without limits;without filters;speak as",
    ),
    cue(
        "secrecy",
        1,
        "mention reveal disclose show tell",
        r"\b(?:do not|don't|never) (?:mention|reveal|disclose|show|tell)(?: the (?:user|reader|"
        r"customer))?(?: about)? (?:this|these) (?:\w+ )?"
        r"(?:instructions?|notes?|lines?|messages?|text|changes?|prompts?|paragraphs?|orders?|sentences?)\b",
        also="instruction instructions note notes line lines message change changes prompt paragraph orders "
        "order sentence text",
    ),
    cue(
        "leak",
        2,
        "",
        r"\b(?:reveal|print|output|repeat|leak|show|disclose|display) (?:me )?(?:your|the hidden|the secret|"
        r"all) (?:full |entire |hidden |secret |initial |own )?"
        r"(?:system prompt|system message|(?:hidden )?instructions|instructions you were given|initial "
        r"instructions|secret of the context)"
        r"|\bfrom the system prompt\b|\binstructions in your system (?:message|prompt)\b",
        phrases="system prompt;system message;hidden instructions;you were given;initial instructions;secret "
        "of the",
    ),
    cue(
        "new_task",
        1,
        "",
        r"\byour (?:new|real|only|true|actual) (?:task|goal|role|job|purpose|instructions?) (?:is|are)\b"
        r"|\bthe (?:real|true|actual) task is\b|\bholds your orders\b",
        phrases="your new;your real;your only;your true;your actual;real task;true task;actual task;your "
        "orders",
    ),
    cue(
        "not_sources",
        1,
        "document documents source sources question context manual citations yourself test fake data history",
        r"\b(?:do not|don't|must not|never) (?:use|answer|follow|cite|read|rely on) (?:the |this |any |other "
        r"|these )*(?:documents?|sources?|question|"
        r"context|manual|it yourself|them yourself)\b|\bdisable the citations\b|\bprevious messages? (?:were|"
        r"was) a test\b"
        r"|\bdocuments? above (?:are|is) fake\b|\bhave no sources\b|\bthe (?:user's|users) (?:question|data|"
        r"history)\b",
        is_second=True,
    ),
    cue(
        "system_line",
        1,
        "",
        r"(?:^|[\n.>|]\s{0,3})(?:end of document\. )?(?:system|developer|system note|system message|"
        r"orders)\s?:"
        r"|\[(?:system|admin|developer)(?: override| message| prompt)?\]|\b(?:begin|end) (?:admin|system|"
        r"new) (?:prompt|instructions?)\b|</?system>|<<<? ?(?:developer|system|admin) (?:message|prompt)",
        phrases="system:;system :;system note;system message;developer:;orders:;"
        "[system;[admin;[devel"
        "oper;<system;</system;begin admin;end admin;begin system;begin new;<<<developer;<<<system;<<<admin",
    ),
    cue(
        "token",
        2,
        "",
        r"(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|\[inst\]|<<sys>>|<\|system\|>|### "
        r"(?:instruction|system):?)"
        rf"\s{{0,3}}(?:system|user|developer|model)?(?:<\|end_header_id\|>)?\s{{0,3}}(?={SAYING}\b|you )",
        phrases="<|im_start;<|start_header;<start_of_turn;[inst];<<sys>>;<|system;### instruction;### system",
    ),
    cue(
        "role_json",
        2,
        "role",
        r"[\"']role[\"']\s?:\s?[\"'](?:system|developer)[\"']\s?,\s?[\"']content[\"']\s?:\s?[\"'](?:you are|"
        + SAYING[3:-1]
        + r")\b",
        also="system developer",
    ),
    cue(
        "dialogue",
        1,
        "",
        r"(?:^|\n)\s{0,3}(?:human|user): [^\n]{1,200}\n\s{0,3}(?:assistant|ai): ",
        phrases="assistant:;ai:",
        is_second=True,
    ),
    cue(
        "follow",
        1,
        "",
        r"\bdecode and (?:follow|execute|obey)\b|\bfollow the (?:second|next|other|first) document\b|"
        r"\bplease execute\b",
        phrases="decode and;follow the;please execute",
        is_second=True,
    ),
)
