#!/usr/bin/env bash
# Packs everything that first_gpu_run.sh needs on a GPU's machine, which cannot fetch or build anything, into .gpu/: the installed programs,
# tests and benchmarks, stripped, the system libraries that they need, and Python packages. Sets up and builds what is missing, with the
# libtorch of that machine's Python: SDBENCH_LIBTORCH=2.11.0. SDBENCH_PRESET: another CMake preset than dev, with tests.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/../scripts/lib/common.sh"
. "$here/../scripts/lib/system_packages.sh"
. "$here/../scripts/lib/python_packages.sh"
. "$here/../scripts/lib/build.sh"
export SDBENCH_LIBTORCH=${SDBENCH_LIBTORCH:-2.11.0}
preset=${SDBENCH_PRESET:-dev}
built=$root/build/$preset
most_bytes=$((60 << 20))

lock
ensure_system_packages "${run_packages[@]}" "${test_packages[@]}" "${benchmark_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
# Uses a build for several libtorches unchanged if this is the first of them.
[[ "$(cat "$built/.configured" 2>/dev/null);" == "$libtorches;"* ]] || build "$preset" "$libtorches"
run_logged "$built/build.log" "building what goes to the GPU's machine" cmake --build "$built" -j "$(build_jobs)" --target \
  sdbench sdbench-worker sdbench-worker-cpu engine_tests hot_operators timing_cost kernel_times || exit 1
unlock

packed=$root/.gpu
rm -rf "$packed"
mkdir -p "$packed/so" "$packed/wheels"
cp -rL "$built/share" "$packed"
worker=libexec/sdbench/$SDBENCH_LIBTORCH/sdbench-worker
programs=(bin/sdbench "$worker" "$worker-cpu" tests/engine_tests benchmarks/hot_operators benchmarks/timing_cost
  benchmarks/kernel_times)
mkdir -p "$packed/libexec/sdbench"
cp -r "$built/libexec/sdbench/$SDBENCH_LIBTORCH" "$packed/libexec/sdbench" # the whole folder, not only the programs
for program in "${programs[@]}"; do
  mkdir -p "$packed/${program%/*}"
  strip -o "$packed/$program" "$built/$program"
done

# The place where the programs look for libtorch's packages. The GPU's machine puts links to its own there.
site_packages=$(readelf -d "$packed/$worker" | sed -n 's|.*path: \[\([^]:]*\)/torch/lib[]:].*|\1|p')
[ -n "$site_packages" ] || die "the worker must look for libtorch in a wheel's folder, but does not"
echo "$site_packages" >"$packed/site_packages"
# The other libraries, except those of every machine with a compiler.
(cd "$packed" && ldd "${programs[@]}") | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
  grep -vE "^$root/|/(libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so" | xargs cp -L -t "$packed/so"

# Packages that the GPU machine's Python lacks.
find_uv || true # makes the environment that has pip
for package in "${oracle_packages[@]}" importlib_metadata; do
  [[ $package != diffusers* && $package != importlib_metadata ]] ||
    run_logged "$built/wheels.log" "fetching $package" "$root/.deps/tools/bin/python" -m pip download -q --no-deps \
      --only-binary=:all: -d "$packed/wheels" "$package" ||
    say "left out, because it cannot be fetched: $package; other engines and some tests need it"
done

tree=$(cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 stat -c %s | awk '{ sum += $1 } END { print sum }')
bytes=$(du -sb "$packed" | cut -f 1)
say "packed $((bytes >> 10)) KiB in .gpu, beside $((tree >> 10)) KiB of the checkout"
du -b -d 1 "$packed" | sort -n | awk '{ printf "%12d  %s\n", $1, $2 }' >&2
[ $((bytes + tree)) -le $most_bytes ] || die "all that travels must be at most $most_bytes bytes, but is $((bytes + tree))"
say "take .gpu along; there, in the checkout, one after the other (OUT=FOLDER says where results go):"
for part in 1 2 3 speed '3 engines'; do
  echo "bash benchmarks/first_gpu_run.sh $part"
done
