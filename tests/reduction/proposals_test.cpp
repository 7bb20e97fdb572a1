#include "torsor/reduction/proposals.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "tests/support/shipped_robot.hpp"
#include "torsor/check/definiteness.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/robot_toml.hpp"
#include "torsor/files/robot_toml_writer.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/trajectory/range_sweep.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

DesignGuide guide_of(const Description& description, int steps = 20, bool pairs = false) {
  const Result<Model<double>> model = build(description);
  REQUIRE(model);
  Result<DesignGuide> out = guide(description, course_of(range_sweep(*model), steps),
                                         {.structure = {.survey = {.positions = 20}}, .pairs = pairs});
  for (const Fault& error : out.faults()) MESSAGE(to_string(error));
  REQUIRE(out);
  return *std::move(out);
}

const Proposal* find(const DesignGuide& g, ChangeKind kind, const std::string& link) {
  for (const Proposal& p : g.proposals)
    if (p.change.kind == kind && p.change.link == link) return &p;
  return nullptr;
}

std::vector<std::string> names(const DesignGuide& g, const std::vector<std::size_t>& which) {
  std::vector<std::string> out;
  for (const std::size_t e : which) out.push_back(to_text(g.now.numbers().coefficients[e], g.now.numbers().n));
  return out;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("every proposal, written to a file and read again, has the predicted structure: on all arms") {
  const bool full = std::getenv("TORSOR_FULL") != nullptr;
  int robots = 0, proposals = 0;
  std::string free;
  for (const EmbeddedRobot& embedded : embedded_robots()) {
    const std::string name(embedded.name);
    CAPTURE(name);
    const Description description = shipped_robot(name);
    if (std::ranges::any_of(description.links, [](const LinkDescription& link) { return row(link.kind).nv > 1; })) {
      // no coordinates, no coefficients: said, not guessed
      const auto refused = guide(description, {}, {});
      REQUIRE_FALSE(refused);
      CHECK(refused.faults().front().rule == "structure-joint");
      free += name + " ";
      continue;
    }
    const DesignGuide g = guide_of(description);
    ++robots;
    // the short run takes every third of the large ones
    const std::size_t step = full || g.now.numbers().n < 6 ? 1 : 3;
    for (std::size_t k = 0; k < g.proposals.size(); k += step) {
      const Proposal& p = g.proposals[k];
      CAPTURE(p.change.text);
      const auto again = read_robot_toml(write_robot_toml(p.change.robot), "changed.toml");
      for (const Fault& error : again.faults()) MESSAGE(to_string(error));
      REQUIRE(again);
      const auto exact = exact_robot(*again);
      REQUIRE(exact);
      const ExactStructure found = exact_structure(*exact, Level::numbers, {.seed = 7});
      CHECK(found.nonzero_counts() == p.structure.nonzero_counts());
      CHECK(found.constant_counts() == p.structure.constant_counts());
      CHECK(found.nonzero == p.structure.nonzero);
      CHECK(found.depends == p.structure.depends);
      CHECK(p.count() == total(g.now.numbers().nonzero_counts()) - p.saved());
      ++proposals;
    }
  }
  CHECK(robots == 33);
  CHECK(free == "floating g1 go2 ");
  CHECK(proposals > 40);
}

TEST_CASE("what a book would propose for the two-link arm is found") {
  const DesignGuide g = guide_of(shipped_robot("two_link"));
  CHECK(total(g.now.numbers().nonzero_counts()) == 7);
  CHECK_FALSE(g.guidelines.kept(4));

  // the mass centre of link 2 on axis 2: no centrifugal force, no gravity there, D constant
  const Proposal* centre = find(g, ChangeKind::mass_centre, "link2");
  REQUIRE(centre);
  CHECK(names(g, centre->removed) == Names{"c11(2)", "c22(1)", "G2"});
  CHECK(names(g, centre->steadied) == Names{"d11", "d12"});
  CHECK(centre->change.robot.links[1].parts[0].com.x == -0.85);

  // counterbalances on both links: only D is left
  const Proposal* balanced = find(g, ChangeKind::counterbalance, "link1");
  REQUIRE(balanced);
  CHECK(names(g, balanced->removed) == Names{"c11(2)", "c22(1)", "G1", "G2"});
  CHECK(balanced->count() == 3);

  // the arm laid flat, the axes at right angles; but not the first length zero, with which both joints turn the tool about
  // one axis
  const Proposal* flat = find(g, ChangeKind::mount, "");
  REQUIRE(flat);
  CHECK(names(g, flat->removed) == Names{"G1", "G2"});
  CHECK(find(g, ChangeKind::offset, "link1") == nullptr);
  const Proposal* axis = find(g, ChangeKind::axis, "link1");
  REQUIRE(axis);
  CHECK(names(g, axis->removed) == Names{"d12", "c22(1)"});
  CHECK(axis->effect.coupling_mean < 1e-12);
}

TEST_CASE("a PUMA balanced at wrist, elbow and shoulder holds itself, and needs less torque for it") {
  const Description puma = shipped_robot("puma560");
  const DesignGuide g = guide_of(puma, 100);
  const Proposal* balanced = find(g, ChangeKind::counterbalance, "upper_arm");
  REQUIRE(balanced);
  CHECK(names(g, balanced->removed) == Names{"c22(3)", "c33(2)", "c55(1)", "c55(2)", "c55(3)", "G2", "G3", "G4", "G5"});
  CHECK(balanced->count() == 70);
  CHECK(balanced->effect.peak[1] < g.effect.peak[1]);

  // no torque at rest, wherever it stands
  const Result<Model<double>> model = build(balanced->change.robot);
  REQUIRE(model);
  TreeDynamics<double> dynamics(*model);
  std::vector<double> tau(6);
  dynamics.gravity(std::vector{0.1, 0.7, -1.1, 0.4, 0.9, 0.3}, tau);
  for (const double t : tau) CHECK(std::abs(t) < 1e-12);

  // which proposals remove a coefficient
  for (std::size_t e = 0; e < g.now.numbers().coefficients.size(); ++e)
    for (const std::size_t k : g.removing(e, 100)) {
      CHECK(g.now.numbers().nonzero[e] != 0);
      CHECK(g.proposals[k].structure.nonzero[e] == 0);
    }
}

TEST_CASE("proposals are ranked, differ, and none is without effect") {
  for (const char* name : {"puma560", "articulated3", "stanford", "iiwa14"}) {
    const DesignGuide g = guide_of(shipped_robot(name));
    CHECK(g.tried > static_cast<int>(g.proposals.size()));
    for (std::size_t k = 0; k < g.proposals.size(); ++k) {
      CHECK_FALSE(g.proposals[k].removed.empty());
      CHECK(g.proposals[k].saved() > 0);
      if (k == 0) continue;
      CHECK(g.proposals[k - 1].worth_it() >= g.proposals[k].worth_it());
      if (g.proposals[k - 1].worth_it() == g.proposals[k].worth_it())
        CHECK(g.proposals[k - 1].cost() <= g.proposals[k].cost() + 1e-6);
    }
  }
  // the best changes of masses together save more than each of them
  const DesignGuide g = guide_of(shipped_robot("articulated3"));
  const auto several =
      std::ranges::find(g.proposals, ChangeKind::several, [](const Proposal& p) { return p.change.kind; });
  REQUIRE(several != g.proposals.end());
  CHECK(several->count() == 7);
  for (const Proposal& p : g.proposals) CHECK(p.count() >= several->count());
}

TEST_CASE("two changes at once remove what none of them removes alone") {
  // the articulated arm: its waist is coupled with the elbow by two things
  const Description d = shipped_robot("articulated3");
  const DesignGuide one = guide_of(d), two = guide_of(d, 20, true);
  std::size_t more = 0;
  for (std::size_t e = 0; e < one.now.numbers().coefficients.size(); ++e) {
    const bool alone = !one.removing(e).empty(), paired = !two.removing(e).empty();
    CHECK((paired || !alone));
    more += paired && !alone;
  }
  CHECK(more > 0);
  CHECK(two.proposals.size() > one.proposals.size());
  for (const Proposal& p : two.proposals) {
    const auto again = read_robot_toml(write_robot_toml(p.change.robot), "changed.toml");
    REQUIRE(again);
    CHECK(exact_structure(*exact_robot(*again), Level::numbers, {.seed = 7}).nonzero == p.structure.nonzero);
  }
}

TEST_CASE("joints that share a coordinate have no guide, and are told so") {
  Description d = shipped_robot("two_link");
  d.links[1].mimic = Mimic{"q1", 2, 0, {}};
  const Result<Model<double>> model = build(d);
  REQUIRE(model);
  const auto refused = guide(d, course_of(range_sweep(*model), 4));
  REQUIRE_FALSE(refused);
  CHECK(refused.faults()[0].rule == "guide-coordinates");
}

TEST_CASE("no proposal leaves a robot that can move without moving any mass") {
  int proposals = 0;
  for (const char* name : {"puma560", "two_link_ceiling", "theta_d"}) {
    CAPTURE(std::string(name));
    for (const Proposal& p : guide_of(shipped_robot(name)).proposals) {
      CAPTURE(p.change.text);
      const Result<Model<double>> changed = build(p.change.robot);
      REQUIRE(changed);
      for (const Finding& finding : definiteness(p.change.robot, *changed)) CHECK(finding.severity != Severity::error);
      ++proposals;
    }
  }
  CHECK(proposals > 6);
}

TEST_CASE("no proposal takes a degree of freedom from the tool, or most of its reach") {
  // a second opinion on ranks: QR with pivots, at other positions
  const auto best_rank = [](const Model<double>& model, double& reach) {
    std::mt19937_64 engine(7);
    const int n = model.nv;
    int most = 0;
    for (int k = 0; k < 30; ++k) {
      Configuration<double> configuration(model);
      configuration.set(model, random_position(model, engine));
      std::vector<Transform<double>> X(model.bodies.size());
      forward_kinematics<double>(model, configuration, X);
      const Frame<double>& tool = model.frames.back();
      const Vec3<double> p = frame_pose<double>(tool, X).p;
      reach = std::max(reach, norm(p - model.base.p));
      std::vector<double> J(6 * static_cast<std::size_t>(n)), RD(static_cast<std::size_t>(n * n));
      jacobian<double>(model, X, tool.body, p, J);
      std::vector<int> permutation(static_cast<std::size_t>(n));
      if (n <= 6) most = std::max(most, qr_factor_pivoted<double>(J, 6, n, RD, permutation, 1e-7));
    }
    return most;
  };
  int moved = 0;
  for (const char* name : {"puma560", "two_link", "articulated3", "stanford", "scara", "sixr_angeles"}) {
    CAPTURE(std::string(name));
    const DesignGuide g = guide_of(shipped_robot(name));
    double reach = 0;
    const int rank = best_rank(*build(shipped_robot(name)), reach);
    CHECK(g.freedom.back().rank == rank);
    for (const Proposal& p : g.proposals) {
      CAPTURE(p.change.text);
      double left = 0;
      CHECK(best_rank(*build(p.change.robot), left) >= rank);
      CHECK(left > 0.45 * reach);
      moved += p.change.moves_axes;
    }
  }
  // changes of axes are not left out altogether: two of the two-link arm, one of the SCARA; the forearm of the PUMA is none
  CHECK(moved == 3);
}

TEST_CASE("every proposal leaves half of what the tool can do: |det J| and its slowest direction, in the median") {
  // a second opinion at other positions, by rotations of J itself
  struct Medians {
    double det = 0, slowest = 0;
  };
  const auto medians = [](const Model<double>& model) {
    constexpr int positions = 1000;
    const auto n = static_cast<std::size_t>(model.nv);
    std::mt19937_64 engine(11);
    Medians out;
    double reach = 0;
    std::vector<double> dets, least;
    std::vector<std::vector<double>> all;
    for (int k = 0; k < positions; ++k) {
      Configuration<double> configuration(model);
      configuration.set(model, random_position(model, engine));
      std::vector<Transform<double>> X(model.bodies.size());
      forward_kinematics<double>(model, configuration, X);
      const Vec3<double> p = frame_pose<double>(model.frames.back(), X).p;
      reach = std::max(reach, norm(p - model.base.p));
      jacobian<double>(model, X, model.frames.back().body, p, all.emplace_back(6 * n));
    }
    for (std::vector<double>& J : all) {
      for (std::size_t k = 3 * n; k < 6 * n; ++k) J[k] /= reach;
      std::vector<double> U(36), sigma(6);
      singular_values<double>(J, 6, model.nv, U, sigma);
      dets.push_back(std::accumulate(sigma.begin(), sigma.end(), 1.0, std::multiplies()));
      least.push_back(sigma.back());
    }
    std::ranges::sort(dets);
    std::ranges::sort(least);
    out = {dets[positions / 2], least[positions / 2]};
    return out;
  };
  int moved = 0;
  for (const char* name : {"puma560", "panda", "iiwa14", "two_arm"}) {
    CAPTURE(std::string(name));
    const DesignGuide g = guide_of(shipped_robot(name));
    const Medians now = medians(*build(shipped_robot(name)));
    for (const Proposal& p : g.proposals) {
      if (!p.change.moves_axes) continue;
      CAPTURE(p.change.text);
      const Medians then = medians(*build(p.change.robot));
      CHECK(then.det > 0.4 * now.det);
      CHECK(then.slowest > 0.4 * now.slowest);
      ++moved;
    }
  }
  CHECK(moved > 3);
  // the forearm folded into 20 mm by its twist
  CHECK(find(guide_of(shipped_robot("puma560")), ChangeKind::axis, "forearm") == nullptr);
}

TEST_CASE("the best change of a PUMA lowers its torques") {
  const DesignGuide g = guide_of(shipped_robot("puma560"), 100);
  REQUIRE(!g.proposals.empty());
  CHECK(g.proposals.front().cost() < 1);
  CHECK(g.proposals.front().peak_ratio < 1);
}
