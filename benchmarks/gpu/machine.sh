# shellcheck shell=bash
# Makes the machine at hand one on which the packed programs run as at a user's: sets python, and where they are needed links and
# LD_LIBRARY_PATH. Sourced by first_gpu_run.sh, which says what $programs, $root and $scratch are.

# The folder of the packages of a Python that has torch; looked for and not imported, which takes seconds.
torch_packages() {
  "$1" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("torch").origin).parents[1])' 2>/dev/null
}

# The machine's own Python where it has torch, else the one of the tests.
python=python3
torch_packages python3 >/dev/null || ! [ -x "$root/.deps/oracle/bin/python" ] || python=$root/.deps/oracle/bin/python
export python
export PYTHONDONTWRITEBYTECODE=1 HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1

# The packed programs look for libtorch where it lay when they were built ($programs/site_packages): links to the machine's own
# packages stand there. A folder that cannot be made is replaced by LD_LIBRARY_PATH, which is less like a user's machine.
link_libtorch() {
  local wanted machines
  wanted=$(cat "$programs/site_packages" 2>/dev/null) || return 0 # a build tree has its libtorch
  [ ! -e "$wanted/torch/lib/libtorch_cpu.so" ] || return 0
  machines=$(torch_packages "$python") || return 0
  if mkdir -p "$wanted" && ln -sfn "$machines/torch" "$machines/nvidia" "$machines/triton" "$wanted/"; then
    echo "libtorch: links in $wanted to $machines"
  else
    LD_LIBRARY_PATH=$machines/torch/lib$(printf ':%s' "$machines"/nvidia/*/lib)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    echo "libtorch: LD_LIBRARY_PATH=$LD_LIBRARY_PATH, because $wanted cannot be made"
  fi
}

programs_with_libraries() {
  find "$programs/bin" "$programs/libexec" "$programs/tests/engine_tests" "$programs/benchmarks/hot_operators" \
    "$programs/benchmarks/timing_cost" "$programs/benchmarks/kernel_times" -maxdepth 3 -type f -perm -u+x 2>/dev/null
}

missing_libraries() { programs_with_libraries | xargs ldd 2>/dev/null | awk '/not found/ { print $1 }' | sort -u; }

# Of the libraries that were packed those that the machine lacks, and no others: its own go first. A library may lack others.
add_missing_libraries() {
  local library found
  mkdir -p "$scratch/so"
  export LD_LIBRARY_PATH=$scratch/so${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  for _ in 1 2 3 4; do
    found=
    for library in $(missing_libraries); do
      [ -e "$programs/so/$library" ] && [ ! -e "$scratch/so/$library" ] || continue
      ln -s "$programs/so/$library" "$scratch/so/$library"
      found=1
    done
    [ -n "$found" ] || break
  done
}

# Packages that the machine's Python lacks for the tests and for other engines.
unpack_wheels() {
  local wheel
  for wheel in "$programs"/wheels/*.whl; do
    [ ! -e "$wheel" ] || "$python" -m zipfile -e "$wheel" "$scratch/site"
  done
  [ ! -d "$scratch/site" ] || export PYTHONPATH=$scratch/site${PYTHONPATH:+:$PYTHONPATH}
}

# On the way here files may have lost that they are programs.
[ ! -f "$programs/site_packages" ] || chmod -R u+x "$programs/bin" "$programs/libexec" "$programs/tests" "$programs/benchmarks"
export -f programs_with_libraries missing_libraries # for the step that looks at them
link_libtorch
[ ! -d "$programs/so" ] || add_missing_libraries
unpack_wheels
