#!/usr/bin/env bash
# Prints the version of the torch wheel that serves this machine's GPUs. GPUs that it does not serve go to stderr.
# Exit code 1, with what to do, if no wheel serves any GPU. Without an NVIDIA GPU, prints the default. If a driver exists
# but does not answer, prints the default, too, says so on stderr and exits with code 3.
set -euo pipefail

# version | machine | oldest driver | oldest Python | compute capabilities of its code; code for X.y also runs on X.z, z >= y.
# In order of preference: the first of the rows that serve the most GPUs is chosen. A Volta card gets 2.7.1, the wheel
# kept for old cards; the last row is for a Volta beside a card that 2.7.1 does not know.
# Drivers: every CUDA 13.x runs on 580 and newer, every CUDA 12.x on 525. aarch64's wheels before 2.11 are only for the CPU.
# Python: the libraries need none, but sdbench setup engine installs the same torch for external engines.
# Default without a GPU: the version of the tests' diffusers and of the published figures.
default_libtorch=2.11.0
libtorch_table="
2.15.0 | x86_64  | 580 | 3.11 | 7.5 8.0 8.6 9.0 10.0 12.0
2.11.0 | x86_64  | 580 | 3.10 | 7.5 8.0 8.6 9.0 10.0 12.0
2.15.0 | aarch64 | 580 | 3.11 | 8.0 9.0 10.0 11.0 12.0
2.11.0 | aarch64 | 580 | 3.10 | 8.0 9.0 10.0 11.0 12.0
2.9.1  | x86_64  | 525 | 3.10 | 7.5 8.0 8.6 9.0 10.0 12.0
2.7.1  | x86_64  | 525 | 3.9  | 5.0 6.0 7.0 7.5 8.0 8.6 9.0
2.9.1  | x86_64  | 525 | 3.10 | 7.0 7.5 8.0 8.6 9.0 10.0 12.0
"
# GPUs that run only code for their own capability: those of Jetson modules before Thor.
tegra_capabilities=" 5.3 6.2 7.2 8.7 "

lib=$(dirname "${BASH_SOURCE[0]}")
machine=$(uname -m)
python=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
wsl_nvidia_smi=/usr/lib/wsl/lib/nvidia-smi # sudo omits it from PATH

# version_at_least A B: A >= B, by numeric fields.
version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# serves CAPABILITY "LIST"
serves() {
  local entry
  if [[ $tegra_capabilities == *" $1 "* ]]; then
    [[ " $2 " == *" $1 "* ]]
    return
  fi
  for entry in $2; do
    [ "${entry%.*}" = "${1%.*}" ] && [ "${entry#*.}" -le "${1#*.}" ] && return 0
  done
  return 1
}

# nvidia_smi ARGUMENT...; returns 127 if it does not exist.
nvidia_smi() {
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi "$@"
  elif [ -x "$wsl_nvidia_smi" ]; then
    "$wsl_nvidia_smi" "$@"
  else
    return 127
  fi
}

# add_gpus LINES ("CAPABILITY, DRIVER, NAME"): adds to names, capabilities and driver. Returns 1 if no line has this form.
add_gpus() {
  local name capability driver_field
  while IFS=, read -r capability driver_field name; do
    [[ $capability =~ ^[0-9]+\.[0-9]+$ ]] || continue
    names+=("${name# }")
    capabilities+=("$capability")
    driver=${driver_field# }
  done <<<"$1"
  [ ${#names[@]} -gt 0 ]
}

# Both ask_... functions set `silence` to the reason if there is no answer.
ask_nvidia_smi() {
  local answer rc=0
  answer=$(nvidia_smi --query-gpu=compute_cap,driver_version,name --format=csv,noheader 2>&1) || rc=$?
  [ $rc -ne 127 ] || return 1
  if [ $rc -eq 0 ] && add_gpus "$answer"; then
    driver_words=$driver
    return
  fi
  # Drivers before 510 do not know the field compute_cap.
  driver=$(nvidia_smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || driver=
  if [[ $driver =~ ^[0-9]+\.[0-9.]+$ ]] && ! version_at_least "$driver" 510; then
    driver_words=$driver
    return
  fi
  silence+="${silence:+; }nvidia-smi: $(head -n 1 <<<"$answer")"
  return 1
}

# Containers that have only CUDA's part of the driver (NVIDIA_DRIVER_CAPABILITIES=compute) have no nvidia-smi.
ask_libcuda() {
  local answer
  if ! answer=$(python3 "$lib/libcuda.py" gpus 2>&1); then
    silence+="${silence:+; }${answer##*$'\n'}"
    return 1
  fi
  add_gpus "$answer" || return 1
  driver_words="that of CUDA $driver"
  case $driver in
  1[3-9].*) driver=580 ;;
  12.*) driver=525 ;;
  *) driver=450 ;;
  esac
}

# read_gpus: fills names, capabilities (both arrays), driver and driver_words. Returns 1 without an NVIDIA GPU, 3 if
# a driver exists but does not answer.
read_gpus() {
  local silence=
  names=() capabilities=() driver= driver_words=
  if ask_nvidia_smi || ask_libcuda; then
    return 0
  fi
  [ -n "$silence" ] || return 1
  echo "an NVIDIA driver is here, but no GPU of it can be used: $silence" >&2
  return 3
}

# Indices of the GPUs that a row's capabilities serve.
served_by() {
  local i
  for i in "${!capabilities[@]}"; do
    if serves "${capabilities[$i]}" "$1"; then echo "$i"; fi
  done
}

choose_libtorch() {
  local version where oldest oldest_python list best= best_list= best_count=0 known_driver= count i rc=0
  read_gpus || rc=$?
  if [ $rc -ne 0 ]; then
    echo "$default_libtorch"
    return $((rc == 1 ? 0 : rc))
  fi
  while IFS='|' read -r version where oldest oldest_python list; do
    version=${version// /} where=${where// /} oldest=${oldest// /} oldest_python=${oldest_python// /}
    [ "$where" = "$machine" ] && version_at_least "$python" "$oldest_python" || continue
    count=$(served_by "$list" | wc -l)
    if [ "$count" -gt 0 ] && { [ -z "$known_driver" ] || ! version_at_least "$oldest" "$known_driver"; }; then
      known_driver=$oldest
    fi
    version_at_least "$driver" "$oldest" || continue
    if [ "$count" -gt "$best_count" ]; then
      best=$version best_list=$list best_count=$count
    fi
  done <<<"$libtorch_table"

  if [ -z "$best" ]; then
    if [ -n "$known_driver" ] || [ ${#names[@]} -eq 0 ]; then
      echo "the NVIDIA driver must be ${known_driver:-525} or newer for this GPU, but is $driver_words: update the driver, or run on" \
        "the CPU with SDBENCH_LIBTORCH=$default_libtorch" >&2
    else
      echo "no torch wheel for $machine has code for ${names[0]} (compute capability ${capabilities[0]}): run on the CPU with" \
        "SDBENCH_LIBTORCH=$default_libtorch, or give your own libtorch with SDBENCH_LIBTORCH=PATH" >&2
    fi
    return 1
  fi
  for i in "${!capabilities[@]}"; do
    serves "${capabilities[$i]}" "$best_list" ||
      echo "left out: ${names[$i]} (compute capability ${capabilities[$i]}); libtorch $best has no code for it. One that has" \
        "it, for that GPU alone: SDBENCH_LIBTORCH=VERSION" >&2
  done
  echo "$best"
}

[ "${BASH_SOURCE[0]}" != "$0" ] || choose_libtorch
