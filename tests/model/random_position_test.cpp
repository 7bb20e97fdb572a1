#include "torsor/model/random_position.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "torsor/model/description.hpp"
#include "torsor/scalar/infinity.hpp"

using namespace torsor;

namespace {

LinkDescription link(const std::string& name, JointKind kind, Limits limits = {}) {
  LinkDescription l{.name = name, .joint_name = name, .kind = kind};
  l.limits = limits;
  l.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
  return l;
}

Model<double> model_of(std::vector<LinkDescription> links) {
  Description d;
  d.links = std::move(links);
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("the bounds of a draw are the limits, or half a turn, or a metre") {
  const double pi = std::numbers::pi;
  const Model<double> model = model_of(
      {link("a", JointKind::revolute, {-0.5, 0.25}), link("b", JointKind::revolute), link("c", JointKind::prismatic),
       link("d", JointKind::prismatic, {0.5, infinity}), link("e", JointKind::revolute, {-infinity, 1})});
  const std::vector<Limits> bounds = position_bounds(model);
  const double expected[][2] = {{-0.5, 0.25}, {-pi, pi}, {-1, 1}, {0.5, 2.5}, {1 - 2 * pi, 1}};
  for (std::size_t k = 0; k < bounds.size(); ++k) {
    CHECK(bounds[k].lower == expected[k][0]);
    CHECK(bounds[k].upper == expected[k][1]);
  }
}

TEST_CASE("draws fill the limits, keep inside them and repeat with their seed") {
  const Model<double> model =
      model_of({link("a", JointKind::revolute, {-0.5, 0.25}), link("ball", JointKind::spherical)});
  std::mt19937_64 engine(5), again(5);
  double low = 1, high = -1;
  for (int k = 0; k < 1000; ++k) {
    const std::vector<double> q = random_position(model, engine);
    CHECK(q == random_position(model, again));
    low = std::min(low, q[0]);
    high = std::max(high, q[0]);
    CHECK(q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4] == doctest::Approx(1).epsilon(1e-14));
  }
  CHECK(low >= -0.5);
  CHECK(low < -0.49);
  CHECK(high < 0.25);
  CHECK(high > 0.24);
}
