#!/usr/bin/env bash
# An SDF whose joints close a loop is a mechanism. A parallelogram of two rods (1 kg, 0.004 kg m^2, centre at 0.1 m of 0.2 m)
# and a coupler (2 kg) swings with M = 2 (0.004 + 0.01) + 2 0.2^2 and K = 9.81 (2 0.1 + 2 0.2); a robot it is not.
set -euo pipefail
file=$TORSOR_SOURCE_DIR/tests/sdf/loops/four_bar.sdf
"$TORSOR_CLI" mechanism modes "$file" --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["degrees_of_freedom"] == 1
assert abs(answer["M"][0][0] - 0.108) < 1e-12, answer["M"]
assert abs(answer["K"][0][0] - 5.886) < 1e-9, answer["K"]
'
said=$("$TORSOR_CLI" show "$file" 2>&1) && exit 1
grep -q '\[loop\].*torsor mechanism' <<<"$said"
