#!/usr/bin/env bash
# A temporary folder without space ends in file-write and exit 3, never in fewer rows or a blamed compiler.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { printf 'FAILED: %s\n' "$*" >&2 && exit 1; }
"$TORSOR_CLI" example log.csv >/dev/null
size=$(stat -c %s log.csv)
((size > 20480)) || fail "log.csv has $size bytes: the limit below does not cut it"

# ulimit -f counts blocks of 1024 bytes
for verb in "identify two_link -" "agree two_link --against -"; do
  status=0
  said=$( (ulimit -f 20; "$TORSOR_CLI" $verb 2>&1 >/dev/null) <<<"$(<log.csv)") || status=$?
  [[ $status == 3 && $said == *"[file-write]"* ]] || fail "$verb: exit $status, $said"
done
status=0
said=$( (ulimit -f 2; "$TORSOR_CLI" codegen puma560 --functions id --prove -o /dev/null 2>&1 >/dev/null)) || status=$?
[[ $status == 3 && $said == *"[file-write]"* ]] || fail "codegen --prove: exit $status, $said"
