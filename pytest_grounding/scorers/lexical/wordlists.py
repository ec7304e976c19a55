"""Word lists of the engine: stop words, irregular forms, number words. Written for this project."""

from __future__ import annotations

_EN_STOP = """
a about above after again against all also although am an and another any anybody anyone anything are around as at
b be because been before being below between both but by c can cannot could d did do does doing done down during e
each either else etc even ever every everybody everyone everything f few for from further g get gets getting got h
had has have having he hence her here hers herself him himself his how however i if in into is it its itself j just k
l let like m made make makes making many may maybe me might mine more most much must my myself n neither no nor not
nothing now o of off often on once one only onto or other others our ours ourselves out over own p per perhaps q
quite r rather really s same shall she should since so some somebody someone something such t than that the their
theirs them themselves then there thereby therefore these they thing things this those though through throughout thus
to together too toward towards u under unless until up upon us use used uses using v various very via w was we well were what
whatever when where whereas whether which while who whoever whole whom whose why will with within without would x y
yes yet you your yours yourself yourselves z ll ve re doesn don didn isn aren wasn weren hasn haven hadn won wouldn
couldn shouldn can't don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't couldn't
shouldn't it's that's there's what's who's he's she's they're we're you're i'm i've you've we've they've i'll you'll
we'll they'll i'd you'd he'd she'd we'd they'd let's
"""
_DE_STOP = """
aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dein dem den der des dessen die dies
diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch euer für gegen
hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist ja
jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können könnte man mehr mein mich mir mit muss
nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll
sondern sowie über um und uns unser unter viel vom von vor war waren warum was weil welche welcher wenn wer werden
wie wieder will wir wird wo zu zum zur zwischen wurde wurden
"""
_FR_STOP = """
à ai au aussi autre aux avec avait avoir bien ce ceci cela celle celui ces cet cette ceux chaque comme comment dans de
depuis des deux donc dont du elle elles en encore entre es est et été être eu eux fait font fut il ils je la le les
leur leurs lors lui ma mais me même mes moi mon ne ni nos notre nous on ont ou où par pas peu peut plus pour pourquoi
près qu quand que quel quelle qui sa sans se sera ses si son sont sous sur ta te tes toi ton tous tout toute très tu
un une va vers vos votre vous y c d j l m n s t était étaient
"""
_ES_STOP = """
a al algo ante antes aquel aquella así aun aunque bajo bien cada casi como con contra cual cuando cuyo de del desde
donde dos durante e el él ella ellas ellos en entre era eran es esa ese eso esta está están estas este esto estos fue
fueron ha había hacia han hasta hay la las le les lo los más me mi mientras mismo mucho muy nada ni no nos o os otra
otro para pero poco por porque pues que qué quien se según ser si sí sido sin sobre son su sus también tan tanto te
tiene todo todos tu tus un una uno unos y ya yo
"""
_IT_STOP = """
a ad agli ai al alla alle allo anche ancora che chi ci come con contro cui da dal dalla dalle degli dei del della
delle dello di dopo dove e è ed era erano essere fra gli ha hanno i il in io l la le lei lo loro lui ma me mi molto
ne nei nel nella nelle non o ogni per perché più poi prima quale quando quanto quella quello questa questo qui se sei
si sia sono sta stata stato su sua sue sul sulla suo tra tu tutti tutto un una uno
"""
_PT_STOP = """
a ao aos as até com como da das de dela dele depois do dos e é ela elas ele eles em entre era essa esse esta está este
eu foi foram há isso isto já lhe mais mas me mesmo meu muito na não nas nem no nos nossa nosso num o os ou para pela
pelas pelo pelos por qual quando que quem se sem ser seu seus só sua suas também te tem um uma você à às
"""
_NL_STOP = """
aan al alle als bij dan dat de der des deze die dit door dus een en er ge geen had heb hebben heeft hem het hier hij
hoe hun ik in is ja je kan maar me meer men met mij mijn na naar niet nog nu of om omdat onder ons ook op over te
tegen toch toen tot u uit van veel voor want was wat we werd wie wij wordt worden zal ze zich zij zijn zo zou
"""
_RU_STOP = """
а без был была были было в вам вас во вот все всё вы где да для до его ее её если есть еще ещё же за и из или им их к
как ко когда кто ли мне мы на над не него нет но о об он она они оно от по под при с со так также там то того той
только ты у уже чем что чтобы эта эти это этот я
"""

STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(_EN_STOP.split()),
    "de": frozenset(_DE_STOP.split()),
    "fr": frozenset(_FR_STOP.split()),
    "es": frozenset(_ES_STOP.split()),
    "it": frozenset(_IT_STOP.split()),
    "pt": frozenset(_PT_STOP.split()),
    "nl": frozenset(_NL_STOP.split()),
    "ru": frozenset(_RU_STOP.split()),
}

NUMBER_WORDS: dict[str, str] = {
    word: str(value)
    for value, words in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
    for word in [words]
} | {
    "thirty": "30",
    "forty": "40",
    "fifty": "50",
    "sixty": "60",
    "seventy": "70",
    "eighty": "80",
    "ninety": "90",
    "hundred": "100",
    "thousand": "1000",
    "dozen": "12",
    "twice": "2",
}

_IRREGULAR = """
arise:arose,arisen awake:awoke,awoken bear:bore,born,borne beat:beaten become:became begin:began,begun bend:bent
bind:bound bite:bit,bitten bleed:bled blow:blew,blown break:broke,broken breed:bred bring:brought build:built
burn:burnt buy:bought catch:caught choose:chose,chosen come:came creep:crept deal:dealt dig:dug draw:drew,drawn
dream:dreamt drink:drank,drunk drive:drove,driven eat:ate,eaten fall:fell,fallen feed:fed feel:felt fight:fought
find:found flee:fled fly:flew,flown forbid:forbade,forbidden forget:forgot,forgotten forgive:forgave,forgiven
freeze:froze,frozen give:gave,given go:went,gone grind:ground grow:grew,grown hang:hung hear:heard hide:hid,hidden
hold:held keep:kept know:knew,known lay:laid lead:led leap:leapt learn:learnt leave:left lend:lent lie:lay,lain
light:lit lose:lost mean:meant meet:met pay:paid ride:rode,ridden ring:rang,rung rise:rose,risen run:ran say:said
see:saw,seen seek:sought sell:sold send:sent shake:shook,shaken shine:shone shoot:shot show:shown shrink:shrank,shrunk
sing:sang,sung sink:sank,sunk sit:sat sleep:slept slide:slid speak:spoke,spoken speed:sped spend:spent spin:spun
spring:sprang,sprung stand:stood steal:stole,stolen stick:stuck sting:stung strike:struck,stricken strive:strove
swear:swore,sworn sweep:swept swell:swollen swim:swam,swum swing:swung take:took,taken teach:taught tear:tore,torn
tell:told think:thought throw:threw,thrown understand:understood wake:woke,woken wear:wore,worn weave:wove,woven
weep:wept win:won write:wrote,written undergo:underwent,undergone overcome:overcame withdraw:withdrew,withdrawn
child:children man:men woman:women foot:feet tooth:teeth mouse:mice person:people goose:geese life:lives wife:wives
leaf:leaves half:halves knife:knives wolf:wolves shelf:shelves loaf:loaves datum:data criterion:criteria
phenomenon:phenomena medium:media bacterium:bacteria analysis:analyses crisis:crises basis:bases thesis:theses
index:indices matrix:matrices vertex:vertices axis:axes nucleus:nuclei fungus:fungi stimulus:stimuli alumnus:alumni
good:better,best bad:worse,worst far:farther,further,farthest,furthest old:elder,eldest die:dying,died tie:tying
"""

IRREGULAR: dict[str, str] = {
    form: entry.split(":")[0] for entry in _IRREGULAR.split() for form in entry.split(":")[1].split(",")
}
