#!/usr/bin/env bash
# Proves that the committed page is what web/ builds. `tools/check_page.sh --update` commits to the new one.
set -euo pipefail
cd "$(dirname "$0")/.."
page=src/report/page/report.html
built="$PWD/build/page"
(cd web && npx vite build --logLevel warn --outDir "$built" --emptyOutDir)
if [[ "${1:-}" == --update ]]; then
  cp "$built/report.html" "$page"
elif ! cmp "$built/report.html" "$page"; then
  echo "check-page: $page is not what web/ builds; tools/check_page.sh --update brings it there" >&2
  exit 1
fi
