#!/usr/bin/env bash
# Each line of docs/many-machines.md does what it says, with a bundle of scripts/bundle.sh. ssh is simulated: a host is a folder and a host name
# of this machine. The stick may hold no programs. Needs root.
#   test_many_machines.sh ARCHIVE
set -euo pipefail
[ -n "${SDBENCH_TEST_INSIDE:-}" ] || # so that neither its mounts nor its host names remain
  SDBENCH_TEST_INSIDE=yes exec unshare --mount --uts --pid --fork --kill-child --mount-proc "$0" "$@"
archive=$(realpath "$1")
document=$(realpath "$(dirname "$0")/../../docs/many-machines.md")
name=$(basename "$archive" .tar.zst)
folder=$(mktemp -d -p /var/tmp) # not in /tmp, which is hidden below
trap 'rm -rf --one-file-system "$folder"' EXIT
export MADE_UP=$folder/hosts PATH=$folder/bin:$PATH

fail() {
  echo "$*" >&2
  exit 1
}

# lines_of HEADING N: the Nth block of code below the heading, with this bundle's name.
lines_of() {
  awk -v heading="## $1" -v wanted="$2" '
    /^## / { below = $0 == heading }
    /^```/ { inside = !inside; if (inside && below) ++block; next }
    inside && below && block == wanted' "$document" | sed -E "s/sdbench-[0-9.]+-x86_64-libtorch-[0-9.]+-cpu/$name/g" | grep .
}

# Every block must be tested here. The first makes a bundle.
readarray -t lines < <(lines_of "A bundle" 1; lines_of "By ssh" 1; lines_of "By ssh" 2; lines_of "By a USB stick" 1; lines_of "Bringing together" 1)
[ ${#lines[@]} -eq "$(awk '/^```/ { inside = !inside; next } inside' "$document" | grep -c .)" ] ||
  fail "each block of $document must be tried, but some is not"

mkdir -p "$folder"/bin "$MADE_UP"/{desk,node2}
ln -s desk "$MADE_UP/node3" # both share a home folder
cat >"$folder/bin/ssh" <<'END'
#!/bin/sh
[ "$1" != -n ] || { shift; exec </dev/null; }
host=$1
shift
cd "$MADE_UP/$host" 2>/dev/null || { echo "ssh: Could not resolve hostname $host" >&2; exit 255; }
HOME=$PWD exec unshare --uts sh -c "hostname $host
$*"
END
chmod +x "$folder"/bin/*

mkdir "$folder/at_home"
cd "$folder/at_home"
cp "$archive" "$archive.sha256" .
mount -t tmpfs none /tmp # for the locks of hosts
printf '%s\n' desk gone node2 node3 >hosts
lines_of "By ssh" 1 >begin.sh
mkdir -p "$MADE_UP/desk/new/$name/libexec" # left by an interrupted copy

# rows_of HOST: their number, once the host is done.
rows_of() {
  local end=$((SECONDS + 300))
  while pgrep -f "rows-$1[.]jsonl" >/dev/null; do
    [ $SECONDS -lt $end ] || fail "$1 must have ended, but says: $(tail -n 3 "$MADE_UP/$1/rows-$1.log")"
    sleep 0.2
  done
  wc -l <"$MADE_UP/$1/rows-$1.jsonl"
}

for turn in first second; do # a cell with a row is not computed again
  bash begin.sh 2>/dev/null
  bash begin.sh 2>said # while it still runs
  [ "$(grep -c 'gone has no bundle' said)" -eq 1 ] || fail "a host that cannot be reached must be said, but what is said is: $(cat said)"
  for host in desk node2 node3; do
    [ "$(rows_of $host)" -eq 1 ] || fail "$host must have one row after the $turn time, but says: $(cat "$MADE_UP/$host/rows-$host.log")"
  done
done

lines_of "By ssh" 2 | bash 2>said
grep -q 'gone has no rows' said || fail "a host without rows must be said, but what is said is: $(cat said)"
[ "$(echo rows/*)" = "rows/desk.jsonl rows/node2.jsonl rows/node3.jsonl" ] || fail "the rows must come home, but there are $(echo rows/*)"

mount -t tmpfs none /media
mkdir /media/stick
mount -t tmpfs -o noexec none /media/stick
cp "$name.tar.zst" "$name.tar.zst.sha256" /media/stick
(cd /media/stick && sha256sum -c "$name.tar.zst.sha256") >/dev/null
unshare --uts bash -ec "hostname laptop; $(lines_of "By a USB stick" 1)" >/dev/null
[ -s /media/stick/rows/laptop.jsonl ] || fail "the stick must have the rows of laptop, but has $(ls /media/stick/rows)"
cp /media/stick/rows/laptop.jsonl rows/once_more.jsonl
cp /media/stick/rows/laptop.jsonl rows # copied twice

sdbench() { HOME=$folder env -u XDG_CACHE_HOME "/tmp/$name/sdbench" "$@"; }
while read -r line; do
  rc=0
  eval "$line" >said 2>&1 || rc=$?
  # Four names of one machine differ by its noise.
  [ $rc -eq 0 ] || { [[ $line == *--fail-if-slower* ]] && grep -Eq 'slower|not decided' said; } || fail "'$line' must go well, but ends with $rc and says: $(cat said)"
done < <(lines_of "Bringing together" 1)
[ "$(wc -l <all.jsonl)" -eq 4 ] || fail "each run must be there once, but there are $(wc -l <all.jsonl)"
for host in desk node2 node3 laptop; do
  grep -q "\"host\":\"$host\"" all.jsonl || fail "$host must be in all.jsonl, but is not"
  ! grep -q "$host" shared.jsonl || fail "$host must not leave the house, but is in shared.jsonl"
  grep -q "$host" machines.html || fail "$host must be on the page, but is not"
  ! grep -q "$host" shared.html || fail "$host must not leave the house, but is in shared.html"
done
cache=$(sdbench --version --json | sed -n 's/.*"cache_folder": *"\([^"]*\)".*/\1/p')
[ -n "$cache" ] || fail "--version --json must name the cache's folder, but says: $(sdbench --version --json)"
mkdir -p "$cache/weights/tiny-sd15-synthetic-0-0123abcd"
sdbench cache clear --yes >/dev/null
[ ! -e "$cache/weights/tiny-sd15-synthetic-0-0123abcd" ] || fail "cache clear must clear $cache, but leaves $(ls "$cache/weights")"
echo "the lines of many-machines.md do what they say"
