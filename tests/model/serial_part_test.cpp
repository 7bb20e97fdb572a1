#include "torsor/model/serial_part.hpp"

#include <doctest/doctest.h>

#include <map>

#include "tests/support/random_robot.hpp"
#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
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

TEST_CASE("motors that drive joints on both sides of the cut are refused") {
  Random random(43);
  Description d = random_robot(random, {.links = 4, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  d.transmissions = {{{"a", "b"}, {"joint1", "joint2"}, {{1, 0.1}, {0.2, 1}}, {1e-3, 1e-3}, {}}};
  const auto rule = [&](const std::string& tip, const ChainOptions& options = {}) {
    const auto part = serial_part(d, "", tip, options);
    return part ? std::string() : part.faults()[0].rule;
  };
  CHECK(rule("link1") == "part-coupled");
  CHECK(rule("link2") == "");
  CHECK(rule("link2", {.hold = {{"joint2", 0.1}}}) == "part-coupled");
  CHECK(serial_part(d, "", "link0")->description.transmissions.empty());
}

namespace {

/// The chain's torques beside those of the tree whose other joints rest where they are held, over random states; and how far
/// the tools are apart. Coordinates are matched by name; `leaders` names those of the tree that lead a joint of the chain.
struct Beside {
  double torque = 0, pose = 0;
};
Beside beside_tree(const Description& tree, const SerialPart& part, const std::map<std::string, double>& hold,
                   const std::map<std::string, std::pair<std::string, std::pair<double, double>>>& leaders = {}) {
  const Model<double> whole = built(tree), chain = built(part.description);
  TreeDynamics<double> first(whole, Questions::all_but_forward), second(chain, Questions::all_but_forward);
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    const auto found = std::ranges::find(names, name);
    REQUIRE(found != names.end());
    return static_cast<std::size_t>(found - names.begin());
  };
  std::mt19937_64 engine(7);
  Beside worst;
  for (int state = 0; state < 8; ++state) {
    std::vector<double> q = neutral_position(whole), qd(whole.velocity_names.size()), qdd = qd, tau = qd;
    const std::vector<double> p = random_position(chain, engine);
    std::vector<double> pd(chain.velocity_names.size()), pdd = pd, sigma = pd;
    for (const auto& [joint, value] : hold) q[place(whole.position_names, joint)] = value;
    std::vector<double> share(pd.size(), 1);
    std::vector<std::size_t> at(pd.size());
    for (std::size_t k = 0; k < pd.size(); ++k) {
      pd[k] = 2 * uniform(engine) - 1;
      pdd[k] = 2 * uniform(engine) - 1;
      std::string name = chain.velocity_names[k];
      double ratio = 1, offset = 0;
      if (const auto led = leaders.find(name); led != leaders.end()) {
        ratio = led->second.second.first;
        offset = led->second.second.second;
        name = led->second.first;
      }
      at[k] = place(whole.velocity_names, name);
      share[k] = ratio;
      q[at[k]] = (p[k] - offset) / ratio;
      qd[at[k]] = pd[k] / ratio;
      qdd[at[k]] = pdd[k] / ratio;
    }
    first.inverse(q, qd, qdd, tau);
    second.inverse(p, pd, pdd, sigma);
    double size = 1e-9;
    for (const std::size_t i : at) size = std::max(size, std::abs(tau[i]));
    for (std::size_t k = 0; k < at.size(); ++k)
      worst.torque = std::max(worst.torque, std::abs(tau[at[k]] / share[k] - sigma[k]) / size);
    const auto pose = [](const Model<double>& m, const std::vector<double>& x, const Frame<double>& frame) {
      Configuration<double> c(m);
      c.set(m, x);
      Transform<double> X = frame.X_body_frame;
      for (int i = frame.body; i >= 0; i = m[i].parent) X = pose_in_parent(m, c, i) * X;
      return m.base * X;
    };
    const std::string& tip = chain.link_names[static_cast<std::size_t>(chain.frames.back().body)];
    const int body = whole.body_index(tip);
    const int same = chain.body_index(tip);
    worst.pose = std::max(worst.pose, apart(pose(chain, p, {tip, same, chain[same].link}),
                                            pose(whole, q, {tip, body, whole[body].link})));
  }
  return worst;
}

}  // namespace

TEST_CASE("joints rest where they are held, beside the chain and on it, and torques and poses are those of the tree") {
  Random random(46);
  int on_chain = 0, moving = 0;
  for (int draw = 0; draw < draws(150); ++draw) {
    const Description tree = random_robot(random, {.links = 3 + random.below(8),
                                                   .branching = 0.5,
                                                   .one_dof = true,
                                                   .rotors = draw % 3 == 0,
                                                   .rotor_bodies = draw % 3 == 1,
                                                   .friction = draw % 2 == 0})
                                 .description;
    const std::string tip =
        tree.links[static_cast<std::size_t>(random.below(static_cast<int>(tree.links.size())))].name;
    std::map<std::string, double> hold;
    for (const LinkDescription& l : tree.links)
      if (row(l.kind).nv == 1 && random.below(3) == 0) hold[l.joint_name] = random.uniform(-0.8, 0.8);
    const auto part = serial_part(tree, "", tip, {.hold = hold});
    REQUIRE(part);
    on_chain += static_cast<int>(part->frozen.size());
    const Beside beside = beside_tree(tree, *part, hold);
    moving += built(part->description).nv > 0;
    CHECK(beside.torque < 1e-11);
    CHECK(beside.pose < 1e-12);
  }
  CHECK(on_chain > 50);
  CHECK(moving > 80);
}

TEST_CASE("joints beside the chain that follow one of it are carried along, and torques are those of the tree") {
  Random random(47);
  int carried = 0, led = 0;
  for (int draw = 0; draw < draws(200); ++draw) {
    Description tree = random_robot(random, {.links = 4 + random.below(6), .branching = 0.6, .one_dof = true,
                                             .rotors = draw % 2 == 0}).description;
    // every third joint follows one before it; limits of both might leave no position
    for (LinkDescription& l : tree.links) l.limits = {};
    std::map<std::string, std::pair<std::string, std::pair<double, double>>> all;
    for (std::size_t i = 2; i < tree.links.size(); i += 3) {
      LinkDescription &l = tree.links[i], &leader = tree.links[i - 1 - static_cast<std::size_t>(random.below(2))];
      if (row(l.kind).nv != 1 || row(leader.kind).nv != 1 || leader.mimic) continue;
      l.rotor.reset();
      l.mimic = Mimic{leader.joint_name, random.uniform(0.5, 2), random.uniform(-0.5, 0.5), {}};
      all[l.joint_name] = {leader.joint_name, {l.mimic->ratio, l.mimic->offset}};
    }
    const std::string tip =
        tree.links[static_cast<std::size_t>(random.below(static_cast<int>(tree.links.size())))].name;
    const auto part = serial_part(tree, "", tip);
    for (const Fault& fault : part.faults()) MESSAGE(to_string(fault));
    REQUIRE(part);
    carried += static_cast<int>(part->carried.size());
    const Model<double> chain = built(part->description);
    for (const std::string& name : chain.velocity_names) led += static_cast<int>(all.contains(name));
    const Beside beside = beside_tree(tree, *part, {}, all);
    CHECK(beside.torque < 1e-11);
    CHECK(beside.pose < 1e-12);
    // frozen, what is left is a single chain with the same poses
    const auto frozen = serial_part(tree, "", tip, {.followers = Followers::freeze});
    REQUIRE(frozen);
    CHECK(frozen->carried.empty());
    if (frozen->frozen.empty()) CHECK(beside_tree(tree, *frozen, {}).pose < 1e-12);
  }
  CHECK(carried > 30);
  CHECK(led > 10);
}

TEST_CASE("what cannot be held is refused by name") {
  Random random(48);
  Description d = random_robot(random, {.links = 4, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& l : d.links) l.kind = JointKind::revolute;
  d.links[3].mimic = Mimic{"joint1", 2, 0.3, {}};
  d.links[0].kind = JointKind::spherical;
  const auto rules = [&](const std::map<std::string, double>& hold) {
    const auto part = serial_part(d, "", "link2", {.hold = hold});
    std::vector<std::string> out;
    for (const Fault& fault : part.faults()) out.push_back(fault.rule + " " + fault.offender);
    return out;
  };
  CHECK(rules({{"nothing", 0}}) == std::vector<std::string>{"chain-hold joint \"nothing\""});
  CHECK(rules({{"joint0", 0}}) == std::vector<std::string>{"chain-hold joint \"joint0\""});
  CHECK(rules({{"joint3", 0}}) == std::vector<std::string>{"chain-hold joint \"joint3\""});
  CHECK(rules({{"joint2", std::numeric_limits<double>::infinity()}}) ==
        std::vector<std::string>{"chain-hold joint \"joint2\""});
  CHECK(rules({{"joint2", 0.1}}).empty());
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
