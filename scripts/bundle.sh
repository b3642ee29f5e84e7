#!/usr/bin/env bash
# Packs one .tar.zst that runs from any folder of an x86-64 machine, without a network, a compiler or Python, and its SHA-256.
#   bundle.sh [--libtorch VERSION[,VERSION]] [--cpu]     into build/bundle
# Without --cpu it includes the libraries for GPUs, some 3 GB unpacked. SDBENCH_PRESET: another CMake preset than release. The oldest usable glibc
# follows from the files, and is printed: 2.35 if made on Debian 12 or Ubuntu 22.04.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"
built=$root/build/${SDBENCH_PRESET:-release}
oldest_glibc=2.35
most_cpu_bytes=400000000
glibc_libraries='libc|libm|libdl|libpthread|librt|libutil|libresolv|ld-linux-x86-64'
# Not needed by our programs: torch's Python, profilers, other interfaces to the same libraries, networks between machines.
not_packed='libtorch_python|libshm|libtorch_global_deps|libtorch[.]so|libnvperf|libcheckpoint|libpcsamplingutil|[.]alt[.]|libcufftw|libnvblas|libcusolverMg'
not_packed+='|libnvtx3interop|libcufile_rdma|nvshmem_(bootstrap|transport)'

usage() {
  sed -n '3p' "${BASH_SOURCE[0]}" | cut -c 3- >&2
  exit 2
}

parse_arguments() {
  kind=gpu
  while [ $# -gt 0 ]; do
    case $1 in
    --cpu) kind=cpu ;;
    --libtorch)
      [ $# -gt 1 ] || usage
      export SDBENCH_LIBTORCH=$2
      shift
      ;;
    *) usage ;;
    esac
    shift
  done
  [ "$(uname -m)" = x86_64 ] || die "a bundle must be made on x86-64, but this machine is $(uname -m)"
}

# The highest version of glibc that files need.
wanted_glibc() { readelf -V "$@" 2>/dev/null | sed -n 's|.*Name: GLIBC_\([0-9.]*\) .*|\1|p' | sort -Vu | tail -n 1; }

is_at_most() { [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$2" ]; }

# The files that programs load, one on each line.
loaded_by() { ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u; }

# put_libtorch VERSION: its libraries, in the same places as in the wheel, because there they find one another.
put_libtorch() {
  local version=$1 worker=$folder/libexec/sdbench/$1 packages file place places= path
  packages=$(cut -d : -f 1 "$worker/library-path")
  packages=${packages%/torch/lib}
  [ -f "$packages/torch/version.py" ] || die "libtorch must be the torch wheel's to be packed, but $packages has no torch/version.py"
  [ $kind != cpu ] || mv "$worker/sdbench-worker-cpu" "$worker/sdbench-worker"
  {
    loaded_by "$worker"/sdbench-worker* | grep -F "$packages/"
    [ $kind = cpu ] || find "$packages/torch/lib" "$packages"/nvidia/*/lib -name '*.so*' -type f | grep -vE "/[^/]*($not_packed)[^/]*$"
  } | xargs -d '\n' realpath --relative-base="$packages" | sort -u >"$folder.files"
  while read -r file; do
    mkdir -p "$folder/libtorch/$version/${file%/*}"
    cp --reflink=auto "$packages/$file" "$folder/libtorch/$version/$file"
    places+="${file%/*}"$'\n'
  done <"$folder.files"
  rm "$folder.files"
  for file in "$packages"/{torch,nvidia}*.dist-info/{,licenses/}{LICENSE,License.txt}; do
    [ ! -f "$file" ] || cp "$file" "$folder/libtorch/$version/$(basename "${file%.dist-info/*}").licence"
  done
  # The same order as in the wheel and in the build.
  path=../../../lib
  while read -r place; do
    place=$(realpath -m --relative-base="$packages" "$place")
    ! grep -qx "$place" <<<"$places" || path+=:../../../libtorch/$version/$place
  done < <(tr : '\n' <"$worker/library-path")
  echo "$path" >"$worker/library-path"
}

# The other libraries that the programs load, except glibc, with the licences of their packages.
put_libraries() {
  local file package documents=$folder/share/doc/sdbench
  mkdir -p "$folder/lib" "$documents"
  cp "$root/LICENSE" "$documents/"
  while read -r file; do
    cp -L "$file" "$folder/lib/"
    package=$(dpkg-query -S "$(realpath "$file")" 2>/dev/null | cut -d : -f 1) || package=
    [ -z "$package" ] || cp -L "/usr/share/doc/$package/copyright" "$documents/copyright.$package"
  done < <(loaded_by "$folder/bin/sdbench" "$folder"/libexec/sdbench/*/sdbench-worker* | grep -vE "/torch/lib/|/nvidia/|/($glibc_libraries)[.]so")
}

# Debian 12's libstdc++ needs a newer glibc than everything else, for one function. The bundle brings that function.
put_older_libstdcxx() {
  local library=$folder/lib/libstdc++.so.6 newest
  newest=$(wanted_glibc "$library")
  is_at_most "$newest" $oldest_glibc && return
  [ "$(nm -D "$library" | grep -oE "[a-z0-9_]+@GLIBC_$newest")" = arc4random@GLIBC_2.36 ] || return 0 # a newer system's: the needed version is printed
  gcc -O2 -shared -fPIC -Wl,-soname,libgetrandom.so "$here/lib/getrandom.c" -o "$folder/lib/libgetrandom.so"
  python3 "$here/lib/older_glibc.py" "$library" GLIBC_2.36 GLIBC_2.34
  patchelf --add-needed libgetrandom.so "$library"
}

# The program that people start. It says in one line what the loader would say in many.
put_launcher() {
  sed "s/GLIBC_MINOR/${1#2.}/g" >"$folder/sdbench" <<'LAUNCHER'
#!/bin/sh
# Starts the sdbench of this folder, wherever that lies; a link to this file does, too.
fail() {
  echo "sdbench: $*" >&2
  exit 1
}
here=$(dirname "$(readlink -f "$0")")
[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || fail "this bundle is for Linux on x86-64, but this machine is $(uname -s) on $(uname -m)"
glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
case $glibc in
"glibc 2."*) ;;
*) fail "glibc must be 2.GLIBC_MINOR or newer, but this system has another C library; use a container with Debian 12 or newer" ;;
esac
minor=${glibc#glibc 2.}
[ "${minor%%.*}" -ge GLIBC_MINOR ] || fail "glibc must be 2.GLIBC_MINOR or newer, but is ${glibc#glibc }; use a newer system, or a container with one"
[ -x "$here/bin/sdbench" ] || fail "$here/bin/sdbench must be there, but is not; unpack the bundle once more"
exec "$here/bin/sdbench" "$@"
LAUNCHER
  chmod +x "$folder/sdbench"
}

put_readme() {
  cat >"$folder/README.txt" <<README
sdbench $version for Linux on x86-64 with glibc $1 or newer, with libtorch ${versions// /, }${cpu_words}.

  ./sdbench --model tiny-sd15     a first row, in seconds
  ./sdbench --help                all commands; man ./share/man/man1/sdbench.1

Completion:  . share/bash-completion/completions/sdbench              in bash
             fpath=(\$PWD/share/zsh/site-functions \$fpath)           in zsh, before compinit
             source share/fish/vendor_completions.d/sdbench.fish      in fish

The folder can be moved, and needs not be writable. Rows go to sdbench-results/ where sdbench is started, what is kept for later runs to
~/.cache/sdbench (sdbench cache list). To remove sdbench, remove this folder, and these two where they are not wanted.
Licences: share/doc/sdbench, libtorch/*/*.licence.
README
}

# The archive and its checksum. The same files make the same archive.
pack() {
  local archive=$folder.tar.zst bytes
  tar -C "${folder%/*}" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git -c safe.directory='*' -C "$root" log -1 --format=%ct)" \
    -cf - "${folder##*/}" | zstd -q -f -T0 -10 --long=27 -o "$archive"
  (cd "${folder%/*}" && sha256sum "${archive##*/}" >"${archive##*/}.sha256")
  bytes=$(stat -c %s "$archive")
  [ $kind != cpu ] || [ "$bytes" -lt $most_cpu_bytes ] || die "a bundle for CPUs must have less than $most_cpu_bytes bytes, but has $bytes"
  say "packed $((bytes / 1000000)) MB, $(du -sm "$folder" | cut -f 1) MiB unpacked: $archive"
}

parse_arguments "$@"
lock
ensure_system_packages "${run_packages[@]}" "${bundle_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
[ "$(cat "$built/.configured" 2>/dev/null)" = "${libtorches//$'\n'/;}" ] && [ -x "$built/bin/sdbench" ] ||
  build "${SDBENCH_PRESET:-release}" "$libtorches" programs
run_logged "$built/build.log" "building what is packed" cmake --build "$built" -j "$(build_jobs)" --target programs || exit 1
unlock

version=$("$built/bin/sdbench" --version | awk '$1 == "sdbench" { print $2 }')
versions=$(cd "$built/libexec/sdbench" && echo *)
cpu_words=
[ $kind = gpu ] || cpu_words=", for CPUs alone"
folder=$root/build/bundle/sdbench-$version-x86_64-libtorch-${versions// /+}
[ $kind = gpu ] || folder+=-cpu
rm -rf "$folder" "$folder".*
mkdir -p "$folder"
run_logged "$folder.log" "installing" cmake --install "$built" --prefix "$folder" --strip || exit 1
[ -n "$(find "$folder/libexec" -name sdbench-worker-cpu)" ] || die "each libtorch must be the torch wheel's, with its CUDA half, to be packed, but none is"
for libtorch in $versions; do
  put_libtorch "$libtorch"
done
put_libraries
put_older_libstdcxx
patchelf --set-rpath "\$ORIGIN/../lib" "$folder/bin/sdbench"
for library in "$folder"/lib/*; do # a program's own path does not apply to what its libraries load
  patchelf --set-rpath "\$ORIGIN" "$library"
done
for worker in "$folder"/libexec/sdbench/*/sdbench-worker*; do
  patchelf --set-rpath "\$ORIGIN/$(sed 's|:|:$ORIGIN/|g' "${worker%/*}/library-path")" "$worker"
done
readarray -t binaries < <(find "$folder" -type f \( -name '*.so*' -o -path '*/bin/*' -o -name 'sdbench-worker*' \))
glibc=$(wanted_glibc "${binaries[@]}")
is_at_most "$glibc" $oldest_glibc || say "this one wants glibc $glibc, which this system's libraries ask for; made on Debian 12 it wants $oldest_glibc"
is_at_most $oldest_glibc "$glibc" || glibc=$oldest_glibc
put_launcher "$glibc"
put_readme "$glibc"
rm -f "$folder.log"
pack
