#!/bin/sh
# Proves that the committed page is what web/ builds; with --update makes it so.
set -eu
cd "$(dirname "$0")/.."
page=src/report/page/report.html
limit=130000  # bytes of code, report-design 10

[ -d web/node_modules ] || npm --prefix web ci --no-audit --no-fund
npm --prefix web run --silent build -- --logLevel error
size=$(wc -c < web/dist/report.html)
if [ "$size" -gt "$limit" ]; then
  echo "the page has $size bytes; at most $limit are allowed" >&2
  exit 1
fi
if [ "${1:-}" = --update ]; then
  cp web/dist/report.html "$page"
elif ! cmp -s web/dist/report.html "$page"; then
  echo "$page is not what web/ builds; run tools/check_page.sh --update and commit it" >&2
  exit 1
fi
echo "page: $size bytes, as built"
