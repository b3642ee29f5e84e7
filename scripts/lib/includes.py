#!/usr/bin/env python3
"""Each source includes what it uses, itself or in its own header. So it compiles without its neighbours, and on systems whose headers include
less.

    scripts/lib/includes.py BUILD_FOLDER JOBS [--fix] [SOURCE...]

BUILD_FOLDER holds compile_commands.json of a build without unity files. Sources are paths in the checkout; the default is all of src, tests and
benchmarks except tests/fuzz, for which nothing is precompiled. --fix writes missing includes. Exit code 1 if a source does not compile, or
lacks an include.

Headers of libraries are parsed once for all sources. So this tool, not the compiler, reports a source that lacks all headers of a library.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

from tidy import ROOT, arguments_of

TOOL = ["clang-include-cleaner-19", "--print=changes", "--remove=false"]
INCLUDE = re.compile(r'^#include (["<][^">]+[">])', re.MULTILINE)

# A library may choose the header that declares a name: one included header of a family counts as all. POSIX declares its types in
# several headers.
FAMILIES = [re.compile(pattern) for pattern in (
    r"<(ATen|c10|torch|cuda.*)/.*|<cuda\w*\.h>", r"<nlohmann/.*", r"<CLI/.*", r"<spdlog/.*|<fmt/.*", r'<catch2/.*|"(support/)?catch\.h"',
    r"<benchmark/.*", r"<(sys/|bits/|asm|linux/)?[\w/.-]*\.h>")]
# Every header of the standard library has these names.
EVERYWHERE = {"<cstddef>"}
# Headers that the tool knows only by libstdc++'s inner files.
STANDARD = {"<bits/basic_string.h>": "<string>", "<bits/chrono.h>": "<chrono>", "<bits/ranges_algo.h>": "<algorithm>", "<stdio.h>": "<cstdio>",
            "<time.h>": "<ctime>", "<bits/time.h>": "<ctime>", "<bits/types/clockid_t.h>": "<ctime>"}
# Library headers that many sources share, parsed once.
SHARED = {"torch": "<ATen/ATen.h>", "json": "<nlohmann/json.hpp>"}


def family_of(header):
    return next((family for family in FAMILIES if family.fullmatch(header)), None)


def own_headers(file, includes):
    """Its includes with its own name: x.h for x.cpp and for test_x.cpp."""
    stem = re.sub(r"^(test|fuzz)_", "", file.stem)
    return [name for name in includes if pathlib.PurePath(name.strip('<>"')).stem == stem]


def text_of(header, file):
    for folder in (ROOT / "include", file.parent, ROOT / "src", ROOT / "tests/support"):
        path = folder / header.strip('"')
        if path.is_file():
            return path.read_text()
    return ""


def included(file):
    """The includes of a source and of its own header."""
    direct = INCLUDE.findall(file.read_text())
    return set(direct).union(*(INCLUDE.findall(text_of(name, file)) for name in own_headers(file, direct)))


def lacking(file, suggested):
    there = included(file)
    behind = there.union(*(INCLUDE.findall(text_of(name, file)) for name in there))  # a library may come with our own header
    families = {family_of(header) for header in behind}
    return [header for header in suggested
            if header not in there | EVERYWHERE and (family_of(header) is None or family_of(header) not in families)]


def check(file, command, shared):
    """The headers that one source lacks, and the compiler's message if it does not compile."""
    kind = "torch" if "/torch/include" in command else "json"
    arguments = [word for word in arguments_of(command) if not word.startswith("-W")]
    done = subprocess.run([*TOOL, str(file), "--", "-w", *arguments, "-include-pch", str(shared[kind])],
                          capture_output=True, text=True)
    if done.returncode:
        return [], done.stderr
    suggested = [line[2:] for line in done.stdout.splitlines() if line.startswith("+ ")]
    return lacking(file, [STANDARD.get(header, header) for header in suggested]), ""


def parse_shared(commands, folder):
    """SHARED's headers, parsed, by kind."""
    folder.mkdir(exist_ok=True)
    parsed = {}
    for kind, header in SHARED.items():
        command = next(command for command in commands.values() if ("/torch/include" in command) == (kind == "torch"))
        arguments = [word for word in arguments_of(command) if not word.startswith(("-W", "-D"))]
        (folder / f"{kind}.h").write_text(f"#include {header}\n")
        parsed[kind] = folder / f"{kind}.pch"
        subprocess.run(["clang++-19", "-w", "-x", "c++-header", *arguments, str(folder / f"{kind}.h"), "-o", str(parsed[kind])], check=True)
    return parsed


def place_for(lines, header):
    """The line after which an include goes to join its kind's block, which clang-format sorts. None: it begins a block."""
    kinds = {'"': r'#include "', "h": r"#include <[\w/]+\.h>$", "": r"#include <[\w/]+>$"}
    kind = '"' if header.startswith('"') else "h" if header.endswith(".h>") else ""
    found = [i for i, line in enumerate(lines) if re.match(kinds[kind], line)]
    if kind == '"' and len(found) == 1 and found[0] == next(i for i, line in enumerate(lines) if line.startswith("#include")):
        return None  # the source's own header stands alone
    return found[-1] if found else None


def fix(file, headers):
    lines = file.read_text().split("\n")
    for header in headers:
        place = place_for(lines, header)
        if place is None:
            includes = [i for i, line in enumerate(lines) if line.startswith("#include")]
            behind = includes[-1] if header.startswith('"') else includes[0]
            lines[behind + 1:behind + 1] = ["", f"#include {header}"]
        else:
            lines.insert(place + 1, f"#include {header}")
    file.write_text("\n".join(lines))
    subprocess.run(["clang-format", "-i", str(file)], check=True)


def main():
    build, jobs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    wanted = [ROOT / name for name in sys.argv[3:] if name != "--fix"]
    entries = json.loads((build / "compile_commands.json").read_text())
    commands = {pathlib.Path(entry["file"]): entry["command"] for entry in entries}
    commands = {file: command for file, command in commands.items() if build not in file.parents}
    shared = parse_shared(commands, build / "includes")
    tracked = subprocess.run(["git", "ls-files", "src/*.cpp", "tests/*.cpp", "benchmarks/*.cpp"], cwd=ROOT, capture_output=True, text=True, check=True)
    files = wanted or [ROOT / name for name in tracked.stdout.split() if not name.startswith("tests/fuzz/")]
    unknown = [file for file in files if file not in commands]
    if unknown:
        sys.exit(f"includes: {build} must know each source, but not {unknown[0].relative_to(ROOT)}; configure it again (scripts/lint.sh does)")
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for file, (headers, complaint) in zip(files, pool.map(lambda file: check(file, commands[file], shared), files)):
            name = file.relative_to(ROOT)
            if complaint:
                print(f"{name} must compile alone, but does not:\n{complaint}", end="", flush=True)
            for header in headers:
                print(f"{name} must include {header}, which it uses", flush=True)
            if headers and "--fix" in sys.argv:
                fix(file, headers)
            bad += bool(headers or complaint)
    what = "lacked some, now written" if "--fix" in sys.argv else "lack some"
    print(f"includes: {f'{bad} of {len(files)} sources {what}' if bad else f'clean ({len(files)} files)'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
