#!/usr/bin/env bash
# An SDF whose joints close a loop is a mechanism. A parallelogram of two rods (1 kg, 0.004 kg m^2, centre at 0.1 m of 0.2 m)
# and a coupler (2 kg) swings with M = 2 (0.004 + 0.01) + 2 0.2^2 and K = 9.81 (2 0.1 + 2 0.2); as a robot it has
# the same M, and no law at the joint that closes the loop.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=$TORSOR_SOURCE_DIR/tests/sdf/loops/four_bar.sdf
"$TORSOR_CLI" mechanism modes "$file" --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["degrees_of_freedom"] == 1
assert abs(answer["M"][0][0] - 0.108) < 1e-12, answer["M"]
assert abs(answer["K"][0][0] - 5.886) < 1e-9, answer["K"]
'
"$TORSOR_CLI" terms "$file" --q zero --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert abs(answer["M"][0][0] - 0.108) < 1e-12 and len(answer["M"]) == 1, answer["M"]
assert answer["closure_error"] < 1e-12
'
for law in '<dynamics><damping>0.1</damping></dynamics>' '<dynamics><spring_stiffness>2</spring_stiffness></dynamics>'; do
  python3 - "$file" "$law" > "$work/law.sdf" <<'END'
import re, sys
text = open(sys.argv[1]).read()
joints = re.findall(r"<joint .*?</joint>", text, re.S)
last = joints[-1]
print(text.replace(last, last.replace("</axis>", sys.argv[2] + "</axis>")))
END
  said=$("$TORSOR_CLI" show "$work/law.sdf" 2>&1) && exit 1
  grep -q '\[loop-law\]' <<<"$said"
done
