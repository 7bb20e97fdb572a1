// Changes of the numbers of a position as displacements, and gradients the other way.
#include "torsor/model/joint_tangent.hpp"

#include <doctest/doctest.h>

#include "tests/support/random_robot.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

using namespace torsor;
using namespace torsor::testing;

TEST_CASE("the displacement of a rate of the numbers is the velocity it comes from") {
  Random random(991);
  for (int k = 0; k < 100; ++k) {
    const Model<double> model = built(random_robot(random, {.links = 6, .floating = k % 2 == 0}).description);
    const State s = random_state(random, model);
    Numbers rate(s.q.size()), back(s.qd.size());
    configuration_rate<double>(model, s.q, s.qd, rate);
    position_tangent<double>(model, s.q, rate, back);
    CHECK(difference(back, s.qd) < 1e-14 * 10);
    // the other map is the transpose
    const Numbers g = random.numbers(model.nv, 1), change = random.numbers(model.nq, 1);
    Numbers by_numbers(s.q.size());
    position_gradient<double>(model, s.q, g, by_numbers);
    position_tangent<double>(model, s.q, change, back);
    CHECK(std::abs(dot(g, back) - dot(by_numbers, change)) < 1e-13);
    CHECK(has_plain_positions(model) ==
          std::ranges::all_of(model.bodies, [](const Body<double>& b) { return row(b.kind).nv <= 1; }));
  }
}

TEST_CASE("quaternions of any length change poses as dual numbers say, and not along their length") {
  Random random(992);
  using D = Dual<double>;
  for (const double length : {1.0, 1e-3, 30.0, 1e160}) {
    CAPTURE(length);
    const Model<double> model =
        built(random_robot(random, {.links = 2, .one_dof = true, .floating = true}).description);
    State s = random_state(random, model);
    for (int j = 0; j < 4; ++j) s.q[j] *= length;
    Numbers change = random.numbers(model.nq, 1), moved(model.nv);
    for (int j = 0; j < 4; ++j) change[j] *= length;
    position_tangent<double>(model, s.q, change, moved);
    CHECK(largest(moved) < 100);  // no overflow
    Numbers along(s.q.size(), 0.0);
    std::copy_n(s.q.begin(), 4, along.begin());
    Numbers none(model.nv);
    position_tangent<double>(model, s.q, along, none);
    CHECK(largest(none) < 1e-14);
    if (length > 1e100) continue;  // squares of duals would not be numbers
    const Model<D> dual = cast<D>(model);
    std::vector<D> q;
    for (std::size_t j = 0; j < s.q.size(); ++j) q.push_back(D(s.q[j], {change[j]}));
    Configuration<D> at(dual);
    at.set(dual, std::span<const D>(q));
    const Transform<D> X = pose_in_parent(dual, at, 0);
    // R' = R [w] x, so that w is the axial vector of ~R R'
    const auto value = [](const D& x) { return x.value; };
    const auto rate = [](const D& x) { return x.tangent[0]; };
    const Mat3<double> R = cast<double>(X.R, value), Rd = cast<double>(X.R, rate);
    const Mat3<double> W = ~R * Rd;
    CHECK(difference(Numbers{W.y.z, W.z.x, W.x.y}, View(moved).first(3)) < 1e-12);
    const Vec3<double> u = ~R * cast<double>(X.p, rate);
    CHECK(difference(flat(u), View(moved).subspan(3, 3)) < 1e-12);
  }
}
