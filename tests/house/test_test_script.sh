#!/usr/bin/env bash
# scripts/test.sh with a cmake, a ctest and a set-up of Python packages that log their arguments: tests which tests are built and run,
# and which words are refused before anything is set up.
set -u
checkout=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

# A separate checkout, whose build folder is configured without tests.
mkdir -p "$folder/bin" "$folder/libtorch" "$folder/build/release"
cp -r "$checkout/scripts" "$folder/scripts"
echo "ensure_environment() { echo \"environment \$1\" >>'$folder/asked'; }" >>"$folder/scripts/lib/python_packages.sh"
echo SDBENCH_BUILD_TESTS:BOOL=OFF >"$folder/build/release/CMakeCache.txt"
real_ctest=$(command -v ctest)
for tool in cmake ctest; do
  cat >"$folder/bin/$tool" <<FAKE
#!/bin/sh
[ "$tool \$*" = "ctest --help" ] && exec $real_ctest --help
echo "$tool \$*" >>"$folder/asked"
FAKE
done
chmod +x "$folder/bin/"*

# test_script ARGUMENTS...: returns its exit code; the tools' arguments are in `asked`.
test_script() {
  : >"$folder/asked"
  env -u SDBENCH_PRESET PATH="$folder/bin:$PATH" SDBENCH_SYSTEM_PACKAGES=skip SDBENCH_LIBTORCH="$folder/libtorch" \
    "$folder/scripts/test.sh" "$@" >"$folder/stdout" 2>"$folder/stderr"
}

fail() {
  echo "$*; it asks: $(cat "$folder/asked"); it says: $(cat "$folder/stdout" "$folder/stderr")"
  failures=$((failures + 1))
}

# asks TEXT / asks_not TEXT: `asked` must, or must not, have TEXT.
asks() { grep -qe "$1" "$folder/asked" || fail "'$1' must be asked for"; }
asks_not() { ! grep -qe "$1" "$folder/asked" || fail "'$1' must not be asked for"; }

test_script -R tokenizer || fail "every test must be run, but exit code $?"
asks '^environment oracle$'
asks '^ctest --preset release -j [0-9]* -R tokenizer$'
asks_not unit

for arguments in "--quick -R tokenizer" "-R tokenizer --quick"; do
  # shellcheck disable=SC2086 # words
  test_script $arguments || fail "$arguments: the quick tests must be run, but exit code $?"
  asks '^cmake --build .* --target unit_tests$'
  asks '^ctest --preset release -j [0-9]* -L unit -R tokenizer$'
  asks_not environment
done

for bad in --quik tokenizer -q "-R tokenizer --quick=1"; do
  # shellcheck disable=SC2086 # words
  test_script $bad
  [ $? -eq 2 ] || fail "$bad: the exit code must be 2"
  [ "$(wc -l <"$folder/stderr")" -eq 1 ] && [ ! -s "$folder/stdout" ] || fail "$bad: one line must say what is wrong"
  grep -q "but is ${bad##* }; " "$folder/stderr" || fail "$bad: the word must be named"
  [ ! -s "$folder/asked" ] || fail "$bad: nothing may be set up"
done
for good in -j3 -VV "-LE gpu" --rerun-failed "--repeat until-fail:2" --show-only=human; do
  # shellcheck disable=SC2086 # words
  test_script $good || fail "$good: ctest has it, but exit code $?"
done

for help in --help -h "--quick --help"; do
  # shellcheck disable=SC2086 # words
  test_script $help || fail "$help: the exit code must be 0"
  grep -qe --quick "$folder/stdout" && ! grep -q '^#' "$folder/stdout" || fail "$help: the help must name --quick"
  [ ! -s "$folder/asked" ] || fail "$help: nothing may be set up"
done

[ $failures -eq 0 ] || exit 1
echo "scripts/test.sh runs what it is asked to"
