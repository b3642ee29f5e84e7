#!/usr/bin/env python3
"""Texts are read once: no document, comment or message has words that let a reader guess what they stand for.

Usage: riddles.py CHECKOUT. Prints each such place; exit code 1 if there is one.
"""

import pathlib
import re
import sys

# Each can be said in a plainer way: "X must be a folder, but Y is not one", "the lanes that both can use", "in rows of earlier versions".
RIDDLES = re.compile(r"\bof before\b|\banother's\b|(?<!there )\b(?:is|are) none\b|\bnone of ours\b|\bin nobody's\b|\b[Ww]hat of\b|\b[Aa]s of\b|\bof today\b"
                     r"|\bis no news\b|\bsuch a one\b|\bof others, too\b|\bgiven alone\b|\bsomething else than\b|\bwhich none has\b|\b[Ll]ikewise\b")
TEXTS = ["src", "include", "engines", "configs", "scripts", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
KINDS = (".h", ".cpp", ".cu", ".py", ".sh", ".js", ".html", ".css", ".json", ".md", ".txt")
# A line's end, with the mark of a comment or the quotes of a text that goes on.
LINE_END = re.compile(r'[ "]*\n\s*(?:///?<?|\*|#)?[ "]*')


def riddles_of(text):
    """The riddles with some words around them, also where a line ends within one."""
    text = LINE_END.sub(" ", text)
    return [text[max(0, match.start() - 30):match.end() + 30] for match in RIDDLES.finditer(text)]


def files_of(checkout):
    for name in TEXTS:
        place = checkout / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in KINDS and file.parent.name != "tokenizer":  # CLIP's vocabulary
                yield file


def self_test():
    """The check must be able to fail, and leaves plain words alone."""
    assert len(riddles_of("/// Rows of\n/// before, which none has.\nsay(\"it is \"\n    \"none\");")) == 3
    assert not riddles_of("if x is None: there is none; nullptr if there\n// are none, before the first")


def main():
    self_test()
    checkout = pathlib.Path(sys.argv[1]).resolve()
    complaints = [f"{file.relative_to(checkout)}: say it plainly: …{words}…" for file in files_of(checkout)
                  for words in riddles_of(file.read_text(encoding="utf-8"))]
    print("\n".join(complaints) or "no text is a riddle")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
