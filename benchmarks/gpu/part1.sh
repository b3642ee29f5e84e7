# shellcheck shell=bash
# Does it run, and are its numbers right? The table of first_gpu_run.sh says what each step tells; measure.sh has the common parts.

step_101_facts() {
  local tool found=() lacking devices
  nvidia-smi -q
  uname -a
  head -n 3 /etc/os-release
  nproc
  free -g
  "$python" -VV
  ldconfig -p | grep -E 'nvrtc|cudart|libcuda\.so'
  echo "LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}"
  programs_with_libraries | xargs ldd
  python3 "$gpu/../../scripts/lib/libcuda.py" gpus
  "$sdbench" --version || fail "sdbench --version: exit code $?"
  devices=$("$sdbench" list devices) || fail "list devices: exit code $?"
  echo "$devices"
  for tool in nvidia-smi compute-sanitizer unshare nvcc; do
    command -v $tool >/dev/null && found+=("$tool")
  done
  lacking=$(missing_libraries | tr '\n' ' ')
  [ -z "$lacking" ] || fail "libraries not found: $lacking"
  verdict "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo 'no nvidia-smi')"
  verdict "sdbench: $(head -n 1 <<<"$devices" | tr -s ' ')"
  verdict "tools: ${found[*]}"
  verdict "libtorch by choose_libtorch: $(bash "$gpu/../../scripts/lib/choose_libtorch.sh")"
}

# Runs a command that sees no folder of a CUDA toolkit.
without_toolkit() {
  mkdir -p empty
  unshare -m bash -c '
    for folder in $(realpath -e /usr/local/cuda* 2>/dev/null | sort -u); do mount --bind empty "$folder"; done
    exec "$@"' _ "$@"
}

# watch_libraries FILE COMMAND...: FILE gets the paths of the CUDA libraries that the worker maps meanwhile.
watch_libraries() {
  local file=$1 process worker
  shift
  "$@" &
  process=$!
  : >"$file.seen"
  while kill -0 $process 2>/dev/null; do
    for worker in $(worker_of $process); do
      grep -ohE '/.*/lib(nvrtc|nvrtc-builtins|cudart|cuda|cudnn[a-z_]*|cublas)\.so[.0-9]*' "/proc/$worker/maps"
    done >>"$file.seen" 2>/dev/null
    sleep 0.2
  done
  sort -u "$file.seen" >"$file"
  rm "$file.seen"
  wait $process
}

step_102_no_toolkit() {
  local cell=("$sdbench" --device "$device" --weights synthetic:0 -v -o "$PWD/rows.jsonl" --model tiny-sd15 --steps 4 --repeat 1)
  local hide=() label="toolkit seen" folders
  export XDG_CACHE_HOME=$PWD/cache # kernels compiled earlier would show nothing
  if unshare -m true; then hide=(without_toolkit) label="no toolkit"; fi
  watch_libraries mapped "${hide[@]}" "${cell[@]}" --engine plain,tuned --label "$label" || fail "$label: exit code $?"
  rm -rf cache
  watch_libraries mapped_with_toolkit "${cell[@]}" --label "as it is" || fail "as it is: exit code $?"
  tell "" records words rows.jsonl kernels_used kernels_obstacle attention_used
  folders=$(grep -E 'nvrtc|cudart' mapped | xargs -r dirname | sort -u | tr '\n' ' ')
  verdict "$label: NVRTC, its builtins and cudart from ${folders:-nowhere}"
  if [ "$device" != cpu ]; then
    [ "$(grep -c nvrtc mapped)" -ge 2 ] || fail "NVRTC and its builtins are not both mapped"
    [ "$(records label "$label" kernels_used rows.jsonl)" = own ] || fail "the kernels are not our own"
  fi
}

step_103_sdxl() {
  finally tell "" records words rows.jsonl unet_it_s achieved_tflops vae_s between_s load_s prepare_s peak_device_reserved_bytes
  measure "${of_sdxl[@]}" --engine tuned,plain "${timed[@]}" --repeat 3
  measure "${of_sd15[@]}" --engine tuned,plain "${timed[@]}" --repeat 5
}

step_104_golden() {
  finally tell "" records golden rows.jsonl
  measure --model "$models" --dtype "$dtypes" --engine plain "${once[@]}"
}

step_105_attention() {
  local kernels=auto,cudnn,flash,efficient
  [ "$device" != cpu ] || kernels=auto,flash
  measure "${of_sd15[@]}" --attention $kernels "${timed[@]}" --repeat 2
  tell "" records words rows.jsonl attention_used unet_it_s
}

step_106_same_bits() {
  local dtype
  for dtype in ${dtypes//,/ }; do same_bits "$dtype" "${of_sd15[@]}"; done
}

step_107_live_steps() {
  measure --model tiny-sd15 --size 64x64 --graphs off,on,loop "${lively[@]}" --repeat 3 --warmup 1
  tell "a step that waits for the host: " records words rows.jsonl graphs_used step_s_min
  relay_tree
  measure "${of_sd15[@]}" --graphs on "${lively[@]}" --repeat 2 --warmup 0 --label live
  tell "" "$python" "$gpu/event_times.py" silence events.jsonl
}

step_108_unit_tests() {
  local answer
  answer=$("$programs/tests/engine_tests" "[gpu]" 2>&1) || fail "engine_tests: exit code $?"
  echo "$answer"
  [[ $answer != *"skipped: there is no GPU"* ]] || impossible "there is no GPU"
  verdict "$(grep -E 'passed|failed' <<<"$answer" | tail -n 1)"
}
