#!/usr/bin/env bash
# The table of scripts/lib/choose_libtorch.sh, tried with an nvidia-smi that says what each case needs.
set -u
script=$(cd "$(dirname "$0")/../.." && pwd)/scripts/lib/choose_libtorch.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# fake DRIVER "NAME|CAPABILITY"...
fake() {
  local driver=$1 gpu
  shift
  {
    echo '#!/bin/sh'
    echo 'case "$1" in *compute_cap*) full=1 ;; *) full=0 ;; esac'
    for gpu in "$@"; do
      echo "if [ \$full = 1 ]; then echo '${gpu#*|}, $driver, ${gpu%|*}'; else echo '$driver'; fi"
    done
  } >"$folder/nvidia-smi"
  chmod +x "$folder/nvidia-smi"
}

# expect TITLE VERSION|refused "TEXT ON STDERR": runs the script, compares.
expect() {
  local title=$1 wanted=$2 text=${3:-} got rc=0
  got=$(PATH="$folder:/usr/bin:/bin" bash "$script" 2>"$folder/stderr") || rc=$?
  [ $rc -eq 0 ] || got=refused
  if [ "$got" != "$wanted" ] || [[ $(cat "$folder/stderr") != *"$text"* ]]; then
    echo "FAILED: $title: wanted $wanted${text:+ and \"$text\"}, but got $got and \"$(cat "$folder/stderr")\""
    failures=$((failures + 1))
  fi
  if [ -z "$text" ] && [ -s "$folder/stderr" ]; then
    echo "FAILED: $title: nothing was to be said, but it said \"$(cat "$folder/stderr")\""
    failures=$((failures + 1))
  fi
}

# card NAME CAPABILITY DRIVER VERSION
card() {
  fake "$3" "$1|$2"
  expect "$1 under driver $3" "$4" "${5:-}"
}

rm -f "$folder/nvidia-smi"
# The machine's own nvidia-smi, if any, must not answer here.
if ! PATH=/usr/bin:/bin command -v nvidia-smi >/dev/null; then
  expect "no GPU" 2.11.0
fi

card "NVIDIA GeForce GTX 1050 Ti" 6.1 560.35.03 2.7.1
card "NVIDIA GeForce GTX 1050 Ti" 6.1 580.65.06 2.7.1
card "NVIDIA GeForce GTX 1050 Ti" 6.1 470.256.02 refused "must be 525 or newer"
card "Tesla M60" 5.2 535.183.01 2.7.1
card "Tesla P100-PCIE-16GB" 6.0 550.54.15 2.7.1
card "Tesla V100-SXM2-16GB" 7.0 535.183.01 2.7.1
card "Tesla V100-SXM2-16GB" 7.0 580.65.06 2.7.1
card "NVIDIA GeForce RTX 2060" 7.5 580.65.06 2.11.0
card "NVIDIA GeForce RTX 2060" 7.5 550.120 2.9.1
card "NVIDIA GeForce GTX 1660" 7.5 595.10 2.11.0
card "Tesla T4" 7.5 525.60.13 2.9.1
card "Tesla T4" 7.5 515.65.01 refused "update the driver"
card "NVIDIA A100-SXM4-80GB" 8.0 580.65.06 2.11.0
card "NVIDIA A100-SXM4-80GB" 8.0 535.54.03 2.9.1
card "NVIDIA GeForce RTX 3060" 8.6 580.82.07 2.11.0
card "NVIDIA GeForce RTX 3060" 8.6 575.57.08 2.9.1
card "NVIDIA L4" 8.9 580.65.06 2.11.0
card "NVIDIA L4" 8.9 550.90.07 2.9.1
card "NVIDIA H100 80GB HBM3" 9.0 580.65.06 2.11.0
card "NVIDIA H100 80GB HBM3" 9.0 535.104.05 2.9.1
card "NVIDIA H200" 9.0 580.65.06 2.11.0
card "NVIDIA B200" 10.0 580.65.06 2.11.0
card "NVIDIA B200" 10.0 570.124.06 2.9.1
card "NVIDIA B300 SXM6 AC" 10.3 580.95.05 2.11.0
card "NVIDIA GeForce RTX 5090" 12.0 580.65.06 2.11.0
card "NVIDIA GeForce RTX 5090" 12.0 570.86.10 2.9.1
card "Tesla K80" 3.7 525.60.13 refused "no torch wheel has code for Tesla K80"

fake 580.65.06 "NVIDIA GeForce RTX 3060|8.6" "Tesla T4|7.5"
expect "two new cards" 2.11.0
fake 580.65.06 "Tesla V100-SXM2-16GB|7.0" "Tesla T4|7.5"
expect "an old and a new card take what serves both" 2.7.1
fake 580.65.06 "Tesla V100-SXM2-16GB|7.0" "NVIDIA GeForce RTX 5090|12.0"
expect "Volta beside Blackwell" 2.9.1
fake 580.65.06 "NVIDIA GeForce GTX 1080|6.1" "NVIDIA GeForce RTX 5090|12.0"
expect "cards that no wheel serves together" 2.11.0 "left out: NVIDIA GeForce GTX 1080 (compute capability 6.1)"
fake 580.65.06 "NVIDIA GeForce GTX 1080|6.1" "NVIDIA GeForce GTX 1070|6.1" "NVIDIA GeForce RTX 5090|12.0"
expect "most cards win" 2.7.1 "left out: NVIDIA GeForce RTX 5090"

printf '#!/bin/sh\necho "Failed to initialize NVML: Driver/library version mismatch"\nexit 18\n' >"$folder/nvidia-smi"
expect "an nvidia-smi that fails" 2.11.0 "Driver/library version mismatch"
cat >"$folder/nvidia-smi" <<'FAKE'
#!/bin/sh
case "$1" in
*compute_cap*) echo 'Field "compute_cap" is not a valid field to query.'; exit 2 ;;
*) echo 390.157 ;;
esac
FAKE
expect "a driver too old to know compute_cap" refused "must be 525 or newer for this GPU, but is 390.157"

[ $failures -eq 0 ] && echo "all cases as expected"
exit $((failures > 0))
