# shellcheck shell=bash
# The tests, what needs memory, and external engines. The table of first_gpu_run.sh says what each step tells; measure.sh has the common parts.

# gpu_pytest OPTIONS...: interrupts pytest before the step's limit, so that it reports the failures so far.
gpu_pytest() {
  timeout --foreground -s INT $((seconds > SECONDS + 15 ? seconds - SECONDS - 12 : 3)) \
    "$python" -m pytest -v -p no:cacheprovider --basetemp="$PWD/pytest" --tb=short "$gpu/../../tests/cli/test_gpu.py" "$@"
  local rc=$?
  rm -rf pytest
  [ $rc -ne 77 ] || impossible "there is no GPU"
  [ $rc -eq 0 ] || fail "pytest: exit code $rc"
}

step_301_gpu_tests() {
  local clock="times or time or sensors or peaks or less_of_the_host" together=()
  export SDBENCH_PROGRAM=$sdbench SDBENCH_STUB_WORKER=none SDBENCH_FAKE_NVML_LIBRARY=none
  "$python" -c 'import xdist' 2>/dev/null && together=(-n 6) # each test waits for a worker to start
  finally tell "" said_by_pytest
  gpu_pytest -k "$clock"
  gpu_pytest -k "not ($clock)" "${together[@]}"
}

said_by_pytest() {
  grep -E '^=.* in [0-9.]+s' log | tr -d = | tr '\n' ','
  echo
  grep -oE 'FAILED .*::[^ ]*' log | sed 's/.*:://' | sort -u | tr '\n' ' '
}

step_302_memory() {
  finally tell "" records words rows.jsonl load_s e2e_s peak_device_reserved_bytes peak_host_bytes
  measure "${of_sdxl[@]}" "${once[@]}" --offload none,stages
  measure --model "$sd15" --size "$wide" "${once[@]}" --label whole
  measure --model "$sd15" --size "$wide" "${once[@]}" --vae-tiling --label tiles
  measure "${of_sdxl[@]}" "${once[@]}" --dtype "fp32,$half" --batch 8,1
}

step_303_quality() {
  local halves=fp16,bf16
  [ "$device" != cpu ] || halves=bf16
  "$sdbench" quality --device "$device" --weights synthetic:0 "${of_sd15[@]}" --dtype $halves --attention math,flash --steps 8 \
    --no-step-images --save-images study --records rows.jsonl -o quality.csv || fail "exit code $?"
  tell "" records words rows.jsonl psnr_db_min ssim_min latents_nmse
}

step_304_graph_memory() {
  measure --model tiny-sd15 "${once[@]}" --graphs on,loop --dtype "$dtypes" --rounds 4
  tell "" records growth rows.jsonl peak_device_allocated_bytes
}

step_305_timing_cost() {
  local options=(400 cuda:0)
  [ "$device" != cpu ] || options=(10 cpu)
  "$programs/benchmarks/timing_cost" "${options[@]}" || fail "timing_cost: exit code $?"
  verdict "$(grep -E '^(with|the layer)' log | cut -d , -f 1 | tr '\n' ',')"
}

step_306_reproduce() {
  measure "${of_sd15[@]}" "${timed[@]}" --telemetry samples.csv
  "$sdbench" reproduce rows.jsonl --no-save || fail "reproduce: exit code $?"
  "$sdbench" report rows.jsonl samples.csv -o report.html || fail "report: exit code $?"
  verdict "$(grep -m 1 -E 'the same|faster|slower|unclear' log)"
}

step_307_devices() {
  local count=2
  if [ "$device" = cpu ]; then
    device=cpu:0,cpu:1
  else
    command -v nvidia-smi >/dev/null || impossible "there is no nvidia-smi to tell the GPUs' UUIDs"
    count=$(nvidia-smi -L | grep -c ^GPU)
    CUDA_VISIBLE_DEVICES=$(nvidia-smi --query-gpu=uuid --format=csv,noheader | head -n 1) \
      measure --model tiny-sd15 --steps 4 --label "by UUID"
    device=all
  fi
  if [ "$count" -lt 2 ]; then
    measure --model tiny-sd15 --steps 4 --label all
    verdict "by UUID, all; in parallel: not possible here, for there is one GPU"
  else
    measure "${of_sd15[@]}" "${timed[@]}" --parallel --images 8
    tell "" records words rows.jsonl images_per_min scaling_efficiency
  fi
}

# Sets up external engines with the machine's own Python. Its packages may have other versions than the pinned ones; rows show which.
set_up_engines() {
  "$python" -c 'import diffusers, transformers' || impossible "the Python at hand has no diffusers"
  export SDBENCH_ENGINES=$PWD/engines XDG_CACHE_HOME=$PWD/cache
  finally rm -rf engines cache # gigabytes of weights
  "$sdbench" list engines --format json | "$python" "$gpu/own_environments.py" "$python" || fail "list engines: exit code $?"
}

tell_engines() { finally tell "" records words rows.jsonl unet_it_s e2e_s prepare_s agreement_rel_err runtime_version; }

# True if this Python has the CUDA provider; otherwise the step says so and continues.
has_onnxruntime_gpu() {
  "$python" -c 'import onnx, onnxruntime, onnxscript; assert "CUDAExecutionProvider" in onnxruntime.get_available_providers()' 2>/dev/null ||
    { verdict "the Python at hand has no onnxruntime-gpu: its engine is not tried" && false; }
}

step_308_engines_live() {
  set_up_engines
  tell_engines
  measure --model "${models%%,sd15*}" --engine tuned,pytorch --dtype "$dtypes" "${once[@]}"
  measure --model tiny-sd15 --engine pytorch-compile "${once[@]}" --rounds 2
  if has_onnxruntime_gpu; then
    measure --model tiny-sd15 --engine onnxruntime --dtype "$half,fp32" "${once[@]}"
  fi
}

step_309_engines() {
  set_up_engines
  tell_engines
  if [ "$device" = cpu ]; then
    measure "${of_sd15[@]}" --engine tuned,pytorch "${once[@]}"
    return
  fi
  # First, with all the time that it takes: its search may take minutes. Then the others, and it again with what it has kept.
  measure "${of_sd15[@]}" --engine pytorch-compile "${timed[@]}" --repeat 5
  measure "${of_sd15[@]}" --engine tuned,pytorch "${timed[@]}" --repeat 5
  measure "${of_sdxl[@]}" --engine tuned,pytorch "${timed[@]}" --repeat 3
  measure "${of_sd15[@]}" --engine tuned,pytorch-compile "${timed[@]}" --repeat 5
  if has_onnxruntime_gpu; then
    measure "${of_sd15[@]}" --engine tuned,onnxruntime "${timed[@]}" --repeat 5
  fi
}

has_several_gpus() { [ "$(nvidia-smi -L | grep -c ^GPU)" -ge 2 ]; }

step_310_networks() {
  local quick=(--repeat 2 --warmup 1 --batch 16 --iterations 5) large=vgg16,resnet152,densenet161 formats="$dtypes,autocast-$half"
  if [ "$device" = cpu ]; then
    large=tiny-vgg formats=$dtypes
  fi
  measure --model tiny-vgg,tiny-resnet,tiny-densenet,tiny-cnn,tiny-wrn --task infer,train --update on,off --dtype "$formats" "${quick[@]}"
  measure --model "$large" --task infer,train --engine tuned,plain --dtype "fp32,$half" --cudnn-benchmark on "${quick[@]}"
  measure --model "$large" --task infer,train --dtype fp32 --tf32 conv,on "${quick[@]}"
  measure --model tiny-wrn --task train --epochs 2 --data synthetic:2000 --data-place host,device --dtype "$formats" --batch 128
  if [ "$device" = cpu ]; then
    device=cpu:0,cpu:1
  elif has_several_gpus; then
    device=all
  else
    verdict "training on several GPUs: not possible here, for there is one"
    return
  fi
  measure --model tiny-wrn --task infer,train --dtype "$formats" --parallel "${quick[@]}"
  measure --model tiny-wrn --task train --epochs 2 --data synthetic:2000 --batch 128 --parallel
  tell "" records words rows.jsonl images_per_min scaling_efficiency
}

# The same steps of SGD by each available engine, and by plain on the CPU. Only rounding makes their losses differ.
compare_losses() {
  local steps=(--model tiny-resnet --task train --update on --dtype fp32 --batch 16 --iterations 5 --repeat 1 --warmup 0 --label losses) engines=tuned,plain
  if "$python" -c 'import diffusers, transformers' 2>/dev/null; then
    set_up_engines
    engines+=,pytorch
  else
    verdict "losses: the Python at hand has no diffusers, and PyTorch's is not compared"
  fi
  measure "${steps[@]}" --engine "$engines"
  device=cpu measure "${steps[@]}" --engine plain
  tell "losses of $engines on $device and of plain on the CPU: " records spread losses loss_last 1e-3 rows.jsonl
}

# kill_one_of DEVICES: kills a worker while two train one network; each device must have its row.
kill_one_of() {
  local process statuses runs=100 # seconds on a GPU, in which the worker must be caught
  [[ $1 == cuda* ]] || runs=10
  device=$1 run_sdbench --model tiny-resnet --task train --update on --batch 8 --warmup 0 --iterations 20 --repeat $runs --parallel --timeout 30 \
    --label killed >killed.log 2>&1 &
  process=$!
  for _ in $(seq 600); do
    ! grep -q "$(cut -d , -f 2 <<<"$1"): measure" killed.log || break
    sleep 0.1
  done
  kill -9 "$(worker_of $process | tail -n 1)" || fail "no worker could be killed"
  wait $process
  statuses=$(records statuses killed rows.jsonl)
  if [ "$statuses" = "crash error error ok ok" ]; then
    verdict "a worker killed in training: a row each"
  else # each device alone, together, and the sum
    fail "a worker killed in training must leave two good rows, a crash and two errors, but leaves $statuses"
  fi
}

step_311_training() {
  compare_losses
  if [ "$device" = cpu ]; then
    kill_one_of cpu:0,cpu:1
  elif has_several_gpus; then
    kill_one_of cuda:0,cuda:1
  else
    verdict "a worker killed in training: not possible here, for there is one GPU"
  fi
}
