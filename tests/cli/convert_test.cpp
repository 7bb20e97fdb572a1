#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/command.hpp"

using namespace cli_test;

TEST_CASE("a robot goes through every form and back, and says how far its torques moved") {
  for (const char* form : {"standard-dh", "modified-dh", "placement", "toml"}) {
    CAPTURE(form);
    const std::string file = path("arm.toml");
    const auto there = torsor("convert puma560 --to " + std::string(form) + " -o " + file);
    CHECK(there.code == 0);
    CHECK(contains(there.err, "torques differ by at most"));
    CHECK(there.out.empty());
    const auto back = torsor("convert " + file + " --to standard-dh --json");
    REQUIRE(back.code == 0);
    const auto answer = json_of(back);
    CHECK(answer["torque_difference"].get<double>() < 1e-11);
    CHECK(answer["snaps"].empty());
  }
  const std::string urdf = path("arm.urdf");
  CHECK(torsor("convert puma560 -o " + urdf).code == 0);
  const auto table = torsor("convert " + urdf + " --table markdown");
  CHECK(table.code == 0);
  CHECK(contains(table.out, "0.67183"));
  CHECK(contains(table.out, "0.4318"));
}

TEST_CASE("a robot goes to MJCF and on to URDF with the same torques") {
  for (const char* name : {"arm.mjcf", "arm.mjcf.xml"}) {
    CAPTURE(name);
    const std::string mjcf = path(name);
    REQUIRE(torsor("convert puma560 -o " + mjcf).code == 0);
    const auto there = torsor("convert puma560 --to mjcf --json");
    REQUIRE(there.code == 0);
    CHECK(nlohmann::json::parse(there.out)["torque_difference"].get<double>() < 1e-12);
    const auto back = torsor("convert " + mjcf + " --to urdf --json");
    REQUIRE(back.code == 0);
    const auto answer = nlohmann::json::parse(back.out);
    CHECK(answer["torque_difference"].get<double>() < 1e-12);
    CHECK(contains(answer["text"].get<std::string>(), "<robot"));
  }
  CHECK(torsor("convert two_arm --to mjcf -o tree.xml").code == 0);
  CHECK(torsor("id tree.xml --q zero --json").code == 0);
}

TEST_CASE("a robot goes to SDF and on to URDF and MJCF with the same torques") {
  const std::string sdf = path("arm.sdf");
  REQUIRE(torsor("convert puma560 -o " + sdf).code == 0);
  for (const char* to : {"urdf", "mjcf", "sdf", "toml"}) {
    CAPTURE(to);
    const auto on = torsor("convert " + sdf + " --json --to " + to);
    REQUIRE(on.code == 0);
    CHECK(nlohmann::json::parse(on.out)["torque_difference"].get<double>() < 1e-12);
  }
  CHECK(torsor("id " + sdf + " --q zero --json").code == 0);
  CHECK(torsor("convert puma560 --to sdf -o x.urdf").code == 2);
  CHECK(tells(torsor("convert puma560_drives --to sdf").err, "sdf-friction"));
}

TEST_CASE("tables come as text, Markdown and LaTeX") {
  CHECK(contains(torsor("convert puma560 --table text").out, "standard DH"));
  CHECK(contains(torsor("convert puma560 --table markdown").out, "| waist"));
  CHECK(contains(torsor("convert stanford --to modified-dh --table latex").out, "\\begin{tabular}"));
}

TEST_CASE("what cannot be converted is refused with the reason") {
  const auto tree = torsor("convert two_arm --to standard-dh");
  CHECK(tree.code == 1);
  CHECK(tells(tree.err, "not-serial"));
  const auto form = torsor("convert puma560 --to dh");
  CHECK(form.code == 2);
  CHECK(tells(form.err, "option-value"));
  CHECK(torsor("convert puma560 --to urdf --table text").code == 2);
  CHECK(torsor("convert puma560 --angle-tolerance -1").code == 2);
}

TEST_CASE("with --json the file is written, too, and standard output has one answer only") {
  const Outcome both = torsor("convert two_link -o two.toml --json");
  CHECK(both.code == 0);
  CHECK(both.out.starts_with("{"));
  CHECK(contains(read(path("two.toml")), "two-link arm"));
  CHECK(tells(torsor("convert two_link -o - --json").err, "option-mode", {"--json"}));
}

TEST_CASE("a chain of a tree has a DH table, and what hangs beside it is told") {
  const Outcome arm = torsor("convert two_arm --tip left_wrist3 --table text");
  CHECK(arm.code == 0);
  CHECK(contains(arm.out, "left_elbow"));
  CHECK_FALSE(contains(arm.out, "right"));
  CHECK(says(arm.err, {"\"torso\"", "7", "17.0489", "\"right_mount\""}));
  CHECK(contains(arm.err, "their joints held at zero"));
  const auto leg =
      json_of("convert floating --base body --tip hind_left_lower --to modified-dh");
  CHECK(leg["torque_difference"].get<double>() < 1e-11);
  CHECK(says(leg["notes"][0], {"\"body\""}));

  const Outcome free = torsor("convert floating --tip hind_left_lower --to standard-dh");
  CHECK(free.code == 1);
  CHECK(tells(free.err, "not-serial", {"--base"}));
  CHECK(tells(torsor("convert two_arm --tip nobody").err, "part-link"));
  // the tool is the default one where none is named
  CHECK(torsor("convert two_arm --base torso --table text").code == 0);
  // frozen elsewhere: the same chain with the other arm raised
  const auto raised = json_of("convert two_arm --tool left_wrist3 --hold right_shoulder_lift=0.5 --to urdf");
  CHECK(raised["certificate"]["holds"] == true);
  CHECK(raised["held"][0]["mass"].get<double>() == doctest::Approx(17.0489));
  CHECK(tells(torsor("convert two_arm --tool left_wrist3 --hold nobody=1").err, "chain-hold", {"nobody"}));
  CHECK(tells(torsor("convert two_arm --tool left_wrist3 --hold nobody").err, "option-value", {"--hold"}));
  CHECK(tells(torsor("convert two_arm --tool left_wrist3 --followers leave").err, "option-value", {"--followers"}));
}

TEST_CASE("a conversion ends with a certificate of what is read back, and lists what the format does not hold") {
  for (const char* robot : {"puma560_drives", "two_arm", "panda", "scara", "floating", "two_link_ceiling"})
    for (const char* form : {"toml", "urdf", "mjcf", "placement"}) {
      CAPTURE(robot);
      CAPTURE(form);
      const Outcome outcome = torsor(std::string("convert ") + robot + " --to " + form + " --json");
      if (outcome.code != 0 && outcome.out.empty()) continue;  // refused: the format cannot hold it, and says so
      const auto certificate = json_of(outcome)["certificate"];
      CHECK(certificate["holds"] == true);
      CHECK(certificate["same_tree"] == true);
      CHECK(certificate["torque"].get<double>() <= 1e-12);
      CHECK(certificate["states"].get<int>() > 0);
    }
}

TEST_CASE("a file is written only under an ending that fits what is in it") {
  const auto refused = [](const std::string& arguments, const std::string& allowed) {
    const Outcome outcome = torsor("convert two_link " + arguments);
    CAPTURE(outcome.err);
    return outcome.code == 2 && contains(outcome.err, "[output-ending]; use " + allowed);
  };
  CHECK(refused("-o x.xacro", ".toml, .urdf, .mjcf or .sdf; a robot without macros is a plain .urdf"));
  CHECK(refused("-o x.json", ".toml, .urdf, .mjcf or .sdf"));
  CHECK(refused("--to mjcf -o x.urdf", ".mjcf or .xml"));
  CHECK(refused("--to standard-dh -o x.urdf", ".toml"));
  CHECK(refused("--to urdf -o x.toml", ".urdf"));
  CHECK(refused("--table latex -o x.md", ".tex"));
  CHECK_FALSE(std::filesystem::exists(path("x.xacro")));
  for (const char* good : {"-o x.toml", "-o x.urdf", "--to urdf -o x.xml", "--to placement -o ./d.x/../plain",
                           "--table latex -o x.tex", "--table markdown -o x.md", "--table text -o x.txt"}) {
    CAPTURE(good);
    std::filesystem::create_directories(path("d.x"));
    CHECK(torsor("convert two_link " + std::string(good)).code == 0);
  }
}

TEST_CASE("shapes that a robot file cannot hold, and rounding without snapping, are told") {
  const std::string file = write("shapes.urdf", R"(<robot name="r">
<link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://m.stl"/></geometry></visual></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0" rpy="0.000000000000004 0 0"/>
<axis xyz="0 0 1"/></joint>
</robot>
)");
  const Outcome lost = torsor("convert " + file + " -o shapes.toml");
  CHECK(contains(lost.err, "shapes (visual, collision, meshes) of 1 link are lost"));
  CHECK_FALSE(contains(torsor("convert " + file + " -o same.urdf").err, "lost"));
  const Outcome exact = torsor("convert " + file + " --to standard-dh --no-snap");
  CHECK(exact.code == 0);
  CHECK(says(exact.err, {"4e-15"}));
}

TEST_CASE("a robot that moves by more than was told ends with exit code 1") {
  // a thousand kilometres away from its base a metre has ten digits
  const std::string file = write("far.toml", R"(
[[link]]
name = "a"
joint = "revolute"
placement = { position = [1e6, 0, 0] }
mass = 1
inertia = [1, 1, 1]
[[link]]
name = "b"
joint = { kind = "revolute", axis = [0, 1, 0] }
placement = { position = [0.3, 0.2, 0.1] }
mass = 1
com = [0.1, 0.2, 0.3]
inertia = [1, 1, 1]
)");
  const Outcome far = torsor("convert " + file + " --to standard-dh");
  CHECK(far.code == 1);
  CHECK(tells(far.err, "convert-moved"));
  CHECK(torsor("convert " + file + " --to standard-dh --json").code == 1);
}

TEST_CASE("options about snapping are refused where nothing is snapped") {
  const Outcome urdf = torsor("convert puma560 --to urdf --no-snap --length-tolerance 0.001 -o x.urdf");
  CHECK(urdf.code == 2);
  CHECK(tells(urdf.err, "option-mode", {"--no-snap", "--to"}));
  CHECK(tells(urdf.err, "option-mode", {"--length-tolerance", "--to"}));
  const Outcome both = torsor("convert puma560 --to standard-dh --no-snap --angle-tolerance 0.001");
  CHECK(both.code == 2);
  CHECK(tells(both.err, "option-mode", {"--angle-tolerance", "--no-snap"}));
  CHECK(torsor("convert puma560 --table text --angle-tolerance 0.1 --length-tolerance 0.01").code == 0);
}

TEST_CASE("tolerances beyond rounding are refused, and what large ones move is told") {
  for (const char* option : {"--angle-tolerance 0.11", "--angle-tolerance -1", "--length-tolerance 0.02",
                             "--length-tolerance \"1e-3 1e-3\""}) {
    CAPTURE(option);
    const Outcome outcome = torsor("convert puma560 --table text " + std::string(option));
    CHECK(outcome.code == 2);
    CHECK(tells(outcome.err, "option-value", {"0"}));
  }
  // a balanced slope of 0.09 rad: taken as upright, it no longer bears any weight
  const std::string file = write("slope.toml", R"(
[[link]]
name = "a"
joint = { kind = "revolute", axis = [0, 0, 1] }
mass = 1
inertia = [1, 1, 1]
[[link]]
name = "b"
joint = { kind = "revolute", axis = [0, 0, 1] }
placement = { position = [0.5, 0, 0], rpy = [0.09, 0, 0] }
mass = 1
com = [0.3, 0, 0]
inertia = [0.1, 0.1, 0.1]
)");
  // what the certificate does not hold for does not get its name
  write("kept.toml", "as it was\n");
  const Outcome kept = torsor("convert " + file + " --to standard-dh --angle-tolerance 0.1 -o kept.toml");
  CHECK(kept.code == 1);
  CHECK(tells(kept.err, "convert-moved"));
  CHECK(contains(kept.err, "note: kept as kept.toml.partial\n"));
  CHECK(read(path("kept.toml")) == "as it was\n");
  CHECK(contains(read(path("kept.toml.partial")), "convention"));
  const Outcome snapped = torsor("convert " + file + " --table text --angle-tolerance 0.1");
  CHECK(says(snapped.err, {"\"a\"", "\"b\"", "0", "0.09"}));
  CHECK(snapped.code == 1);
  CHECK(tells(snapped.err, "convert-moved"));
}

TEST_CASE("a table says where frame 0 is and where the tool is behind the last frame") {
  const std::string file = write("ends.toml", R"(
convention = "modified-dh"
[base]
position = [1, 2, 3]
rpy_deg = [90, 0, 0]
[[link]]
name = "a"
joint = "revolute"
dh = { a = 0, alpha = 0, d = 0.2, theta = 0 }
mass = 1
inertia = [1, 1, 1]
[[tool]]
name = "tip"
link = "a"
position = [0.4, 0, 0]
)");
  const std::string base = "world -> base: position (1, 2, 3) m, rpy (90, 0, 0) deg";
  const std::string tool = "frame 1 -> tip: position (0.4, 0, 0) m, rpy (0, 0, 0) deg";
  const Outcome text = torsor("convert " + file + " --to modified-dh --table text");
  CAPTURE(text.err);
  CHECK(contains(text.out, base + "\n"));
  CHECK(contains(text.out, tool + "\n"));
  CHECK(contains(torsor("convert " + file + " --to modified-dh --table markdown").out, "- `" + tool + "`\n"));
  CHECK(contains(torsor("convert " + file + " --to modified-dh --table latex").out, "frame 1 $\\to$ tip: position"));
  const auto answer = json_of("convert " + file + " --to modified-dh");
  CHECK(answer["ends"][0]["to"] == "base");
  CHECK(answer["ends"][0]["position"] == std::vector<double>{1, 2, 3});
  CHECK(answer["ends"][1]["from"] == "frame 1");
  CHECK(contains(torsor("convert floating --base body --tip hind_left_lower --table text").out, "body -> frame 0:"));
}

TEST_CASE("a rounded right angle half a metre out leaves no length in the table") {
  const std::string file = write("lever.urdf", R"(<robot name="r">
<link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint>
<joint name="k" type="continuous"><parent link="a"/><child link="b"/><origin xyz="0 0 0.5" rpy="1.5708 0 0"/>
<axis xyz="0 1 0"/></joint>
</robot>
)");
  const Outcome outcome = torsor("convert " + file + " --table text");
  CHECK(outcome.code == 0);
  CHECK(says(outcome.err, {"\"j\"", "\"k\"", "0", "3.7e-06"}));
  CHECK_FALSE(contains(outcome.out.substr(0, outcome.out.find("->")), "e-6"));
}

TEST_CASE("what a URDF loses on the way to a URDF is told, and a file is not written over itself") {
  const std::string file = write("gz.urdf", R"(<robot name="r">
<link name="base"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<safety_controller k_velocity="10"/>
<calibration rising="0"/></joint>
<gazebo reference="a"/>
</robot>
)");
  for (const char* output : {"gz2.urdf", "gz2.toml"}) {
    const Outcome lost = torsor("convert " + file + " -o " + output);
    CHECK(lost.code == 0);
    CHECK(contains(lost.err, "note: lost: " + file + ":5: joint \"j\": <safety_controller> in <joint> is not read"));
    CHECK(tells(lost.err, "element-ignored", {"gz.urdf:6", "\"j\""}));
    CHECK(tells(lost.err, "element-ignored", {"gz.urdf:7"}));
    CHECK_FALSE(contains(torsor("convert " + std::string(output) + " --to urdf").err, "lost"));
  }
  CHECK_FALSE(contains(torsor("convert " + file + " --table text").err, "lost"));
  const auto answer = json_of("convert " + file + " --to urdf");
  CHECK(answer["notes"].size() == 3);

  const std::string before = read(file);
  const Outcome over = torsor("convert gz.urdf -o ./gz.urdf");
  CHECK(over.code == 2);
  CHECK(tells(over.err, "same-file", {"./gz.urdf", "--output"}));
  CHECK(read(file) == before);
  // a built-in robot is no file
  CHECK(torsor("convert two_link -o two_link").code == 0);
  std::filesystem::remove(path("two_link"));
}

TEST_CASE("acceptances that do not come along are told") {
  const std::string link =
      "[[link]]\nname = \"NAME\"\njoint = \"revolute\"\nmass = 1.5\ncom = [0.15, 0, 0]\ninertia = [0.002, 0.0101, "
      "1.04]\n";
  std::string arm = link, tool = link;
  arm.replace(arm.find("NAME"), 4, "arm");
  tool.replace(tool.find("NAME"), 4, "hand");
  write("known.toml",
        "accept = [\"triangle:arm\", \"triangle:hand\", \"triangel:arm\"]\naccept_reason = \"a test\"\n" + arm + tool);
  const Outcome whole = torsor("convert known.toml -o known.urdf");
  CHECK(tells(whole.err, "accept-unknown", {"known.toml:1", "\"triangel:arm\"", "\"triangel\""}));
  CHECK_FALSE(contains(whole.err, "left out"));
  const Outcome part = torsor("convert known.toml --tip arm");
  CHECK(says(part.err, {"1", "2"}));
}

TEST_CASE("a rotor that is a body is no doubtful link of the URDF it is written to") {
  write("rotor.toml",
        "[[link]]\nname = \"arm\"\njoint = { kind = \"revolute\", axis = [0, 0.6, 0.8] }\n"
        "placement = { position = [0.1, 0, 0.2] }\n"
        "shape = { box_mm = [400, 80, 80], density = 1500, position_mm = [200, 0, 0] }\n"
        "rotor = { inertia = 1e-4, gear = 100, as = \"body\" }\n");
  CHECK(torsor("convert rotor.toml -o rotor.urdf").code == 0);
  CHECK(contains(read(path("rotor.urdf")), "arm.rotor"));
  CHECK(says(torsor("check rotor.urdf").out, {"rotor.urdf", "0"}));
}

TEST_CASE("every branch held on a link is named, and a tool stands for its link") {
  const Outcome torso = torsor("convert two_arm --tip torso");
  CHECK(torso.code == 0);
  CHECK(contains(torso.err, "14 links of "));
  CHECK(says(torso.err, {"\"left_mount\"", "\"right_mount\""}));
  write("tool.toml",
        "[[link]]\nname = \"arm\"\njoint = \"revolute\"\nmass = 1\ninertia = [1, 1, 1]\n"
        "[[tool]]\nname = \"grasp\"\nlink = \"arm\"\nposition = [0.1, 0, 0]\n");
  const Outcome grasp = torsor("convert tool.toml --tip grasp");
  CHECK(grasp.code == 0);
  CHECK(contains(grasp.out, "grasp"));
}

TEST_CASE("an ending that contradicts an option is told as that") {
  CHECK(tells(torsor("convert two_link --to urdf -o x.toml").err, "output-ending", {"\".toml\"", "--to"}));
  CHECK(tells(torsor("convert two_link --table latex -o x.md").err, "output-ending", {"\".md\"", "--table"}));
  CHECK(tells(torsor("convert two_link -o x.json").err, "output-ending", {"\".json\""}));
}
