"""A field of the work is a row of config/work_field_table.h: what words, compares and reproduces works asks that table. clip_skip is the witness.

Usage: work_fields.py CHECKOUT. Prints each file that names it and need not; exit code 1 if there is one.
"""

import pathlib
import re
import sys

WITNESS = re.compile(r"\bclip[_-]skip\b")
ASKING = ("compare", "words", "terminal", "options", "progress", "inventory", "reproduce", "commands", "shells", "quality", "report", "other_engines",
          "results", "bench", "sink", "slurm", "trend", "machine")
MOST_FILES = 17  # of src, include and engines together
SOURCES = (".cpp", ".h", ".cu", ".py", ".js", ".html")


def naming(root, folders):
    """Files there that name the witness."""
    files = [file for folder in folders for file in sorted((root / folder).rglob("*")) if file.suffix in SOURCES]
    return [str(file.relative_to(root)) for file in files if WITNESS.search(file.read_text())]


def main(root):
    if "include/sdbench/base/config/work_field_table.h" not in naming(root, ["include"]):
        return ["include/sdbench/base/config/work_field_table.h must hold the table of work fields, but has no row of the witness"]
    asking = [f"{top}/front/{folder}" for folder in ASKING for top in ("src", "include/sdbench")] + ["configs/report"]
    problems = [f"{file} names clip_skip; ask the table of work fields instead" for file in naming(root, asking)]
    files = naming(root, ["src", "include", "engines"])
    if len(files) > MOST_FILES:
        problems.append(f"clip_skip must stand in at most {MOST_FILES} files, but stands in {len(files)}: {', '.join(files)}")
    return problems


if __name__ == "__main__":
    problems = main(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))
