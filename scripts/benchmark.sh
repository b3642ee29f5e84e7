#!/usr/bin/env bash
# Measures sdbench beside diffusers (eager, compiled, with xFormers) and OpenVINO on the same weights: sets up what is missing (the programs, an
# environment for the peers), then has them take turns and prints the table of ratios. Options: --help.
# SDBENCH_PRESET: another CMake preset than release.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"

# A wrong option is told before anything is installed; where there is no Python yet, afterwards.
peers=$root/benchmarks/peers
preset=${SDBENCH_PRESET:-release}
requirements=
for argument in "$@"; do
  case $argument in
  -h | --help) exec python3 "$peers/options.py" --help ;;
  --) break ;;
  esac
done
if command -v python3 >/dev/null; then
  requirements=$(PYTHONDONTWRITEBYTECODE=1 python3 "$peers/options.py" "$@") || exit
fi

lock
ensure_system_packages "${run_packages[@]}" "${peer_packages[@]}"
requirements=${requirements:-$(PYTHONDONTWRITEBYTECODE=1 python3 "$peers/options.py" "$@")} || exit
libtorches=$(ensure_libtorches) || exit 1
libtorch=${libtorches%%$'\n'*} # the first of several, as in run.sh
torch=$(torch_requirement "$libtorch")
case $(cat "$root/.deps/peers/.complete" 2>/dev/null) in
"" | "$torch "*) ;;
*) rm -rf "$root/.deps/peers" ;; # what was added beside another torch may not go with this one
esac
ensure_environment peers 9 "$torch" "${peer_python_packages[@]}"
for requirement in $requirements; do
  add_package peers "$requirement" "$torch" || say "left out, because it cannot be installed: $requirement"
done
build "$preset" "$libtorches" programs
unlock

run_what_is_built
export PYTHONPYCACHEPREFIX=$root/build/python_cache # each module is compiled once, and nothing is left in the sources
exec "$root/.deps/peers/bin/python" "$peers/benchmark.py" --program "$root/build/$preset/bin/sdbench" "$@"
