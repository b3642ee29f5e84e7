#!/usr/bin/env bash
# Measures the operators that take most of the time, in the models' shapes, against this machine's peak. Sets up what is
# missing. Arguments: a device (cpu, cuda:0) and options of Google Benchmark, e.g. --benchmark_filter=bf16/attention
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"

lock
ensure_system_packages "${run_packages[@]}" "${benchmark_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
build release "$libtorches" programs
cd "$root/build/release"
run_logged configure_benchmarks.log "configuring the benchmarks" cmake -DSDBENCH_BUILD_BENCHMARKS=ON . || exit 1
run_logged build_benchmarks.log "building hot_operators" cmake --build . --target hot_operators || exit 1
unlock
exec benchmarks/hot_operators "$@"
