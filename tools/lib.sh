# SPDX-License-Identifier: MIT
# Shared by tools/test, tools/reproduce and .ci/run: Debian packages, configure, build. Sourced by bash, not run.
# The sourcing program sets `program` (the name in messages) and has run `set -euo pipefail`.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)

# Headers and tools of the default build, as Debian 12 names them.
build_packages=(g++ cmake ninja-build libeigen3-dev libboost-dev libmpfr-dev nlohmann-json3-dev libcli11-dev libvalijson-dev
  libgnuplot-iostream-dev libboost-iostreams-dev libboost-system-dev libboost-filesystem-dev
  libgtest-dev librapidcheck-dev libbenchmark-dev libhwy-dev librandom123-dev)
# Draws the figures, SVG and PNG.
plot_packages=(gnuplot-nox)
# Every report records the commit it was made from.
record_packages=(git)
# Methods before the judge, the format of the sources, and the manual pages and Debian packages.
test_packages=(python3 clang-format help2man dpkg-dev file)
# Checks certificates by other hands; without it that test is left out, with a message.
crosscheck_packages=(pari-gp)

# say MESSAGE: prints '?' for each byte that is not printable ASCII, because users choose file names and arguments.
say() { local LC_ALL=C text="$program: $*"; printf '%s\n' "${text//[^[:print:]]/?}" >&2; }

# refuse MESSAGE: bad input; status 2 as in every program of this project.
refuse() { say "$*"; exit 2; }

# fail MESSAGE: the input was good but a step did not succeed.
fail() { say "$*"; exit 1; }

# CMake's lists end an entry at a semicolon.
case $root in *\;*) refuse "the folder is '$root'; allowed: a path without ';', at which CMake divides its lists" ;; esac

# option_value OPTION COUNT VALUE: the value of an option that needs one; COUNT is the number of words left, the option's included.
# An empty value, as of a variable that was never set, is none.
option_value() {
  [ "$2" -ge 2 ] || refuse "$1 needs a value; see $program --help"
  [ -n "${3-}" ] || refuse "$1 is ''; it needs a value; see $program --help"
  printf '%s\n' "${3-}"
}

require_jobs() { [[ $1 =~ ^[1-9][0-9]{0,3}$ ]] || refuse "--jobs is '$1'; allowed: a whole number from 1 to 9999"; }

# One job per processor, but at least 2 GB of free memory for each: the compiler needs that for some of the tests.
default_jobs() {
  local processors memory_kb by_memory
  processors=$(nproc 2>/dev/null || echo 1)
  memory_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null || true)
  by_memory=$(( ${memory_kb:-2000000} / 2000000 ))
  [ "$by_memory" -ge 1 ] || by_memory=1
  echo $(( processors < by_memory ? processors : by_memory ))
}

# missing_packages PACKAGE...: those that are not completely installed, one per line. Makes no call to apt.
missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || printf '%s\n' "$package"
  done
}

# ensure_packages PACKAGE...: says what is missing and installs it. Works without a network when nothing is.
ensure_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "not a Debian system, so nothing is installed for you; the build needs what Debian 12 calls: $*"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  local by_hand="apt-get install --no-install-recommends ${missing[*]}"
  say "missing Debian packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "cannot install packages as user $(id -un) without sudo; as root, run: $by_hand"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300) log
  log=$(mktemp "${TMPDIR:-/tmp}/livi-apt.XXXXXX")
  say "installing them with apt-get (log: $log)"
  # A run that was interrupted inside dpkg leaves packages half-way: unpacked, which this finishes, or in a state that only
  # installing them again ends. Nothing is done to packages that are in order.
  "${as_root[@]}" dpkg --configure -a >"$log" 2>&1 || true
  local broken
  mapfile -t broken < <(dpkg-query -W -f='${db:Status-Eflag} ${Package}\n' 2>/dev/null | sed -n 's/^reinstreq //p')
  # Without a network the update fails, but the packages may still be in apt's cache.
  "${apt[@]}" update >>"$log" 2>&1 || say "apt-get update failed; trying with the package lists that are there"
  [ ${#broken[@]} -eq 0 ] || "${apt[@]}" install -y --no-install-recommends --reinstall "${broken[@]}" >>"$log" 2>&1 || true
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    mapfile -t missing < <(missing_packages "${missing[@]}")
    grep '^E: ' "$log" | tail -n 3 >&2 || true
    if grep -q '^E: Sub-process .*dpkg' "$log"; then
      fail "dpkg could not install ${missing[*]} (see $log); as root, run: dpkg --configure -a; apt-get -f install; then run again"
    fi
    fail "cannot get ${missing[*]}; give apt a network or a Debian 12 mirror and run again, or install by hand: $by_hand"
  fi
  rm -f "$log"
}

# One run at a time in a build folder: two would spoil each other's files. Whatever was started holds the lock too, so a
# build that outlives a killed script is waited for.
lock_build() {
  mkdir -p "$root/build" 2>/dev/null && [ -w "$root/build" ] || refuse "cannot write in $root/build; make it writable or work in a clone of your own"
  exec 9>"$root/build/.lock"
  command -v flock >/dev/null || return 0
  flock -n 9 || { say "another run is building here; waiting for it to end"; flock 9; }
}

presets() { sed -n '/"testPresets"/,/\]/s/.*{ *"name": *"\([a-z_]*\)".*/\1/p' "$root/CMakePresets.json"; }

require_preset() { grep -qxF -- "$1" <<<"$(presets)" || refuse "unknown preset '$1'; allowed: $(presets | paste -sd' ')"; }

# configure PRESET: also after a configure that was interrupted, or in a clone that has moved.
configure() {
  local folder=$root/build/$1 fresh=() generator=() made=build.ninja
  # ninja divides its lists of headers at an apostrophe, and would build everything at every start.
  case $root in *\'*) generator=(-G 'Unix Makefiles') made=Makefile ;; esac
  if [ -e "$folder/CMakeCache.txt" ]; then
    { [ -e "$folder/$made" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; } || fresh=(--fresh)
  fi
  local log=$root/build/configure-$1.log
  (cd "$root" && cmake --preset "$1" "${generator[@]}" "${fresh[@]}") >"$log" 2>&1 || { cat "$log" >&2; fail "configuring preset '$1' failed (above, and in $log)"; }
}

# build PRESET JOBS [TARGET...]
build() {
  local preset=$1 jobs=$2
  shift 2
  (cd "$root" && cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}) >&2 || fail "building preset '$preset' failed (above)"
}

now() { date +%s; }
