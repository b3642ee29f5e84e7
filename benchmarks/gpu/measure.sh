# shellcheck shell=bash
# Common to the steps of first_gpu_run.sh. Each runs in its own folder: its output is its log, rows.jsonl its
# records, and the lines of the file verdict are its result.
gpu=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sdbench=$programs/bin/sdbench
verdicts=$PWD/verdict
before=() # the command that starts sdbench
failed=0

# The usual cells of a GPU, in fp16, the default of --dtype there. On a CPU tiny models replace them.
if [ "$device" = cpu ]; then
  half=bf16 dtypes=bf16,fp32 models=tiny-sd15,tiny-sdxl sd15=tiny-sd15 sdxl=tiny-sdxl wide=192x192
  of_sd15=(--model "$sd15" --size 64x64) of_sdxl=(--model "$sdxl" --size 64x64)
  timed=(--steps 2 --warmup 0) long=(--steps 400 --repeat 1000) lively=(--steps 50)
else
  half=fp16 dtypes=fp16,bf16,fp32 models=tiny-sd15,tiny-sdxl,sd15,sd21,sd-turbo,sdxl,sdxl-turbo sd15=sd15 sdxl=sdxl wide=1536x1536
  of_sd15=(--model "$sd15" --size 512x512) of_sdxl=(--model "$sdxl" --size 1024x1024)
  timed=(--steps 20 --warmup 1) long=(--steps 1000 --repeat 1000) lively=(--steps 200)
fi
once=(--steps 2 --repeat 1 --warmup 0)

verdict() { printf '%s\n' "$*" >>"$verdicts"; }

# tell WORDS COMMAND...: prints the command's output after the words. The step fails if the command does.
tell() {
  local answer
  answer=$("${@:2}") || failed=1
  verdict "$1$answer"
}

# finally COMMAND...: the step's report at its end, however it ends.
at_end=()
finally() { at_end+=("$(printf '%q ' "$@")"); }
conclude() {
  local commands=("${at_end[@]}") command
  at_end=()
  for command in "${commands[@]}"; do eval "$command"; done
}

fail() {
  verdict "$*"
  failed=1
}

impossible() {
  verdict "$*"
  exit 77
}

records() { "$python" "$gpu/records.py" "$@"; }

run_sdbench() {
  echo "+ sdbench $*"
  "${before[@]}" "$sdbench" --device "$device" --weights synthetic:0 -v -o rows.jsonl "$@"
}

# measure OPTIONS...: makes rows with sdbench, all of which must be good.
measure() { run_sdbench "$@" || fail "exit code $?"; }

measure_any() { run_sdbench "$@" || true; }

# same_bits DTYPE --model MODEL OPTION...: latents by ways that must not change a bit, and how far those by ATen's kernels are from them.
same_bits() {
  local dtype=$1 model=$3
  shift
  mkdir "$model-$dtype"
  cd "$model-$dtype" || return
  measure --config "$gpu/same-bits.json" "$@" --dtype "$dtype" --steps 4 --repeat 2 --warmup 0
  tell "$model, $dtype: " "$python" "$gpu/latents.py" {off,on,loop,offload,aten}.safetensors
  cd ..
}

# Fails unless the row with this label has this status.
expect_status() {
  local status
  status=$(records label "$1" status rows.jsonl)
  if [ "$status" = "$2" ]; then verdict "$1: $2"; else fail "$1 must be $2, but is '$status'"; fi
}

children_of() {
  local child
  for child in $(pgrep -P "$1"); do
    echo "$child"
    children_of "$child"
  done
}

# The worker among the processes that this one started.
worker_of() {
  local child
  for child in $(children_of "$1"); do
    [[ $(readlink "/proc/$child/exe") == */sdbench-worker* ]] && echo "$child"
  done
}

# hold_memory OPTIONS...: starts hog.py and returns when it is ready; hog is its process.
hold_memory() {
  : >hog.txt
  "$python" "$gpu/hog.py" "$@" >hog.txt &
  hog=$!
  for _ in $(seq 200); do
    [ ! -s hog.txt ] || return 0
    sleep 0.1
  done
  fail "the process that holds memory does not start"
}

# A tool of the toolkit, on the PATH or in its usual places.
find_tool() { command -v "$1" || find /usr/local/cuda*/bin /opt/nvidia -name "$1" -perm -u+x 2>/dev/null | head -n 1; }

# Makes an installed sdbench whose worker is the real one behind a relay that records when each event comes.
relay_tree() {
  local worker folder
  worker=$(find "$programs/libexec/sdbench" -name sdbench-worker | sort -V | tail -n 1)
  folder=relay/libexec/sdbench/$(basename "$(dirname "$worker")")
  mkdir -p relay/bin relay/libexec/sdbench
  cp -r "${worker%/*}" relay/libexec/sdbench # the whole folder, not only the programs
  rm -f "$folder"/sdbench-worker*
  cp "$sdbench" relay/bin/
  printf '#!/bin/sh\nexec %q %q %q %q\n' "$(command -v "$python")" "$gpu/event_times.py" "$worker" "$PWD/events.jsonl" \
    >"$folder/sdbench-worker"
  chmod +x "$folder/sdbench-worker"
  export SDBENCH_SHARE=$programs/share/sdbench
  sdbench=$PWD/relay/bin/sdbench
}
