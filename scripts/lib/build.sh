# shellcheck shell=bash
# Configures and builds. Takes a fraction of a second if there is nothing to do.

# build PRESET LIBTORCHES (folders, one a line) [TARGETS...]; without targets, all
build() {
  local preset=$1 folder=$root/build/$1 wanted=${2//$'\n'/;} before=
  shift 2
  [ -f "$folder/.configured" ] && before=$(cat "$folder/.configured")
  if [ "$before" != "$wanted" ] || [ ! -f "$folder/build.ninja" ]; then
    rm -rf "$folder/.configured" "$folder/libexec" # removes workers of libtorches that are no longer built for
    run_logged "$folder/configure.log" "configuring build/$preset" \
      env -C "$root" cmake --preset "$preset" "-DSDBENCH_TORCH_DIR=$wanted" || exit 1
    echo "$wanted" >"$folder/.configured"
  fi
  run_logged "$folder/build.log" "building build/$preset, some minutes the first time" \
    env -C "$root" cmake --build "$folder" -j "$(build_jobs)" ${1:+--target "$@"} || exit 1
}

# build_tests PRESET [TARGETS...]: builds tests in a folder that `build` has made, beside the existing programs; without targets, all
build_tests() {
  local preset=$1 folder=$root/build/$1
  shift
  grep -q '^SDBENCH_BUILD_TESTS:BOOL=ON' "$folder/CMakeCache.txt" ||
    run_logged "$folder/configure_tests.log" "configuring the tests in build/$preset" cmake -DSDBENCH_BUILD_TESTS=ON "$folder" || exit 1
  run_logged "$folder/build_tests.log" "building the tests in build/$preset, some minutes the first time" \
    cmake --build "$folder" -j "$(build_jobs)" ${1:+--target "$@"} || exit 1
}

# Makes sdbench run what was built: for a list in SDBENCH_LIBTORCH the first one, for a path the worker that was built for it.
run_what_is_built() {
  case ${SDBENCH_LIBTORCH:-} in
  */*) unset SDBENCH_LIBTORCH ;;
  ?*) export SDBENCH_LIBTORCH=${SDBENCH_LIBTORCH%%,*} ;;
  esac
}

# put_link: ./sdbench in the checkout runs what run.sh built. Replaces only our own link, not a file or link of someone else.
put_link() {
  local link=$root/sdbench program=build/release/bin/sdbench
  case $(readlink "$link") in
  "$program") return 0 ;;
  build/*/bin/sdbench) ;;
  *)
    if [ -e "$link" ] || [ -L "$link" ]; then
      say "./sdbench is not a link of ours and stays as it is; the program is $program"
      return 0
    fi
    ;;
  esac
  ln -sfn "$program" "$link" || say "./sdbench cannot be made; the program is $program"
}
