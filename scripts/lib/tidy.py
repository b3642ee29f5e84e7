#!/usr/bin/env python3
"""clang-tidy over src/, one folder at a time: headers are read once for all files of a folder, not once for each.

    scripts/lib/tidy.py BUILD_FOLDER JOBS [FOLDER...]

BUILD_FOLDER holds compile_commands.json. The files of a folder are joined in one file (except those for other vectors), because clang-tidy analyses
no included file. Its findings are given with their own file and line. Folders are named as in src/'s wings; the default is all of them and the
two mains. Exit code 1 if clang-tidy has something to say.
"""
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys

CUDA = "-DSDBENCH_HAS_CUDA"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments_of(command):
    """The compiler's options without the compiler, its input and its output."""
    words = shlex.split(command)
    options = [word for word in words if word.startswith(("-I", "-D", "-std", "-W"))]
    systems = [words[i + 1] for i, word in enumerate(words) if word == "-isystem"]
    return options + [part for folder in systems for part in ("-isystem", folder)]


def place_of(line, files):
    """Original place of a line of the joined files: FILE:LINE."""
    for file in files:
        count = file.read_text().count("\n")
        if line <= count:
            return f"{file.relative_to(ROOT)}:{line}"
        line -= count
    raise ValueError(f"line {line} is behind the end of the joined files")


def command_of(files, commands):
    """One command for all files of a folder; one with CUDA, if there is one."""
    return next((commands[file] for file in files if CUDA in commands.get(file, "")), commands[files[0]])


def joinable(files):
    """Lists of files that can be joined. A file that includes avx2_vector.h or avx512_vector.h is not joined, because its other headers are written
    in those vectors, and included once."""
    alone = [file for file in files if '_vector.h"' in file.read_text()]
    together = [file for file in files if file not in alone]
    return ([together] if together else []) + [[file] for file in alone]


def check(files, command, scratch):
    """clang-tidy's report on these files; empty if there is none."""
    source = scratch / f"{files[0].parent.name}_{files[0].name}"
    source.write_text("".join(file.read_text() for file in files))
    done = subprocess.run(["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", str(source), "--",
                           *arguments_of(command), f"-I{files[0].parent}"], capture_output=True, text=True)
    said = done.stdout or done.stderr
    said = re.sub(re.escape(str(source)) + r":(\d+)", lambda found: place_of(int(found[1]), files), said)
    return said if done.returncode else ""


def main():
    build, jobs, wanted = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    entries = json.loads((build / "compile_commands.json").read_text())
    entries.sort(key=lambda entry: CUDA in entry["command"])  # a file compiled with and without CUDA is checked with it
    commands = {pathlib.Path(entry["file"]): entry["command"] for entry in entries}
    groups = {folder.name: sorted(folder.glob("*.cpp")) for folder in sorted((ROOT / "src").glob("*/*")) if folder.is_dir()}
    groups |= {main.stem: [main] for main in sorted((ROOT / "src").glob("*.cpp"))}
    for name in wanted:
        if name not in groups:  # else nothing would be checked, and called clean
            sys.exit(f"clang-tidy: a folder must be one of {', '.join(groups)}, but is {name}")
    groups = {name: files for name, files in groups.items() if files and (not wanted or name in wanted)}
    joined = [group for files in groups.values() for group in joinable(files)]
    unknown = [group[0] for group in joined if group[0] not in commands]
    if unknown:
        sys.exit(f"clang-tidy: {build} knows no {unknown[0].relative_to(ROOT)}; configure it again (scripts/lint.sh does)")
    scratch = build / "joined"
    scratch.mkdir(exist_ok=True)
    said = ""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for words in pool.map(lambda group: check(group, command_of(group, commands), scratch), joined):
            print(words, end="", flush=True)
            said += words
    print(f"clang-tidy: {'not ' if said else ''}clean ({sum(map(len, groups.values()))} files)")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
