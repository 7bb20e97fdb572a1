#include "torsor/model/serial_part.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/model/dh_chain.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Pose of the default tool in the world, all coordinates at zero.
Transform<double> tool_at_zero(const Model<double>& m, const Frame<double>& frame) {
  Configuration<double> zero(m);
  zero.set(m, neutral_position(m));
  Transform<double> X = frame.X_body_frame;
  for (int i = frame.body; i >= 0; i = m[i].parent) X = pose_in_parent(m, zero, i) * X;
  return m.base * X;
}

/// The link a link hangs from; empty for the base.
std::string parent(const Model<double>& m, const std::string& link) {
  const int p = m[m.body_index(link)].parent;
  return p < 0 ? "" : m.link_names[p];
}

}  // namespace

TEST_CASE("the torques of any chain of any tree are those of the tree whose other joints rest at zero") {
  Random random(41);
  int moving = 0, in_dh = 0;
  for (int draw = 0; draw < draws(200); ++draw) {
    const Description tree = random_robot(random, {.links = 2 + random.below(10),
                                                   .branching = 0.5,
                                                   .one_dof = draw % 3 > 0,
                                                   .floating = draw % 3 == 0,
                                                   .rotors = draw % 2 == 0,
                                                   .rotor_bodies = draw % 2 == 1,
                                                   .friction = true})
                                 .description;
    const Model<double> whole = built(tree);
    const std::string tip =
        tree.links[static_cast<std::size_t>(random.below(static_cast<int>(tree.links.size())))].name;
    for (std::string base = parent(whole, tip);; base = parent(whole, base)) {
      const auto part = serial_part(tree, base, tip);
      REQUIRE(part);
      const Model<double> chain = built(part->description);
      CHECK(chain.frames.back().name == tip);
      const int body = whole.body_index(tip);
      CHECK(apart(tool_at_zero(chain, chain.frames.back()), tool_at_zero(whole, {tip, body, whole[body].link})) <
            1e-13);
      if (chain.nv > 0) {
        ++moving;
        CHECK(torque_difference(whole, chain, 8) < 1e-11);
        if (const auto dh = to_dh(part->description, Convention::standard_dh, {.snap = false})) {
          ++in_dh;
          CHECK(torque_difference(whole, built(dh->description), 8) < 1e-11);
        }
      }
      if (base.empty()) break;
    }
  }
  CHECK(moving > 200);
  CHECK(in_dh > 100);
}

TEST_CASE("what is held is told: where, how much, and that its joints do not move") {
  Random random(42);
  Description d = random_robot(random, {.links = 5, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  d.links[4].parent = d.links[1].name;
  d.links[4].urdf_extra.xml = "<visual/>";
  d.tools = {{"camera", "link4", {}, {}}, {"probe", "link2", {}, {}}};
  const auto part = serial_part(d, "", "link2");
  REQUIRE(part);
  REQUIRE(part->held.size() == 2);
  CHECK(part->held[0].link == "link1");
  CHECK(part->held[0].roots == std::vector<std::string>{"link4"});
  CHECK(part->held[0].count == 1);
  CHECK(part->held[0].joints == 1);
  CHECK(part->held[0].shapes == 1);
  CHECK(part->held[0].mass == doctest::Approx(inertia_of(d.links[4].parts).m));
  CHECK(part->held[1].roots == std::vector<std::string>{"link3"});
  CHECK_FALSE(part->base_moved);
  CHECK(serial_part(d, "link0", "link2")->base_moved);
  // tools of what is held stay where they are; the tip's own is the default
  REQUIRE(part->description.tools.size() == 2);
  CHECK(part->description.tools[0].name == "camera");
  CHECK(part->description.tools[0].link == "link1");
  CHECK(part->description.tools[1].name == "probe");
}

TEST_CASE("every branch that is held on a link is named") {
  Random random(43);
  Description d = random_robot(random, {.links = 6, .branching = 0, .one_dof = true}).description;
  d.links[3].parent = d.links[0].name;
  d.links[5].parent = d.links[0].name;
  // link0 carries link1 - link2, link3 - link4 and link5
  const auto part = serial_part(d, "", "link0");
  REQUIRE(part);
  REQUIRE(part->held.size() == 1);
  CHECK(part->held[0].roots == std::vector<std::string>{"link1", "link3", "link5"});
  CHECK(part->held[0].count == 5);
}

TEST_CASE("a tool names the link it is on, and is the default tool of the chain") {
  Random random(44);
  Description d = random_robot(random, {.links = 3, .branching = 0, .one_dof = true}).description;
  d.tools = {{"camera", "link1", {}, {}}, {"grasp", "link1", {}, {}}, {"link2", "link0", {}, {}}};
  const auto part = serial_part(d, "", "camera");
  REQUIRE(part);
  CHECK(part->description.links.back().name == "link1");
  CHECK(part->description.tools.back().name == "camera");
  CHECK(serial_part(d, "", "link1")->description.tools.back().name == "grasp");
  // where a link and a tool share a name, the link is meant
  CHECK(serial_part(d, "", "link2")->description.links.back().name == "link2");
  const auto base = serial_part(d, "grasp", "link2");
  REQUIRE_FALSE(base);
  CHECK(base.faults()[0].remedy == "it is a tool: name the link it is on, \"link1\"");
}

TEST_CASE("a joint that follows one across the cut, or is coupled to it, cannot be held") {
  Random random(43);
  Description d = random_robot(random, {.links = 4, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  d.links[3].mimic = Mimic{"joint1", 2, 0.3, {}};
  const auto rule = [&](const std::string& base, const std::string& tip) {
    const auto part = serial_part(d, base, tip);
    return part ? std::string() : part.faults()[0].rule;
  };
  CHECK(rule("", "link2") == "part-coupled");
  CHECK(rule("link2", "link3") == "part-coupled");
  CHECK(rule("", "link0") == "");
  CHECK(rule("", "link3") == "");
  d.links[3].mimic.reset();
  d.transmissions = {{{"a", "b"}, {"joint1", "joint2"}, {{1, 0.1}, {0.2, 1}}, {1e-3, 1e-3}, {}}};
  CHECK(rule("", "link1") == "part-coupled");
  CHECK(rule("", "link2") == "");
  CHECK(serial_part(d, "", "link0")->description.transmissions.empty());
}

TEST_CASE("a held joint that follows another held one stays where its offset has it") {
  Random random(44);
  Description d = random_robot(random, {.links = 4, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  d.links[3].mimic = Mimic{"joint2", 2, 0.7, {}};
  const auto part = serial_part(d, "", "link1");
  REQUIRE(part);
  CHECK(torque_difference(built(d), built(part->description), 8) < 1e-11);
}

TEST_CASE("ends that are no links, or do not hang together, are refused by name") {
  Random random(45);
  Description d = random_robot(random, {.links = 3, .branching = 0, .one_dof = true}).description;
  const auto unknown = serial_part(d, "no", "where");
  REQUIRE(unknown.faults().size() == 2);
  CHECK(unknown.faults()[1].rule == "part-link");
  CHECK(unknown.faults()[1].remedy.find("link2") != std::string::npos);
  CHECK(serial_part(d, "link2", "link0").faults()[0].rule == "part-link");
  CHECK(serial_part(d, "link1", "link1").faults()[0].rule == "part-link");
  CHECK(serial_part(d, d.base_name, "link1"));
}
