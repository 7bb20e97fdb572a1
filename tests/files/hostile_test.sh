#!/usr/bin/env bash
# Files that would take for ever, in every format: each is answered or refused within two seconds of the processor.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work"
python3 - <<'PY'
import base64
import json
import os
import struct


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb" if isinstance(text, bytes) else "w") as file:
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


def mesh(name, text):
    write(name, text)
    write(name + ".urdf", '<robot name="r"><link name="base"/><link name="a"><collision><geometry><mesh filename="%s"/></geometry></collision></link>'
          '<joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>' % name)


side = 224  # a box whose floor and lid are grids: 100 000 triangles and walls that are not there
grid = [f"v {i} {j} {k}\n" for k in (0, 1) for i in range(side) for j in range(side)]
for k in (0, 1):
    for i in range(side - 1):
        for j in range(side - 1):
            at = 1 + (k * side + i) * side + j
            corners = (at, at + 1, at + side + 1, at + side)
            grid.append("f %d %d %d %d\n" % (corners if k == 0 else corners[::-1]))
mesh("grid.obj", "".join(grid))
mesh("short.stl", b"\0" * 80 + struct.pack("<I", 4000000000) + b"\0" * 50)
mesh("endless.stl", "solid x\n" + "facet normal 0 0 0\nouter loop\n" * 300000)
dae = '<COLLADA version="1.4.1"><library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>' \
    '<technique_common><accessor source="#a" count="4" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>' \
    '<vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>' \
    '<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries><library_nodes>{}</library_nodes><library_visual_scenes>' \
    '<visual_scene id="c">{}</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#c"/></scene></COLLADA>'
doubled = '<node id="n0"><instance_geometry url="#g"/></node>' + "".join(f'<node id="n{k}">' + f'<instance_node url="#n{k - 1}"/>' * 2 + "</node>" for k in range(1, 40))
mesh("doubled.dae", dae.format(doubled, '<node><instance_node url="#n39"/></node>'))
mesh("circle.dae", dae.format('<node id="n0"><instance_node url="#n0"/></node>', '<node><instance_node url="#n0"/></node>'))
mesh("deep.dae", dae.format("", "<node>" * 20000 + "</node>" * 20000))
mesh("many.dae", dae.format("", '<node><instance_geometry url="#g"/></node>' * 100000))
mesh("bomb.dae", bomb + dae.format("", '<node name="&a14;"/>'))


def gltf(**parts):
    nothing = {"byteLength": 36, "uri": "data:application/octet-stream;base64," + base64.b64encode(b"\0" * 36).decode()}
    scene = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
             "buffers": [nothing], "bufferViews": [{"buffer": 0, "byteLength": 36}], "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}]}
    return json.dumps(scene | parts)


mesh("huge.gltf", gltf(accessors=[{"componentType": 5126, "count": 4000000000, "type": "VEC3"}]))
mesh("circle.gltf", gltf(nodes=[{"children": [1]}, {"children": [0]}]))
mesh("doubled.gltf", gltf(nodes=[{"children": [k + 1, k + 1]} for k in range(40)] + [{"mesh": 0}]))
mesh("nested.gltf", "[" * 200000)
mesh("outside.gltf", gltf(buffers=[{"byteLength": 36, "uri": "../../../../../../etc/passwd"}]))
frames = "".join(f'<frame name="f{k}" attached_to="{"l" if k == 0 else f"f{k - 1}"}"/>' for k in range(30000))
write("frames.sdf", sdf.format(f'<model name="m"><link name="l"/>{frames}</model>'))
PY

# a build with sanitizers is an order of magnitude slower
seconds=2
[[ $(basename "$TORSOR_BUILD_DIR") == release ]] || seconds=30

# torques of very many coordinates take memory in their number: a square matrix of these would be 8 GB
if [[ $(basename "$TORSOR_BUILD_DIR") == release ]]; then
  (ulimit -v 4000000 && exec "$TORSOR_CLI" id crowd.xml --q zero) >out 2>&1 ||
    { echo "the torques of 33 000 coordinates do not fit into 4 GB"; tail -n 3 out | cut -c 1-300; exit 1; }
fi

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
for file in grid.obj many.dae; do expect 0 "" "inertia --density 1000" "$file.urdf"; done
expect 2 stl-size "inertia --density 1000" short.stl.urdf
expect 2 stl-text "inertia --density 1000" endless.stl.urdf
for file in doubled.dae circle.dae; do expect 2 dae-depth "inertia --density 1000" "$file.urdf"; done
expect 2 xml-depth "inertia --density 1000" deep.dae.urdf
expect 2 xml-entity "inertia --density 1000" bomb.dae.urdf
expect 2 mesh-size "inertia --density 1000" huge.gltf.urdf
for file in circle.gltf doubled.gltf; do expect 2 gltf-depth "inertia --density 1000" "$file.urdf"; done
expect 2 json "inertia --density 1000" nested.gltf.urdf
expect 2 mesh-outside "inertia --density 1000" outside.gltf.urdf
