// Every rule a description can break, one by one, and all at once.
#include "torsor/model/check.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>

#include "tests/support/places.hpp"
#include "tests/support/rule_table.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/finding.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;
using namespace torsor::testing;
namespace fs = std::filesystem;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// A faultless robot with some of everything: DH rows and placements, a ball joint, friction, rotors, a mimic joint, a transmission, a tool.
Description faultless() {
  Description d;
  d.name = "robot", d.file = "robot.toml", d.convention = Convention::modified_dh;
  const auto add = [&](const char* name, JointKind kind) -> LinkDescription& {
    LinkDescription link{.name = name, .joint_name = std::string(name) + "_joint", .kind = kind};
    link.where = {"robot.toml", 10 * static_cast<int>(d.links.size() + 1)};
    Part part;
    part.mass = 1, part.tensor = {1, 1, 1, 0, 0, 0};
    link.parts = {part};
    d.links.push_back(link);
    return d.links.back();
  };
  add("shoulder", JointKind::revolute).geometry = DhRow{0, 0.1, 0.2, 0.3};
  d.links.back().rotor = Rotor{.inertia = 1e-4, .gear = 50};
  d.links.back().friction.emplace();
  d.links.back().friction->viscous = 1;
  add("slide", JointKind::prismatic);
  add("screw", JointKind::helical).pitch = 0.01;
  add("wrist", JointKind::spherical);
  add("finger", JointKind::revolute);
  add("thumb", JointKind::revolute).mimic = Mimic{"finger_joint", -1, 0, {}};
  d.transmissions = {
      {{"left", "right"}, {"slide_joint", "screw_joint"}, {{1, 2}, {3, 4}}, {1e-3, 1e-3}, {"robot.toml", 90}}};
  d.tools = {{"gripper", "wrist", {}, {"robot.toml", 95}}};
  return d;
}

/// The sources of the readers and of the check.
std::vector<std::string> files_that_find() {
  std::vector<std::string> files{"torsor/model/check.cpp", "torsor/check/plausibility.cpp",
                                 "torsor/check/plausibility_units.cpp", "torsor/check/definiteness.cpp",
                                 "torsor/check/examination.cpp", "torsor/model/check_loops.cpp",
                                 "torsor/model/build.cpp", "torsor/loops/assemble_loops.cpp"};
  for (const std::string folder : {"torsor/files/", "torsor/text/"})
    for (const auto& entry : fs::directory_iterator(places::in_project(folder))) {
    const std::string name = entry.path().filename().string();
    const bool writes = name.find("writer") != std::string::npos || name.find("expressible") != std::string::npos;
    if (name.starts_with("motion_toml")) continue;  // the page of motion files has a table of its own
    for (const char* reader : {"robot_toml", "robot_yaml", "loops_of_sdf", "toml_", "urdf_", "mjcf_", "sdf_", "xml",
                               "load_robot", "text_file", "number", "csv_", "motion_", "torque_", "fault_", "npy_"})
      if (name.starts_with(reader) && (!writes || name.starts_with("npy_"))) files.push_back(folder + name);
  }
  return files;
}

/// The rules that a file with faults announces: `expect: 6 number, 7 unit`, `expect-warning: 8 density units`.
std::set<std::string> announced(const fs::path& path) {
  std::set<std::string> rules;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find("expect");
    if (at == std::string::npos) continue;
    std::istringstream rest(line.substr(std::min(line.find(": ", at), line.size() - 1) + 1));
    for (std::string number, rule;
         rest >> number >> rule && number.find_first_not_of("0123456789") == std::string::npos;) {
      const bool more = rule.ends_with(',');
      rules.insert(rule.substr(0, rule.size() - (more ? 1 : 0)));
      if (!more) break;
    }
  }
  return rules;
}

struct Break {
  const char* rule;
  const char* offender;
  std::function<void(Description&)> how;
};

const std::vector<Break> breaks{
    {"robot-empty", "robot", [](auto& d) { d.links.clear(), d.transmissions.clear(), d.tools.clear(); }},
    {"number-finite", "gravity", [](auto& d) { d.gravity.y = no_number; }},
    {"number-finite", "base", [](auto& d) { d.base.p.x = infinity; }},
    {"rotation-orthonormal", "base", [](auto& d) { d.base.R.x.x = 1.001; }},
    {"rotation-orthonormal", "base", [](auto& d) { d.base.R.z.z = -1; }},
    {"rotation-orthonormal", "link \"slide\"",
     [](auto& d) { std::get<JointPlacement>(d.links[1].geometry).X_parent_joint.R.y.x = no_number; }},
    {"link-name", "link 2", [](auto& d) { d.links[1].name = ""; }},
    {"link-name", "link \"base\"", [](auto& d) { d.links[1].name = "base"; }},
    {"link-name", "link \"shoulder\"", [](auto& d) { d.links[1].name = "shoulder"; }},
    {"link-name", "link \"shoulder.rotor\"",
     [](auto& d) { d.links[0].rotor->as_body = true, d.links[4].name = "shoulder.rotor"; }},
    {"joint-name", "joint \"shoulder_joint.rotor\"",
     [](auto& d) {
       d.links[0].rotor->as_body = true;
       d.links[4].joint_name = d.links[5].mimic->joint = "shoulder_joint.rotor";
     }},
    {"joint-name", "link \"wrist\"", [](auto& d) { d.links[3].joint_name = ""; }},
    {"joint-name", "joint \"finger_joint\"", [](auto& d) { d.links[5].joint_name = "finger_joint"; }},
    {"parent-unknown", "link \"slide\"", [](auto& d) { d.links[1].parent = "nobody"; }},
    {"parent-cycle", "link \"shoulder\"", [](auto& d) { d.links[0].parent = "wrist"; }},
    {"parent-cycle", "link \"screw\"", [](auto& d) { d.links[2].parent = "screw"; }},
    {"dh-convention", "link \"shoulder\"", [](auto& d) { d.convention = Convention::placement; }},
    {"dh-joint", "joint \"wrist_joint\"", [](auto& d) { d.links[3].geometry = DhRow{}; }},
    {"number-finite", "link \"shoulder\"",
     [](auto& d) {
       d.links[0].geometry = DhRow{0, 0, infinity, 0};
     }},
    {"number-finite", "link \"slide\"",
     [](auto& d) { std::get<JointPlacement>(d.links[1].geometry).X_parent_joint.p.z = no_number; }},
    {"axis-zero", "joint \"slide_joint\"", [](auto& d) { std::get<JointPlacement>(d.links[1].geometry).axis = {}; }},
    {"axis-zero", "joint \"slide_joint\"",
     [](auto& d) { std::get<JointPlacement>(d.links[1].geometry).axis.x = no_number; }},
    {"number-finite", "joint \"screw_joint\"", [](auto& d) { d.links[2].pitch = no_number; }},
    {"number-finite", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].mass = infinity; }},
    {"number-finite", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].com.z = no_number; }},
    {"number-finite", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].tensor.xz = no_number; }},
    {"number-size", "base", [](auto& d) { d.base.p.x = -1e308; }},
    {"number-size", "link \"shoulder\"", [](auto& d) { std::get<DhRow>(d.links[0].geometry).d = 1.1e6; }},
    {"number-size", "link \"slide\"",
     [](auto& d) { std::get<JointPlacement>(d.links[1].geometry).X_parent_joint.p.y = 1e160; }},
    {"number-size", "joint \"screw_joint\"", [](auto& d) { d.links[2].pitch = -1e300; }},
    {"number-size", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].mass = 1e200; }},
    {"number-size", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].mass = 5e-324; }},
    {"number-size", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].tensor = {1e-300, 1e-300, 1e-300, 0, 0, 0}; }},
    {"number-size", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].com.z = -2e6; }},
    {"number-size", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].tensor.xz = 1e200; }},
    {"number-size", "tool \"gripper\"", [](auto& d) { d.tools[0].X_link_tool.p.y = 1e9; }},
    {"mass-negative", "base", [](auto& d) { d.base_parts = {Part{.mass = -1}}; }},
    {"mass-negative", "link \"wrist\"", [](auto& d) { d.links[3].parts[0].mass = -1; }},
    {"limits-order", "joint \"slide_joint\"",
     [](auto& d) { d.links[1].limits.lower = 1, d.links[1].limits.upper = 0; }},
    {"limits-sign", "joint \"slide_joint\"", [](auto& d) { d.links[1].limits.velocity = 0; }},
    {"limits-sign", "joint \"slide_joint\"", [](auto& d) { d.links[1].limits.effort = -5; }},
    {"friction-kind", "joint \"wrist_joint\"", [](auto& d) { d.links[3].friction.emplace(); }},
    {"friction-sign", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].friction->coulomb_negative = -1; }},
    {"friction-sign", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].friction->viscous = no_number; }},
    {"friction-breakaway", "joint \"shoulder_joint\"",
     [](auto& d) {
       Friction<double>& f = *d.links[0].friction;
       f.stribeck_velocity = 0.1, f.coulomb_positive = f.breakaway_positive = f.coulomb_negative = 1;
       f.breakaway_negative = 0.9;
     }},
    {"friction-table", "joint \"shoulder_joint\"",
     [](auto& d) {
       d.links[0].friction->table = {{}, {0, 1}, {1, 2, 3}};
     }},
    {"friction-table", "joint \"shoulder_joint\"",
     [](auto& d) {
       d.links[0].friction->table = {{}, {0, 0}, {1, 2}};
     }},
    {"friction-table", "joint \"shoulder_joint\"",
     [](auto& d) {
       d.links[0].friction->table = {{1, 0}, {0}, {1, 2}};
     }},
    {"friction-table", "joint \"shoulder_joint\"",
     [](auto& d) {
       d.links[0].friction->table = {{}, {0}, {1}}, d.links[0].friction_at_motor = true;
     }},
    {"friction-motor", "joint \"slide_joint\"",
     [](auto& d) { d.links[1].friction.emplace(), d.links[1].friction_at_motor = true; }},
    {"rotor-kind", "joint \"wrist_joint\"", [](auto& d) { d.links[3].rotor = Rotor{.inertia = 1, .gear = 2}; }},
    {"rotor-kind", "joint \"wrist_joint\"", [](auto& d) { d.links[3].rotor = Rotor{.inertia = 1, .as_body = true}; }},
    {"rotor-kind", "joint \"wrist_joint\"",
     [](auto& d) { d.links[3].kind = JointKind::free, d.links[3].rotor = Rotor{.inertia = 1, .gear = 1}; }},
    {"rotor-inertia", "joint \"wrist_joint\"", [](auto& d) { d.links[3].rotor = Rotor{.inertia = -1}; }},
    {"rotor-mimic", "joint \"thumb_joint\"", [](auto& d) { d.links[5].rotor = Rotor{.inertia = 1, .gear = 1}; }},
    {"rotor-inertia", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].rotor->inertia = -1; }},
    {"number-size", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].rotor->inertia = 1e308; }},
    {"rotor-gear", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].rotor->gear = 0; }},
    {"rotor-gear", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].rotor->gear = -1e200; }},
    {"rotor-gear", "joint \"shoulder_joint\"", [](auto& d) { d.links[0].rotor->gear = 1e-200; }},
    {"mimic-ratio", "joint \"thumb_joint\"", [](auto& d) { d.links[5].mimic->ratio = 0; }},
    {"mimic-kind", "joint \"wrist_joint\"",
     [](auto& d) {
       d.links[3].mimic = Mimic{"finger_joint", 1, 0, {}};
     }},
    {"mimic-kind", "joint \"thumb_joint\"", [](auto& d) { d.links[5].mimic->joint = "wrist_joint"; }},
    {"number-finite", "joint \"thumb_joint\"", [](auto& d) { d.links[5].mimic->ratio = no_number; }},
    {"mimic-unknown", "joint \"thumb_joint\"", [](auto& d) { d.links[5].mimic->joint = "toe_joint"; }},
    {"mimic-cycle", "joint \"thumb_joint\"", [](auto& d) { d.links[5].mimic->joint = "thumb_joint"; }},
    {"transmission-size", "transmission of \"slide_joint\"", [](auto& d) { d.transmissions[0].motors.pop_back(); }},
    {"transmission-size", "transmission of \"slide_joint\"", [](auto& d) { d.transmissions[0].matrix[1].pop_back(); }},
    {"transmission-size", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].rotor_inertia.push_back(1); }},
    {"transmission-size", "transmission of \"?\"", [](auto& d) { d.transmissions[0] = {}; }},
    {"number-finite", "transmission of \"slide_joint\"", [](auto& d) { d.transmissions[0].matrix[0][0] = no_number; }},
    {"transmission-singular", "transmission of \"slide_joint\"",
     [](auto& d) {
       d.transmissions[0].matrix = {{1, 2}, {2, 4}};
     }},
    {"rotor-inertia", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].rotor_inertia[1] = no_number; }},
    {"transmission-motor", "transmission of \"slide_joint\"", [](auto& d) { d.transmissions[0].motors[1] = "left"; }},
    {"transmission-motor", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].motors[0] = "shoulder_joint"; }},
    {"transmission-motor", "transmission of \"finger_joint\"",
     [](auto& d) {
       d.transmissions.push_back({{"right"}, {"finger_joint"}, {{2}}, {}, {}});
     }},
    {"transmission-joint", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].joints[1] = "nobody_joint"; }},
    {"transmission-joint", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].joints[1] = "wrist_joint"; }},
    {"transmission-joint", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].joints[1] = "thumb_joint"; }},
    {"transmission-twice", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].joints[1] = "shoulder_joint"; }},
    {"transmission-twice", "transmission of \"slide_joint\"",
     [](auto& d) { d.transmissions[0].joints[1] = "slide_joint"; }},
    {"tool-name", "tool \"\"", [](auto& d) { d.tools[0].name = ""; }},
    {"tool-name", "tool \"gripper\"", [](auto& d) { d.tools.push_back(d.tools[0]); }},
    {"tool-link", "tool \"gripper\"", [](auto& d) { d.tools[0].link = "nobody"; }},
    {"rotation-orthonormal", "tool \"gripper\"", [](auto& d) { d.tools[0].X_link_tool.R.x = {}; }},
    {"number-finite", "tool \"gripper\"", [](auto& d) { d.tools[0].X_link_tool.p.y = no_number; }},
};

}  // namespace

TEST_CASE("the faultless robot has no faults and its parents are told") {
  std::vector<int> parent;
  CHECK(check_structure(faultless(), parent).empty());
  CHECK(parent == std::vector<int>{-1, 0, 1, 2, 3, 4});
  CHECK(build(faultless()));
}

TEST_CASE("each rule, broken alone, is reported alone, with its offender and a remedy") {
  for (const Break& b : breaks) {
    CAPTURE(b.rule);
    CAPTURE(b.offender);
    Description d = faultless();
    b.how(d);
    const Result<Model<double>> model = build(d);
    REQUIRE(!model);
    for (const Fault& error : model.faults()) INFO(to_string(error));
    CHECK(model.faults().size() == 1);
    const Fault& error = model.faults().front();
    CHECK(error.rule == b.rule);
    CHECK(error.offender == b.offender);
    CHECK(error.where.file == "robot.toml");
    CHECK(!error.what.empty());
    CHECK(!error.remedy.empty());
  }
}

TEST_CASE("without a Stribeck speed the breakaway level says nothing, and a rotor on the diagonal has no name") {
  Description d = faultless();
  d.links[0].friction->coulomb_positive = d.links[0].friction->coulomb_negative = 1;
  d.links[4].name = "shoulder.rotor";
  CHECK(build(d));
}

TEST_CASE("every rule that the source knows is broken above") {
  const std::set<std::string> known = hyphenated(quoted_words(text_of("torsor/model/check.cpp")));
  std::set<std::string> broken;
  for (const Break& b : breaks) broken.insert(b.rule);
  CHECK(known.size() >= 30);
  CHECK(known == broken);
}

TEST_CASE("the table of rules has every id that the readers and the check can give, and no other") {
  std::set<std::string> words;
  for (const std::string& file : files_that_find()) words.merge(quoted_words(text_of(file)));
  words.insert("child-unknown");  // put together from the end of the joint
  words.insert("xacro-package-twice");  // of what expands xacro, whose faults have a table of their own
  for (const char* no_rule : {"standard-dh", "modified-dh", "decimal-point", "reference-point"}) words.erase(no_rule);

  const std::set<std::string> table = rule_table("docs/check.md");
  for (const std::string& id : table) {
    CAPTURE(id);
    CHECK(words.contains(id));
  }
  for (const std::string& id : hyphenated(words)) {
    CAPTURE(id);
    CHECK(table.contains(id));
  }
  for (const std::string_view rule : finding_rules) CHECK(table.contains(std::string(rule)));
  // ids of one word are told from other words by the files that announce them
  for (const char* folder : {"/tests/broken", "/tests/doubtful"})
    for (const auto& entry : fs::directory_iterator(places::in_project(folder)))
      for (const std::string& rule : announced(entry.path())) {
        CAPTURE(rule);
        CHECK(table.contains(rule));
      }
}

TEST_CASE("all faults of a description are reported at once, with their lines") {
  Description d = faultless();
  d.links[0].parts[0].mass = -1;
  d.links[1].limits.velocity = 0;
  d.links[2].pitch = no_number;
  d.links[5].mimic->joint = "toe_joint";
  d.tools[0].link = "nobody";
  const Result<Model<double>> model = build(d);
  REQUIRE(!model);
  std::vector<std::pair<std::string, int>> found;
  for (const Fault& error : model.faults()) found.emplace_back(error.rule, error.where.line);
  CHECK(
      found ==
      std::vector<std::pair<std::string, int>>{
          {"mass-negative", 10}, {"limits-sign", 20}, {"number-finite", 30}, {"mimic-unknown", 60}, {"tool-link", 95}});
}

TEST_CASE("two cycles are two faults, and a chain that runs into a cycle adds none") {
  Description d;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    d.links.push_back({.name = name, .joint_name = name});
  }
  d.links[0].parent = "b", d.links[1].parent = "a", d.links[2].parent = "d", d.links[3].parent = "c",
  d.links[4].parent = "a";
  const Result<Model<double>> model = build(d);
  REQUIRE(!model);
  REQUIRE(model.faults().size() == 2);
  for (const Fault& error : model.faults()) CHECK(error.rule == "parent-cycle");
}

TEST_CASE("joints that follow each other in a ring are refused, a long chain of followers is not") {
  Description d;
  const int n = 100;
  for (int i = 0; i < n; ++i) {
    LinkDescription link{.name = "link" + std::to_string(i), .joint_name = "joint" + std::to_string(i)};
    if (i > 0) link.mimic = Mimic{"joint" + std::to_string(i - 1), -1, 0.5, {}};
    d.links.push_back(link);
  }
  const Result<Model<double>> chain = build(d);
  REQUIRE(chain);
  CHECK(chain->nv == 1);
  CHECK(chain->bodies.back().ratio == -1);
  CHECK(chain->bodies.back().offset == 0.5);
  d.links[0].mimic = Mimic{"joint3", 1, 0, {}};
  const Result<Model<double>> ring = build(d);
  REQUIRE(!ring);
  for (const Fault& error : ring.faults()) CHECK(error.rule == "mimic-cycle");
}

TEST_CASE("friction that is not a number is refused wherever it hides") {
  for (const double bad : {no_number, infinity}) {
    Description d = faultless();
    d.links[0].friction->table = {{}, {0, 1}, {0, bad}};
    const Result<Model<double>> model = build(d);
    REQUIRE(!model);
    CHECK(model.faults().front().offender == "joint \"shoulder_joint\"");
  }
}
