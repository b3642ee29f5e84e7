# shellcheck shell=bash
# Python packages below .deps/: libtorch (from the torch wheel), and as a virtual environment the oracle for the tests.

oldest_libtorch=2.7.1
oracle_packages=(torch==2.11.0 diffusers==0.42.1 transformers==5.23.0 accelerate safetensors open_clip_torch pillow numpy
  pytest allpairspy scikit-image)

# The first of the table. CI tests it in addition to the default and the oldest.
newest_libtorch() { awk '$2 == "|" { print $1; exit }' "$root/scripts/lib/choose_libtorch.sh"; }

# attended [--pip] COMMAND...: ends together with this script, however that ends. --pip: COMMAND is pip, whose targets the user must not change.
attended() { python3 -I -B "$root/engines/shared/attended.py" $$ "$@"; }

# uv is several times faster than pip. If it is not available, pip does the same.
find_uv() {
  local tools=$root/.deps/tools
  if [ ! -x "$tools/bin/uv" ]; then
    rm -rf "$tools"
    attended python3 -I -m venv "$tools" && attended --pip "$tools/bin/python" -I -m pip install -q uv || return 1
  fi
  uv=$tools/bin/uv
}

# install_packages INTERPRETER ARGUMENT...
install_packages() {
  local interpreter=$1 uv=
  shift
  if find_uv && UV_HTTP_TIMEOUT=${UV_HTTP_TIMEOUT:-300} UV_NO_CONFIG=1 UV_PYTHON_DOWNLOADS=never \
    attended "$uv" pip install --python "$interpreter" "$@"; then
    return
  fi
  echo "uv is not there or has failed; trying pip"
  attended --pip "$interpreter" -I -m pip install "$@"
}

# install_environment FOLDER PACKAGE...
install_environment() {
  local folder=$1
  shift
  attended python3 -I -m venv "$folder" && install_packages "$folder/bin/python" "$@"
}

# install_libraries FOLDER PACKAGE...: only files. We use only headers and libraries of a torch wheel, so its Python need not
# be this system's. It is the nearest version for which every version in choose_libtorch.sh has wheels.
install_libraries() {
  local folder=$1 python uv=
  shift
  python=$(python3 -c 'import sys; print(f"3.{min(max(sys.version_info[1], 11), 13)}")')
  find_uv || true # if this fails, its environment still has pip
  install_packages "$root/.deps/tools/bin/python" --target "$folder/lib/python$python/site-packages" --python-version "$python" \
    --only-binary :all: "$@"
}

# ensure_environment NAME GIGABYTES PACKAGE...: .deps/NAME is a virtual environment with these packages.
ensure_environment() { ensure_installed install_environment "$@"; }

# ensure_installed INSTALL NAME GIGABYTES PACKAGE...: installs these packages into .deps/NAME with INSTALL. The file .complete names them and is
# written last, so that an interrupted installation is noticed and repeated.
ensure_installed() {
  local install=$1 name=$2 gigabytes=$3 folder=$root/.deps/$2 free
  shift 3
  if [ -f "$folder/.complete" ] && [ "$(cat "$folder/.complete")" = "$*" ]; then
    return
  fi
  free=$(df --output=avail -B 1000000000 "$root/.deps" | tail -n 1)
  [ "$free" -ge "$gigabytes" ] ||
    die "$root must have $gigabytes GB free for $name, but has $free GB; free some, or clone to another disk"
  [ -f "$folder/.complete" ] || rm -rf "$folder"
  rm -f "$folder/.complete"
  run_logged "$root/.deps/$name.log" "installing $1${2:+ and what goes with it} from PyPI, $gigabytes GB on disk" \
    "$install" "$folder" "$@" || die "$* could not be installed into $folder; run this again to retry"
  echo "$*" >"$folder/.complete"
}

# The libtorches to use, one folder on each line: from SDBENCH_LIBTORCH (versions or paths, separated by commas), else by this machine's GPUs.
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
      ensure_installed install_libraries "libtorch-$version" 6 "torch==$version" >&2
      echo "$root/.deps/libtorch-$version"
    fi
  done
}

# Asking the driver may take a second. So it is asked again only if the driver, the cards or the choosing scripts have changed, or if it
# did not answer.
cached_choice() {
  local key version rc=0 cache=$root/.deps/libtorch-choice lib=$root/scripts/lib
  key="$(command -v nvidia-smi || true) $(head -n 1 /proc/driver/nvidia/version 2>/dev/null || true) $(
    { cat /proc/driver/nvidia/gpus/*/information 2>/dev/null || true; } | cksum
  ) $(python3 "$lib/libcuda.py" file 2>/dev/null || true) $(python3 --version) $(
    cat "$lib/choose_libtorch.sh" "$lib/libcuda.py" | cksum
  )"
  key=${key//$'\n'/ }
  if [ -f "$cache" ] && [ "$(head -n 1 "$cache")" = "$key" ]; then
    tail -n 1 "$cache"
    return
  fi
  rm -f "$cache"
  version=$("$lib/choose_libtorch.sh") || rc=$?
  case $rc in
  0) printf '%s\n%s\n' "$key" "$version" >"$cache" ;;
  3) ;; # no answer
  *) return 1 ;;
  esac
  echo "$version"
}
