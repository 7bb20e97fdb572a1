#!/usr/bin/env bash
# tools/sdf-corpus on the models of this folder: mass matrix, bias, gravity and poses are Drake's. It fails where they are not.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=$TORSOR_SOURCE_DIR/tools/sdf-corpus
cp -r "$TORSOR_SOURCE_DIR/tests/sdf" "$work/sdf"
python3 "$tool" "$work/sdf" --torsor "$TORSOR_CLI" >"$work/table"
grep -q '^| agree to 1e-9 | 3 |$' "$work/table"
sed -i 's|<mass>0.8</mass>|<mass>0.8000001</mass>|' "$work/sdf/arm.sdf"
! python3 "$tool" "$work/sdf" --torsor "$TORSOR_CLI" --only arm >"$work/table"
grep -q '^| differ by more | 1 |$' "$work/table"
