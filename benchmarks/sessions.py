#!/usr/bin/env python3
"""Do the 95 % intervals and the verdicts of `sdbench compare` hold? Repeats cells that do not change, and counts how often they are called different.

    benchmarks/sessions.py measure build/release/bin/sdbench -o FILE.jsonl [--busy]
    benchmarks/sessions.py judge build/release/bin/sdbench FILE.jsonl... [-o FILE.json]

`measure` is one session: each cell of benchmarks/sweeps/three-cells-cpu.json in 20 fresh workers, back to back, by one call of sdbench, because that is
what sdbench calls a session (docs/comparing.md). Its rows are appended. Call it again after 15 minutes, and after a day. With --busy another
program takes one core for half of each second. A session takes 10 minutes on two cores; nothing else may run.

`judge` first leaves out rows by what they tell of other programs and virtual machines, and looks at no time until then. All figures, intervals and
verdicts are those of `sdbench compare --metric e2e_s`. It counts pairs of sessions that are called different, and how many intervals contain the grand
mean of all sessions, on three levels: a row's interval (within one start), a session's (between its rows), and that of two sessions pooled. Where too
few intervals do, it tells the factor that would widen them enough. Rows measured with --busy are judged together with the others only as far as they
are not left out. It refuses files with the flag machine_changed (of `run --probe`), because `sdbench compare` would drop those rows by their speed. Exit
code 0 if all holds, 1 if anything fails, however few pairs of sessions there are, and 3 if too few rows are left, or too few pairs to tell that all holds.
"""
import argparse
import collections
import itertools
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

CELLS = pathlib.Path(__file__).parent / "sweeps/three-cells-cpu.json"
STARTS = 20
NEIGHBOUR = "import time\nwhile True:\n    end = time.monotonic() + 0.5\n    while time.monotonic() < end: pass\n    time.sleep(0.5)"
# Flags that no time of a run decides.
DISTURBED = ("busy", "foreign_process", "suspended", "held_up", "swapping")
# In percent of the cores' time; `busy` begins at 5 on two cores.
MOST = {"steal_percent": 1.0, "foreign_cpu_percent_mean": 2.5}
LEAST_ROWS, LEAST_SESSIONS = 5, 2
MOST_DIFFERENT, WANTED = 0.05, 0.95
LEAST_PAIRS = round(1 / MOST_DIFFERENT)  # of fewer pairs, one alone is too many
LEVELS = {"row": "a row's own interval", "session": "a session's interval", "sessions": "two sessions pooled"}


def measure(program, output, busy):
    neighbour = subprocess.Popen([sys.executable, "-c", NEIGHBOUR]) if busy else None
    try:
        return subprocess.run([program, "--config", CELLS, "--restarts", str(STARTS), "--probe", "off", "--label", "busy" if busy else "quiet",
                               "--no-save", "-q", "-o", output]).returncode
    finally:
        if neighbour:
            neighbour.kill()
            neighbour.wait()


def why_left_out(row):
    """Empty for a row that counts."""
    if row["status"] != "ok":
        return f"status {row['status']}"
    for flag in DISTURBED:
        if flag in (row["flags"] or "").split():
            return flag
    for field, most in MOST.items():
        if row.get(field) is None:
            return f"no {field}"
        if row[field] > most:
            return f"{field} above {most}"
    return ""


class Product:
    """`sdbench compare` of rows, by way of files."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def places(self, *groups, more=()):
        """The places of a comparison, a file for each group of rows. The first is the baseline if there are several."""
        files = []
        for number, rows in enumerate(groups):
            files.append(self.folder / f"{number}.jsonl")
            files[-1].write_text("".join(json.dumps(row) + "\n" for row in rows))
        baseline = ["--baseline", files[0]] if len(files) > 1 else []
        done = subprocess.run([self.program, "compare", *files, *baseline, "--metric", "e2e_s", "--format", "json", *more],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"sessions.py: sdbench compare must compare the rows, but says: {done.stderr.strip()}")
        return json.loads(done.stdout)["places"]

    def lines(self, rows, field):
        """The place of each value of a field; there is one workload."""
        return self.places(rows, more=("--rows", field))


def least_covered(count):
    """So many of `count` intervals contain their mean at least, but for a chance of 2.5 %."""
    chance = 0.0
    for covered in range(count + 1):
        chance += math.comb(count, covered) * WANTED**covered * (1 - WANTED)**(count - covered)
        if chance > 0.025:
            return covered
    return count


def factor_that_covers(distances):
    """Of distances to the grand mean, in half intervals: so many times as wide, 95 % of the intervals contain it. None for fewer than two."""
    return statistics.quantiles(distances, n=20, method="inclusive")[-1] if len(distances) > 1 else None


def coverage(distances):
    inside = sum(distance <= 1 for distance in distances)
    least = least_covered(len(distances))
    return {"intervals": len(distances), "contain_the_mean": inside, "least": least, "holds": inside >= least,
            "widen_by": None if inside >= least else factor_that_covers(distances)}


def distances_of(places, mean, share):
    """Distances of figures to the grand mean, in half intervals. Each is as much longer as it is shortened by being this share of that mean."""
    return [abs(place["value"] - mean) / math.sqrt(1 - share) / (place["ci95_high"] - place["value"]) for place in places if place["ci95_high"] is not None]


def judged_cell(product, sessions):
    """What holds of one workload, whose rows are given by session, in order of time."""
    every = list(itertools.chain.from_iterable(sessions))
    grand, = product.lines(every, "workload_id")
    mean = grand["value"]
    of_sessions = product.lines(every, "sweep_id")
    half = len(sessions) // 2 if len(sessions) >= 4 else 0  # a pool of all but one says nothing of their mean
    pools = [product.lines(sessions[place] + sessions[place + half], "workload_id")[0] for place in range(half)]  # each session in one of them
    found = {"row": (product.lines(every, "run_id"), 1 / len(every)), "session": (of_sessions, 1 / len(sessions)), "sessions": (pools, 2 / len(sessions))}
    different = 0
    pairs = list(itertools.combinations(sessions, 2))
    for pair in pairs:
        verdict, = (place["verdict"] for place in product.places(*pair) if place["verdict"] != "baseline")
        different += verdict in ("faster", "slower")
    of_rows = statistics.fmean(place["sd_between"]**2 / place["rows"] for place in of_sessions)  # this much session means differ in any case
    between = statistics.variance([place["value"] for place in of_sessions]) / mean**2 - of_rows
    return {"workload": grand["workload"], "sessions": len(sessions), "rows": len(every), "e2e_s": mean, "pairs": len(pairs), "called_different": different,
            "sd_between_sessions_percent": 100 * math.sqrt(max(between, 0)),
            "sd_between_rows_percent": 100 * math.sqrt(statistics.fmean(place["sd_between"]**2 for place in of_sessions)),
            "distances": {level: distances_of(places, mean, share) for level, (places, share) in found.items()}}


def sessions_needed(cells):
    """So many sessions of so many cells have enough pairs."""
    return next(count for count in itertools.count(LEAST_SESSIONS) if cells * math.comb(count, 2) >= LEAST_PAIRS)


def sessions_of(rows):
    """{workload: rows of each session, in order of time}. Ends the program if the rows are not of one machine and program."""
    workloads = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in sorted(rows, key=lambda row: row["time_utc"]):
        workloads[row["workload_id"]][row["sweep_id"]].append(row)
    for fields in (("cell_id", "workload_id"), ("env_id",), ("engine_revision",), ("git_sha",)):
        values = {tuple(row[field] for field in fields) for row in rows}
        if len(values) > (len(workloads) if "cell_id" in fields else 1):
            sys.exit(f"sessions.py: all FILES must be of one machine, program and set of cells, but have {len(values)} values of {fields[0]}; judge them apart")
    return {workload: list(sessions.values()) for workload, sessions in workloads.items()}


def judged(product, rows):
    """The answer, as it is written."""
    reasons = collections.Counter()
    kept = []
    for row in rows:
        why = why_left_out(row)
        reasons[why] += bool(why)
        if not why:
            kept.append(row)
    by_session = collections.defaultdict(list)
    for row in rows:
        by_session[row["sweep_id"]].append(row)
    answer = {"rows": len(rows), "sessions_needed": sessions_needed(len({row["workload_id"] for row in rows})),
              "left_out": {why: count for why, count in reasons.items() if count},
              "sessions": [{"sweep_id": name, "time_utc": min(row["time_utc"] for row in of_it), "label": of_it[0]["label"], "rows": len(of_it),
                            "kept": sum(not why_left_out(row) for row in of_it)} for name, of_it in by_session.items()],
              "cells": [], "all": None}
    usable = {workload: [session for session in sessions if len(session) >= LEAST_ROWS] for workload, sessions in sessions_of(kept).items()}
    in_use = {row["sweep_id"] for sessions in usable.values() for session in sessions for row in session}
    for session in answer["sessions"]:
        session["judged"] = session["sweep_id"] in in_use
    if len(usable) < len({row["workload_id"] for row in rows}) or any(len(sessions) < LEAST_SESSIONS for sessions in usable.values()):
        return {**answer, "answer": "too little is left"}
    cells = [judged_cell(product, sessions) for sessions in usable.values()]
    pairs, different = sum(cell["pairs"] for cell in cells), sum(cell["called_different"] for cell in cells)
    whole = {"pairs": pairs, "called_different": different, "pairs_hold": different <= MOST_DIFFERENT * max(pairs, LEAST_PAIRS),
             "levels": {level: coverage([distance for cell in cells for distance in cell["distances"][level]]) for level in LEVELS}}
    for cell in cells:
        cell["levels"] = {level: coverage(distances) for level, distances in cell.pop("distances").items()}
    holds = whole["pairs_hold"] and all(level["holds"] for level in whole["levels"].values())
    return {**answer, "cells": cells, "all": whole, "answer": "fails" if not holds else "cannot tell yet" if pairs < LEAST_PAIRS else "holds"}


def rows_of(file):
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    changed = sum("machine_changed" in (row["flags"] or "").split() for row in rows)
    if changed:
        sys.exit(f"sessions.py: rows must be without the flag machine_changed, but {file} has {changed} with it; measure its sessions again with --probe off")
    return rows


def say(answer):
    for session in answer["sessions"]:
        print(f"session {session['time_utc']} ({session['label'] or 'no label'}): {session['kept']} of {session['rows']} rows kept"
              f"{'' if session['judged'] else ', too few to be judged'}")
    left_out = ", ".join(f"{count} {why}" for why, count in sorted(answer["left_out"].items()))
    print(f"{sum(answer['left_out'].values())} of {answer['rows']} rows left out{': ' + left_out if left_out else ''}")
    if not answer["all"]:
        print(f"No answer: each cell needs {answer['sessions_needed']} sessions of {LEAST_ROWS} rows that nothing disturbed. This machine's neighbours never "
              "rest, or too few sessions were measured.")
        return
    for cell in answer["cells"] + [{"workload": "all cells", **answer["all"]}]:
        spread = "" if "sessions" not in cell else (f"; sd between sessions {cell['sd_between_sessions_percent']:.2f} %, between the rows of one "
                                                    f"{cell['sd_between_rows_percent']:.2f} %")
        print(f"{cell['workload']}: {cell['called_different']} of {cell['pairs']} pairs of sessions called different{spread}")
        for level, words in LEVELS.items():
            found = cell["levels"][level]
            wider = "" if found["holds"] else f": too few; {found['widen_by']:.2f} times as wide they would" if found["widen_by"] else ": too few"
            print(f"  {words:<22} {found['contain_the_mean']:>4} of {found['intervals']:>4} contain the mean (at least {found['least']}){wider}")
    print(f"The intervals and verdicts: {answer['answer']}")
    if answer["answer"] == "cannot tell yet":
        print(f"{answer['all']['pairs']} pairs of sessions do not tell whether at most {MOST_DIFFERENT:.0%} are called different: measure until each cell has "
              f"{answer['sessions_needed']} sessions, which have at least {LEAST_PAIRS} pairs.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("measure")
    one.add_argument("program", type=pathlib.Path)
    one.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    one.add_argument("--busy", action="store_true")
    many = commands.add_parser("judge")
    many.add_argument("program", type=pathlib.Path)
    many.add_argument("files", type=pathlib.Path, nargs="+")
    many.add_argument("-o", dest="output", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "measure":
        return measure(arguments.program, arguments.output, arguments.busy)
    rows = [row for file in arguments.files for row in rows_of(file)]
    with tempfile.TemporaryDirectory() as folder:
        answer = judged(Product(arguments.program, pathlib.Path(folder)), rows)
    say(answer)
    if arguments.output:
        arguments.output.write_text(json.dumps(answer, indent=1) + "\n")
    return {"holds": 0, "fails": 1}.get(answer["answer"], 3)


if __name__ == "__main__":
    sys.exit(main())
