#!/usr/bin/env bash
# Sets up what is missing, builds, and runs tests.
#   test.sh [--quick] [OPTIONS OF CTEST]     such as -R tokenizer
# Without --quick it runs every test, a quarter of an hour on two cores. --quick runs only the label `unit`: the C++ unit tests and
# the quick tests of the house. They take a minute after the build and need no Python packages, which are then not installed.
# SDBENCH_PRESET: another CMake preset than release. SDBENCH_LIBTORCH: versions or paths, separated by commas; each is tested.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"
preset=${SDBENCH_PRESET:-release}

refuse() {
  say "each argument must be --quick, --help or an option of ctest, but is $1; see test.sh --help"
  exit 2
}

# ctest ignores unknown options and runs every test. If ctest is not installed yet, this refuses nothing.
check_option() {
  local help known
  help=$(ctest --help 2>/dev/null) || return 0
  known=" $(grep -oE '(^  |, ?)--?[[:alnum:].-]+' <<<"$help" | tr -d ' ,' | tr '\n' ' ')"
  [[ $known == *" ${1%%=*} "* || $1 =~ ^-j[0-9]+$ ]] || refuse "$1"
}

quick=
options=()
for argument in "$@"; do
  case $argument in
  --quick) quick=yes ;;
  --help | -h)
    sed -n '2,/^here=/s/^# //p' "${BASH_SOURCE[0]}"
    exit 0
    ;;
  -*)
    check_option "$argument"
    options+=("$argument")
    ;;
  *) # the value of an option
    [ ${#options[@]} -gt 0 ] || refuse "$argument"
    options+=("$argument")
    ;;
  esac
done
tests=()
[ -z "$quick" ] || tests=(-L unit)

lock
ensure_system_packages "${run_packages[@]}" "${test_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
oracle=
if [ -z "$quick" ]; then # installs while the compilers work; its output goes through a pipe, because the terminal's line is the build's
  ensure_environment oracle 9 "${oracle_packages[@]}" 2> >(cat >&2) &
  oracle=$!
fi
build "$preset" "$libtorches" programs
build_tests "$preset" ${quick:+unit_tests}
[ -z "$oracle" ] || wait "$oracle" || exit 1
unlock

unset SDBENCH_LIBTORCH # the tests choose their worker themselves
cd "$root"
# One more than there are cores, because some tests wait.
exec ctest --preset "$preset" -j $(($(nproc) + 1)) "${tests[@]}" "${options[@]}"
