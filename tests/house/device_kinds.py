"""Sources ask the table of device kinds (src/base/device/device_kind_table.cpp) for what is true of a kind, so that a new kind is a row there.

Usage: device_kinds.py CHECKOUT. Fails where a file beside SPELLERS has a literal of a kind's word ("cpu", "cuda:", "intel"), and where one beside
NAMERS names a kind (DeviceKind::kCuda). OTHERS are files in which the same word names something else.
"""

import pathlib
import re
import sys

TABLE = "src/base/device/device_kind_table.cpp"
SPELLERS = {TABLE, "src/base/errors/suggestion.cpp"}
NAMERS = {TABLE, "src/base/config/other_engine_table.cpp", "src/engine/worker/cuda_facts.cpp", "src/front/inventory/device_list.cpp"}
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
    "src/front/telemetry/proc_files.cpp": LINUX,
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


def files_with(root, pattern):
    """By name, the lines of each source that has some."""
    files = {}
    for top in ("src", "include"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".cpp", ".h") and (lines := lines_with(file, pattern)):
                files[str(file.relative_to(root))] = lines
    return files


def main(root):
    words = words_of(root)
    problems = []
    for pattern, known, others in ((r'"(?:' + "|".join(words) + r')[":]', SPELLERS, OTHERS), (r"DeviceKind::k\w", NAMERS, {})):
        found = files_with(root, re.compile(pattern))
        if len(words) < 3 or TABLE not in found:
            return [f"{TABLE} must hold the table of device kinds, but none is read there"]
        problems += [f"{name} names no kind of device any more; take it out of this test's lists" for name in sorted((known | others.keys()) - found.keys())]
        problems += [f"{name}:{line}; ask the table of device kinds" for name in found if name not in known | others.keys() for line in found[name]]
    return problems


if __name__ == "__main__":
    problems = main(pathlib.Path(sys.argv[1]))
    for problem in problems:
        print(problem)
    sys.exit(bool(problems))
