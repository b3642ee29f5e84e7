#!/usr/bin/env bash
# scripts/lib/python_packages.sh with a uv and a pip that log their arguments: tests which Python's wheels are taken, and when
# the driver is asked again.
set -u
house=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$house/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$(python3 -c 'import sys; print(sys.executable)')
failures=0

# A separate checkout, and a python3 that claims version 3.$MINOR.
mkdir -p "$folder/root/.deps/tools/bin" "$folder/root/scripts" "$folder/bin" "$folder/lib"
ln -s "$checkout/scripts/lib" "$folder/root/scripts/lib"
ln -s "$checkout/engines" "$folder/root/engines"
cat >"$folder/bin/python3" <<FAKE
#!/bin/sh
[ "\$1" = -c ] && [ -n "\${MINOR:-}" ] && exec $python -c "import sys; sys.version_info = (3, \$MINOR, 0); exec(sys.argv[1])" "\$2"
exec $python "\$@"
FAKE
for tool in uv python; do
  cat >"$folder/root/.deps/tools/bin/$tool" <<FAKE
#!/bin/sh
echo "$tool \$*" >>"$folder/asked"
for word; do
  [ "\$before" = --target ] && mkdir -p "\$word"
  before=\$word
done
exit \${FAIL_$tool:-0}
FAKE
done
printf '#!/bin/sh\nexit 127\n' >"$folder/bin/nvidia-smi" # as if it did not exist
chmod +x "$folder/bin/"* "$folder/root/.deps/tools/bin/"*

# in_checkout COMMAND: runs with this folder's tools, library and checkout.
in_checkout() {
  PATH=$folder/bin:$PATH LD_LIBRARY_PATH=$folder/lib bash -c ". '$checkout/scripts/lib/common.sh'
    . '$checkout/scripts/lib/python_packages.sh'
    root='$folder/root'
    $1" 2>"$folder/stderr"
}

# same TITLE WANTED GOT
same() {
  [ "$2" = "$3" ] && return
  echo "FAILED: $1: wanted '$2', but got '$3'; said: $(cat "$folder/stderr")"
  failures=$((failures + 1))
}

# wheels MINOR VERSION PYTHON: a system with Python 3.MINOR takes the wheels for PYTHON.
wheels() {
  rm -rf "$folder/asked" "$folder/root/.deps/libtorch-"*
  local place=$folder/root/.deps/libtorch-$2
  MINOR=$1 SDBENCH_LIBTORCH=$2 in_checkout ensure_libtorches >"$folder/stdout"
  same "libtorch $2 with Python 3.$1" "$place" "$(cat "$folder/stdout")"
  same "libtorch $2 with Python 3.$1, the last that was asked" "--target $place/lib/python$3/site-packages --python-version $3 \
--only-binary :all: torch==$2" "$(tail -n 1 "$folder/asked" | sed 's/.* --target/--target/')"
}
wheels 14 2.7.1 3.13
wheels 10 2.15.0 3.11
wheels 12 2.11.0 3.12
FAIL_uv=1 wheels 14 2.7.1 3.13
same "pip where uv fails" "python -I -m pip install" "$(tail -n 1 "$folder/asked" | sed 's/ --target.*//')"

# An installation ends with the script, even if a signal ends only the script. Settings of the user for the target of packages are ignored.
cat >"$folder/root/.deps/tools/bin/uv" <<FAKE
#!/bin/sh
echo \$\$ "\$PYTHONPATH" >"$folder/uv_process"
exec sleep 60
FAKE
rm -rf "$folder/root/.deps/libtorch-"*
PYTHONPATH=/nowhere SDBENCH_LIBTORCH=2.11.0 in_checkout 'echo $$ >"$root/process"; libtorches=$(ensure_libtorches)' &
for ((i = 0; i < 100; ++i)); do
  [ -s "$folder/uv_process" ] && break
  sleep 0.1
done
read -r uv_process path <"$folder/uv_process"
same "PYTHONPATH of uv" "" "$path"
kill -9 "$(cat "$folder/root/process")"
for ((i = 0; i < 50; ++i)); do
  kill -0 "$uv_process" 2>/dev/null || break
  sleep 0.1
done
same "uv after the script was killed" "gone" "$(kill -0 "$uv_process" 2>/dev/null && echo alive || echo gone)"

# The choice is kept until the driver's library changes. If it does not answer, nothing is kept.
"${CC:-cc}" -shared -fPIC -o "$folder/lib/libcuda.so.1" "$house/fake_libcuda.c"
export FAKE_CAPABILITY=89
same "libcuda of driver 535" 2.9.1 "$(FAKE_INIT=0 FAKE_CUDA=12020 in_checkout cached_choice)"
same "the same library" 2.9.1 "$(FAKE_INIT=803 FAKE_CUDA=13000 in_checkout cached_choice)"
touch -d '2020-02-02' "$folder/lib/libcuda.so.1"
same "another library, with which the driver fails" 2.11.0 "$(FAKE_INIT=803 FAKE_CUDA=12020 in_checkout cached_choice)"
same "as soon as it answers" 2.9.1 "$(FAKE_INIT=0 FAKE_CUDA=12020 in_checkout cached_choice)"
echo "no library" >"$folder/lib/libcuda.so.1"
same "the library is gone" 2.11.0 "$(in_checkout cached_choice)"

[ $failures -eq 0 ] && echo "all cases as expected"
exit $((failures > 0))
