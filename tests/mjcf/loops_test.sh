#!/usr/bin/env bash
# An MJCF with <connect> or <weld> is a mechanism, and a robot with loops. A parallelogram of two rods (1 kg, 0.004 kg m^2, centre at 0.1 m of 0.2 m) and
# a coupler (2 kg) swings with M = 2 (0.004 + 0.01) + 2 0.2^2 and K = 9.81 (2 0.1 + 2 0.2); a spring of 2 N m/rad adds to K. A post
# without mass that holds one of the rods changes nothing.
set -euo pipefail
folder=$TORSOR_SOURCE_DIR/tests/mjcf/loops
for case in "four_bar.xml 5.886" "turned.xml 7.886" "posts.xml 5.886"; do
  read -r file K <<<"$case"
  "$TORSOR_CLI" mechanism modes "$folder/$file" --json | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["degrees_of_freedom"] == 1, answer["degrees_of_freedom"]
assert abs(answer["M"][0][0] - 0.108) < 1e-8, answer["M"]
assert abs(answer["K"][0][0] - float(sys.argv[1])) < 1e-7, answer["K"]
' "$K"
done
# as robots: gravity 9.81 (2 0.1 + 2 0.2) sin q, and the spring of a passive joint apart from it
for case in "four_bar.xml 0" "turned.xml 2" "posts.xml 0"; do
  read -r file k <<<"$case"
  "$TORSOR_CLI" terms "$folder/$file" --json --q 0.3 --qd 0.7 | python3 -c '
import json, math, sys
answer, k = json.load(sys.stdin), float(sys.argv[1])
assert abs(answer["M"][0][0] - 0.108) < 1e-12, answer["M"]
assert abs(answer["gravity_efforts"][0] - 5.886 * math.sin(0.3)) < 1e-12, answer["gravity_efforts"]
assert abs(answer["friction"][0] - k * 0.3) < 1e-12, answer["friction"]
assert abs(answer["C_qd"][0]) < 1e-12, answer["C_qd"]
' "$k"
done
# the motor decides which joint is independent, not an armature; without a motor none is called actuated
bare=$(sed '/<actuator>/,/<\/actuator>/d' "$folder/linkage.xml")
"$TORSOR_CLI" check "$folder/linkage.xml" 2>&1 | grep -q 'independent since they are actuated: a '
"$TORSOR_CLI" check - <<<"$bare" 2>&1 | grep -q 'independent though not actuated'
said=$("$TORSOR_CLI" check - <<<"$bare" 2>&1)
if grep -q 'since they are actuated' <<<"$said"; then exit 1; fi
# what computes on trees refuses it, and what leaves a body free says so
said=$("$TORSOR_CLI" convert "$folder/four_bar.xml" --to urdf 2>&1) && exit 1
grep -q '\[robot-loops\]' <<<"$said"
# what it holds together must be there
said=$(sed 's/body2="right"/body2="wrong"/' "$folder/four_bar.xml" | "$TORSOR_CLI" mechanism check - 2>&1) && exit 1
grep -q 'there is no body "wrong" \[loop-bodies\]' <<<"$said"
