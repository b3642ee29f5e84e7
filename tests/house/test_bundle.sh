#!/usr/bin/env bash
# A bundle of scripts/bundle.sh runs with only glibc and a shell: no network, no libstdc++, no compiler, no Python. It runs from a path
# with spaces, read-only and moved, needs no newer glibc than it says, and complains in one line. Needs root.
#   test_bundle.sh ARCHIVE [GLIBC]     GLIBC: the newest version that its files may need; 2.35
set -euo pipefail
archive=$(realpath "$1") oldest_glibc=${2:-2.35}
folder=$(mktemp -d)
trap 'rm -rf --one-file-system "$folder"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

(cd "${archive%/*}" && sha256sum -c "${archive##*/}.sha256") >/dev/null || fail "the archive must have the SHA-256 beside it, but has not"

# A truncated archive: both the checksum and tar refuse it.
head -c 1000000 "$archive" >"$folder/${archive##*/}"
cp "$archive.sha256" "$folder"
! (cd "$folder" && sha256sum -c "${archive##*/}.sha256") >/dev/null 2>&1 || fail "a cut archive must not have its SHA-256, but has"
mkdir "$folder/cut"
! tar -C "$folder/cut" --zstd -xf "$folder/${archive##*/}" 2>/dev/null || fail "a cut archive must not unpack, but does"
rm -r "$folder/cut" "${folder:?}/${archive##*/}"

root=$folder/root
mkdir -p "$root/opt/a place"
tar -C "$root/opt/a place" --zstd -xf "$archive"
bundle=$(echo "$root/opt/a place"/*)
[ -x "$bundle/sdbench" ] || fail "the bundle must have the program sdbench at its top, but has not"
while read -r named; do
  [ -s "$bundle/$named" ] || fail "README.txt names $named, which must be in the bundle, but is not"
done < <(grep -oE '\bshare/[^ )]+[^ ),.]' "$bundle/README.txt")

# Each file that is loaded finds its libraries beside it, or they belong to glibc or the driver.
glibc='^(libcuda|libc|libm|libdl|libpthread|librt|libutil|libresolv|ld-linux-x86-64)[.]so'
readarray -t files < <(find "$bundle" -type f \( -name '*.so*' -o -path '*/bin/*' -o -name 'sdbench-worker*' \))
newest=
for file in "${files[@]}"; do
  readelf -h "$file" >/dev/null || fail "$file must be a program or a library, but is not"
  wanted=$(readelf -V "$file" 2>/dev/null | sed -n 's|.*Name: GLIBC_\([0-9.]*\) .*|\1|p' | sort -Vu | tail -n 1)
  newest+="$wanted ${file#"$bundle/"}"$'\n'
  [ "$(printf '%s\n' "$wanted" "$oldest_glibc" | sort -V | tail -n 1)" = "$oldest_glibc" ] ||
    fail "${file#"$bundle/"} must ask for glibc $oldest_glibc at most, but asks for $wanted"
  ! readelf -V "$file" 2>/dev/null | grep GLIBC_ABI_DT_RELR || fail "${file#"$bundle/"} must ask for no relocations of glibc 2.36, but does"
  for needed in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    [[ $needed =~ $glibc ]] || [ -n "$(find "$bundle" -name "$needed" -print -quit)" ] || fail "${file#"$bundle/"} needs $needed, which is not in the bundle"
  done
  ! readelf -d "$file" | grep -E '\((RUNPATH|RPATH)\)' | grep -E '(\[|:)/' || fail "${file#"$bundle/"} must look for libraries in the bundle alone"
done
echo "${#files[@]} programs and libraries; those that ask for the newest glibc:"
sort -rV <<<"$newest" | head -n 4

# A root folder with glibc and a shell. The launcher's tools may load only what `needed` prints.
mkdir -p "$root"/{bin,lib64,proc,dev,tmp,lib/x86_64-linux-gnu}
for library in /lib/x86_64-linux-gnu/lib{c,m,dl,pthread,rt,util,resolv}.so.*; do cp -L "$library" "$root/lib/x86_64-linux-gnu/"; done
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
cp -L /bin/sh "$root/bin/sh"
for tool in getconf uname readlink dirname; do cp -L "$(command -v $tool)" "$root/bin/"; done
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9

# inside COMMAND...: runs in that root, with a read-only bundle, without a network.
inside() {
  # shellcheck disable=SC2016 # the inner shell's own
  env -i HOME=/tmp PATH=/bin OMP_WAIT_POLICY=passive SDBENCH_LIBTORCH="${SDBENCH_LIBTORCH:-}" unshare --net --mount --pid --fork --kill-child \
    /bin/sh -c '
      root=$1
      shift
      /bin/mount -t proc proc "$root/proc" && /bin/mount --bind "$root/opt" "$root/opt" && /bin/mount -o remount,bind,ro "$root/opt" || exit 1
      exec /usr/sbin/chroot "$root" /bin/sh -c "cd /tmp && exec \"\$@\"" sh "$@"' sh "$root" "$@"
}

# runs_in FOLDER: runs the main job there with each libtorch.
runs_in() {
  local place=$1 version
  inside "$place/sdbench" --version
  inside "$place/sdbench" list devices --format json | grep -q '"cpu"' || fail "list devices must name the processor, but does not"
  for version in $(cd "$bundle/libexec/sdbench" && echo *); do
    SDBENCH_LIBTORCH=$version inside "$place/sdbench" --model tiny-sd15 --device cpu --steps 2 --repeat 1 --warmup 0 -q --no-save \
      --format json >"$folder/record.json" || fail "the model must run with libtorch $version, but does not"
    grep -q '"golden_check": *"pass"' "$folder/record.json" || fail "the golden check must pass with libtorch $version, but: $(cat "$folder/record.json")"
    grep -q "\"runtime_version\": *\"$version" "$folder/record.json" || fail "libtorch $version must compute, but another did"
  done
}

for absent in python3 cc ip; do
  ! inside $absent --version 2>/dev/null || fail "$absent must not be there, but is"
done
runs_in "/opt/a place/${bundle##*/}"
mv "$root/opt/a place" "$root/opt/moved"
bundle="$root/opt/moved/${bundle##*/}"
runs_in "/opt/moved/${bundle##*/}"

# The bundle has the function that libstdc++ needs from glibc 2.36: libstdc++ is complete with it, and not without.
if [ -f "$bundle/lib/libgetrandom.so" ]; then
  LD_BIND_NOW=1 "$bundle/sdbench" --version >/dev/null || fail "libstdc++ must find all of its functions, but does not"
  symbols=$(LD_BIND_NOW=1 LD_DEBUG=bindings "$bundle/sdbench" --version 2>&1 | grep '.arc4random. ')
  grep -q libgetrandom.so <<<"$symbols" || fail "arc4random must be libgetrandom.so's, but is not: $symbols"
fi

# Complains in one line of what the machine lacks.
mkdir "$folder/bin"
# refused TOOL ANSWER WORDS
refused() {
  printf '#!/bin/sh\n%s\n' "$2" >"$folder/bin/$1"
  chmod +x "$folder/bin/$1"
  if PATH=$folder/bin:$PATH "$bundle/sdbench" --version >"$folder/said" 2>&1; then fail "with $1 that says '$2' the bundle must be refused"; fi
  [ "$(wc -l <"$folder/said")" -eq 1 ] && grep -q "$3" "$folder/said" || fail "one line must say '$3', but it is: $(cat "$folder/said")"
  rm "$folder/bin/$1"
}
refused getconf 'echo glibc 2.31' 'glibc must be 2.35 or newer, but is 2.31'
refused getconf 'exit 1' 'this system has another C library'
refused uname '[ "$1" = -m ] && echo aarch64 || echo Linux' 'is Linux on aarch64'
mv "$bundle/bin/sdbench" "$bundle/bin/gone"
refused true '' 'unpack the bundle once more'
echo "the bundle runs with glibc and a shell alone"
