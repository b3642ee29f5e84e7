#!/usr/bin/env bash
# Tests the table of scripts/lib/choose_libtorch.sh with an nvidia-smi, or a libcuda, whose answers fit each case.
set -u
house=$(cd "$(dirname "$0")" && pwd)
script=$(cd "$house/../.." && pwd)/scripts/lib/choose_libtorch.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# Only the tools that the script needs: this machine's own nvidia-smi and libcuda must not answer.
mkdir "$folder/bin" "$folder/wsl"
for tool in bash cat dirname head sort uname wc; do ln -s "$(command -v $tool)" "$folder/bin/$tool"; done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$folder/bin/python3"
no_libcuda() { echo "no library" >"$folder/libcuda.so.1"; }
fake_libcuda() { "${CC:-cc}" -shared -fPIC -o "$folder/libcuda.so.1" "$house/fake_libcuda.c"; }

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
  } >"$folder/bin/nvidia-smi"
  chmod +x "$folder/bin/nvidia-smi"
}

# expect TITLE VERSION|refused "TEXT ON STDERR": runs the script and compares. `here` describes the simulated machine.
here=
expect() {
  local title=$1 wanted=$2 text=${3:-} got rc=0
  got=$(PATH=$folder/bin LD_LIBRARY_PATH=$folder bash -c ". '$script'
    machine=x86_64 python=3.12 wsl_nvidia_smi=$folder/wsl/nvidia-smi $here
    choose_libtorch" 2>"$folder/stderr") || rc=$?
  [ $rc -ne 1 ] || got=refused
  [ $rc -ne 3 ] || got+=" for now"
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

no_libcuda
expect "no GPU" 2.11.0

card "NVIDIA GeForce GTX 1050 Ti" 6.1 560.35.03 2.7.1
card "NVIDIA GeForce GTX 1050 Ti" 6.1 580.65.06 2.7.1
card "NVIDIA GeForce GTX 1050 Ti" 6.1 470.256.02 refused "must be 525 or newer"
card "Tesla M60" 5.2 535.183.01 2.7.1
card "Tesla P100-PCIE-16GB" 6.0 550.54.15 2.7.1
card "Tesla V100-SXM2-16GB" 7.0 535.183.01 2.7.1
card "Tesla V100-SXM2-16GB" 7.0 580.65.06 2.7.1
card "NVIDIA GeForce RTX 2060" 7.5 580.65.06 2.15.0
card "NVIDIA GeForce RTX 2060" 7.5 550.120 2.9.1
card "NVIDIA GeForce GTX 1660" 7.5 595.10 2.15.0
card "Tesla T4" 7.5 525.60.13 2.9.1
card "Tesla T4" 7.5 515.65.01 refused "update the driver"
card "NVIDIA A100-SXM4-80GB" 8.0 580.65.06 2.15.0
card "NVIDIA A100-SXM4-80GB" 8.0 535.54.03 2.9.1
card "NVIDIA GeForce RTX 3060" 8.6 580.82.07 2.15.0
card "NVIDIA GeForce RTX 3060" 8.6 575.57.08 2.9.1
card "NVIDIA L4" 8.9 580.65.06 2.15.0
card "NVIDIA L4" 8.9 550.90.07 2.9.1
card "NVIDIA H100 80GB HBM3" 9.0 580.65.06 2.15.0
card "NVIDIA H100 80GB HBM3" 9.0 535.104.05 2.9.1
card "NVIDIA H200" 9.0 580.65.06 2.15.0
card "NVIDIA B200" 10.0 580.65.06 2.15.0
card "NVIDIA B200" 10.0 570.124.06 2.9.1
card "NVIDIA B300 SXM6 AC" 10.3 580.95.05 2.15.0
card "NVIDIA GeForce RTX 5090" 12.0 580.65.06 2.15.0
card "NVIDIA GeForce RTX 5090" 12.0 570.86.10 2.9.1
card "Tesla K80" 3.7 525.60.13 refused "has code for Tesla K80 (compute capability 3.7)"

fake 580.65.06 "NVIDIA GeForce RTX 3060|8.6" "Tesla T4|7.5"
expect "two new cards" 2.15.0
fake 580.65.06 "Tesla V100-SXM2-16GB|7.0" "Tesla T4|7.5"
expect "an old and a new card take what serves both" 2.7.1
fake 580.65.06 "Tesla V100-SXM2-16GB|7.0" "NVIDIA GeForce RTX 5090|12.0"
expect "Volta beside Blackwell" 2.9.1
fake 580.65.06 "NVIDIA GeForce GTX 1080|6.1" "NVIDIA GeForce RTX 5090|12.0"
expect "cards that no wheel serves together" 2.15.0 "left out: NVIDIA GeForce GTX 1080 (compute capability 6.1)"
fake 580.65.06 "NVIDIA GeForce GTX 1080|6.1" "NVIDIA GeForce GTX 1070|6.1" "NVIDIA GeForce RTX 5090|12.0"
expect "most cards win" 2.7.1 "left out: NVIDIA GeForce RTX 5090"

printf '#!/bin/sh\necho "Failed to initialize NVML: Driver/library version mismatch"\nexit 18\n' >"$folder/bin/nvidia-smi"
expect "an nvidia-smi that fails" "2.11.0 for now" "no GPU of it can be used: nvidia-smi: Failed to initialize NVML: Driver/library version mismatch"
fake_libcuda
export FAKE_INIT=803 FAKE_CUDA=13000 FAKE_CAPABILITY=89
expect "neither nvidia-smi nor libcuda answers" "2.11.0 for now" "mismatch; libcuda: cuInit answers 803, system has unsupported"
export FAKE_INIT=0
expect "an nvidia-smi that fails beside a libcuda that answers" 2.15.0
cat >"$folder/bin/nvidia-smi" <<'FAKE'
#!/bin/sh
case "$1" in
*compute_cap*) echo 'Field "compute_cap" is not a valid field to query.'; exit 2 ;;
*) echo 390.157 ;;
esac
FAKE
expect "a driver too old to know compute_cap" refused "must be 525 or newer for this GPU, but is 390.157"


# Without nvidia-smi: WSL's, which sudo hides, else libcuda.
mv "$folder/bin/nvidia-smi" "$folder/wsl/nvidia-smi"
expect "WSL's nvidia-smi outside of PATH" refused "must be 525 or newer for this GPU, but is 390.157"
rm "$folder/wsl/nvidia-smi"

# libcuda TITLE INIT CUDA CAPABILITY VERSION ["TEXT"]
libcuda() {
  export FAKE_INIT=$2 FAKE_CUDA=$3 FAKE_CAPABILITY=$4
  expect "$1" "$5" "${6:-}"
}
libcuda "libcuda of driver 580" 0 13000 89 2.15.0
libcuda "libcuda of driver 595" 0 13020 120 2.15.0
libcuda "libcuda of driver 535" 0 12020 89 2.9.1
libcuda "libcuda of driver 535, Volta" 0 12020 70 2.7.1
libcuda "libcuda of driver 470" 0 11040 86 refused "must be 525 or newer for this GPU, but is that of CUDA 11.4"
libcuda "a GPU that no wheel serves" 0 12020 37 refused "no torch wheel for x86_64 has code for Fake GPU"
libcuda "a driver without a GPU" 100 13000 0 2.11.0
for code in 101 802 803 804 999; do
  libcuda "cuInit answers $code" $code 13000 89 "2.11.0 for now" "no GPU of it can be used: libcuda: cuInit answers $code, "
done
libcuda "the stub of a toolkit" 34 13000 89 "2.11.0 for now" "libcuda: cuInit answers 34, this is the stub of a CUDA toolkit and no driver"
CUDA_VISIBLE_DEVICES='' libcuda "GPUs that this process may not see" 0 13000 89 2.15.0

# The oldest Python, and aarch64: its wheels before 2.11 are for the CPU, without code for Turing or Jetson modules.
here=python=3.10 libcuda "Python 3.10" 0 13000 89 2.11.0
here=machine=aarch64
libcuda "GH200" 0 13000 90 2.15.0
libcuda "GB10" 0 13000 121 2.15.0
libcuda "Thor" 0 13000 110 2.15.0
libcuda "GH200 with an older driver" 0 12040 90 refused "must be 580 or newer for this GPU, but is that of CUDA 12.4"
libcuda "Orin" 0 12060 87 refused "no torch wheel for aarch64 has code for Fake GPU (compute capability 8.7)"
libcuda "T4G" 0 13000 75 refused "give your own libtorch with SDBENCH_LIBTORCH=PATH"

[ $failures -eq 0 ] && echo "all cases as expected"
exit $((failures > 0))
