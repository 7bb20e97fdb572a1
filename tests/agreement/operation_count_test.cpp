// The recorded Newton-Euler recursion of a planar two-link arm, folded, is what one would write by hand: not an operation more.
#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "tests/support/terms.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

constexpr double m1 = 3.7, m2 = 2.3, l = 0.85, earth_g = 9.8062;

/// Two rods in a vertical plane, modified or standard DH.
Description two_rods(Convention convention, bool with_gravity) {
  Description d;
  d.convention = convention;
  d.gravity = {0, with_gravity ? -earth_g : 0, 0};
  for (int i = 0; i < 2; ++i) {
    const double m = i == 0 ? m1 : m2, tensor = m * l * l / 12;
    LinkDescription link;
    link.name = "rod" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    const bool standard = convention == Convention::standard_dh;
    link.geometry = DhRow{0, 0, standard || i == 1 ? l : 0, 0};
    link.parts = {{m, {standard ? -l / 2 : l / 2, 0, 0}, {0, tensor, tensor, 0, 0, 0}, InertiaAbout::mass_centre, {}}};
    d.links.push_back(link);
  }
  return d;
}

struct Inputs {
  std::vector<Trace> q, qd, qdd;
  explicit Inputs(Tape& tape) {
    for (const char* name : {"q1", "q2"}) q.push_back(tape.input(name));
    for (const char* name : {"qd1", "qd2"}) qd.push_back(tape.input(name));
    for (const char* name : {"qdd1", "qdd2"}) qdd.push_back(tape.input(name));
  }
};

Tape recursion(const Model<double>& model) {
  Tape tape;
  Recording recording(tape);
  const Inputs in(tape);
  const std::vector<Trace> tau = inverse(cast<Trace>(model), in.q, in.qd, in.qdd);
  tape.output(tau[0], "tau1");
  tape.output(tau[1], "tau2");
  return tape;
}

/// Newton and Euler with pencil and paper; h2 = m2 l/2 the first moment of rod 2, J1, J2 the inertias about the joints.
Tape by_hand() {
  Tape tape;
  Recording recording(tape);
  const Inputs in(tape);
  const Trace J1 = m1 * l * l / 3, J2 = m2 * l * l / 3, h1 = m1 * l / 2, h2 = m2 * l / 2;
  const Trace c1 = cos(in.q[0]), s1 = sin(in.q[0]), c2 = cos(in.q[1]), s2 = sin(in.q[1]);  // 4 sines and cosines
  const Trace gx = earth_g * s1, gy = earth_g * c1;                                        // 2 *       g in frame 1
  const Trace own = h1 * gy + J1 * in.qdd[0];                                              // 2 * 1 +   rod 1 alone
  const Trace ax = gx - l * in.qd[0] * in.qd[0], ay = gy + l * in.qdd[0];                  // 3 * 2 +   joint 2, frame 1
  const Trace bx = c2 * ax + s2 * ay, by = c2 * ay - s2 * ax;                              // 4 * 2 +   joint 2, frame 2
  const Trace w = in.qd[0] + in.qd[1], wd = in.qdd[0] + in.qdd[1];                         //     2 +
  const Trace tau2 = J2 * wd + h2 * by;                                                    // 2 * 1 +
  const Trace fx = m2 * bx - h2 * w * w, fy = m2 * by + h2 * wd;                           // 5 * 2 +   force on rod 2
  const Trace tau1 = own + tau2 + l * (s2 * fx + c2 * fy);                                 // 3 * 3 +
  tape.output(tau1, "tau1");
  tape.output(tau2, "tau2");
  return tape;
}

}  // namespace

TEST_CASE("the folded recursion of a planar two-link arm has the operations of the hand calculation") {
  const Tape tool = live(share(fold(by_hand())));
  const OperationCount by_pencil = count(tool);
  CHECK(by_pencil.multiplications == 21);
  CHECK(by_pencil.additions == 13);
  CHECK(by_pencil.trigonometric == 4);

  Random random(9000);
  for (const Convention convention : {Convention::modified_dh, Convention::standard_dh}) {
    const Model<double> model = built(two_rods(convention, true));
    const Tape recorded = recursion(model), folded = live(share(fold(recorded)));
    CHECK(count(folded) == by_pencil);
    CHECK(count(recorded).multiplications > 100);  // what a general spatial arm needs

    const auto [q, qd, qdd] = random_state(random, model);
    const Numbers inputs{q[0], q[1], qd[0], qd[1], qdd[0], qdd[1]}, tau = inverse(model, q, qd, qdd);
    CHECK(relative(evaluate(folded, inputs), tau) < 1e-14);
    CHECK(relative(evaluate(tool, inputs), tau) < 1e-14);
  }
}

TEST_CASE("without gravity its five operations and two sines and cosines are gone") {
  // of the tool calculation fall away: 2 products for g, h1 gy, and the three sums that g enters; c1 and s1 are used by nothing else
  const OperationCount count_of = count(live(share(fold(recursion(built(two_rods(Convention::modified_dh, false)))))));
  CHECK(count_of.multiplications == 21 - 3);
  CHECK(count_of.additions == 13 - 3);
  CHECK(count_of.trigonometric == 2);
}

TEST_CASE("the folded mass matrix of a planar two-link arm has the operations of composite bodies by hand") {
  //   b = h2 c2              1 *       first moment of rod 2 along rod 1
  //   D12 = J2 + l b         1 * 1 +
  //   D11 = J1 + J2 + l (b + (b + m2 l))
  //                          1 * 4 +   the sum of constants J1 + J2 is met one by one, as the bodies are
  const Model<double> model = built(two_rods(Convention::modified_dh, true));
  Tape tape;
  {
    Recording recording(tape);
    const Inputs in(tape);
    const std::vector<Trace> M = mass_matrix(cast<Trace>(model), in.q);
    for (const Trace& entry : M) tape.output(entry, "D");
  }
  const Tape folded = live(share(fold(tape)));
  CHECK(count(folded) == OperationCount{.multiplications = 3, .additions = 5, .trigonometric = 1});
  const Numbers q{0.3, -1.1};
  CHECK(difference(evaluate(folded, Numbers{q[0], q[1], 0, 0, 0, 0}), mass_matrix(model, q)) < 1e-15);
}
