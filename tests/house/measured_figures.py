"""A measured figure is one row of kMeasured (include/sdbench/base/executor/measured_figure_table.h): only code that measures or uses it names it.

Usage: measured_figures.py CHECKOUT. Fails if code made from the table names a figure, or if a loss is in more than MOST files:
the table, the record's list of columns, our worker and the Python one.
"""

import pathlib
import re
import sys

TABLE = "include/sdbench/base/executor/measured_figure_table.h"
MADE_OF_IT = ("include/sdbench/base/executor/executor.h", "src/base/executor/message_fields.h", "include/sdbench/front/record/run_record.h")
FIGURE, MOST = "loss_first", 6


def names_of(root):
    return re.findall(r"&Measured::(\w+)", (root / TABLE).read_text(encoding="utf-8"))


def names(file, pattern):
    """The figures that a file's code names, without comments, which may name figures."""
    text = "\n".join(line.partition("//")[0] for line in file.read_text(encoding="utf-8").splitlines())
    return sorted(set(pattern.findall(text)))


def main(root):
    figures = names_of(root)
    if FIGURE not in figures:
        return [f"{TABLE} must hold the table of measured figures, but {FIGURE} is not read there"]
    pattern = re.compile(r"\b(?:" + "|".join(figures) + r")\b")
    found = [f"{file} must be made of {TABLE}, but names {', '.join(own)}" for file in MADE_OF_IT if (own := names(root / file, pattern))]
    files = [str(file.relative_to(root)) for top in ("src", "include", "engines") for file in sorted((root / top).rglob("*"))
             if file.suffix in (".cpp", ".h", ".py") and FIGURE in names(file, re.compile(r"\b" + FIGURE + r"\b"))]
    if len(files) > MOST:
        found.append(f"{FIGURE} must stand in at most {MOST} files, but stands in {', '.join(files)}; ask the table of measured figures")
    return found


if __name__ == "__main__":
    problems = main(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))
