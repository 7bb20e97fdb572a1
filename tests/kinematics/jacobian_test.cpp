#include "torsor/kinematics/jacobian.hpp"

#include <doctest/doctest.h>

#include "tests/support/along_motion.hpp"
#include "tests/support/terms.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

template <class T>
std::vector<T> jacobian_at(const Model<T>& model, std::span<const T> q, int body, const Vec3<T>& point_of_body) {
  const std::vector<Transform<T>> X = poses(model, q);
  std::vector<T> J(static_cast<std::size_t>(6 * model.nv), T(0));
  jacobian<T>(model, X, body, X[body] * point_of_body, J);
  return J;
}

struct Case {
  Model<double> model;
  State state;
  int body;
  Vec3<double> point;  // in the body
};

Case random_case(Random& random, int k) {
  Model<double> model = built(
      random_robot(random, {.links = 1 + random.below(10), .floating = k % 2 == 0, .mimics = k % 3 == 0}).description);
  State state = random_state(random, model);
  const int body = random.below(model.size());
  return {std::move(model), std::move(state), body, random.vector(1)};
}

}  // namespace

TEST_CASE("columns of the Jacobian are the derivatives of the pose") {
  Random random(71);
  for (int k = 0; k < draws(40); ++k) {
    const auto [model, state, body, point] = random_case(random, k);
    const std::size_t n = static_cast<std::size_t>(model.nv);
    const Numbers J = jacobian_at<double>(model, state.q, body, point);
    for (std::size_t column = 0; column < n; ++column) {
      Numbers unit(n, 0.0);
      unit[column] = 1;
      const Transform<Time1> X = poses(cast<Time1>(model), position_along(model, state.q, unit))[body];
      const Vec3<double> w = axial(rate(X.R) * ~value(X.R)),
                         v = rate(X * cast<Time1>(point, [](double x) { return Time1(x); }));
      Numbers expected = flat(Motion<double>{w, v}), found;
      for (std::size_t row = 0; row < 6; ++row) found.push_back(J[row * n + column]);
      CHECK(difference(found, expected) < 1e-12);
    }
  }
}

TEST_CASE("the rate of the Jacobian is its time derivative along the motion") {
  Random random(72);
  for (int k = 0; k < draws(40); ++k) {
    const auto [model, state, body, point] = random_case(random, k);
    const std::vector<Transform<double>> X = poses(model, state.q);
    std::vector<Motion<double>> scratch(model.bodies.size());
    Numbers Jd(static_cast<std::size_t>(6 * model.nv)), expected;
    jacobian_rate<double>(model, X, state.qd, body, X[body] * point, scratch, Jd);
    const std::vector<Time1> moving = jacobian_at<Time1>(cast<Time1>(model), position_along(model, state.q, state.qd),
                                                         body, cast<Time1>(point, [](double x) { return Time1(x); }));
    for (const Time1& entry : moving) expected.push_back(entry.tangent[0]);
    CHECK(difference(Jd, expected) < 1e-12 * (1 + largest(expected)));
  }
}

TEST_CASE("J qd and J qdd + Jd qd are the velocity and acceleration of the point") {
  Random random(73);
  for (int k = 0; k < draws(40); ++k) {
    const auto [model, state, body, point] = random_case(random, k);
    if (model.nv == 0) continue;
    const std::vector<Transform<double>> X = poses(model, state.q);
    const BodyMotions<double> m = motions(model, state.q, state.qd, state.qdd);
    const Numbers J = jacobian_at<double>(model, state.q, body, point);
    std::vector<Motion<double>> scratch(model.bodies.size());
    Numbers Jd(J.size());
    jacobian_rate<double>(model, X, state.qd, body, X[body] * point, scratch, Jd);
    const Mat3<double> R = X[body].R;
    const Numbers velocity = flat(Motion<double>{R * m.v[body].w, R * point_velocity(m.v[body], point)});
    const Numbers change = flat(Motion<double>{R * m.a[body].w, R * point_acceleration(m.v[body], m.a[body], point)});
    CHECK(difference(times(J, state.qd), velocity) < 1e-12 * (1 + largest(velocity)));
    CHECK(difference(sum(times(J, state.qdd), times(Jd, state.qd)), change) < 1e-12 * (1 + largest(change)));
  }
}

TEST_CASE("joints that do not carry the body have zero columns") {
  Random random(74);
  Description d = random_robot(random, {.links = 3, .branching = 0, .one_dof = true}).description;
  for (LinkDescription& link : d.links) {
    link.kind = JointKind::revolute;
    link.parent = "base";
  }
  const Model<double> model = built(d);
  const Numbers J = jacobian_at<double>(model, Numbers{0.1, 0.2, 0.3}, 1, {0, 0, 1});
  for (std::size_t row = 0; row < 6; ++row) {
    CHECK(J[row * 3 + 0] == 0);
    CHECK(J[row * 3 + 2] == 0);
  }
}
