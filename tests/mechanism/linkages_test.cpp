// Linkages that nothing joins do not know of each other, however far apart their masses are: every answer is that of
// each alone.
#include "torsor/mechanism/linkages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/mechanism.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/start.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

enum class Kind { pendulum, double_pendulum, four_bar };

int add_rod(MechanismDescription& d, double m, const Vec3<double>& from, const Vec3<double>& to) {
  const Vec3<double> way = to - from;
  const Mat3<double> R = joint_frame({}, way, {0, 1, 0}).R;
  const double I = m * dot(way, way);
  return add_body(d, "rod" + std::to_string(d.bodies.size()), m, {0.1 * I, 0.12 * I, 0.05 * I, 0, 0, 0},
                  from + way * 0.55, R);
}

/// A linkage of so many kg in the plane y = 0, its first rod away from rest by an angle, with a motor on its first
/// hinge.
void add_linkage(MechanismDescription& d, Kind kind, double m, double angle) {
  const auto hinge = [&](int i, int j, const Vec3<double>& P) {
    return add_hinge(d, "hinge" + std::to_string(d.joints.size()), i, j, P, {0, 1, 0});
  };
  const Vec3<double> O{}, A{0.8 * std::sin(angle), 0, -0.8 * std::cos(angle)};
  const int crank = add_rod(d, m, O, A), motor_at = hinge(ground, crank, O);
  if (kind == Kind::double_pendulum) hinge(crank, add_rod(d, 0.7 * m, A, A + Vec3<double>{0.2, 0, -0.6}), A);
  if (kind == Kind::four_bar) {
    // a parallelogram: its equations of out-of-plane depend on one another
    const Vec3<double> way{1.1, 0, 0}, B = A + way, C = O + way;
    const int coupler = add_rod(d, 0.5 * m, A, B), rocker = add_rod(d, 1.5 * m, C, B);
    hinge(crank, coupler, A), hinge(coupler, rocker, B), hinge(rocker, ground, C);
  }
  MechanismActuator motor;
  motor.name = "motor" + std::to_string(d.actuators.size());
  motor.measure = {motor_at, Measure::What::angle};
  motor.effort = constant_in_time(0);
  d.actuators.push_back(motor);
}

/// All answers about one or two linkages: numbers of each by itself, forces per kg.
struct LinkageAnswers {
  std::vector<double> rest, reactions, accelerations, torques, frequencies;
  Stability stability = Stability::unstable;
};

std::vector<LinkageAnswers> answers(std::span<const std::pair<Kind, double>> of) {
  MechanismDescription d;
  std::vector<std::size_t> first_body, first_joint;
  for (const auto& [kind, m] : of) {
    first_body.push_back(d.bodies.size()), first_joint.push_back(d.joints.size());
    add_linkage(d, kind, m, kind == Kind::four_bar ? 1.1 : 2.2);
  }
  const auto owner = [](const std::vector<std::size_t>& first, std::size_t k) {
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), k) - first.begin()) - 1;
  };
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  const Mechanism& m = *built;
  std::vector<LinkageAnswers> out(of.size());
  MechanismState state = described_state(m);
  Assembly assembly(m, EquationSet::all);
  assembly.expect_redundancy(true);
  REQUIRE(assembly.positions(state).closed);

  const auto accelerations = [&](bool reactions) {
    MechanismForward forward(m);
    forward.expect_redundancy(true);
    std::vector<Motion<double>> A(state.bodies.size());
    REQUIRE(forward.accelerations(state, A));
    for (std::size_t b = 0; b < A.size() && !reactions; ++b)
      for (const double x : {A[b].w.y, A[b].v.x, A[b].v.z}) out[owner(first_body, b)].accelerations.push_back(x);
    for (const ConstraintBlock& block : m.blocks) {
      const std::size_t at = owner(first_joint, static_cast<std::size_t>(block.index));
      const Force<double> F =
          joint_reaction(m, forward.equations(), block, forward.lambda()).on_j * (1 / of[at].second);
      for (const double x : {F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z}) out[at].reactions.push_back(x);
    }
    return A;
  };
  // moving: accelerations, and the torques that would hold it
  accelerations(false);
  MechanismInverse inverse(m);
  inverse.expect_redundancy(true);
  std::vector<double> u(of.size());
  const std::vector<Motion<double>> none(state.bodies.size());
  inverse.torques(state, none, u);
  for (std::size_t k = 0; k < of.size(); ++k) out[k].torques.push_back(u[k] / of[k].second);

  // at rest
  const EquilibriumReport report = find_equilibrium(m, state);
  REQUIRE_MESSAGE(report.found, report.why);
  for (std::size_t b = 0; b < state.bodies.size(); ++b)
    for (const double x : {state.bodies[b].r.x, state.bodies[b].r.z}) out[owner(first_body, b)].rest.push_back(x);
  accelerations(true);
  for (LinkageAnswers& each : out) each.stability = report.stability;
  const Linearisation modes = linearise(m, state);
  REQUIRE_MESSAGE(modes.why.empty(), modes.why);
  for (const Mode& mode : modes.modes) {
    // of the linkage whose bodies turn
    std::size_t most = 0;
    double turn = 0;
    for (std::size_t b = 0; b < mode.bodies.size(); ++b)
      if (norm(mode.bodies[b].w) > turn) most = owner(first_body, b), turn = norm(mode.bodies[b].w);
    out[most].frequencies.push_back(std::abs(mode.s));
  }
  for (LinkageAnswers& each : out) std::sort(each.frequencies.begin(), each.frequencies.end());
  return out;
}

void check_same(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  REQUIRE(a.size() == b.size());
  double size = 0;
  for (const double x : b) size = std::max(size, std::fabs(x));
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::fabs(a[k] - b[k]) <= tolerance * size);
}

}  // namespace

TEST_CASE("linkages that nothing joins have the answers that each has alone, whatever their masses") {
  const std::vector<Kind> kinds{Kind::pendulum, Kind::double_pendulum, Kind::four_bar};
  for (const Kind one : kinds)
    for (const Kind other : kinds) {
      const std::pair<Kind, double> first[] = {{one, 1.0}}, second[] = {{other, 1.0}};
      const LinkageAnswers alone[] = {answers(first)[0], answers(second)[0]};
      for (const double heavy : {1.0, 1e4, 1e12})
        for (const double ratio : {1.0, 1e3, 1e6, 1e9, 1e12, 1e13, 1e15, 1e18, 1e21, 1e24}) {
          CAPTURE(static_cast<int>(one));
          CAPTURE(static_cast<int>(other));
          CAPTURE(heavy);
          CAPTURE(ratio);
          const std::pair<Kind, double> both[] = {{one, heavy}, {other, heavy / ratio}};
          const std::vector<LinkageAnswers> together = answers(both);
          for (const std::size_t k : {0U, 1U}) {
            CAPTURE(k);
            check_same(together[k].rest, alone[k].rest, 1e-9);
            check_same(together[k].accelerations, alone[k].accelerations, 1e-9);
            check_same(together[k].reactions, alone[k].reactions, 1e-9);
            check_same(together[k].torques, alone[k].torques, 1e-9);
            check_same(together[k].frequencies, alone[k].frequencies, 1e-9);
            CHECK(together[k].stability == Stability::stable);
          }
        }
    }
}

TEST_CASE("parts are what equations join, springs join, and what lies in loops") {
  MechanismDescription d;
  add_linkage(d, Kind::four_bar, 1, 1.1);
  add_linkage(d, Kind::double_pendulum, 1, 1.1);
  const Result<Mechanism> built = build(d);
  REQUIRE(built);
  CHECK(linkages(*built).of == std::vector{0, 0, 0, 1, 1});
  CHECK(linkages_with_springs(*built).count == 2);
  // the four hinges of the loop, and two alone
  CHECK(loops(*built).of == std::vector{0, 0, 0, 0, 1, 2});
}

namespace {

/// Two bodies below one another on hinges about y, 1 kg at the end.
MechanismDescription heavy_on_light(double light) {
  MechanismDescription d;
  const Sym3<double> I{0.1, 0.1, 0.1, 0, 0, 0};
  const int upper = add_body(d, "upper", light, {I.xx * light, I.yy * light, I.zz * light, 0, 0, 0}, {0, 0, -1});
  const int lower = add_body(d, "lower", 1, I, {0, 0, -3});
  add_hinge(d, "top", ground, upper, {}, {0, 1, 0});
  add_hinge(d, "middle", upper, lower, {0, 0, -2}, {0, 1, 0});
  return d;
}

}  // namespace

TEST_CASE("a heavy body on a light one rests as it is, or the ratio of their masses is said") {
  for (const double light : {1.0, 1e-6, 1e-12, 1e-14, 1e-16, 1e-20, 1e-24}) {
    CAPTURE(light);
    const MechanismDescription d = heavy_on_light(light);
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    MechanismState state = described_state(*built);
    // small motions: K - s^2 M singular, of angles from the vertical
    const Linearisation small = linearise(*built, state);
    CHECK(small.why.empty() == (light > 1e-13));
    if (small.why.empty()) {
      const double a = 4 + 1.1 * light, b = 2, c = 1.1, k1 = 9.81 * (2 + light), k2 = 9.81;
      const double half = (a * k2 + c * k1) / 2, root = std::sqrt(half * half - (a * c - b * b) * k1 * k2);
      REQUIRE(small.modes.size() == 2);
      for (const double sign : {-1.0, 1.0})
        CHECK(small.modes[sign > 0].frequency * 2 * std::numbers::pi ==
              doctest::Approx(std::sqrt((half + sign * root) / (a * c - b * b))).epsilon(1e-6));
    } else {
      CHECK(small.why.find("the mass of body \"lower\" is 1e+") == 0);
    }
    const EquilibriumReport report = find_equilibrium(*built, state);
    CHECK(report.found == (light > 1e-13));
    if (!report.found) {
      CHECK(report.why.find("the mass of body \"lower\" is 1e+") == 0);
      continue;
    }
    MechanismForward forward(*built);
    forward.expect_redundancy(true);
    std::vector<Motion<double>> A(state.bodies.size());
    REQUIRE(forward.accelerations(state, A));
    const Force<double> F = joint_reaction(*built, forward.equations(), built->blocks[0], forward.lambda()).on_j;
    CHECK(norm(F.f) == doctest::Approx(9.81 * (1 + light)).epsilon(1e-12));
  }
}

TEST_CASE("a heavy body on a light one starts with the rate that is given, or the ratio of their masses is said") {
  for (const double light : {1.0, 1e-6, 1e-9, 1e-12, 1e-13, 1e-14, 1e-16, 1e-20})
    for (const bool driven : {false, true}) {
      CAPTURE(light);
      CAPTURE(driven);
      MechanismDescription d = heavy_on_light(light);
      if (driven)
        for (const int joint : {0, 1})
          d.drivers.push_back({"d" + std::to_string(joint),
                               {{{joint, Measure::What::angle}, 1, {}}},
                               [joint](double t) { return TimeValue{(1 + joint) * t, 1.0 + joint, 0}; },
                               -1,
                               {}});
      else
        d.joints[0].angle_rate = 1, d.joints[1].angle_rate = 2;
      const Result<Mechanism> built = build(d);
      REQUIRE(built);
      MechanismState state = described_state(*built);
      const Faults errors = driven ? start_driven(*built, state) : start_simulated(*built, state);
      CHECK(errors.empty() == (light > 3e-13));
      MechanismState simulated = described_state(*built);
      ForwardRunRules rules;
      rules.time = rules.interval = 1e-3;
      const ForwardRunReport run = run_forward(*built, simulated, rules, [](const ForwardInstant&) { return true; });
      // equations that are known to be independent lose a digit less
      const bool runs = light > (driven ? 3e-14 : 3e-13);
      CHECK_MESSAGE(run.stop == (runs ? RunStop::none : RunStop::start), run.why);
      CHECK((run.why.find("the mass of body \"lower\" is 1e+") == std::string::npos) == runs);
      if (driven && runs) {
        CHECK(simulated.bodies[0].w.y == doctest::Approx(1).epsilon(1e-6));
        CHECK(simulated.bodies[1].w.y == doctest::Approx(3).epsilon(1e-6));
      }
      if (errors.empty()) {
        CHECK(state.bodies[0].w.y == doctest::Approx(1).epsilon(1e-9));
        CHECK(state.bodies[1].w.y == doctest::Approx(3).epsilon(1e-9));
      } else {
        CHECK_MESSAGE(errors[0].what.find("the mass of body \"lower\" is 1e+") != std::string::npos, errors[0].what);
      }
    }
}

TEST_CASE("masses far apart are reported with a ratio, also beyond the largest number") {
  const auto apart = [](double light, double heavy) {
    MechanismDescription d;
    const Vec3<double> O{}, A{0, 0, -0.8}, B{0.5, 0, -0.8};
    add_hinge(d, "a", ground, add_rod(d, light, O, A), O, {0, 1, 0});
    add_hinge(d, "b", 0, add_rod(d, heavy, A, B), A, {0, 1, 0});
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    return masses_apart(*built);
  };
  const auto has = [](const std::string& text, const char* words) { return text.find(words) != std::string::npos; };
  CHECK(apart(1, 1e4) == "");
  CHECK(has(apart(1e-3, 1e6), "the mass of body \"rod1\" is 1e+09 times that of body \"rod0\""));
  CHECK(has(apart(1e-200, 1e150), "more than 1e308 times"));
}
