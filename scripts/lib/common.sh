# shellcheck shell=bash
# Common to all scripts: the place of the checkout, messages (only to stderr, because stdout belongs to sdbench), logged commands.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export root
export CCACHE_DIR=${CCACHE_DIR:-$root/.cache/ccache}

# Settings for other Pythons must not reach those that the scripts start.
for name in "${!PYTHON@}"; do
  case $name in
  PYTHONPYCACHEPREFIX | PYTHONDONTWRITEBYTECODE) ;; # where compiled files go
  *) unset "$name" ;;
  esac
done
export PYTHONNOUSERSITE=1

say() { printf 'sdbench set-up: %s\n' "$*" >&2; }

die() {
  say "$*"
  exit 1
}

# run_logged LOG WHAT COMMAND...: output goes to LOG. Prints WHAT once the command has lasted a second, on a terminal with
# LOG's last line beside it. After a failure prints the end of LOG.
run_logged() {
  local log=$1 what=$2 rc=0 ticker
  shift 2
  mkdir -p "$(dirname "$log")"
  tick "$log" "$what" 8>&- &
  ticker=$!
  "$@" </dev/null >"$log" 2>&1 8>&- || rc=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  [ ! -t 2 ] || printf '\r\033[K' >&2
  if [ $rc -ne 0 ]; then
    tail -n 25 "$log" >&2
    say "failed: $what; the whole log is $log"
  fi
  return $rc
}

# Runs beside a command. Its sleeps hold no file of ours, because they may outlive the ticker by a second.
tick() {
  sleep 1 >/dev/null 2>&1
  say "$2 (log: $1)"
  while [ -t 2 ] && kill -0 $$ 2>/dev/null; do
    printf '\r\033[K  %.76s' "$(tail -c 400 "$1" 2>/dev/null | tr -d '\r' | tail -n 1)" >&2
    sleep 1 >/dev/null 2>/dev/null
  done
}

# Allows only one set-up at a time in a checkout. The lock ends with the script, or by unlock.
lock() {
  mkdir -p "$root/.deps" 2>/dev/null && { : >>"$root/.deps/setup.lock"; } 2>/dev/null ||
    die "the checkout must be writable for its set-up, but $root is not; clone it to a folder of yours"
  exec 8>>"$root/.deps/setup.lock"
  local taken=0
  flock -n -E 100 8 2>/dev/null || taken=$?
  if [ "$taken" -eq 100 ]; then # any other code: the file system has no locks
    say "waiting for another set-up in this checkout to end"
    flock 8
  fi
}

unlock() { exec 8>&-; }

# As many compilers as processors, but at most one per 1.5 GB of memory: libtorch's headers are large.
build_jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '$1 == "MemAvailable:" { print int($2 / 1500000) }' /proc/meminfo)
  [ "$memory" -lt 1 ] && memory=1
  echo $((cores < memory ? cores : memory))
}
