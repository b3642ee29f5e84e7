# shellcheck shell=bash
# Configure and build; with nothing to do, a fraction of a second.

# build PRESET LIBTORCHES (folders, one a line) [TARGETS...]; without targets, all
build() {
  local preset=$1 folder=$root/build/$1 wanted=${2//$'\n'/;} before=
  shift 2
  [ -f "$folder/.configured" ] && before=$(cat "$folder/.configured")
  if [ "$before" != "$wanted" ] || [ ! -f "$folder/build.ninja" ]; then
    rm -rf "$folder/.configured" "$folder/libexec" # no worker of a libtorch that is no longer built for
    run_logged "$folder/configure.log" "configuring build/$preset" \
      env -C "$root" cmake --preset "$preset" "-DSDBENCH_TORCH_DIR=$wanted" || exit 1
    echo "$wanted" >"$folder/.configured"
  fi
  run_logged "$folder/build.log" "building build/$preset, some minutes the first time" \
    env -C "$root" cmake --build "$folder" -j "$(build_jobs)" ${1:+--target "$@"} || exit 1
}

# What is built is what sdbench runs: of a list in SDBENCH_LIBTORCH the first; of a path the worker that was built for it.
run_what_is_built() {
  case ${SDBENCH_LIBTORCH:-} in
  */*) unset SDBENCH_LIBTORCH ;;
  ?*) export SDBENCH_LIBTORCH=${SDBENCH_LIBTORCH%%,*} ;;
  esac
}
