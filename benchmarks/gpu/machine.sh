# shellcheck shell=bash
# Makes this machine one where the packed programs run like on a user's: sets python, and if needed links and
# LD_LIBRARY_PATH. first_gpu_run.sh sources this, and sets $programs, $root and $scratch.

# The folder of the packages of a Python with torch. Found without importing torch, which takes seconds.
torch_packages() {
  "$1" -c 'import importlib.util, pathlib; print(pathlib.Path(importlib.util.find_spec("torch").origin).parents[1])' 2>/dev/null
}

# The machine's own Python if it has torch, else that of the tests.
python=python3
torch_packages python3 >/dev/null || ! [ -x "$root/.deps/oracle/bin/python" ] || python=$root/.deps/oracle/bin/python
export python
export PYTHONDONTWRITEBYTECODE=1 HF_HUB_OFFLINE=1 TRANSFORMERS_OFFLINE=1

# The packed programs look for libtorch in its place at build time ($programs/site_packages). Links there lead to the machine's own
# packages. If that folder cannot be made, LD_LIBRARY_PATH replaces it, which is less like a user's machine.
link_libtorch() {
  local wanted machines
  wanted=$(cat "$programs/site_packages" 2>/dev/null) || return 0 # a build tree has its own libtorch
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

# Adds only those packed libraries that the machine lacks, because its own come first. A library may need others.
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

# Packages for the tests and for external engines that the machine's Python lacks.
unpack_wheels() {
  local wheel
  for wheel in "$programs"/wheels/*.whl; do
    [ ! -e "$wheel" ] || "$python" -m zipfile -e "$wheel" "$scratch/site"
  done
  [ ! -d "$scratch/site" ] || export PYTHONPATH=$scratch/site${PYTHONPATH:+:$PYTHONPATH}
}

# On the way here files may have lost the permission to execute.
[ ! -f "$programs/site_packages" ] || chmod -R u+x "$programs/bin" "$programs/libexec" "$programs/tests" "$programs/benchmarks"
export -f programs_with_libraries missing_libraries # for the step that checks them
link_libtorch
[ ! -d "$programs/so" ] || add_missing_libraries
unpack_wheels
