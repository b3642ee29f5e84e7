#!/usr/bin/env bash
# The worker of each libtorch runs the tiny models, and all make the same synthetic weights, bit for bit.
#   test_each_libtorch.sh SDBENCH VERSION...
set -euo pipefail
sdbench=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

for version in "$@"; do
  export SDBENCH_LIBTORCH=$version
  for model in tiny-sd15 tiny-sdxl; do
    "$sdbench" --model $model --weights synthetic --device cpu --steps 2 --repeat 1 --warmup 0 --no-save --format csv \
      2>"$model.log" >"$model.csv" || { cat "$model.log" && exit 1; }
    for wanted in '"ok"' "\"$version" '"pass"'; do
      grep -qF "$wanted" "$model.csv" || { echo "$model's row must hold $wanted, but is:" && cat "$model.csv" && exit 1; }
    done
    "$sdbench" export-weights --model $model --weights synthetic -o "$version/$model" 2>>"$model.log"
  done
  echo "libtorch $version runs the tiny models"
done
for version in "${@:2}"; do
  diff -r "$1" "$version"
  echo "libtorch $1 and $version make the same weights: $(find "$version" -name '*.safetensors' | wc -l) files"
done
