#!/usr/bin/env bash
# The steps for a GPU have no typing errors: benchmarks/gpu-status.md names the same steps, each has its function, and seven of them, among
# them all of the part speed that are quick, run on the CPU up to the table and the archive that would come back.
#   test_first_gpu_run.sh CHECKOUT BUILD_FOLDER
set -euo pipefail
benchmarks=$1/benchmarks build=$2
folder=$(mktemp -d)
cut=
trap '[ -z "$cut" ] || kill "$cut" 2>/dev/null || :; rm -rf "$folder"' EXIT
cd "$folder"
export PYTHONPYCACHEPREFIX=$build/python_cache # of the other tests: the steps themselves compile what they import each time anew

fail() {
  echo "$*" >&2
  exit 1
}

# A step that runs out of time reports what it knows until then. It waits beside the others.
cp -r "$benchmarks" copy
echo 'step_101_facts() { finally tell "" echo "known so far"; sleep 60; }' >copy/gpu/part1.sh
sed -i 's/patience=5/patience=1/; s/^101 facts  *40/101 facts 13/' copy/first_gpu_run.sh
OUT=$folder/cut copy/first_gpu_run.sh --device cpu --programs "$build" 1 >cut_said &
cut=$!

"$benchmarks/first_gpu_run.sh" list | awk '{ print $1 "_" $2 }' >listed
sed -n 's/^step_\([0-9a-z_]*\)() {$/\1/p' "$benchmarks"/gpu/part[1234].sh >written
diff listed written || fail "each step that is listed must have its function, in the same order"
grep -E '^(  - Told by: |\| )' "$1/benchmarks/gpu-status.md" | grep -oE '`[a-z_0-9]+`' | tr -d '`' | sort -u >documented
cut -d _ -f 2- listed | sort >names
comm -13 documented names >untold
[ ! -s untold ] || fail "benchmarks/gpu-status.md must say what these steps tell: $(cat untold)"

"$benchmarks/first_gpu_run.sh" --programs "$build" 1 no_such_step 2>error && fail "a step that is none must be refused"
grep -q "a STEP must be one of part 1" error
# A tiny model takes several times as long with a second thread.
OMP_THREAD_LIMIT=1 OUT=$folder/out "$benchmarks/first_gpu_run.sh" --device cpu --programs "$build" 1 facts live_steps | tee said
grep -qE "^101 facts +ok " said || { tar -xzOf out/part1.tar.gz --wildcards "*facts/log"; fail "facts must be ok"; }
grep -q "the longest silence was" said || fail "the verdict must say when steps were told"
[ "$(ls out)" = "$(printf 'part1.tar.gz\npart1.txt')" ] || fail "the table and the archive must come back, and nothing else"
sed '1,/^$/d' said | diff - out/part1.txt || fail "the table must be the last on stdout"

# The part for speed, but for the operators, which first measure the processor for long. Its sanitizer is pretended.
mkdir tools
# shellcheck disable=SC2016 # the pretended tool's own arguments
printf '#!/bin/sh\nwhile [ "$1" != --log-file ]; do shift; done\necho "0 errors" >"$2"; shift 2; exec "$@"\n' >tools/compute-sanitizer
chmod +x tools/compute-sanitizer
steps=(candidates kernel_list sanitizer rates)
PATH=$folder/tools:$PATH OMP_THREAD_LIMIT=1 OUT=$folder/fast "$benchmarks/first_gpu_run.sh" --device cpu --programs "$build" speed "${steps[@]}" | tee said
for step in "${steps[@]}"; do
  grep -qE "^40[0-9] $step +ok " said || { tar -xzOf fast/part4.tar.gz --wildcards "*$step/log"; fail "$step must be ok"; }
done
grep -qE "tiny-sdxl: text: [0-9]+ kernels, [0-9.]+ of [0-9.]+ ms unet: " said || fail "the verdict must say what the kernels of each stage take"
grep -qE "memcheck of group_norm.* geglu .*: 0 errors" said || fail "memcheck must be told the names of the own kernels"
grep -q "loop same bits" said || fail "the verdict must say how far the latents are apart"
grep -qF "(offload) | ok |" said || fail "the row of each cell must be in the table"
tar -xzf fast/part4.tar.gz ./404_rates/rows.jsonl ./401_candidates/candidates.jsonl || fail "the records must be in the archive"
grep -q 'first_step_s' said || fail "the rates must tell the first step's time"
[ "$(wc -l <404_rates/rows.jsonl)" = 4 ] || fail "two models in two batches must be four rows"
groups="attention|bias|no cat|products|q, k, v|residual|small convolutions|upsampling|upsampling + 3x3|VAE's attention (bf16)"
python3 - "$groups" <<'END' || fail "each group of candidates must have times, what they would save, and an error where one is not possible"
import json, sys
rows = [json.loads(line) for line in open("401_candidates/candidates.jsonl")]
compared = {row["group"] for row in rows if row.get("saves_ms") or row["form"] == "flash"}  # libtorch's other two need a GPU
assert compared == set(sys.argv[1].split("|")), compared
assert all(("us_min" in row) != ("error" in row) for row in rows)
assert {row["group"] for row in rows} - compared == {"ceilings", "programmatic dependent launch"}
END

OUT=$folder/trained "$benchmarks/first_gpu_run.sh" --device cpu --programs "$build" 3 training | tee said
grep -qE "^311 training +ok .*losses of tuned,plain.* on cpu .* apart .*a worker killed in training: a row each" said || {
  tar -xzOf trained/part3.tar.gz --wildcards '*training/log'
  fail "losses must be compared, and a killed worker must cost no row"
}
for losses in "2 2.001" "2 2.01" "2 2.001 NaN" "2 2.001 null" 2; do # within the bound, beyond it, no number (twice), only one row
  # shellcheck disable=SC2086 # each is one row's
  printf '{"label":"a","loss_last":%s,"status":"ok"}\n' $losses >some.jsonl
  ! python3 "$benchmarks/gpu/records.py" spread a loss_last 1e-3 some.jsonl >spread_said || echo "$losses"
done >right
[ "$(cat right)" = "2 2.001" ] || fail "losses that are farther apart than the bound must be told, but right are: $(cat right)"

wait "$cut" || fail "steps that fail must not make the part fail"
grep -qE "^101 facts +cut off at 13 s .* known so far" cut_said || fail "a step that is cut off must have its last words"
