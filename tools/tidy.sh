#!/usr/bin/env bash
# clang-tidy over the C++ files of src/ and apps/ that have changed since commit $SINCE, or over all.
# g++'s warning flags are unknown to clang, and libstdc++ 12 deprecates what its own stable_sort uses.
# Needs the compile commands of the release build.
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ! -f build/compile_commands.json ]]; then
  cmake --preset release > /dev/null
fi
if [[ -n "${SINCE:-}" ]]; then
  mapfile -t files < <(git diff --name-only --diff-filter=d "$SINCE" -- 'src/*.cpp' 'apps/*.cpp')
else
  mapfile -t files < <(git ls-files 'src/*.cpp' 'apps/*.cpp')
fi
[[ ${#files[@]} -gt 0 ]] || { echo "tidy: no file"; exit 0; }
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 4 clang-tidy-19 -p build --quiet \
  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations
