"""Every line that a command printed, compared with the data that it is about.

A line is known by a pattern, with a check of its parts against answers, chunks and verdicts; or it is one of
the plain lines that claim nothing. A line that no pattern knows is a fault too: nothing goes unchecked.
"""

import re

_NUMBER = r"[\d.]+"
_TALLY = r"(?P<passed>\d+) passed, (?P<review>\d+) to review, (?P<rejected>\d+) rejected"
#: Lines that claim nothing about the data: rules, headings, tests, commands to run.
PLAIN = (
    r"[F.]+ +\[ *\d+%\]",
    r"[=_]{3,}.*[=_]{3,}",
    r"(?:    .*|>  .*|row = .*|def .*|@pytest.*)",
    r"\S+\.py:\d+: AssertionError",
    r"(?:configuration file|settings|written|next|review with|goldens|look at it|accept it|reject it): ?.*",
    r"  (?:accept|reject): pytest-grounding review .*",
    r"  (?:grounding\.baseline\.json|pyproject\.toml)( \(\d+ known findings\))?",
    r"figure +value +limit .*|written:|gate: (?:PASS|FAIL|UNDECIDED)",
    r"  a partial run .*",
    r"baseline: (?:pass|fail) \(new findings alone count, \d+ transcripts compared\)",
    r"(?:accepted|rejected) __golden__/\S+",
    r"nothing to review|  pytest-grounding waive .*|  pytest(?: --grounding-baseline-update .*)?",
    r"  git add .*",
    r"E *(?:(?:look at it|accept it|reject it): pytest-grounding review.*)?",
    r"<!-- pytest-grounding -->|## .*|\|.*\||</?details>.*",
)


class Data:
    """What a run is about.

    Args:
        transcripts: the recorded answers, as plain data.
        verdicts: the verdicts on them, as ``check --json`` prints them.
        before: the answers of an earlier recording, by id.
        failing: the ids of the answers that fail the build.
        ratchet: the numbers of known, new and gone findings.
        written: the text of each file that was written, by its name.
    """

    def __init__(self, transcripts, verdicts=(), before=None, failing=(), ratchet=(), written=None):
        self.written = written or {}
        self.failing = set(failing)
        self.ratchet = tuple(ratchet)
        self.questions = [row["question"] for row in transcripts]
        self.answers = {row["id"]: row["answer"] for row in transcripts}
        self.before = before or {}
        self.chunks = {chunk["id"]: chunk["text"] for row in transcripts for chunk in row["chunks"]}
        self.verdicts = {verdict["id"]: verdict for verdict in verdicts}

    def number_with(self, status):
        """How many verdicts have a status."""
        return sum(verdict["status"] == status for verdict in self.verdicts.values())

    @property
    def rejected(self):
        """The number of answers that were written to be rejected."""
        return sum(text.count("\n") for text in self.written.values())

    @property
    def changed(self):
        """The ids of the answers that are others than before."""
        return {name for name, answer in self.answers.items() if self.before.get(name, answer) != answer}

    def is_said(self, text):
        """Whether an answer contains a text, its markers aside."""
        return any(_plain(text) in _plain(answer) for answer in self.answers.values())

    def was_said(self, text):
        """Whether an earlier answer contains a text."""
        return any(_plain(text) in _plain(answer) for answer in self.before.values())

    def is_in_source(self, text, chunk=None):
        """Whether a chunk, or this one, contains a text."""
        held = self.chunks.values() if chunk is None else [self.chunks[chunk]]
        return any(text.lower() in one.lower() for one in held)


def _plain(text):
    return " ".join(re.sub(r" ?\[\d+\]", "", text).split())


def _status(data, match):
    """A verdict with its reason: "reject: film-length: 1 error: …"."""
    verdict = data.verdicts[match["id"]]
    return (verdict["status"], verdict["reason"]) == (match["status"], match["reason"])


def _confidence(data, match):
    verdict = data.verdicts[match["id"]]
    return verdict["status"] == match["status"] and f"{verdict['confidence']:.2f}" == match["confidence"]


def _tally(data, match):
    counts = [data.number_with(status) for status in ("pass", "review", "reject")]
    counts_match = [int(match[name]) for name in ("passed", "review", "rejected")] == counts
    return counts_match and int(match["total"]) == sum(counts)


def _share(data, match):
    """A figure with the counts that it is made of, and its limit."""
    value, limit = float(match["value"]), float(match["limit"])
    holds = {">=": value >= limit, "<": value < limit, "<=": value <= limit, ">": value > limit}
    is_share = abs(value - int(match["count"]) / int(match["total"])) < 0.0006
    is_inside = float(match["low"]) <= value <= float(match["high"])
    return is_share and is_inside and holds[match["sign"]] == (match["word"] == "ok")


def _overview(data, match):
    passed = data.number_with("pass")
    numbers = [len(data.answers), len(data.answers), passed, len(data.answers) - passed]
    return list(map(int, match.groups())) == numbers


def _missed(data, match):
    """What the gate misses in all is the sum of what it misses of each kind."""
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) of (\d+)", match["kinds"] or "")]
    missed, planted = int(match["missed"]), int(match["planted"])
    return sum(one for one, _ in pairs) == missed and sum(all_of for _, all_of in pairs) <= planted


def _new_and_known(data, match):
    failing = len(data.verdicts) - data.number_with("pass")
    unchanged = len(data.answers) - len(data.changed)
    return (int(match["new"]) + int(match["known"]), int(match["unchanged"])) == (failing, unchanged)


def _tests(data, match):
    """The last line of pytest: each answer is a test."""
    failed, passed = int(match["failed"] or 0), int(match["passed"] or 0)
    return (failed, failed + passed) == (len(data.failing), len(data.answers) + data.rejected)


def _goldens(data, match):
    numbers = {
        "new": len(data.answers) - len(data.before),
        "unchanged": len(data.before) - len(data.changed),
        "with a regression": len(data.changed),
    }
    ids = match["ids"]
    is_named = ids is None or set(ids.split(", ")) <= set(data.answers)
    return int(match["number"]) == numbers[match["word"]] and is_named


def _is_contradicted(verdict):
    return any(claim["status"] == "contradicted" for claim in verdict["claims"])


def _confidence_of_changed(data, match):
    (changed,) = data.changed
    return match["confidence"] == f"{data.verdicts[changed]['confidence']:.2f}"


def _both_sides(data, match):
    return data.is_said(match["ours"]) and data.is_in_source(match["theirs"], match["chunk"])


def _sides_of_a_message(data, match):
    theirs = match["theirs"].removeprefix("not ")
    return data.is_said(match["ours"]) and data.is_in_source(theirs, match["chunk"])


_SIDES = (
    r'contradicts (?P<chunk>\S+): \w+: the claim says "(?P<ours>[^"]*)", '
    r'the source says "(?P<theirs>[^"]*)"'
)
#: Pattern of a line -> whether it is true of the data.
CHECKS = (
    (
        r'(?:E +)?  claim:  "(?P<said>.*)"(?: \(\S+\))?',
        lambda data, match: data.is_said(match["said"]),
    ),
    (
        r'(?:E +)?  source: "(?P<said>.*)" \[(?P<chunk>\S+)\]',
        lambda data, match: data.is_in_source(match["said"], match["chunk"]),
    ),
    (
        r"(?:E +)?  do:     use the source's value: '(?P<value>.*)'",
        lambda data, match: data.is_in_source(match["value"]),
    ),
    (
        r"(?:E +AssertionError: |FAILED \S+ - |REJECT \S+: )?(?:AssertionError: )?"
        r"(?P<ours>[^≠:]+) ≠ (?P<theirs>[^,]+), (?P<chunk>\S+)",
        _both_sides,
    ),
    (
        r'E +transcript "(?P<id>\S+)": not grounded: (\d+) of \2 checked claims hallucinated .*',
        lambda data, match: match["id"] in data.answers,
    ),
    (r"  (?P<status>reject|review): (?P<id>\S+): (?P<reason>.*)", _status),
    (
        r"(?P<status>reject|review|pass) \(known\): (?P<id>\S+) \(confidence (?P<confidence>[\d.]+)\)",
        _confidence,
    ),
    (rf"transcripts: (?P<total>\d+) \({_TALLY}\).*", _tally),
    (r"(\d+) answers in (\d+) files: (\d+) pass, (\d+) do not", _overview),
    (
        r"expected to fail, and in no figure: (?P<number>\d+)",
        lambda data, match: data.rejected == int(match["number"]),
    ),
    (
        r"the gate misses (?P<missed>\d+) of (?P<planted>\d+) planted faults"
        r"(?: \((?P<kinds>.*)\))?; to see what it misses: .*",
        _missed,
    ),
    (
        r"  (?P<file>\S+) \((?P<number>\d+) answers with a planted fault, to be rejected\)",
        lambda data, match: data.written[match["file"]].count("\n") == int(match["number"]),
    ),
    (
        rf".*?(?P<value>{_NUMBER}) +(?P<sign>[<>]=?) (?P<limit>{_NUMBER}) +(?P<low>{_NUMBER}) to "
        rf"(?P<high>{_NUMBER}) +(?P<count>\d+) of (?P<total>\d+)  (?P<word>ok|failed)\b.*",
        _share,
    ),
    (
        r"(?:gate: FAIL: |  )(?P<number>\d+) transcripts? failed: (?P<id>\S+)",
        lambda data, match: data.failing == {match["id"]} and match["number"] == "1",
    ),
    (r"(?:(?P<failed>\d+) failed)?(?:, )?(?:(?P<passed>\d+) passed)? in .*s", _tests),
    (
        r"  (\d+) known, (\d+) new, (\d+) gone",
        lambda data, match: tuple(map(int, match.groups())) == data.ratchet,
    ),
    (rf"  not in the baseline: \S+: error \S+ \"(?P<said>.*?)\" - {_SIDES}", _sides_of_a_message),
    (
        r'  not in the baseline: \S+: warning \S+ "(?P<said>.*)"',
        lambda data, match: data.is_said(match["said"]),
    ),
    (
        r"  (?:note: baseline: 1 transcript with )?other content: (?P<id>\S+)",
        lambda data, match: data.before[match["id"]] != data.answers[match["id"]],
    ),
    (
        r'  baseline: (?P<number>\d+) findings are not in the baseline: (?P<id>\S+): .*? "(?P<said>.*?)".*',
        lambda data, match: data.is_said(match["said"]) and int(match["number"]) == data.ratchet[1],
    ),
    # The comment.
    (
        rf"(?P<total>\d+) transcripts: {_TALLY}.*\*\*(?P<new>\d+) new\*\*, (?P<known>\d+) known, 0 fixed\. "
        r"(?P<unchanged>\d+) recordings unchanged\.",
        lambda data, match: _tally(data, match) and _new_and_known(data, match),
    ),
    (rf"1\. (?P<id>\S+), \*\*new\*\*, \w+: {_SIDES}", _sides_of_a_message),
    (r"   - question: (?P<said>.*)", lambda data, match: match["said"] in data.questions),
    (r"   - before: (?P<said>.*)", lambda data, match: data.was_said(match["said"])),
    (r"   - claim: (?P<said>.*)", lambda data, match: data.is_said(match["said"])),
    (
        r"   - source: (?P<said>.*) \((?P<chunk>\S+)\)",
        lambda data, match: data.is_in_source(match["said"], match["chunk"]),
    ),
    # Goldens.
    (
        r"  (?P<number>\d+) (?P<word>new|with a regression|unchanged)"
        r"(?:, waiting for a review)?(?:: (?P<ids>.*))?",
        _goldens,
    ),
    (
        r'(?:E +|FAILED \S+ - )?(?:AssertionError: transcript )?"(?P<id>\S+)": 1 regression.*',
        lambda data, match: data.changed == {match["id"]},
    ),
    (r'(?:E +|      )old: "(?P<said>.*)"', lambda data, match: data.was_said(match["said"])),
    (r'(?:E +|      )new: "(?P<said>.*)"', lambda data, match: data.is_said(match["said"])),
    (
        r'(?:E +|      )source: "(?P<chunk>\w+): (?P<said>.*)"',
        lambda data, match: data.is_in_source(match["said"], match["chunk"]),
    ),
    (
        r"(?:E +|      )- value: (?P<old>.*) -> (?P<new>.*)",
        lambda data, match: data.was_said(match["old"]) and data.is_said(match["new"]),
    ),
    (
        r"(?:E +|  +)(?:- supported -> contradicted|regression: .* \[claim_contradicted\])",
        lambda data, match: any(_is_contradicted(data.verdicts[name]) for name in data.changed),
    ),
    (
        r"E +diagnosis: .*\(1 claim, see chunk (?P<chunk>\w+)\)\.",
        lambda data, match: match["chunk"] in data.chunks,
    ),
    (r"E +confidence: (?P<confidence>[\d.]+) .*", _confidence_of_changed),
    (r'  question: "(?P<said>.*)"', lambda data, match: match["said"] in data.questions),
    (r"  __golden__/(?P<id>\S+)\.golden\.json", lambda data, match: match["id"] in data.answers),
    (r"(?P<number>\d+) to review", lambda data, match: int(match["number"]) == len(data.changed)),
)


def untrue(text, data):
    """The lines of a text that are not true of the data, or that no check knows."""
    found = []
    for line in text.splitlines():
        shown = line.rstrip()
        if shown and not any(re.fullmatch(pattern, shown) for pattern in PLAIN) and not _is_true(shown, data):
            found.append(shown)
    return found


def _is_true(line, data):
    for pattern, check in CHECKS:
        match = re.fullmatch(pattern, line)
        if match is not None:
            return check(data, match)
    return False
