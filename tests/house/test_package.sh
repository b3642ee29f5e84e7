#!/usr/bin/env bash
# A .deb of cpack is installed, set up, run and removed, and leaves only the cache and results. The test installs and removes packages:
# run it as root in a bare Debian (scripts/bare_root.sh) of the release on which the package was made.
#   test_package.sh DEB VERSION WHEELS     WHEELS: a folder with the torch wheel of that version and the NVIDIA wheels that it needs
set -euo pipefail
package=$(realpath "$1") version=$2 wheels=$(realpath "$3")
folder=$(mktemp -d)
export HOME=$folder/home DEBIAN_FRONTEND=noninteractive
mkdir "$HOME"
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  echo "$*" >&2
  exit 1
}

# Lists files outside of apt's and dpkg's own places. Root's home does not belong to the package, and others may work there meanwhile.
files() { find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /root -o -path "$folder" -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/cache -o \
  -path /var/log \) -prune -o -print | sort; }

apt-get -q update >/dev/null
apt-get -q install -y --no-install-recommends python3-venv man-db zsh fish >/dev/null
depended=$(dpkg -I "$package" | sed -n 's/^ Depends: //p' | sed 's/([^)]*)//g; s/,/ /g')
# shellcheck disable=SC2086 # names of packages
apt-get -q install -y --no-install-recommends $depended >/dev/null
files >before
apt-get -q install -y --no-install-recommends "$package" >/dev/null || fail "the package must install, but does not"

sdbench --version
[ "$(man -w sdbench)" = /usr/share/man/man1/sdbench.1.gz ] || fail "man must find the page, but does not"
man --warnings -l /usr/share/man/man1/sdbench.1.gz >page 2>said && [ ! -s said ] || fail "man must render the page without a warning, but: $(cat said)"
[ -f /usr/share/bash-completion/completions/sdbench ] || fail "bash's completion must be installed, but is not"
# shellcheck disable=SC2016 # zsh's own
[ "$(zsh -fc 'autoload -U compinit && compinit -u -D && echo $_comps[sdbench]')" = _sdbench ] || fail "zsh must find its completion, but does not"
[ "$(fish -c 'complete -C "sdbench list eng"' | cut -f 1)" = engines ] || fail "fish must find its completion, but does not"
if ldd "/usr/libexec/sdbench/$version/sdbench-worker-cpu" | grep -v 'libtorch_cpu\|libc10\|libgomp' | grep 'not found'; then
  fail "but for libtorch's, the package must depend on what its programs load"
fi

cell=(--model tiny-sd15 --device cpu --steps 2 --repeat 1 --warmup 0 -o rows.jsonl)
! sdbench "${cell[@]}" >said 2>&1 || fail "without libtorch no cell can run, but one did"
[ "$(wc -l <said)" -eq 1 ] && grep -q "sdbench setup libtorch $version" said || fail "one line must say how libtorch comes, but it is: $(cat said)"
sdbench setup libtorch "$version" --from "$wheels"
sdbench "${cell[@]}" >said 2>&1 || fail "the cell must run, but: $(cat said)"
grep -q '"status":"ok"' rows.jsonl && grep -q '"golden_check":"pass"' rows.jsonl || fail "the row must be good, but is: $(cat rows.jsonl)"
sdbench cache list | grep -q libtorch || fail "the cache's list must have the libtorch, but has not"

apt-get -q purge -y sdbench >said
grep -q '^sdbench: rows stay .*[.]cache/sdbench' said || fail "the removal must name what stays, but says: $(cat said)"
files >after
cmp -s before after || fail "nothing must be left of the package, but there is: $(diff before after | head -n 20)"
[ -f "$HOME/.cache/sdbench/libtorch/$version/.complete" ] && [ -s rows.jsonl ] || fail "results and cache must stay, but do not"
echo "the package installs, runs and is removed"
