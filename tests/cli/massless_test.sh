#!/usr/bin/env bash
# A robot without masses: verbs of dynamics refuse it with the remedy, those that need no masses answer, and the remedy writes
# masses into the author's own text.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cat >"$work/bare.urdf" <<'XML'
<?xml version="1.0"?>
<!-- drawn by hand -->
<robot name="bare">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <joint name="elbow" type="revolute"><!-- stands before its links -->
    <parent link="upper"/><child link="fore"/><origin xyz="0 0 0.4"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="3" effort="40"/>
  </joint>
  <link name="base"/>
  <link name="upper">
    <visual><origin xyz="0 0 0.2"/><geometry><box size="0.05 0.05 0.4"/></geometry><material name="grey"/></visual>
  </link>
  <link name="fore"> <!-- 2 kg by the data sheet -->
    <visual><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.02" length="0.3"/></geometry></visual>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" velocity="3" effort="80"/>
  </joint>
  <gazebo reference="fore"><mu1>0.2</mu1></gazebo>
</robot>
XML

refused() {
  local code=0
  "$TORSOR_CLI" "$@" >"$work/out" 2>&1 || code=$?
  [[ $code == 2 ]] && grep -q '\[robot-massless\]; torsor inertia' "$work/out" && return
  echo "torsor $*: exit code $code"
  cat "$work/out"
  exit 1
}
answered() {
  "$TORSOR_CLI" "$@" >"$work/out" 2>&1 && return
  echo "torsor $*: refused"
  cat "$work/out"
  exit 1
}
bare=$work/bare.urdf
for verb in equations structure count bench "bench --equations" "bench --structure" "bench --derivatives" "codegen --functions id" \
  "codegen --functions fk,mass" "id --q 0,0" "terms --q 0,0"; do
  # shellcheck disable=SC2086
  refused ${verb%% *} "$bare" $([[ $verb == *" "* ]] && echo "${verb#* }")
done
answered codegen "$bare" --functions fk,jacobian -o "$work/bare.c"
answered show "$bare"
answered fk "$bare" --q 0.1,0.2
answered regressor "$bare"

answered inertia "$bare" --density 1000 --mass fore=2 -o "$work/filled.urdf"
answered id "$work/filled.urdf" --q 0,0
# everything but the two new elements is the author's text, byte by byte
python3 - "$bare" "$work/filled.urdf" <<'PY'
import re
import sys

bare, filled = (open(name).read() for name in sys.argv[1:])
assert filled.count("<inertial>") == 2, filled
stripped = re.sub(r"\n[ \t]*<inertial>.*?</inertial>", "", filled, flags=re.S)
assert stripped == bare, stripped
mass = {name: float(value) for name, value in re.findall(r'<link name="(\w+)">.*?<mass value="([^"]+)"', filled, re.S)}
assert abs(mass["upper"] - 1) < 1e-12 and mass["fore"] == 2, mass
PY
