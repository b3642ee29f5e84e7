#!/usr/bin/env bash
# Sets up what is missing, builds, and runs every test. Arguments go to ctest, e.g. -R tokenizer.
# SDBENCH_PRESET: another CMake preset than release. SDBENCH_LIBTORCH: versions or paths, by commas; each is tested.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"
preset=${SDBENCH_PRESET:-release}

lock
ensure_system_packages "${run_packages[@]}" "${test_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
# The oracle is downloaded and unpacked while the compilers work. Its words go through a pipe: a terminal's line is the build's.
ensure_environment oracle 9 "${oracle_packages[@]}" 2> >(cat >&2) &
oracle=$!
build "$preset" "$libtorches" programs
build_tests "$preset"
wait "$oracle" || exit 1
unlock

unset SDBENCH_LIBTORCH # the tests choose their worker themselves
cd "$root"
# One more than there are cores, for some tests wait.
exec ctest --preset "$preset" -j $(($(nproc) + 1)) "$@"
