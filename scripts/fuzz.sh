#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs each for some seconds (first argument; 60), all at the same time.
# Starts from the seeds in tests/fuzz/corpus/NAME. Keeps new inputs in build/fuzz/NAME/, also one that fails.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/build.sh"
seconds=${1:-60}

lock
ensure_system_packages "${run_packages[@]}" "${fuzz_packages[@]}"
build fuzz "" fuzzers
unlock

cd "$root/build/fuzz"
declare -A running
for program in tests/fuzz/fuzz_*; do
  [ -x "$program" ] && [ -f "$program" ] || continue
  name=$(basename "$program")
  mkdir -p "$name/corpus"
  seeds=$root/tests/fuzz/corpus/${name#fuzz_}
  [ -d "$seeds" ] && cp "$seeds"/* "$name/corpus/"
  "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$name/" "$name/corpus" \
    >"$name/log" 2>&1 &
  running[$name]=$!
done
[ ${#running[@]} -gt 0 ] || die "build/fuzz must hold fuzz targets, but holds none"
failed=0
for name in "${!running[@]}"; do
  if wait "${running[$name]}"; then
    echo "$name: $(grep -E '^Done' "$name/log")"
  else
    failed=1
    echo "$name: failed"
    tail -n 40 "$name/log"
  fi
done
exit $failed
