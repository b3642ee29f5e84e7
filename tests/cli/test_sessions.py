"""benchmarks/sessions.py, which judges the product's intervals: by rows of an INVENTED machine whose truth is known."""

import json
import math
import pathlib
import random
import statistics
import subprocess
import sys

import made_up_nights
import pytest
from program import PROGRAM, environment, run

SCRIPT = pathlib.Path(__file__).parents[2] / "benchmarks/sessions.py"
SESSIONS, STARTS, RUNS = 8, 10, 3


def row(session, start, times, guidance=7.5, **more):
    """A row of these times of runs, as parts of the usual one."""
    more = {"steal_percent": "0.1", "foreign_cpu_percent_mean": "0.2", "guidance": str(guidance), **more}
    made = made_up_nights.row(1, statistics.fmean(times), repeat=str(len(times)), restart=str(start + 1), **more)
    usual = float(made["e2e_s"]) / statistics.fmean(times)
    return made | {"e2e_s_sd": repr(usual * statistics.stdev(times)), "run_id": f"{session:08x}{guidance:04g}{start:04x}".replace(".", "0"),
                   "sweep_id": f"s{session}", "time_utc": f"2026-01-{session + 1:02}T12:{start:02}:00Z"}


def judged(folder, rows):
    """(exit code, the answer, what is printed)"""
    made_up_nights.write(folder / "rows.csv", rows)
    code, _, err = run(folder, "merge", "rows.csv", "-o", "rows.jsonl", "--overwrite")
    assert code == 0, err
    done = subprocess.run([sys.executable, SCRIPT, "judge", PROGRAM, "rows.jsonl", "-o", "answer.json"], cwd=folder, env=environment(),
                          capture_output=True, text=True, timeout=60)
    assert not done.stderr, done.stderr
    return done.returncode, json.loads((folder / "answer.json").read_text()), done.stdout


def test_the_intervals_hold_where_all_runs_are_of_one_distribution(tmp_path):
    chance = random.Random(1)
    code, answer, out = judged(tmp_path, [row(session, start, [chance.gauss(1, 0.02) for _ in range(RUNS)], guidance)
                                          for guidance in (7, 8) for session in range(SESSIONS) for start in range(STARTS)])
    whole = answer["all"]
    assert code == 0 and answer["answer"] == "holds" and not answer["left_out"], out
    assert whole["pairs"] == 2 * math.comb(SESSIONS, 2) and whole["called_different"] <= 0.05 * whole["pairs"]
    counts = {level: (found["intervals"], found["widen_by"]) for level, found in whole["levels"].items()}
    assert counts == {"row": (2 * SESSIONS * STARTS, None), "session": (2 * SESSIONS, None), "sessions": (SESSIONS, None)}
    assert all(cell["sd_between_sessions_percent"] < 1 and 0.8 < cell["sd_between_rows_percent"] < 1.5 for cell in answer["cells"]), answer["cells"]


def test_sessions_that_differ_by_5_percent_are_told_with_the_factor_that_would_cover_them(tmp_path):
    def times(session, start):
        mean = 1 + 0.05 * (-1)**session + 0.01 * (-1)**start
        return [mean - 0.005, mean, mean + 0.005]

    code, answer, out = judged(tmp_path, [row(session, start, times(session, start)) for session in range(SESSIONS) for start in range(STARTS)])
    cell, = answer["cells"]
    assert code == 1 and answer["answer"] == "fails", out
    assert cell["called_different"] == (SESSIONS // 2)**2  # the slow with the quick
    sd_of_rows = 0.01 * math.sqrt(STARTS / (STARTS - 1))
    assert cell["sd_between_rows_percent"] == pytest.approx(100 * sd_of_rows, rel=0.01)
    assert cell["sd_between_sessions_percent"] == pytest.approx(100 * math.sqrt(0.05**2 * SESSIONS / (SESSIONS - 1) - sd_of_rows**2 / STARTS), rel=0.01)
    of_sessions = cell["levels"]["session"]
    wanted = 0.05 / math.sqrt(1 - 1 / SESSIONS) / (2.262 * sd_of_rows / math.sqrt(STARTS))  # Student's t of 9 degrees
    assert of_sessions["contain_the_mean"] == 0 and of_sessions["widen_by"] == pytest.approx(wanted, rel=0.01)
    assert f"{of_sessions['widen_by']:.2f} times as wide" in out


def test_rows_beside_other_programs_do_not_count_whatever_their_times(tmp_path):
    def rows(**disturbed):
        return [row(session, start, [1.29, 1.3, 1.31], **disturbed) if start % 2 else row(session, start, [0.99, 1, 1.01])
                for session in range(2) for start in range(STARTS)]

    for disturbed, why in (({"flags": "noisy busy"}, "busy"), ({"steal_percent": "3"}, "steal_percent above 1.0"),
                           ({"foreign_cpu_percent_mean": "4"}, "foreign_cpu_percent_mean above 2.5"), ({"steal_percent": ""}, "no steal_percent")):
        code, answer, out = judged(tmp_path, rows(**disturbed))
        assert code == 3 and answer["answer"] == "cannot tell yet"
        assert answer["left_out"] == {why: STARTS} and answer["rows"] == 2 * STARTS, out
        assert [session["kept"] for session in answer["sessions"]] == [STARTS // 2] * 2 and answer["all"]["pairs"] == 1
        assert answer["cells"][0]["sd_between_rows_percent"] < 1e-9
    code, answer, out = judged(tmp_path, [row(session, start, [0.99, 1, 1.01], flags="busy") for session in range(2) for start in range(STARTS)])
    assert code == 3 and answer["answer"] == "too little is left" and "neighbours never rest" in out


@pytest.mark.parametrize("cells, sessions, enough", [(1, 2, 7), (1, 6, 7), (1, 7, 7), (3, 4, 5), (3, 5, 5)])
def test_too_few_pairs_of_sessions_are_no_answer_and_it_says_how_many_sessions_are(tmp_path, cells, sessions, enough):
    code, answer, out = judged(tmp_path, [row(session, start, [0.99 + start % 3 / 1000, 1, 1.01], 7 + cell)
                                          for cell in range(cells) for session in range(sessions) for start in range(STARTS)])
    assert answer["all"]["pairs"] == cells * math.comb(sessions, 2) and answer["sessions_needed"] == enough
    if sessions < enough:
        assert (code, answer["answer"]) == (3, "cannot tell yet") and f"each cell has {enough} sessions" in out
    else:
        assert (code, answer["answer"]) == (0, "holds") and "each cell has" not in out


def test_three_sessions_that_all_differ_fail_although_a_few_that_agree_would_not_hold_yet(tmp_path):
    def times(session, start):
        mean = 1 + 0.05 * session + 0.01 * (-1)**start
        return [mean - 0.005, mean, mean + 0.005]

    code, answer, out = judged(tmp_path, [row(session, start, times(session, start)) for session in range(3) for start in range(STARTS)])
    assert answer["all"]["called_different"] == answer["all"]["pairs"] == 3
    assert (code, answer["answer"]) == (1, "fails") and not answer["all"]["pairs_hold"], out


def test_rows_that_the_product_drops_by_their_speed_are_refused(tmp_path):
    made_up_nights.write(tmp_path / "rows.csv", [row(0, start, [0.99, 1, 1.01], flags="noisy machine_changed" if start < 2 else "") for start in range(STARTS)])
    assert run(tmp_path, "merge", "rows.csv", "-o", "rows.jsonl", "--overwrite")[0] == 0
    done = subprocess.run([sys.executable, SCRIPT, "judge", PROGRAM, "rows.jsonl"], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr == ("sessions.py: rows must be without the flag machine_changed, but rows.jsonl has 2 with it; "
                                                    "measure its sessions again with --probe off\n")


def test_a_session_measures_without_probes(tmp_path):
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    done = subprocess.run([sys.executable, SCRIPT, "measure", program, "-o", "rows.jsonl"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "--probe off" in done.stdout, done.stderr


def test_rows_beside_a_busy_neighbour_are_judged_with_quiet_ones_only_as_far_as_nothing_shows_in_them(tmp_path):
    def session(number, label, slow=1.0, left=STARTS):
        """The first rows of it, so many as are `left`, are undisturbed."""
        return [row(number, start, [slow * part for part in (0.99 + start % 3 / 1000, 1, 1.01)], label=label,
                    foreign_cpu_percent_mean="0.2" if start < left else "25") for start in range(STARTS)]

    quiet = [made for number in range(7) for made in session(number, "quiet")]
    _, alone, _ = judged(tmp_path, quiet)
    for left in (0, 4):  # 4 rows of a session are too few
        _, answer, out = judged(tmp_path, quiet + session(7, "busy", 1.3, left))
        assert answer["all"] == alone["all"] and answer["left_out"] == {"foreign_cpu_percent_mean above 2.5": STARTS - left}
        assert [found["judged"] for found in answer["sessions"]] == 7 * [True] + [False]
        assert f"(busy): {left} of {STARTS} rows kept, too few to be judged" in out
    _, answer, out = judged(tmp_path, quiet + session(7, "busy", 1.3))
    assert answer["all"]["pairs"] == alone["all"]["pairs"] + 7 and answer["all"]["called_different"] == alone["all"]["called_different"] + 7, out
