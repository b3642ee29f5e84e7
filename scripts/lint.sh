#!/usr/bin/env bash
# clang-format and shellcheck over every tracked file; what each source includes; clang-tidy over every file of src/ (and so over the public
# headers). Changes nothing. Arguments: the folders of src/ for clang-tidy to look at; --format to leave out the last two, which take minutes;
# --includes to write the includes that are missing, and nothing else.
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
