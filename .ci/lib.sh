# shellcheck shell=bash
# What .ci/stages and .ci/full share; sourced in the checkout's root.
. scripts/lib/common.sh
. scripts/lib/system_packages.sh
. scripts/lib/python_packages.sh
. scripts/lib/build.sh
times=build/stage_times # a line for each stage that ended, kept where one does not
mkdir -p build
: >"$times"

# tell_time NAME SECONDS STAT: with the part of their time since STAT, a line of /proc/stat, that the processors worked (not idle, nor waiting for a disk).
tell_time() {
  { echo "$3" && head -n 1 /proc/stat; } | awk -v "line=$1: $2 s" '
    { sign = NR == 1 ? -1 : 1; for (i = 2; i <= 9; i++) all += sign * $i; idle += sign * ($5 + $6) }
    END { printf "%s, %.0f %% of the processors\n", line, (all > 0 ? 100 * (all - idle) / all : 0) }'
}

# stage NAME COMMAND...: the first line of it that fails ends all.
stage() {
  local name=$1 start=$SECONDS before rc
  before=$(head -n 1 /proc/stat)
  shift
  echo "== $name"
  set +e # as a part of a condition the command would go on behind a line that fails
  (
    set -e
    "$@"
  )
  rc=$?
  set -e
  [ $rc -eq 0 ] || die "failed: $name, after $((SECONDS - start)) s"
  tell_time "$name" $((SECONDS - start)) "$before" >>"$times"
}

# no_warning LOG: of a build by the README's commands. They are errors here, and not to a user, whose compiler may know others.
# Left out is what GCC 12 says of its own std::string once it has inlined it (GCC bug 105651).
no_warning() {
  grep -q '] Building CXX' "$1" || die "$1 must be of a build from nothing, but is not"
  if grep 'warning:' "$1" | grep -vE '\[-W(restrict|stringop-overflow=?|stringop-overread)\]'; then
    die "$1 must have no warning, but has these"
  fi
}

# bundle OPTIONS...: made, and run as on a machine without a compiler, Python and network.
bundle() {
  scripts/bundle.sh "$@"
  # shellcheck disable=SC2012 # names of ours
  tests/house/test_bundle.sh "$(ls -t build/bundle/*.tar.zst | head -n 1)"
}

# Debian's package in build/package, in which lintian finds no error, and the wheels that it is set up from.
make_package() {
  ensure_system_packages "${deb_packages[@]}"
  cpack --config build/release/CPackConfig.cmake -B build/package
  lintian --fail-on error build/package/*.deb
  python3 tests/house/cpu_wheels.py "$(echo ".deps/libtorch-$(ls build/release/libexec/sdbench)"/lib/python*/site-packages)" build/package/wheels
}

# It is installed on this system, set up, run and removed.
try_package() {
  local wheel
  wheel=$(basename build/package/wheels/torch-*)
  tests/house/test_package.sh build/package/*.deb "$(cut -d - -f 2 <<<"$wheel")" build/package/wheels
}
