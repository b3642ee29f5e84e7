#!/usr/bin/env bash
# Sets up what is missing (system packages, libtorch, the build), then runs sdbench with the given arguments.
# Without arguments: a quick demonstration. SDBENCH_LIBTORCH=VERSION|PATH chooses another libtorch.
# Afterwards ./sdbench in the checkout is the program: a link to build/release/bin/sdbench.
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"
. "$here/lib/system_packages.sh"
. "$here/lib/python_packages.sh"
. "$here/lib/build.sh"

lock
ensure_system_packages "${run_packages[@]}"
libtorches=$(ensure_libtorches) || exit 1
build release "$libtorches" programs
put_link
unlock

run_what_is_built

sdbench=$root/build/release/bin/sdbench
if [ $# -gt 0 ]; then
  exec "$sdbench" "$@"
fi
"$sdbench" --model tiny-sd15
say "that was a tiny model, to show the way. Next, from the checkout: ./sdbench --model sd15, or ./sdbench --help"
