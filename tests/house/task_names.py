"""No file of compare, report or sink names a task: they use the table of tasks (src/base/types/task_table.cpp), so that a new task is a row there."""

import pathlib
import re
import sys

ASKING = ("src/front/compare", "src/front/report", "src/front/sink", "include/sdbench/front/compare", "include/sdbench/front/report",
          "include/sdbench/front/sink", "configs/report")
SOURCES = (".cpp", ".h", ".js", ".html")


def names_of(root):
    table = (root / "src/base/types/task_table.cpp").read_text()
    return re.findall(r'\.(?:name|alias) = "(\w+)"', table)


def told(file, pattern):
    return [f"{file}:{number}: {line.strip()}" for number, line in enumerate(file.read_text().splitlines(), 1) if pattern.search(line)]


def main(root):
    names = names_of(root)
    pattern = re.compile(r"\bTask::k[A-Z]\w*|([\"'`])(?:" + "|".join(names) + r")\1")
    if len(names) < 3 or not told(root / "src/base/types/task_table.cpp", pattern):
        return ["src/base/types/task_table.cpp must hold the table of tasks, but none is read there"]
    files = [file for folder in ASKING for file in sorted((root / folder).rglob("*")) if file.suffix in SOURCES]
    if len(files) < 50:
        return [f"the folders {', '.join(ASKING)} must hold the sources, but hold {len(files)} files"]
    return [line for file in files for line in told(file, pattern)]


if __name__ == "__main__":
    problems = main(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(f"{problem}: ask the table of tasks instead")
    sys.exit(bool(problems))
