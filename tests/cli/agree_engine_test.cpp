// torsor agree --against ENGINE, with a stand-in for the engine: a Python interpreter of ours that speaks its protocol
// (script, engine, robot file, states, where to write) and takes the torques from `torsor id`, with mistakes put in.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"

using namespace cli_test;
using nlohmann::json;

namespace {

/// The stand-in; `mistake` is Python that changes the list tau of a row of n joints, whose number is k.
std::string stand_in(const std::string& name, const std::string& mistake) {
  const std::string file =
      write(name, R"py(#!/usr/bin/env python3
import csv, os, random, subprocess, sys
script, engine, robot, states, out = sys.argv[1:6]
assert os.path.exists(script) and engine in ("pinocchio", "mujoco", "drake")
random.seed(1)
torques = out + ".id"
subprocess.run([")py" +
                      places::command_path() +
                      R"py(", "id", robot, "--motion", states, "-o", torques], check=True, capture_output=True)
rows, answers = list(csv.DictReader(open(states))), list(csv.DictReader(open(torques)))
names = [key[2:] for key in rows[0] if key.startswith("q.")]
print("Stand-in 1.0")
with open(out, "w", newline="") as file:
    write = csv.writer(file)
    write.writerow([f"{kind}.{joint}" for kind in ("q", "qd", "qdd", "tau") for joint in names])
    for k, (row, answer) in enumerate(zip(rows, answers)):
        tau = [float(answer["tau." + joint]) for joint in names]
        qd = [float(row["qd." + joint]) for joint in names]
)py" + mistake + R"py(
        write.writerow([row[f"{kind}.{joint}"] for kind in ("q", "qd", "qdd") for joint in names] + [repr(x) for x in tau])
)py");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

json answer_of(const std::string& engine, const std::string& python, int code) {
  const Outcome outcome = torsor("agree puma560 --against " + engine + " --python " + python + " --states 40 --json");
  CAPTURE(outcome.err);
  CHECK(outcome.code == code);
  return json_of(outcome);
}

}  // namespace

TEST_CASE("an engine that says the same agrees, and mistakes are recognised for what they are") {
  for (const char* engine : {"pinocchio", "mujoco", "drake"}) {
    CAPTURE(engine);
    const json same = answer_of(engine, stand_in("same.py", ""), 0);
    CHECK(same["agree"] == true);
    CHECK(same["against"] == "Stand-in 1.0");
    CHECK(same["row_count"] == 40);

    const json joint = answer_of(engine, stand_in("joint.py", "        tau[2] *= 1.25\n"), 1);
    CHECK(joint["reason"] == "joint-factor");
    CHECK(joint["joints"][2]["differs"] == true);
    CHECK(joint["joints"][1]["differs"] == false);
    CHECK(joint["guesses"][0]["sizes"][0]["value"].get<double>() == doctest::Approx(1.25));

    const json all = answer_of(engine, stand_in("all.py", "        tau = [x * 0.4 for x in tau]\n"), 1);
    CHECK(all["reason"] == "effort-size");

    const json noise =
        answer_of(engine, stand_in("noise.py", "        tau = [x + random.gauss(0, 0.3) for x in tau]\n"), 1);
    CHECK(noise["reason"] == "noise");
  }
}

TEST_CASE("what is not there is an error with its remedy") {
  CHECK(tells(torsor("agree puma560 --against mujoco --python ./nobody").err, "engine-python", {"--python"}));
  const std::string missing = write("missing.sh", "#!/bin/sh\necho \"No module named 'mujoco'\" >&2\nexit 3\n");
  std::filesystem::permissions(missing, std::filesystem::perms::owner_all);
  const Outcome none = torsor("agree puma560 --against mujoco --python " + missing);
  CHECK(none.code == 2);
  CHECK(tells(none.err, "engine-missing", {"pip", "install", "mujoco"}));
  const std::string unwilling = write("unwilling.sh", "#!/bin/sh\necho \"inertia must be positive\" >&2\nexit 4\n");
  std::filesystem::permissions(unwilling, std::filesystem::perms::owner_all);
  CHECK(tells(torsor("agree puma560 --against drake --python " + unwilling).err, "engine-refused",
              {"inertia", "must", "be", "positive"}));
  CHECK(tells(torsor("agree floating --against drake --python " + unwilling).err, "engine-robot"));
  CHECK(tells(torsor("agree puma560 --python x").err, "option-mode", {"--python"}));
  CHECK(tells(torsor("agree puma560 --against mujoco --cutoff 5").err, "option-mode", {"--cutoff"}));
}

namespace {

/// A Python of ours that loads the script of the engines and says what one of its functions makes of the robot.
std::string asking(const std::string& name, const std::string& question) {
  const std::string file = write(name, R"py(#!/usr/bin/env python3
import json, runpy, sys, tempfile
script = runpy.run_path(sys.argv[1], run_name="engine")
globals().update(script)
engine, robot = sys.argv[2:4]
)py" + question + R"py(
print(json.dumps(answer), file=sys.stderr)
sys.exit(4)
)py");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

/// What stands between the first and the last of these in a message.
json answered(const Outcome& outcome, char first, char last) {
  const std::size_t refusal = outcome.err.find("it does not take this robot");
  REQUIRE(refusal != std::string::npos);
  const std::size_t from = outcome.err.find(first, refusal), to = outcome.err.rfind(last, outcome.err.find(" [engine-refused]"));
  CAPTURE(outcome.err);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  return json::parse(outcome.err.substr(from, to - from + 1));
}

const std::string geared_urdf = R"(<robot name="r" %s><link name="b"/>
<link name="l"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://nowhere/a.stl"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="b"/><child link="l"/></joint>
<transmission name="t"><type>SimpleTransmission</type><joint name="j"/><actuator name="m">
<drake:rotor_inertia value="1e-4"/><drake:gear_ratio value="100"/></actuator></transmission></robot>)";

}  // namespace

TEST_CASE("what is handed to an engine keeps the prefixes of the file, declared or not") {
  const std::string python = asking("prefixes.py", R"py(
root = read_xml(robot)
plain_urdf(root)
with tempfile.TemporaryDirectory() as folder:
    text = open(save(root, folder)).read()
answer = [text.count("<drake:rotor_inertia value="), text.count("<drake:gear_ratio value="), text.count("ns0"), text.count("<visual")]
)py");
  for (const char* declared : {"xmlns:drake=\"http://drake.mit.edu\"", ""}) {
    std::string text = geared_urdf;
    text.replace(text.find("%s"), 2, declared);
    const Outcome outcome = torsor("agree " + write("geared.urdf", text) + " --against drake --python " + python);
    CHECK(answered(outcome, '[', ']') == json({1, 1, 0, 0}));
  }
  // and those of a URDF that is written for it
  const std::string toml = write("geared.toml",
                                 "[[link]]\nname = \"l\"\njoint = { kind = \"revolute\", name = \"j\" }\n"
                                 "placement = { position = [0, 0, 0] }\nmass = 1\ninertia = [1, 1, 1]\n"
                                 "rotor = { inertia = 1e-4, gear = 100 }\n");
  CHECK(answered(torsor("agree " + toml + " --against drake --python " + python), '[', ']') == json({1, 1, 0, 0}));
}

TEST_CASE("couplings of all three formats give each joint by the coordinates there are") {
  const std::string python = asking("couplings.py", R"py(
root = read_xml(robot)
kind = root.tag
rows = plain_urdf(root) if kind == "robot" else mjcf_rows(root) if kind == "mujoco" else sdf_rows(root.find("model"))
found = spread(rows, ["a"], ["a", "b", "c"])
answer = {joint: [found[joint][0].get("a", 0), found[joint][1]] for joint in found}
)py");
  // b = 2 a + 1, c = -3 b + 0.5 = -6 a - 2.5
  const auto urdf_joint = [](const std::string& name, const std::string& parent, const std::string& mimic) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent + "'/><child link='l" + name + "'/>" +
           mimic + "</joint><link name='l" + name +
           "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const std::string urdf = "<robot name='r'><link name='w'/>" + urdf_joint("a", "w", "") +
                           urdf_joint("b", "la", "<mimic joint='a' multiplier='2' offset='1'/>") +
                           urdf_joint("c", "lb", "<mimic joint='b' multiplier='-3' offset='0.5'/>") + "</robot>";
  const std::string hinge = "<geom size='0.1' pos='1 0 0'/>";
  // b is coupled the other way round, which is how torsor may not have it
  const std::string mjcf = "<mujoco><worldbody><body><joint name='a' axis='0 1 0'/>" + hinge +
                           "<body><joint name='b' axis='0 1 0'/>" + hinge + "<body><joint name='c' axis='0 1 0'/>" +
                           hinge +
                           "</body></body></body></worldbody><equality>"
                           "<joint joint1='b' joint2='a' polycoef='1 2 0 0 0'/><joint joint1='b' joint2='c' "
                           "polycoef='0.16666666666666666 -0.3333333333333333 0 0 0'/></equality></mujoco>";
  const auto sdf_joint = [](const std::string& name, const std::string& parent, const std::string& mimic) {
    return "<link name='l" + name + "'><inertial><mass>1</mass></inertial></link><joint name='" + name +
           "' type='revolute'><parent>" + parent + "</parent><child>l" + name + "</child><axis><xyz>0 1 0</xyz>" +
           mimic + "</axis></joint>";
  };
  const std::string sdf =
      "<sdf version='1.11'><model name='m'>" + sdf_joint("a", "world", "") +
      sdf_joint("b", "la",
                "<mimic joint='a'><multiplier>2</multiplier><offset>0</offset><reference>-0.5</reference></mimic>") +
      sdf_joint("c", "lb",
                "<mimic joint='b'><multiplier>-3</multiplier><offset>0.5</offset><reference>0</reference></mimic>") +
      "</model></sdf>";
  for (const auto& [file, text] : {std::pair{"coupled.urdf", urdf}, {"coupled.xml", mjcf}, {"coupled.sdf", sdf}}) {
    const std::string name = file;
    CAPTURE(name);
    const json found = answered(torsor("agree " + write(name, text) + " --against drake --python " + python), '{', '}');
    const std::pair<const char*, std::pair<double, double>> wanted[] = {
        {"a", {1, 0}}, {"b", {2, 1}}, {"c", {-6, -2.5}}};
    for (const auto& [joint, affine] : wanted) {
      CHECK(found[joint][0].get<double>() == doctest::Approx(affine.first));
      CHECK(found[joint][1].get<double>() == doctest::Approx(affine.second).epsilon(1e-12));
    }
  }
}

TEST_CASE("Drake is given an SDF as it is, and one that we write where it refuses that") {
  const std::string sdf =
      write("gravity.sdf",
            "<sdf version='1.9'><world name='w'><gravity>0 0 -3</gravity><model name='m'><link name='l'>"
            "<inertial><mass>1</mass></inertial></link><joint name='j' type='revolute2'><parent>world"
            "</parent><child>l</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>"
            "</model></world></sdf>");
  const std::string python = asking("takes.py", R"py(
refuse("cannot take " + robot.rsplit("/", 1)[-1] + " " + open(robot).read().count("revolute2") * "with revolute2" + str(sdf_gravity(read_xml(robot)) if read_xml(robot).tag == "sdf" else "as a URDF"))
answer = 0
)py");
  const Outcome drake = torsor("agree " + sdf + " --against drake --python " + python);
  CHECK(tells(drake.err, "engine-refused", {"cannot", "take", "given.urdf"}));
  const Outcome mujoco = torsor("agree " + sdf + " --against mujoco --python " + python);
  CHECK(contains(mujoco.err, "given.xml"));
}
