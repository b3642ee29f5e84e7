#!/usr/bin/env python3
"""Checks the documents: they are short, no line is long, their links lead somewhere, and a script wrote their tables; Python has no long line, either.

Usage: documents.py CHECKOUT. Prints the faults; exit code 1 if there are any.
"""
import pathlib
import re
import subprocess
import sys

LONGEST_LINE = 160  # characters
MOST_WORDS = {"README.md": 1300, "docs/measuring.md": 3200, "docs/performance.md": 2000}
MOST_LINES = {"CHANGELOG.md": 40}
DOCUMENTS = ["*.md", "docs/*.md", "benchmarks/*.md", "benchmarks/records/*.md"]
# Documents whose tables may have long lines. In the first two, tables repeat texts of the program, and a test writes them.
LONG_TABLES = ["docs/record.md", "docs/quality.md", "docs/architecture.md"]
# Python has no formatter here. tests/cli has long lines still.
PYTHON = ["engines", "scripts", "benchmarks", "tests/engines", "tests/house", "tests/parity", "tests/data"]
# Folders whose comments and messages name documents.
NAMING = ["src", "include", "tests", "benchmarks", "scripts", "configs", "cmake"]
NAMED = re.compile(r"\bdocs/[\w-]+\.md(?:#([\w-]+))?")
LINK = re.compile(r"\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)\)")


def words_of(text):
    """Number of words for a reader: texts between spaces with a letter or a digit, so not the bars of a table."""
    return sum(1 for word in text.split() if re.search(r"\w", word))


def long_lines(text, but_tables=False):
    return [number for number, line in enumerate(text.split("\n"), 1)
            if len(line) > LONGEST_LINE and not (but_tables and line.startswith("|"))]


def documents_of(checkout):
    return sorted(path for pattern in DOCUMENTS for path in checkout.glob(pattern))


def without_code(text):
    """The text with empty blocks and spans of code, where nothing is a link or a heading."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors_of(text):
    """The anchors that GitHub gives to the headings."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", text, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()).strip().replace(" ", "-")
        same = sum(1 for other in found if re.fullmatch(re.escape(anchor) + r"(-\d+)?", other))
        found.add(f"{anchor}-{same}" if same else anchor)
    return found


def link_complaint(place, target):
    """Why the link `target` in the file `place` leads nowhere; None if it is right."""
    if re.match(r"[a-z]+:", target):
        return None  # pages of others are not fetched
    path, _, anchor = target.partition("#")
    file = (place.parent / path).resolve() if path else place
    if not file.exists():
        return f"there is no {path}"
    if anchor and file.suffix == ".md" and anchor not in anchors_of(file.read_text(encoding="utf-8")):
        return f"{file.name} has no heading #{anchor}"
    return None


def check_links(checkout):
    complaints = []
    for place in documents_of(checkout):
        for target in LINK.findall(without_code(place.read_text(encoding="utf-8"))):
            reason = link_complaint(place, target)
            if reason:
                complaints.append(f"{place.relative_to(checkout)}: the link to {target} must lead somewhere, but {reason}")
    return complaints


def check_names(checkout):
    """Faults in the names of documents in comments, messages and tests."""
    complaints = []
    files = (path for folder in NAMING for path in sorted((checkout / folder).rglob("*")) if path.suffix in
             (".h", ".cpp", ".cu", ".py", ".sh", ".txt", ".json", ".js", ".html", ".cmake"))
    for place in files:
        if "records" in place.parts or place.name == pathlib.Path(__file__).name:
            continue
        for match in NAMED.finditer(place.read_text(encoding="utf-8", errors="replace")):
            reason = link_complaint(checkout / "README.md", match[0])
            if reason:
                complaints.append(f"{place.relative_to(checkout)}: {match[0]} must be a document, but {reason}")
    return complaints


def check_recipes(checkout):
    """Faults in the paths that the recipes name, some without an ending: a header and a source are meant."""
    tops, complaints = ("", "src/", "include/sdbench/"), []
    text = (checkout / "docs/recipes.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:base|front|engine|engines|configs|tests|scripts)/[\w./-]+)`", text):
        if "NAME" not in name and not any(any(checkout.glob(top + name.rstrip("/") + ending)) for top in tops for ending in ("", ".h", ".cpp")):
            complaints.append(f"docs/recipes.md: {name} must be a file or folder of the checkout, but is not")
    return complaints


def check_sizes(checkout):
    complaints = []
    for name, most in MOST_WORDS.items():
        count = words_of((checkout / name).read_text(encoding="utf-8"))
        if count > most:
            complaints.append(f"{name}: it must have at most {most} words, but has {count}")
    for name, most in MOST_LINES.items():
        count = len((checkout / name).read_text(encoding="utf-8").splitlines())
        if count > most:
            complaints.append(f"{name}: it must have at most {most} lines, but has {count}")
    for place in documents_of(checkout):
        name = str(place.relative_to(checkout))
        for number in long_lines(place.read_text(encoding="utf-8"), but_tables=name in LONG_TABLES):
            complaints.append(f"{name}:{number}: the line must have at most {LONGEST_LINE} characters, but has more")
    for place in (path for folder in PYTHON for path in sorted((checkout / folder).rglob("*.py"))):
        for number in long_lines(place.read_text(encoding="utf-8")):
            complaints.append(f"{place.relative_to(checkout)}:{number}: the line must have at most {LONGEST_LINE} characters, but has more")
    return complaints


def bare_commands(text):
    """Lines of code with `sdbench`, where a newcomer must type ./sdbench."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.split("\n") if line.startswith("sdbench ")]


def check_readme(checkout):
    text = (checkout / "README.md").read_text(encoding="utf-8")
    return [f"README.md: the program must be typed ./sdbench, but is in: {line}" for line in bare_commands(text)]


def version_complaint(changelog, cmake):
    """Why the newest heading of the changes does not fit the program's version; None if it does."""
    headed = re.search(r"^## \[(.*?)\] - (?:unreleased|\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE)
    version = re.search(r"^project\(\w+ VERSION (\S+)", cmake, re.MULTILINE)[1]
    if headed and headed[1] == version:
        return None
    return f"CHANGELOG.md: its first heading must be ## [{version}] - unreleased, or a date, for CMakeLists.txt has that version, but is not"


def check_version(checkout):
    complaint = version_complaint(*((checkout / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CMakeLists.txt")))
    return [complaint] if complaint else []


def check_tables(checkout):
    script = subprocess.run([sys.executable, "-B", checkout / "benchmarks/performance_tables.py", "--check"], capture_output=True, text=True)
    return [f"docs/performance.md: {script.stderr.strip()}"] if script.returncode else []


def self_test():
    """Proves that the check can fail."""
    assert words_of("| a | b-c | – |\n|---|---:|") == 2
    assert long_lines("short\n" + "x" * (LONGEST_LINE + 1)) == [2]
    assert long_lines("| " + "x" * LONGEST_LINE) == [1] and not long_lines("| " + "x" * LONGEST_LINE, but_tables=True)
    assert anchors_of("# The engine's axes\n```\n# no heading\n```\n## `compare`, 1.5\n## A\n## A") == {
        "the-engines-axes", "compare-15", "a", "a-1"}
    here = pathlib.Path(__file__).resolve()
    assert link_complaint(here, "no_such_file.md") and not link_complaint(here, here.name)
    readme = here.parent.parent.parent / "README.md"
    assert link_complaint(here, "../../README.md#no-such-heading") and not link_complaint(readme, "#sdbench")
    assert LINK.findall(without_code("[a](b.md#c) `[x](y)` ![p](q.png)")) == ["b.md#c", "q.png"]
    cmake = "project(sdbench VERSION 1.2.3 LANGUAGES C)"
    assert not version_complaint("# C\n\n## [1.2.3] - unreleased\n## [1.2.2] - 2026-01-01", cmake) and not version_complaint("## [1.2.3] - 2026-01-01", cmake)
    assert version_complaint("## [1.2.2] - 2026-01-01\n## [1.2.3] - unreleased", cmake) and version_complaint("## [1.2.3] - soon", cmake)
    assert bare_commands("```\nsdbench list models\n./sdbench list\n```\n") == ["sdbench list models"]


def main():
    self_test()
    checkout = pathlib.Path(sys.argv[1]).resolve()
    checks = (check_sizes, check_links, check_names, check_recipes, check_readme, check_version, check_tables)
    complaints = [complaint for check in checks for complaint in check(checkout)]
    print("\n".join(complaints) or "the documents are short, their links lead somewhere, and the script wrote their tables")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
