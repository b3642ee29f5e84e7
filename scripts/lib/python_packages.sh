# shellcheck shell=bash
# Virtual environments below .deps/: libtorch (the torch wheel); for the tests the oracle, for scripts/benchmark.sh the peers.

oldest_libtorch=2.7.1
oracle_packages=(torch==2.11.0 diffusers==0.42.1 transformers==5.23.0 accelerate safetensors open_clip_torch pillow numpy
  pytest allpairspy scikit-image)
peer_python_packages=(diffusers==0.42.1 transformers==5.23.0 accelerate safetensors pillow numpy)

# uv is several times faster than pip; where it cannot be had, pip does the same.
find_uv() {
  local tools=$root/.deps/tools
  if [ ! -x "$tools/bin/uv" ]; then
    rm -rf "$tools"
    { python3 -m venv "$tools" && "$tools/bin/pip" install -q uv; } >"$root/.deps/uv.log" 2>&1 || return 1
  fi
  uv=$tools/bin/uv
}

# install_packages FOLDER PACKAGE...
install_packages() {
  local folder=$1 uv=
  shift
  if find_uv && UV_HTTP_TIMEOUT=${UV_HTTP_TIMEOUT:-300} UV_NO_CONFIG=1 \
    "$uv" pip install --python "$folder/bin/python" "$@"; then
    return
  fi
  echo "uv is not there or has failed; trying pip"
  "$folder/bin/python" -m pip install "$@"
}

# ensure_environment NAME GIGABYTES PACKAGE...: .deps/NAME has these packages. The file .complete is written last and
# names them, so that an interrupted installation is seen and made anew.
ensure_environment() {
  local name=$1 gigabytes=$2 folder=$root/.deps/$1 free
  shift 2
  if [ -f "$folder/.complete" ] && [ "$(cat "$folder/.complete")" = "$*" ]; then
    return
  fi
  free=$(df --output=avail -B 1000000000 "$root/.deps" | tail -n 1)
  [ "$free" -ge "$gigabytes" ] ||
    die "$root must have $gigabytes GB free for $name, but has $free GB; free some, or clone to another disk"
  [ -f "$folder/.complete" ] || rm -rf "$folder"
  rm -f "$folder/.complete"
  python3 -m venv "$folder" >"$root/.deps/$name.log" 2>&1 ||
    die "python3 -m venv has failed: $(tail -n 3 "$root/.deps/$name.log" | tr '\n' ' ')"
  run_logged "$root/.deps/$name.log" "installing $1${2:+ and what goes with it} from PyPI, $gigabytes GB on disk" \
    install_packages "$folder" "$@" || die "$* could not be installed into $folder; run this again to retry"
  echo "$*" >"$folder/.complete"
}

# add_package NAME PACKAGE TORCH: .deps/NAME has this one, too. 1 where it cannot be installed beside that torch.
add_package() {
  local folder=$root/.deps/$1 mark
  mark=$folder/.has-$2
  [ -f "$mark" ] && return
  run_logged "$root/.deps/$1-$2.log" "installing $2 from PyPI" install_packages "$folder" "$2" "$3" && : >"$mark"
}

# The torch package with the same libtorch as this folder's, so that sdbench and its peers differ in themselves alone.
torch_requirement() {
  local version=${1##*/libtorch-} text
  if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]; then # the folder of a path, not one of ours
    text=$(cat "$1/version.py" "$1/build-version" 2>/dev/null || true)
    [[ $text =~ [0-9]+\.[0-9]+\.[0-9]+ ]] && version=${BASH_REMATCH[0]}
  fi
  echo "torch==$version"
}

# The libtorches to use, one folder a line: SDBENCH_LIBTORCH (versions or paths, by commas), else by this machine's GPUs.
ensure_libtorches() {
  local wanted version
  wanted=${SDBENCH_LIBTORCH:-$(cached_choice)} || exit 1
  for version in ${wanted//,/ }; do
    if [[ $version == */* ]]; then
      [ -d "$version" ] || die "SDBENCH_LIBTORCH must be a version or a libtorch folder, but $version is not a folder"
      (cd "$version" && pwd)
    else
      [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
        die "SDBENCH_LIBTORCH must be a version such as 2.11.0 or a path with a slash, but is '$version'"
      [ "$(printf '%s\n' "$oldest_libtorch" "$version" | sort -V | head -n 1)" = "$oldest_libtorch" ] ||
        die "libtorch must be $oldest_libtorch or newer, but SDBENCH_LIBTORCH asks for $version: wheels up to 2.6 have the old" \
          "C++ ABI and do not link with the system's libraries"
      ensure_environment "libtorch-$version" 6 "torch==$version" >&2
      echo "$root/.deps/libtorch-$version"
    fi
  done
}

# nvidia-smi may take a second: ask it again only when the driver or the cards have changed.
cached_choice() {
  local key cache=$root/.deps/libtorch-choice
  key="$(command -v nvidia-smi || true) $(head -n 1 /proc/driver/nvidia/version 2>/dev/null || true) $(
    { cat /proc/driver/nvidia/gpus/*/information 2>/dev/null || true; } | cksum
  ) $(cksum <"$root/scripts/lib/choose_libtorch.sh")"
  if [ ! -f "$cache" ] || [ "$(head -n 1 "$cache")" != "$key" ]; then
    local version
    version=$("$root/scripts/lib/choose_libtorch.sh") || return 1
    printf '%s\n%s\n' "$key" "$version" >"$cache"
  fi
  tail -n 1 "$cache"
}
