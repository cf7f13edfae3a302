#!/usr/bin/env bash
# Rates on this machine (bench/, wall time: look at them on a quiet one) and instruction counts against the
# stored ones (the gate's criterion).
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset release -DDIFFRAM_TESTS=ON > /dev/null
cmake --build --preset release
mapfile -t programs < <(find build/bin -maxdepth 1 -type f -executable -name '*_bench' | sort)
if [[ ${#programs[@]} -eq 0 ]]; then
  echo "bench: no program in build/bin; its name ends in _bench" >&2
  exit 1
fi
for program in "${programs[@]}"; do
  echo "== $(basename "$program")"
  "$program"
done
echo "== the demo's run: where its seconds go, and the mean run length"
build/bin/diffram run sd14-sample --memory ddr4-3200-8g-2ch --machine npu-edge > /dev/null
.venv/bin/python tools/check_gates.py
