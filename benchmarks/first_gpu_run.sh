#!/usr/bin/env bash
# Tests on a GPU what no machine without one can show, in parts of 5, 6, 7 and, for speed, five and a half minutes. A failure stops nothing: each step
# has its own limit, its log and a verdict of one line. $OUT gets the table, and an archive of logs and records that is renewed after each step.
# stdout gets the table last. benchmarks/gpu-status.md says which step answers what; pack_for_gpu.sh packs everything for the machine.
#
#   first_gpu_run.sh [--device cpu] [--programs FOLDER] [--seconds N] PART [STEP...]    1, 2, 3 or speed; steps by name, each may take all that is left
#   first_gpu_run.sh list
#
# --device cpu: runs everything with tiny models without a GPU, so that no hour of a GPU is lost to a typing error.
# --programs: the output of pack_for_gpu.sh (.gpu, the default), or a build tree, which has the same form.
# --seconds: the part's limit, for a machine that is lent for less. Steps that measure no times may run side by side, each with its own OUT.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
root=${here%/*}

# number, name, most seconds | what it tells. A step is a function of gpu/partN.sh, where N is the number's first digit.
# A part runs its steps in this order, and omits the last ones when its time is up.
table="
101 facts        40  | the machine, its tools, the programs' libraries, and which libtorch would be chosen for it
102 no_toolkit   70  | own kernels and attention where no CUDA toolkit is seen, and whose NVRTC is mapped
103 sdxl         75  | SDXL and SD 1.5, tuned and plain: times, peaks of memory, and the time between the stages
104 golden       90  | golden_rel_err of all models in all dtypes, engine plain
105 attention    45  | each attention kernel of SD 1.5, whose heads are up to 160 wide
106 same_bits    60  | graphs, the loop and offloading change no bit; how far own kernels are from ATen's
107 live_steps   40  | steps are told while the GPU computes; what the host takes to start a graph
108 unit_tests   30  | the unit tests that need a GPU: a capture that fails
201 failures     75  | out of memory, forecast and real, a killed worker; a good cell after each
202 stopping     40  | --max-time and Ctrl-C with graphs: how long after
203 telemetry    40  | the record's sensors beside nvidia-smi's; another process on the GPU
204 vae_16bit    40  | the VAE in 16 bits: no NaN, its time
205 axes        160  | what each axis of the tuned engine brings
301 gpu_tests   150  | the tests of the label gpu
302 memory       40  | offloading, tiles, large batches, a cell after a larger one
303 quality      40  | the study of quality in 16 bits against fp32
304 graph_memory 30  | cells with graphs leave no memory to the next
305 timing_cost  20  | what the timing layer costs
306 reproduce    30  | a record run again, and the page of all rows
307 devices      30  | GPUs by UUID; all of them together where there are several
308 engines_live 70  | the engines of others with tiny models: the same picture, and what is compiled is kept
309 engines     300  | the engines of others beside sdbench, torch.compile first: better in a call of its own, 3 engines
310 networks     90  | classic networks, inference and training: each number format, TF32, loss scaling, both places of data
311 training    100  | the losses of GPU, CPU and PyTorch are the same; of two GPUs that train together one is killed
401 candidates   90  | what could replace the UNet's and the VAE's operators, timed in torch alone, and what a step would gain
402 kernel_list  45  | each kernel of SD 1.5's and SDXL's stages with its time, launched one by one and by graphs; how long the GPU waits for the host
403 sanitizer    70  | the own kernels access nothing out of bounds; graphs, the loop and offloading change no bit in 16 bits
404 rates        85  | SD 1.5 and SDXL in batches of 1 and 8: rates, clock, watts
405 operators    40  | the own kernels beside the GPU's best rate of copying, and the VAE's attention
"
seconds_of=([1]=300 [2]=360 [3]=420 [4]=330)
patience=1
most_characters=11500 # of the table: a caller may see only the end of stdout
grace=8 # seconds of a step's limit for interrupted programs to write their rows

die() {
  echo "first_gpu_run.sh: $*" >&2
  exit 2
}

export device=cuda programs=$root/.gpu
seconds_at_most=
while [[ ${1:-} == --* ]]; do
  [ $# -ge 2 ] || die "$1 must be followed by a value"
  case $1 in
  --device) device=$2 ;;
  --programs) programs=$(readlink -f "$2") ;;
  --seconds) seconds_at_most=$2 ;;
  *) die "the options are --device, --programs and --seconds, but there is $1" ;;
  esac
  shift 2
done
[[ $seconds_at_most =~ ^[0-9]*$ ]] || die "--seconds must be a number, but is $seconds_at_most"
[ "$device" != cpu ] || patience=5 # nobody waits for a CPU
part=${1:-}
[ $# -eq 0 ] || shift
case $part in
list) exec grep . <<<"$table" ;;
[123]) ;;
speed) part=4 ;;
*) die "PART must be 1, 2, 3, speed or list, but is '$part'" ;;
esac
for name in "$@"; do
  grep -q "^${part}[0-9]* $name " <<<"$table" || die "a STEP must be one of part $part (see list), but is '$name'"
done
[ -f "$programs/bin/sdbench" ] || die "the programs must be in $programs, but are not; run benchmarks/pack_for_gpu.sh"

out=${OUT:-$root/build/first_gpu_run}
mkdir -p "$out" || die "\$OUT must be a folder to write into, but is $out"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
work=$scratch/steps
mkdir "$work"
. "$here/gpu/machine.sh"

# Keeps the results so far in a form that may be cut off at any time. Without weights and images.
keep_results() {
  (cd "$work" && find . -type f -size +8M ! -name '*.safetensors' ! -name '*.png') >"$scratch/left_out"
  {
    cat "$work/verdicts"
    sed 's/^/too large for the archive: /' "$scratch/left_out"
    "$python" "$here/gpu/records.py" table "$work" $((most_characters - $(wc -c <"$work/verdicts")))
  } >"$out/part$part.txt.new" 2>&1
  mv "$out/part$part.txt.new" "$out/part$part.txt"
  tar -C "$work" -czf "$out/part$part.tar.gz.new" --exclude='*.safetensors' --exclude='*.png' --exclude=bin \
    --exclude-from="$scratch/left_out" .
  mv "$out/part$part.tar.gz.new" "$out/part$part.tar.gz"
}

# run_step NUMBER NAME SECONDS
run_step() {
  local step=$1_$2 limit=$3 folder=$work/$1_$2 begin=$SECONDS rc=0 outcome words notes
  mkdir "$folder"
  timeout -k "$grace" $((limit - grace)) \
    bash -c 'seconds=$4; trap "conclude; exit 124" TERM; cd "$2"; . "$0/gpu/measure.sh"; . "$0/gpu/part$1.sh"; "step_$3"; conclude; exit "$failed"' \
    "$here" "$part" "$folder" "$step" $((limit - grace)) </dev/null >"$folder/log" 2>&1 || rc=$?
  case $rc in
  0) outcome=ok ;;
  77) outcome="not possible here" ;;
  124 | 137) outcome="cut off at $limit s" ;;
  *) outcome=FAILED ;;
  esac
  if [ -e "$folder/verdict" ]; then words=$(tr '\n' ';' <"$folder/verdict"); else words=$(tail -n 1 "$folder/log"); fi
  notes=$(sed -n 's/^note  */ note: /p' "$folder/log" | sort -u | tr '\n' ';') # where sdbench deviated from the request
  printf '%s %-12s %-17s %3d s  %.900s%.400s\n' "$1" "$2" "$outcome" $((SECONDS - begin)) "$words" "$notes" | tee -a "$work/verdicts"
}

: >"$work/verdicts"
while read -r number name limit _; do
  [[ $number == "$part"* ]] || continue
  limit=$((patience * limit))
  left=$((${seconds_at_most:-$((patience * seconds_of[part]))} - SECONDS))
  if [ $# -gt 0 ]; then
    [[ " $* " == *" $name "* ]] || continue
    limit=$left
  fi
  if [ "$left" -lt $((grace + 5)) ]; then
    echo "$number $name: left out, because the part's time is up" | tee -a "$work/verdicts"
    continue
  fi
  run_step "$number" "$name" $((limit < left ? limit : left))
  keep_results
done <<<"$table"
echo
cat "$out/part$part.txt"
