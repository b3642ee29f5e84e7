#!/usr/bin/env bash
# ./sdbench, the link that scripts/run.sh puts into the checkout: it is made and replaced, and nothing of someone else is touched.
# The program finds its tree through it.
#   test_link.sh CHECKOUT [BUILD_FOLDER]
set -euo pipefail
checkout=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "$*" >&2
  exit 1
}

# put: does what run.sh does, in a checkout of the test.
put() { bash -c '. "$1/scripts/lib/common.sh"; . "$1/scripts/lib/build.sh"; root=$2; put_link' - "$checkout" "$folder" 2>"$folder/said"; }
link=$folder/sdbench wanted=build/release/bin/sdbench

for earlier in "" "$wanted" build/dev/bin/sdbench; do
  rm -f "$link"
  [ -z "$earlier" ] || ln -s "$earlier" "$link"
  put || fail "the link must be put beside '$earlier', but is not: $(cat "$folder/said")"
  [ "$(readlink "$link")" = "$wanted" ] || fail "the link must lead to $wanted, but leads to '$(readlink "$link")'"
  [ ! -s "$folder/said" ] || fail "a link that is put must be put without a word, but: $(cat "$folder/said")"
done

# told WHAT: put_link must succeed and print where the program is.
told() {
  put || fail "$1 must not end run.sh, but does"
  grep -q "$wanted" "$folder/said" || fail "beside $1 the program's place must be said, but is not"
}
rm "$link"
ln -s /nowhere/sdbench "$link"
told "another's link"
[ "$(readlink "$link")" = /nowhere/sdbench ] || fail "another's link must stay, but leads to '$(readlink "$link")'"
rm "$link"
echo mine >"$link"
told "another's file"
[ ! -L "$link" ] && [ "$(cat "$link")" = mine ] || fail "another's file must stay, but does not"
rm "$link"
mkdir "$link"
told "another's folder"
[ -z "$(ls -A "$link")" ] || fail "another's folder must stay as it was, but has $(ls -A "$link")"
rmdir "$link"

grep -qx put_link "$checkout/scripts/run.sh" || fail "scripts/run.sh must put the link, but does not"
git -C "$checkout" check-ignore -q sdbench 2>/dev/null || grep -qx /sdbench "$checkout/.gitignore" || fail "git must ignore ./sdbench, but does not"

if [ $# -gt 1 ]; then
  ln -s "$2/bin/sdbench" "$link"
  (cd "$folder" && ./sdbench list models) | grep tiny-sd15 >/dev/null || fail "the program must find its tree through the link, but does not"
fi
echo "the link to the program is put, and nothing of another's is touched"
