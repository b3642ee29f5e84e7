#!/usr/bin/env bash
# Installs a build, moves the installed tree elsewhere, and runs it there.
#   test_install.sh BUILD_FOLDER LIBTORCH_VERSION
set -euo pipefail
build=$1 version=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cmake --install "$build" --prefix "$folder/first" >/dev/null
empty=$(find "$folder/first" -type d -empty) # Python may leave some beside engines that have run in the checkout
[ -z "$empty" ] || { echo "the installed tree must have no empty folder, but has $empty" >&2; exit 1; }
mkdir "$folder/elsewhere"
mv "$folder/first" "$folder/elsewhere/sdbench"
cd "$folder/elsewhere"
tree=$PWD/sdbench
for file in bin/sdbench "libexec/sdbench/$version/sdbench-worker" share/sdbench/models/sd15.json \
  share/sdbench/tokenizer/merges.txt share/sdbench/published/sources.csv share/sdbench/report/chart.min.js \
  share/sdbench/report/chart.LICENSE "libexec/sdbench/$version/library-path"; do
  [ -f "$tree/$file" ] || { echo "the installed tree must have $file, but has not" >&2; exit 1; }
done
for worker in "$build/libexec/sdbench/$version"/sdbench-worker*; do
  [ -x "$tree/libexec/sdbench/$version/${worker##*/}" ] || { echo "the installed tree must have ${worker##*/}, but has not" >&2; exit 1; }
done
env -i HOME="$folder" PATH=/usr/bin:/bin "$tree/bin/sdbench" --version
env -i HOME="$folder" PATH=/usr/bin:/bin "$tree/bin/sdbench" list models | grep -q tiny-sd15
env -i HOME="$folder" PATH=/usr/bin:/bin "$tree/bin/sdbench" --model tiny-sd15 --device cpu --steps 2 --repeat 1 --warmup 0 \
  --no-save --format json >record.json
grep -q '"status": *"ok"' record.json
grep -q '"golden_check": *"pass"' record.json
env -i HOME="$folder" PATH=/usr/bin:/bin "$tree/bin/sdbench" report record.json -o report.html
grep -q 'Chart.js v3' report.html
echo "the installed tree runs from another folder"
