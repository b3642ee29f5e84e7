# shellcheck shell=bash
# What fails, and what does each axis bring? The table of first_gpu_run.sh says what each step tells; measure.sh has the common parts.

# Kills the worker in the middle of a cell.
kill_worker() {
  local process worker=
  run_sdbench "${of_sd15[@]}" "${long[@]}" --label killed &
  process=$!
  for _ in $(seq 100); do
    worker=$(worker_of $process)
    [ -z "$worker" ] || break
    sleep 0.1
  done
  sleep 5
  kill -9 "$worker" || fail "the worker could not be killed"
  wait $process
}

step_201_failures() {
  local hog
  if [ "$device" != cpu ]; then
    run_sdbench "${of_sdxl[@]}" "${once[@]}" --batch 1024 --label "too large"
    expect_status "too large" oom_device
    hold_memory 15 300 # memory that was free when the cell began is gone when it computes
    run_sdbench "${of_sd15[@]}" --steps 20 --repeat 1 --warmup 0 --batch 16 --label "memory gone"
    kill "$hog"
    expect_status "memory gone" oom_device
  fi
  kill_worker
  expect_status killed crash
  measure "${of_sd15[@]}" "${once[@]}" --label "after all that"
}

step_202_stopping() {
  local cell=("${of_sd15[@]}" --graphs on "${long[@]}") begin
  relay_tree
  measure "${cell[@]}" --max-time 8 --label "max-time 8"
  verdict "--max-time 8: $(records label "max-time 8" stop_reason rows.jsonl) after" \
    "$("$python" "$gpu/event_times.py" span events.jsonl) s"
  before=(timeout --foreground -s INT 8) # one signal, because a second would end sdbench without a row
  begin=${EPOCHREALTIME/./}
  run_sdbench "${cell[@]}" --label "Ctrl-C"
  verdict "Ctrl-C: ended after $(((${EPOCHREALTIME/./} - begin) / 1000 - 8000)) ms"
  expect_status "Ctrl-C" interrupted
  # The worker's last message is the partial run. Without it, the cell did not stop within an image.
  [ "$(records label "Ctrl-C" partial_run rows.jsonl)" != None ] || fail "Ctrl-C: the row does not have the run that was cut short"
}

step_203_telemetry() {
  local logger= hog
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi --query-gpu=timestamp,power.draw,clocks.sm,temperature.gpu,utilization.gpu,memory.used --format=csv,noheader,nounits \
      -lms 100 >nvidia-smi.csv &
    logger=$!
  fi
  measure "${of_sd15[@]}" "${timed[@]}" --repeat 20 --telemetry samples.csv --label alone
  [ -z "$logger" ] || kill $logger
  tell "" records words rows.jsonl device_uuid telemetry_samples power_w_max energy_j energy_source j_per_image gpu_processes foreign_cpu_percent_mean steal_percent flags
  [ "$device" != cpu ] || return
  verdict "nvidia-smi: most watts $(cut -d , -f 2 nvidia-smi.csv | sort -n | tail -n 1)"
  hold_memory 60
  measure "${of_sd15[@]}" "${timed[@]}" --repeat 5 --label "beside another"
  kill "$hog"
  verdict "beside another: $(records label "beside another" gpu_processes rows.jsonl)"
}

step_204_vae_16bit() {
  local halves=fp16,bf16
  [ "$device" != cpu ] || halves=bf16
  measure --model "$sd15,$sdxl" --dtype $halves --steps 5 --repeat 2 --warmup 1 --save-images images
  tell "" records words rows.jsonl dtype_vae output_check vae_s
}

step_205_axes() {
  finally tell "" records axes rows.jsonl
  if [ "$device" = cpu ]; then
    measure "${of_sd15[@]}" "${once[@]}" --engine plain,tuned --kv-cache on,off
  else
    measure --config "$gpu/../sweeps/axes-gpu.json" --warmup 1
  fi
}
