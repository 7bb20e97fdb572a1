#!/usr/bin/env bash
# Files that would take for ever, in every format: each is answered or refused within two seconds of the processor.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
python3 - <<'PY'
import os


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as file:
        file.write(text)


body = '<joint axis="0 1 0"/><geom size="0.1"/>'
mjcf = "<mujoco>{}<worldbody>{}</worldbody></mujoco>"
write("crowd.xml", mjcf.format("", f"<body>{body}</body>" * 33000))
write("chain.xml", mjcf.format("", f"<body>{body}" * 33000 + "</body>" * 33000))
write("geoms.xml", mjcf.format("", '<body><joint axis="0 1 0"/>' + '<geom size="0.1" pos="1 0 0"/>' * 100000 + "</body>"))
classes = "".join(f'<default class="c{k}"><geom size="0.1"/>' for k in range(300))
write("classes.xml", mjcf.format(f"<default>{classes}{'</default>' * 300}</default>", '<body><joint axis="0 1 0"/><geom class="c299"/></body>' * 30000))
write("copies.xml", mjcf.format("", '<replicate count="100">' * 4 + f"<body>{body}</body>" + "</replicate>" * 4))
loops = "".join(f'<connect body1="b{k}" body2="b{k + 1}" anchor="0 0 0"/>' for k in range(3000))
write("loops.xml", mjcf.format("", "".join(f'<body name="b{k}">{body}</body>' for k in range(3001))).replace("</mujoco>", f"<equality>{loops}</equality></mujoco>"))
write("absolute.xml", '<mujoco><include file="/etc/passwd"/></mujoco>')
write("climbing.xml", '<mujoco><include file="../../../../../../../../etc/passwd"/></mujoco>')
write("attached.xml", '<mujoco><asset><model name="m" file="/etc/passwd"/></asset><worldbody><attach model="m"/></worldbody></mujoco>')
write("circle.xml", '<mujoco><include file="circle_2.xml"/></mujoco>')
write("circle_2.xml", '<mujoco><include file="circle.xml"/></mujoco>')

robot = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n{}</robot>'
arm = '<link name="base"/><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>' \
    '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint>'


def macros(first, step, depth):
    text = f'<xacro:macro name="m0" params="x">{first}</xacro:macro>\n'
    for k in range(1, depth + 1):
        text += f'<xacro:macro name="m{k}" params="x">{step.format(k - 1)}</xacro:macro>\n'
    return robot.format(text + f'<xacro:m{depth} x="0"/>')


write("deep.xacro", macros(arm, '<xacro:m{0} x="${{x+1}}"/>', 20))
write("doubled.xacro", macros('<a v="${x}"/>', '<xacro:m{0} x="${{x}}"/><xacro:m{0} x="${{x+1}}"/>', 30))
write("endless.xacro", robot.format('<xacro:macro name="m" params="x"><xacro:m x="${x+1}"/></xacro:macro><xacro:m x="0"/>'))
texts = "".join(f'<xacro:property name="a{k}" value="${{a{k - 1}}}${{a{k - 1}}}"/>' for k in range(1, 40))
write("texts.xacro", robot.format(f'<xacro:property name="a0" value="x"/>{texts}<link name="${{a39}}"/>'))
write("circle.xacro", robot.format('<xacro:include filename="circle_2.xacro"/>'))
write("circle_2.xacro", robot.format('<xacro:include filename="circle.xacro"/>'))

bomb = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 15)) + "]>"
write("bomb.urdf", bomb + '<robot name="&a14;"/>')
write("bomb.xacro", bomb + robot.format('<link name="&a14;"/>'))
write("bomb.xml", bomb + '<mujoco model="&a14;"/>')
write("bomb.sdf", bomb + '<sdf version="1.7"><model name="&a14;"/></sdf>')

sdf = '<sdf version="1.7">{}</sdf>'
for one, other in (("m1", "m2"), ("m2", "m1")):
    write(f"models/{one}/model.config", f'<model><name>{one}</name><sdf version="1.7">model.sdf</sdf></model>')
    write(f"models/{one}/model.sdf", sdf.format(f'<model name="{one}"><link name="l"/><include><uri>model://{other}</uri></include></model>'))
hinge = '<link name="l{0}"><pose relative_to="j{0}"/></link><joint name="j{0}" type="revolute"><pose relative_to="{1}">0 0 1 0 0 0</pose><parent>{2}</parent>' \
    '<child>l{0}</child><axis><xyz>0 0 1</xyz></axis></joint>'
chain = hinge.format(0, "__model__", "world") + "".join(hinge.format(k, f"l{k - 1}", f"l{k - 1}") for k in range(1, 12000))
write("chain.sdf", sdf.format(f'<model name="m">{chain}</model>'))
write("nested.sdf", sdf.format("".join(f'<model name="m{k}">' for k in range(5000)) + '<link name="l"/>' + "</model>" * 5000))
frames = "".join(f'<frame name="f{k}" attached_to="{"l" if k == 0 else f"f{k - 1}"}"/>' for k in range(30000))
write("frames.sdf", sdf.format(f'<model name="m"><link name="l"/>{frames}</model>'))
PY

# a build with sanitizers is an order of magnitude slower
seconds=2
[[ $(basename "$TORSOR_BUILD_DIR") == release ]] || seconds=30

# expect CODE RULE VERB FILE: exit code, and the rule that is named ("" for none)
expect() {
  local code=0
  (ulimit -t "$seconds" && exec "$TORSOR_CLI" $3 "$4" --packages models) >out 2>&1 || code=$?
  [[ $code == "$1" ]] || { echo "$3 $4: exit code $code instead of $1"; head -n 3 out; exit 1; }
  [[ -z $2 ]] || grep -q "\[$2\]" out || { echo "$3 $4: not refused by [$2]"; head -n 3 out; exit 1; }
}
for file in crowd.xml geoms.xml classes.xml deep.xacro chain.sdf; do expect 0 "" check "$file"; done
expect 2 xml-depth check chain.xml
expect 2 mjcf-size check copies.xml
expect 2 loop check loops.xml
expect 2 include-twice check circle.xml
for file in absolute.xml climbing.xml attached.xml; do expect 2 include-outside check "$file"; done
expect 2 xacro-endless check doubled.xacro
expect 2 xacro-endless check endless.xacro
expect 2 xacro-endless check texts.xacro
expect 2 xacro-circle check circle.xacro
for file in bomb.urdf bomb.xacro bomb.xml bomb.sdf; do expect 2 xml-entity check "$file"; done
expect 2 include-cycle check models/m1/model.sdf
expect 2 xml-depth check nested.sdf
expect 0 "" check frames.sdf
