#!/usr/bin/env bash
# A bare Debian in a folder: a newcomer's machine, without this one's packages, CUDA toolkit, environment and caches.
#   bare_root.sh make FOLDER [RELEASE]   half a minute, 0.3 GB; of Debian 12 (bookworm) or the release named, such as trixie
#   bare_root.sh clone FOLDER [COMMIT]   this checkout's commit (HEAD), as /root/sdbench inside
#   bare_root.sh run FOLDER COMMAND...   COMMAND in /root/sdbench inside, with its exit code
# Needs root, debootstrap, and a machine that lets root mount and chroot (some containers do not).
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
. "$here/lib/common.sh"

certificates=/etc/ssl/certs/ca-certificates.crt

usage() {
  sed -n '3,5p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

check_rights() {
  [ "$(id -u)" -eq 0 ] || die "a bare root must be made by root, but this is $(id -un); use sudo"
  unshare --mount --pid --fork sh -c 'mount -t proc proc /proc && mount -t tmpfs tmpfs /mnt && chroot / true' 2>/dev/null ||
    die "a bare root must be allowed mounts and chroot, but this machine forbids them (a container without privileges?)"
}

# The Debian mirror of this machine's own packages. Empty, for debootstrap's own, if they are not from Debian.
mirror() { apt-get indextargets --format "\$(LABEL)|\$(REPO_URI)" 2>/dev/null | awk -F '|' '$1 == "Debian" { print $2; exit }'; }

# debootstrap's mounts end with it, however it ends.
make_root() {
  local folder=${1%/} release=${2:-bookworm}
  command -v debootstrap >/dev/null || die "debootstrap must be installed to make a bare root, but is not: apt-get install debootstrap"
  [ ! -e "$folder" ] || [ -z "$(ls -A "$folder")" ] || die "$folder must be empty or not there, but is not; name another folder"
  mkdir -p "$folder"
  # shellcheck disable=SC2046 # no mirror is no argument
  run_logged "$folder.log" "making a bare Debian ($release)" \
    unshare --mount debootstrap --variant=minbase --include=ca-certificates "$release" "$folder" $(mirror) || exit 1
  # The way to the network is this machine's, because it is not under test.
  cp /etc/resolv.conf "$folder/etc/"
  [ ! -f "$certificates" ] || cp "$certificates" "$folder$certificates"
}

# Clones from a checkout that may belong to another user.
clone_into() {
  local folder=$1 commit=$2
  # shellcheck disable=SC2046 # names of variables
  unset $(git rev-parse --local-env-vars)
  rm -rf "$folder/root/sdbench"
  git -c safe.directory='*' clone -q --no-checkout --dissociate --upload-pack "git -c safe.directory=* upload-pack" "$root" \
    "$folder/root/sdbench"
  git -C "$folder/root/sdbench" -c advice.detachedHead=false checkout -q "$commit"
}

# Runs in its own namespaces, so that its mounts and processes end with the command. Of the environment it gets only proxies.
run_inside() {
  local folder=$1 name proxies=()
  shift
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || proxies+=("$name=${!name}")
  done
  # shellcheck disable=SC2016 # the inner shells' own
  exec env -i HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
    SSL_CERT_FILE=$certificates PIP_CERT=$certificates PIP_DEFAULT_TIMEOUT=180 "${proxies[@]}" \
    unshare --mount --pid --fork --kill-child bash -c '
      set -e
      mount --bind "$1" "$1" # so that / is a mount inside, as on any machine: tests there unshare theirs
      mount -t proc proc "$1/proc"
      mount -t sysfs -o ro sysfs "$1/sys"
      if [ -d /sys/fs/cgroup ]; then mount --rbind /sys/fs/cgroup "$1/sys/fs/cgroup"; fi
      mkdir -p "$1/dev/shm" "$1/dev/pts"
      mount -t tmpfs tmpfs "$1/dev/shm"
      mount -t devpts -o newinstance,ptmxmode=0666 devpts "$1/dev/pts"
      ln -sf pts/ptmx "$1/dev/ptmx"
      folder=$1
      shift
      chroot "$folder" bash -c '\''cd /root/sdbench && "$@"; exit $?'\'' bash "$@"
      exit $?' bash "$folder" "$@"
}

[ $# -ge 2 ] || usage
check_rights
case $1 in
make) make_root "$2" "${3:-}" ;;
clone) clone_into "$2" "${3:-HEAD}" ;;
run)
  [ $# -ge 3 ] || usage
  run_inside "${@:2}"
  ;;
*) usage ;;
esac
