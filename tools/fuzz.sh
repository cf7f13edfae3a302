#!/usr/bin/env bash
# Runs each fuzz target for $FUZZ_SECONDS (default 60), one on each core. The inputs kept in tests/fuzz/<target>/ are
# read, never written: new ones go to build/fuzz/inputs/, and one that breaks a reader to build/fuzz/broken/.
set -euo pipefail
cd "$(dirname "$0")/.."
export seconds="${FUZZ_SECONDS:-60}"
mapfile -t targets < <(find build/asan/bin -maxdepth 1 -type f -executable -name '*_fuzz' | sort)
if [[ ${#targets[@]} -eq 0 ]]; then
  echo "fuzz: no target in build/asan/bin; a fuzz program's name ends in _fuzz" >&2
  exit 1
fi
mkdir -p build/fuzz/broken

run_target() {
  local name log status=0
  name="$(basename "$1")"
  log="build/fuzz/$name.log"
  local folders=("build/fuzz/inputs/$name")
  mkdir -p "${folders[0]}"
  for seeds in "tests/fuzz/seeds/$name" "tests/fuzz/${name%_fuzz}"; do
    [[ ! -d "$seeds" ]] || folders+=("$seeds")
  done
  "$1" "${folders[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="build/fuzz/broken/$name-" -print_final_stats=1 -verbosity=0 >"$log" 2>&1 || status=1
  printf '== %s, %s s\n%s\n' "$name" "$seconds" "$(cat "$log")"
  return "$status"
}
export -f run_target
printf '%s\0' "${targets[@]}" | xargs -0 -P "$(env -u OMP_NUM_THREADS nproc)" -I '{}' bash -c 'run_target "$1"' run_target '{}'
