"""Sources use the table of device kinds (src/base/device/device_kind.cpp) and do not spell its words, so that a new kind is a row there.

Usage: device_kinds.py CHECKOUT. Fails if more files than MOST have a literal of such a word: "cpu", "cuda:", "intel". OTHERS are files where the
same word names something else.
"""

import pathlib
import re
import sys

TABLE = "src/base/device/device_kind.cpp"
MOST = 8  # including the table itself
FIELD = "the record's field cpu, the processor's name"
LINUX = "Linux's word, in /proc, /sys or cgroups"
OTHERS = {
    "include/sdbench/front/record/ids.h": FIELD,
    "include/sdbench/front/record/record_field_table.h": FIELD,
    "src/front/record/ids.cpp": FIELD,
    "src/front/compare/grouping.cpp": FIELD,
    "src/front/compare/likely_causes.cpp": FIELD,
    "src/front/compare/table_words.cpp": FIELD,
    "src/front/results/shared_fields.cpp": FIELD,
    "src/base/device/cgroup.cpp": LINUX,
    "src/front/machine/core_kinds.cpp": LINUX,
    "src/base/device/cpu_cores.cpp": LINUX,
    "src/base/device/proc_text.cpp": LINUX,
    "src/front/telemetry/proc_stat.cpp": LINUX,
    "src/front/telemetry/processor_use.cpp": LINUX,
    "src/base/device/gpu_names.cpp": "the maker Intel",
    "src/front/slurm/sbatch_option.cpp": "Slurm's trackable resource cpu",
}


def words_of(root):
    return re.findall(r'\.word = "(\w+)"', (root / TABLE).read_text(encoding="utf-8"))


def lines_with(file, pattern):
    """Lines of code with a word, without comments, which may name a kind."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if pattern.search(line.partition("//")[0])]


def main(root):
    words = words_of(root)
    pattern = re.compile(r'"(?:' + "|".join(words) + r')[":]')
    if len(words) < 3 or not lines_with(root / TABLE, pattern):
        return [f"{TABLE} must hold the table of device kinds, but none is read there"]
    found = {}
    for top in ("src", "include"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".cpp", ".h") and (lines := lines_with(file, pattern)):
                found[str(file.relative_to(root))] = lines
    unused = [f"{name} has no such word, but stands in OTHERS; take it out" for name in sorted(OTHERS.keys() - found.keys())]
    spelt = {name: lines for name, lines in found.items() if name not in OTHERS}
    if len(spelt) <= MOST:
        return unused
    return unused + [f"at most {MOST} files may spell a device kind, but {len(spelt)} do; ask the table of device kinds"] + [
        f"{name}:{line}" for name, lines in spelt.items() for line in lines]


if __name__ == "__main__":
    problems = main(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))
