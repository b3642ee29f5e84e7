# shellcheck shell=bash
# How fast is it, and what would make it faster? The table of first_gpu_run.sh says what each step tells; measure.sh has the common parts.

step_401_candidates() {
  finally tell "" records candidates candidates.jsonl
  # Less than the step's limit: torch starts, and the last case ends.
  "$python" "$gpu/candidates.py" candidates.jsonl --device "$device" --seconds $((seconds - 15)) || fail "candidates.py: exit code $?"
}

step_402_kernel_list() {
  local cell on=$device:0
  [ "$device" != cpu ] || on=cpu
  for cell in "${of_sd15[1]} ${of_sd15[3]%x*}" "${of_sdxl[1]} ${of_sdxl[3]%x*}"; do
    read -r model pixels <<<"$cell"
    "$programs/benchmarks/kernel_times" "$model" "$pixels" "$on" >"kernels-$model.txt" || fail "kernel_times $model: exit code $?"
    verdict "$model: $(sed -nE 's/^(by graphs)$/\1:/p; s/^(.*) kernels, (.*) ms in them, (.*) ms from .*/\1 kernels, \2 of \3 ms/p' \
      "kernels-$model.txt" | tr '\n' ' ')"
  done
}

own_kernel_names() {
  grep -A 1 '^ *SDBENCH_KERNEL' "$gpu/../../src/engine/kernels/gpu_kernels.cu" | grep -oE '\b[a-z][a-z_]+(##most)?\(' | sed 's/[#(].*//'
}

# Not racecheck: on an H100 the tool itself failed in this program, whichever kernel it checked.
memcheck() {
  local sanitizer name names=() filters=()
  sanitizer=$(find_tool compute-sanitizer)
  if [ -z "$sanitizer" ]; then
    verdict "memcheck: not possible here, because there is no compute-sanitizer"
    return
  fi
  mapfile -t names < <(own_kernel_names)
  for name in "${names[@]}"; do filters+=(--kernel-name "kernel_substring=$name"); done
  "$sanitizer" --tool memcheck --target-processes all --report-api-errors no --error-exitcode 9 "${filters[@]}" --log-file memcheck.txt \
    "$sdbench" --device "$device" --weights synthetic:0 --no-save --telemetry-interval 0 --model tiny-sd15,tiny-sdxl --size 64x64 --negative-prompt blurred \
    --graphs off --kernels own --steps 1 --repeat 1 --warmup 0 || fail "memcheck: exit code $?"
  verdict "memcheck of ${names[*]}: $(tail -n 1 memcheck.txt)"
}

step_403_sanitizer() {
  same_bits "$half" "${of_sd15[@]}"
  same_bits "$half" --model tiny-sdxl --size 64x64 --negative-prompt blurred
  memcheck
}

# In this order, because the last may be cut off.
step_404_rates() {
  local batch
  finally tell "" records words rows.jsonl unet_it_s step_s_min first_step_s achieved_tflops text_s vae_s images_per_min sm_clock_hz_mean power_w_mean throttle_reasons
  for batch in 1 8; do
    measure "${of_sd15[@]}" "${timed[@]}" --repeat 5 --batch $batch
    measure "${of_sdxl[@]}" "${timed[@]}" --repeat 5 --batch $batch
  done
}

step_405_operators() {
  local options=(cuda:0 '--benchmark_filter=fp16/(.*/own$|attention/vae)')
  [ "$device" != cpu ] || options=(cpu --benchmark_filter=bf16/add --benchmark_min_time=0.01)
  finally tell "" grep -m 1 'matrix product' log
  finally tell "" rates_of_operators
  "$programs/benchmarks/hot_operators" "${options[@]}" --benchmark_out=operators.json --benchmark_out_format=json ||
    fail "hot_operators: exit code $?"
}

# Milliseconds, and the rate beside the GPU's best.
rates_of_operators() {
  grep -E '^(fp|bf)16/' log | sed 's,/manual_time,,; s,^[^/]*/,,' | awk '{ for (i = 1; i <= NF; ++i) if ($i ~ /^%/) printf "%s %s ms %s, ", $1, $2, $i }'
}
