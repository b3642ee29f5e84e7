#!/usr/bin/env bash
# Prints the version of the torch wheel that serves this machine's GPUs; what it leaves out goes to stderr.
# Exit code 1, with what to do, where no wheel serves any of them. Without an NVIDIA GPU: the default.
set -euo pipefail

# version | oldest driver | compute capabilities it has code for; code for X.y also runs on X.z, z >= y.
# In order of preference: of the rows that serve the most GPUs, the first is taken. A Volta card gets 2.7.1, the wheel
# kept for old cards; the last row is for a Volta beside a card that 2.7.1 does not know.
# Drivers: CUDA 13 needs 580; every CUDA 12.x runs on 525 and newer.
default_libtorch=2.11.0
libtorch_table="
2.11.0 | 580 | 7.5 8.0 8.6 9.0 10.0 12.0
2.9.1  | 525 | 7.5 8.0 8.6 9.0 10.0 12.0
2.7.1  | 525 | 5.0 6.0 7.0 7.5 8.0 8.6 9.0
2.9.1  | 525 | 7.0 7.5 8.0 8.6 9.0 10.0 12.0
"

# version_at_least A B: A >= B, by numeric fields.
version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# serves CAPABILITY "LIST"
serves() {
  local entry
  for entry in $2; do
    [ "${entry%.*}" = "${1%.*}" ] && [ "${entry#*.}" -le "${1#*.}" ] && return 0
  done
  return 1
}

# read_gpus: fills names, capabilities (both arrays) and driver. Returns 1 where there is no NVIDIA GPU to ask.
read_gpus() {
  local answer name capability driver_field
  names=() capabilities=() driver=
  command -v nvidia-smi >/dev/null || return 1
  if ! answer=$(nvidia-smi --query-gpu=compute_cap,driver_version,name --format=csv,noheader 2>&1); then
    # Drivers before 510 do not know the field compute_cap.
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1) || driver=
    if [[ $driver =~ ^[0-9]+\.[0-9.]+$ ]] && ! version_at_least "$driver" 510; then
      return 0
    fi
    echo "nvidia-smi does not answer, so the GPU cannot be used: $(head -n 1 <<<"$answer")" >&2
    driver=
    return 1
  fi
  while IFS=, read -r capability driver_field name; do
    [[ $capability =~ ^[0-9]+\.[0-9]+$ ]] || continue
    names+=("${name# }")
    capabilities+=("$capability")
    driver=${driver_field# }
  done <<<"$answer"
  [ ${#names[@]} -gt 0 ]
}

# The indices of the GPUs that a row's capabilities serve.
served_by() {
  local i
  for i in "${!capabilities[@]}"; do
    if serves "${capabilities[$i]}" "$1"; then echo "$i"; fi
  done
}

choose_libtorch() {
  local version oldest list best= best_list= best_count=0 known_driver= count i
  if ! read_gpus; then
    echo "$default_libtorch"
    return
  fi
  while IFS='|' read -r version oldest list; do
    version=${version// /} oldest=${oldest// /}
    [ -n "$version" ] || continue
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
      echo "the NVIDIA driver must be ${known_driver:-525} or newer for this GPU, but is $driver: update the driver, or run on" \
        "the CPU with SDBENCH_LIBTORCH=$default_libtorch" >&2
    else
      echo "no torch wheel has code for ${names[0]} (compute capability ${capabilities[0]}): run on the CPU with" \
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
