"""``pytest-grounding completion``: a script that lets a shell complete commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

HELP = "print a script for your shell that completes commands and options"
EPILOG = (
    'bash: eval "$(pytest-grounding completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish: '
    "pytest-grounding completion fish > ~/.config/fish/completions/pytest-grounding.fish"
)

SHELLS = ("bash", "zsh", "fish")
_BASH = """\
_pytest_grounding() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    case "$word" in
        -*) ;;
        *) [ "$COMP_CWORD" -gt 1 ] && words="" ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _pytest_grounding pytest-grounding
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of: {', '.join(SHELLS)}")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    from pytest_grounding.cli import COMMANDS, build_parser

    options = {name: sorted(set(_options(build_parser(), name))) for name in COMMANDS}
    print(_fish(options) if args.shell == "fish" else _bash(options, args.shell), end="")
    return 0


def _options(parser: argparse.ArgumentParser, *names: str) -> list[str]:
    """The long options of a command and of its actions, and the names of these."""
    found: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name in names[:1] or action.choices:
                found += [] if names else [name]
                found += _options(action.choices[name])
        elif not names:
            found += [option for option in action.option_strings if option.startswith("--")]
    return found


def _bash(options: Mapping[str, Sequence[str]], shell: str) -> str:
    cases = "\n".join(f'            {name}) words="{" ".join(words)}" ;;' for name, words in options.items())
    script = _BASH.format(commands=" ".join((*options, "--help", "--version")), cases=cases)
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if shell == "zsh" else script


def _fish(options: Mapping[str, Sequence[str]]) -> str:
    program = "complete -c pytest-grounding"
    lines = [f"{program} -n __fish_use_subcommand -f -a '{' '.join(options)}'"]
    for name, words in options.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        lines += [f"{program} {seen} -l {word.removeprefix('--')}" for word in words if word.startswith("--")]
    return "\n".join(lines) + "\n"
