#!/usr/bin/env bash
# Robots of the Python package robot_descriptions: what is said where the package, a robot or its files are not there, and that
# a xacro of it is expanded with its arguments and packages. A small package of that name stands in for the real one.
set -euo pipefail

command -v python3 >/dev/null || { echo "no python3: nothing to test"; exit 0; }
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
package=$work/packages/robot_descriptions
mkdir -p "$package" "$work/cache/arms/arms_description/urdf" "$work/cache/lost/.git" "$work/none"
export ROBOT_DESCRIPTIONS_CACHE=$work/cache PYTHONDONTWRITEBYTECODE=1

touch "$package/__init__.py"
cat >"$package/_descriptions.py" <<'PY'
class About:
    def __init__(self, form, repository):
        self.has_urdf, self.has_mjcf, self.maker, self.repository = form == "urdf", form == "mjcf", "Arms & Co.", repository


DESCRIPTIONS = {"arm_description": About("urdf", "arms"), "lost_description": About("urdf", "lost"), "gone_mj_description": About("mjcf", "gone")}
PY
cat >"$package/_repositories.py" <<'PY'
class Repository:
    def __init__(self, cache_path):
        self.cache_path = cache_path


REPOSITORIES = {name: Repository(name) for name in ("arms", "lost", "gone")}
PY
cat >"$package/arm_description.py" <<PY
print("Cloning ...")
REPOSITORY_PATH = "$work/cache/arms"
XACRO_PATH = REPOSITORY_PATH + "/arms_description/urdf/arm.urdf.xacro"
XACRO_ARGS = {"length": 0.5}
PY
cat >"$package/lost_description.py" <<'PY'
import sys

print("\r0it [00:00, ?it/s]", end="", file=sys.stderr)
raise RuntimeError("Cmd('git') failed due to: exit code(128)\n  cmdline: git fetch\n  stderr: 'fatal: Could not resolve host: nowhere'")
PY
cat >"$package/gone_mj_description.py" <<PY
REPOSITORY_PATH = "$work/cache/gone"
MJCF_PATH = REPOSITORY_PATH + "/gone.xml"
PY
cat >"$work/cache/arms/arms_description/package.xml" <<'XML'
<package><name>arms_description</name></package>
XML
cat >"$work/cache/arms/arms_description/urdf/parts.xacro" <<'XML'
<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:property name="mass" value="2"/></robot>
XML
cat >"$work/cache/arms/arms_description/urdf/arm.urdf.xacro" <<'XML'
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="length" default="1"/>
  <xacro:include filename="$(find arms_description)/urdf/parts.xacro"/>
  <link name="base"/>
  <link name="rod">
    <inertial>
      <origin xyz="$(arg length) 0 0"/><mass value="${mass}"/>
      <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/>
    </inertial>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
XML

# says VERB ... : exit code, standard output and error in $work
says() {
  code=0
  "$TORSOR_CLI" "$@" >"$work/out" 2>"$work/err" || code=$?
}
expect() { # CODE FILE TEXT
  [[ $code == "$1" ]] || { echo "exit code $code instead of $1"; cat "$work/out" "$work/err"; exit 1; }
  grep -qF -- "$3" "$work/$2" || { echo "nowhere in $2: $3"; cat "$work/out" "$work/err"; exit 1; }
}

# a folder first in the path that shadows an installed package, with no such module in it
export PYTHONPATH=$work/none
printf 'raise ImportError("no such package")\n' >"$work/none/robot_descriptions.py"
says list --all
expect 0 err 'the Python package robot_descriptions is not there [descriptions-missing]; python3 -m pip install robot_descriptions'
expect 0 out puma560
says show robot_descriptions:arm
expect 2 err 'the Python package robot_descriptions is not there [descriptions-missing]'

export PYTHONPATH=$work/packages
says list --all
grep -qE '^robot_descriptions:arm_description +Arms & Co[.] +robot_descriptions, urdf, fetched$' "$work/out" || { cat "$work/out"; exit 1; }
grep -qE '^robot_descriptions:lost_description +Arms & Co[.] +robot_descriptions, urdf$' "$work/out" || { cat "$work/out"; exit 1; }
says list --all --json
python3 -c 'import json, sys
rows = {row["name"]: row for row in json.load(open(sys.argv[1]))}
assert rows["robot_descriptions:arm_description"]["fetched"] is True
assert rows["robot_descriptions:gone_mj_description"] == {"name": "robot_descriptions:gone_mj_description", "format": "mjcf", "maker": "Arms & Co.", "fetched": False}' "$work/out"

# 2 kg at 0.5 m, as the package asks, and at 0.25 m, as the user does
says id robot_descriptions:arm --q 0
expect 0 out -9.81
says id robot_descriptions:arm --q 0 --arg length:=0.25
expect 0 out -4.905

says show robot_descriptions:amr
expect 2 err "robot_descriptions has no robot 'amr'; near it: arm_description [descriptions-robot]; torsor list --all"
says show robot_descriptions:lost
expect 2 err 'robot_descriptions cannot fetch lost_description: Could not resolve host: nowhere; it clones a repository into'
expect 2 err '[descriptions-fetch]; fetch it where there is a network, or give the robot file'
says show robot_descriptions:gone
expect 2 err "robot_descriptions names $work/cache/gone/gone.xml, which is not there; remove $work/cache/gone, so that it is fetched again"
