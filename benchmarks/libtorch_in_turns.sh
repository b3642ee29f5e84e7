#!/usr/bin/env bash
# Two libtorches on the CPU, in turns: the cells of sweeps/three-cells-cpu.json, each time in a fresh worker. Appends the rows and compares them.
#   libtorch_in_turns.sh SDBENCH VERSION OTHER_VERSION ROUNDS FILE.jsonl
# Build both workers first: SDBENCH_LIBTORCH=2.11.0,2.15.0 scripts/run.sh --version. A round takes 50 s on two cores; nothing else may run.
set -euo pipefail
[ $# -eq 5 ] || { sed -n '2,4s/^# *//p' "$0" >&2 && exit 2; }
sdbench=$1 first=$2 second=$3 rounds=$4 file=$5
cells=$(dirname "${BASH_SOURCE[0]}")/sweeps/three-cells-cpu.json

for ((round = 0; round < rounds; ++round)); do
  for version in "$first" "$second"; do
    SDBENCH_LIBTORCH=$version "$sdbench" --config "$cells" --restarts 1 --no-save -q -o "$file"
  done
  read -r first second <<<"$second $first" # so that neither always comes first
done
"$sdbench" compare "$file" --rows runtime_version --metric e2e_s
