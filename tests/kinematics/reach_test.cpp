#include "torsor/kinematics/reach.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

LinkDescription link(const std::string& name, JointKind kind, const Vec3<double>& position, Limits limits = {}) {
  LinkDescription l{.name = name, .joint_name = name, .kind = kind};
  l.limits = limits;
  l.geometry = JointPlacement{{Mat3<double>::identity(), position}, {0, 0, 1}};
  l.parts.push_back({1.0, {}, {1, 1, 1}, InertiaAbout::mass_centre, {}});
  return l;
}

Model<double> arm(std::vector<LinkDescription> links, const Vec3<double>& tool) {
  Description d;
  d.base.p = {5, 6, 7};
  d.tools.push_back({"tip", links.back().name, {Mat3<double>::identity(), tool}, {}});
  d.links = std::move(links);
  auto model = build(d);
  REQUIRE(model);
  return *std::move(model);
}

}  // namespace

TEST_CASE("a stretched planar arm reaches the sum of its lengths, wherever its base stands") {
  const Model<double> model = arm({link("a", JointKind::revolute, {}), link("b", JointKind::revolute, {0.5, 0, 0}),
                                   link("c", JointKind::revolute, {0, 0.3, 0})},
                                  {0.1, 0, 0});
  const Reach r = reach(model, model.frames.back());
  CHECK(r.bound == doctest::Approx(0.9).epsilon(1e-15));
  CHECK(r.found == doctest::Approx(0.9).epsilon(1e-9));
  CHECK(r.found <= r.bound * (1 + 1e-12));
}

TEST_CASE("an arm that cannot stretch reaches as far as its limits let it") {
  // the elbow stays bent by 60 degrees or more
  const Model<double> model =
      arm({link("a", JointKind::revolute, {}), link("b", JointKind::revolute, {0.5, 0, 0}, {std::acos(0.5), 2})},
          {0.5, 0, 0});
  const Reach r = reach(model, model.frames.back());
  CHECK(r.bound == doctest::Approx(1).epsilon(1e-15));
  CHECK(r.found == doctest::Approx(2 * 0.5 * std::cos(std::acos(0.5) / 2)).epsilon(1e-9));
}

TEST_CASE("a slide counts with its far end, also when that is the lower one") {
  const Model<double> model = arm({link("slide", JointKind::prismatic, {0, 0, -0.2}, {-0.7, 0.1})}, {0.3, 0, 0});
  const Reach r = reach(model, model.frames.back());
  CHECK(r.bound == doctest::Approx(1.2).epsilon(1e-15));
  CHECK(r.found == doctest::Approx(std::hypot(0.9, 0.3)).epsilon(1e-9));
}

TEST_CASE("a slide without limits reaches without limits") {
  const Model<double> model = arm({link("slide", JointKind::prismatic, {})}, {});
  CHECK(std::isinf(reach(model, model.frames.back()).bound));
  CHECK(std::isinf(reach(model, model.frames.back()).found));
}

TEST_CASE("the search repeats with its seed") {
  const Model<double> model =
      arm({link("a", JointKind::spherical, {}), link("b", JointKind::revolute, {0.5, 0, 0})}, {0.2, 0, 0});
  const Reach once = reach(model, model.frames.back(), 3), twice = reach(model, model.frames.back(), 3);
  CHECK(once.q == twice.q);
  CHECK(once.found == doctest::Approx(0.7).epsilon(1e-9));
}

TEST_CASE("a search ends with its budget and says so; a small robot never gets near it") {
  std::vector<LinkDescription> links;
  for (int i = 0; i < 300; ++i) links.push_back(link("l" + std::to_string(i), JointKind::revolute, {0.01, 0, 0}));
  const Model<double> chain = arm(links, {0.01, 0, 0});
  const Reach cut = reach(chain, chain.frames.back(), 1, 100'000);
  CHECK(cut.cut_short);
  CHECK(cut.found > 0);
  CHECK(cut.found < cut.bound);
  CHECK(cut.q.size() == 300);
  // less than a single position costs is still one
  CHECK(reach(chain, chain.frames.back(), 1, 0).found > 0);

  links.resize(7);
  const Model<double> small = arm(links, {0.01, 0, 0});
  CHECK_FALSE(reach(small, small.frames.back()).cut_short);
  CHECK(reach(small, small.frames.back(), 1, 5000).cut_short);
}
