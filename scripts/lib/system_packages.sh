# shellcheck shell=bash
# System packages, with apt on Debian 12+ and Ubuntu 22.04+; elsewhere prints a list of packages to install.
# SDBENCH_SYSTEM_PACKAGES=skip continues with what is installed (CMake fetches CLI11, nlohmann_json, spdlog, SQLite, utf8proc, Chart.js,
# Catch2).

run_packages=(g++ cmake ninja-build python3 python3-venv git ca-certificates ccache libcli11-dev
  nlohmann-json3-dev libspdlog-dev libsqlite3-dev libutf8proc-dev libpng-dev libssl-dev libjs-chart.js)
# man-db renders the manual page. Debian's Chromium opens the pages of `sdbench report`. Ubuntu has it only as a snap, which does not work in
# containers: there install it by hand.
test_packages=(catch2 man-db)
if grep -qs '^ID=debian' /etc/os-release; then test_packages+=(chromium); fi
# torch.compile builds its kernels against Python's headers; benchmarks/hot_operators.cpp measures with Google Benchmark.
engine_packages=(python3-dev)
benchmark_packages=(libbenchmark-dev)
bundle_packages=(patchelf zstd)
deb_packages=(file dpkg-dev lintian zsh fish) # cpack uses the first two to find the libraries of a program; completion is tested in the shells
fuzz_packages=(clang libclang-rt-dev)
header_packages=(clang libomp-dev)
# A cluster in namespaces, for tests/cli/test_slurm_cluster.py.
slurm_packages=(slurmctld slurmd slurm-client munge iproute2)
lint_packages=(clang-format clang-tidy clang-tools-19 shellcheck)

# Those of "$@" that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
    *' installed') ;;
    *) echo "$package" ;;
    esac
  done
}

# Without apt, installs nothing: continues if the tools exist, else names everything.
check_other_system() {
  local tool lacking=()
  for tool in c++ cmake ninja python3 git; do
    command -v "$tool" >/dev/null || lacking+=("$tool")
  done
  [ ${#lacking[@]} -eq 0 ] && return
  say "this set-up installs packages on Debian 12+ and Ubuntu 22.04+ only; here, please install by hand:"
  say "  a C++20 compiler (g++ 11+), CMake 3.22+, ninja, Python 3.10+ with venv, git; the development files of libpng and"
  say "  OpenSSL; if packaged also CLI11, nlohmann_json, spdlog, SQLite, utf8proc, Catch2, Chart.js (else CMake fetches them), ccache"
  die "missing here: ${lacking[*]}; then run this again"
}

check_release() {
  local name=$1 version=$2 oldest=$3
  [ -z "$version" ] || [ "$(printf '%s\n' "$oldest" "$version" | sort -V | head -n 1)" = "$oldest" ] ||
    die "$name must be $oldest or newer, but is $version; use a newer system or a container"
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  "$@" apt-get -q -o DPkg::Lock::Timeout=300 update &&
    "$@" apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"
}

ensure_system_packages() {
  [ "$(uname -s)" = Linux ] || die "the system must be Linux, but is $(uname -s); sdbench reads /proc and runs on Linux only"
  [ "${SDBENCH_SYSTEM_PACKAGES:-}" = skip ] && return
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    check_other_system
    return
  fi
  local missing
  # shellcheck disable=SC2207 # names of packages have no blanks; not every container has /dev/fd
  missing=($(missing_packages "$@"))
  [ ${#missing[@]} -eq 0 ] && return
  (
    # shellcheck disable=SC1091
    . /etc/os-release
    case ${ID:-} in
    debian) check_release Debian "${VERSION_ID:-}" 12 ;;
    ubuntu) check_release Ubuntu "${VERSION_ID:-}" 22.04 ;;
    esac
  )
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo -v; }; }; then
      as_root=(sudo)
    else
      say "packages are missing and only root can install them: ${missing[*]}"
      say "as root: apt-get update && apt-get install -y ${missing[*]}"
      die "or go on with what is there: SDBENCH_SYSTEM_PACKAGES=skip $0"
    fi
  fi
  run_logged "$root/.deps/apt.log" "installing ${#missing[@]} system packages" apt_install "${as_root[@]}" ||
    die "the packages could not be installed: ${missing[*]}"
}
