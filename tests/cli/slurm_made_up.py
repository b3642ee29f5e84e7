"""Made-up sinfo, scontrol, sbatch, scancel, sacct and sdiag, and sdbench with them in its PATH."""

import os
import re

from program import environment, finish, run, start
from stub import CELL, SHARE

NODES = """\
node1|main*|idle|32|1000000|gpu:a100:2(S:0-1)|ib,big
node1|other|idle|32|1000000|gpu:a100:2(S:0-1)|ib,big
node2|main*|mixed|32|1000000|gpu:a100:2(S:0-1)|ib,big
node3|main*|idle~|16|1|gpu:1,shard:4|(null)
node4|main*|idle|8|64000|(null)|(null)
node5|main*|drained|8|64000|(null)|(null)
node6|main*|idle*|8|64000|(null)|(null)
node7|other|idle|8|64000|(null)|(null)
"""

PROGRAMS = {
    "sinfo": 'env | grep -E "^(SINFO|SQUEUE|SLURM_)" >>"$MADE_UP/read_with"\ncat "$MADE_UP/nodes"; cat "$MADE_UP/sinfo_says" >&2 2>/dev/null && exit 1; exit 0',
    "scontrol": 'echo "$*" >>"$MADE_UP/asked"\ncase "$*" in\n"show hostnames "*) echo "$3" | tr , "\\n" ;;\n'
                '"requeue "*) ! cat "$MADE_UP/no_requeue" >&2 2>/dev/null ;;\n'
                '*"show job"*) cat "$MADE_UP/job" ;;\n'
                '*"show partition"*) cat "$MADE_UP/partitions" 2>/dev/null || exit 1 ;;\nesac',
    "sbatch": 'env | grep ^SBATCH_ >>"$MADE_UP/variables"\nn=$(($(cat "$MADE_UP/count") + 1)); echo $n >"$MADE_UP/count"\n'
              'env | grep -E "^(SBATCH|SLURM)_" >"$MADE_UP/variables$n"\n'
              'if [ "$n" = "$(cat "$MADE_UP/refused" 2>/dev/null)" ]; then echo "sbatch: error: Batch job submission failed: no" >&2; exit 1; fi\n'
              'if [ "$n" = "$(cat "$MADE_UP/killed" 2>/dev/null)" ]; then kill -KILL $$; fi\n'
              'if [ "$n" = "$(cat "$MADE_UP/interrupted" 2>/dev/null)" ]; then kill -TERM "-$(cut -d " " -f 6 /proc/$$/stat)"; fi\n'  # as a terminal's Ctrl-C
              'echo "$*" >>"$MADE_UP/submitted"; echo "$n $*" >>"$MADE_UP/numbers"\n'
              'if [ -p /dev/stdin ] || [ -f /dev/stdin ]; then cat >"$MADE_UP/script$n"; fi\n'
              'cat "$MADE_UP/before" 2>/dev/null\n'
              'if [ -e "$MADE_UP/no_number" ]; then echo "Submitted a job"; else echo "$n;cluster"; fi\ncat "$MADE_UP/behind" 2>/dev/null\n'
              'exit "$(cat "$MADE_UP/ends_with" 2>/dev/null || echo 0)"',
    "sacct": 'echo "$*" >>"$MADE_UP/accounted"; cat "$MADE_UP/accounts" 2>/dev/null',
    "scancel": 'echo "$*" >>"$MADE_UP/cancelled"; [ ! -e "$MADE_UP/no_cancel" ]',
    "sdiag": '[ -s "$MADE_UP/ahead" ] || exit 1\n'
             'echo "sdiag output at Fri Nov 27 12:00:00 2026 ($(($(date +%s) + $(cat "$MADE_UP/ahead"))))"\necho "Data since (1)"',
}


class MadeUp:
    """The four programs, and sdbench with them in its PATH."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.shared = folder / "shared"
        self.told = folder / "made_up"
        (self.told / "bin").mkdir(parents=True)
        for name, text in PROGRAMS.items():
            (self.told / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (self.told / "bin" / name).chmod(0o755)
        (self.told / "nodes").write_text(NODES)
        (self.told / "count").write_text("0")

    def environment(self, **more):
        mine = {name: value for name, value in environment().items() if not name.startswith(("SLURM", "SBATCH"))}
        return {**mine, "SDBENCH_SHARE": str(SHARE), "PATH": f"{self.told / 'bin'}:{os.environ['PATH']}", "MADE_UP": str(self.told), **more}

    def submit(self, *options, run_options=CELL, **more):
        """(exit code, stdout, stderr)"""
        return run(self.folder, "slurm", "submit", "--folder", "shared", *options, "--", *run_options, program=self.program, env=self.environment(**more))

    def submitted(self, *options, **more):
        """A good submission's standard error, and its scripts by name."""
        code, _, err = self.submit(*options, **more)
        assert code == 0, err
        return err, {file.stem: file.read_text() for file in (self.shared / "jobs").glob("*.sh")}

    def number(self, name):
        """That sbatch gave to the job when it was submitted last."""
        return re.findall(rf"(?m)^(\d+) .*/{name}\.sh$", self.told_file("numbers"))[-1]

    def start_job(self, name, number=None, **more):
        """As slurmd does on a node, where nobody reads what it prints."""
        env = self.environment(SLURM_JOB_ID=number or self.number(name), SLURMD_NODENAME=f"on-{name}", SLURM_JOB_PARTITION="main", **more)
        return start(self.folder, self.shared / "jobs" / f"{name}.sh", program="bash", env=env)

    def run_job(self, name, **more):
        return finish(self.start_job(name, **more))

    def told_file(self, name):
        file = self.told / name
        return file.read_text() if file.exists() else ""


def options_of(script):
    return re.findall("^#SBATCH (.*)$", script, re.MULTILINE)
