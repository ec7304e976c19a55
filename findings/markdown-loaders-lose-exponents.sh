#!/bin/sh
# markdownify==1.2.3, html2text==2025.4.15, beautifulsoup4==4.15.0
#
# Three ways from HTML to text write 10<sup>3</sup> as 103: the digit of the exponent follows the number without a
# sign. A right answer ("1,000 seeds") has no source any more, and "103 seeds" stands there word for word. Text that
# is struck out keeps its marks with the first two (~~40~~) and becomes plain text with the third, which then states
# both prices.
#
# Output seen:
#   markdownify: 103 seeds, ~~40~~ 55 euros
#   html2text: 103 seeds, ~~40~~ 55 euros
#   beautifulsoup4: 103 seeds, 40 55 euros
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check markdownify==1.2.3 html2text==2025.4.15 \
    beautifulsoup4==4.15.0
cat > "$folder/run.py" <<'PYTHON'
import html2text
from bs4 import BeautifulSoup
from markdownify import markdownify

PAGE = "<p>10<sup>3</sup> seeds, <s>40</s> 55 euros</p>"
texts = {
    "markdownify": markdownify(PAGE).strip(),
    "html2text": html2text.HTML2Text().handle(PAGE).strip(),
    "beautifulsoup4": BeautifulSoup(PAGE, "html.parser").get_text().strip(),
}
for name, text in texts.items():
    print(f"{name}: {text}")
is_lost = all(text.startswith("103 seeds") for text in texts.values())
raise SystemExit(0 if is_lost and texts["beautifulsoup4"].endswith("40 55 euros") else 1)
PYTHON
"$folder/venv/bin/python" "$folder/run.py"
