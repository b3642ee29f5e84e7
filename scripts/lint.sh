#!/usr/bin/env bash
# Runs clang-format and shellcheck on every tracked file, checks the includes of each source, and runs clang-tidy on every file of src/ (and so on
# the public headers). Changes nothing. Arguments: the folders of src/ for clang-tidy; --format to omit the last two, which take minutes;
# --includes to write missing includes, and nothing else.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"

lock
ensure_system_packages "${run_packages[@]}" "${test_packages[@]}" "${benchmark_packages[@]}" "${fuzz_packages[@]}" "${lint_packages[@]}"
cd "$root"
if [ "${1:-}" != --includes ]; then
  git ls-files -z '*.h' '*.cpp' '*.js' | xargs -0 -n 40 -P "$(build_jobs)" clang-format --dry-run -Werror
  echo "clang-format: clean"
  git ls-files -z '*.sh' .ci/run .ci/stages .ci/full cmake/debian | xargs -0 shellcheck
  echo "shellcheck: clean"
  [ "${1:-}" != --format ] || exit 0
fi

libtorches=$(ensure_libtorches) || exit 1
libtorch=${libtorches%%$'\n'*} # the first of several
run_logged build/tidy/configure.log "configuring build/tidy" cmake --preset tidy "-DSDBENCH_TORCH_DIR=$libtorch" || exit 1
unlock

if [ "${1:-}" = --includes ]; then
  exec scripts/lib/includes.py build/tidy "$(build_jobs)" --fix
fi
scripts/lib/includes.py build/tidy "$(build_jobs)"
scripts/lib/tidy.py build/tidy "$(build_jobs)" "$@"
