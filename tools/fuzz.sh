#!/usr/bin/env bash
# Runs each fuzz target for $FUZZ_SECONDS (default 60). The inputs kept in tests/fuzz/<target>/ are read, never
# written: new ones go to build/fuzz/inputs/, and one that breaks a reader to build/fuzz/broken/.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${FUZZ_SECONDS:-60}"
mapfile -t targets < <(find build/asan/bin -maxdepth 1 -type f -executable -name '*_fuzz' | sort)
if [[ ${#targets[@]} -eq 0 ]]; then
  echo "fuzz: no target in build/asan/bin; a fuzz program's name ends in _fuzz" >&2
  exit 1
fi
mkdir -p build/fuzz/broken
status=0
for target in "${targets[@]}"; do
  name="$(basename "$target")"
  kept="build/fuzz/inputs/$name"
  mkdir -p "$kept"
  seeds=()
  for folder in "tests/fuzz/seeds/$name" "tests/fuzz/${name%_fuzz}"; do
    [[ ! -d "$folder" ]] || seeds+=("$folder")
  done
  echo "== $name, $seconds s"
  "$target" "$kept" "${seeds[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="build/fuzz/broken/$name-" -print_final_stats=1 -verbosity=0 || status=1
done
exit "$status"
