#include "torsor/report/mechanism_view.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/report/view_data.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/mechanism_text.hpp"
#include "tests/support/page_data.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/text/json.hpp"

using namespace torsor;

namespace {

Mechanism loaded(std::string_view name) {
  auto mechanism = build(*load_mechanism(std::string(name)));
  REQUIRE(mechanism);
  return *std::move(mechanism);
}

MovingView still_view(const Mechanism& m) {
  MechanismMotion motion(m);
  motion.add(described_state(m));
  return mechanism_view(motion, "linkage <1>");
}

std::size_t count_kind(const MovingView& view, std::string_view kind) {
  return static_cast<std::size_t>(std::ranges::count_if(view.symbols, [&](const auto& s) { return s.kind == kind; }));
}

}  // namespace

TEST_CASE("every body, joint, spring and actuator of every built-in mechanism is drawn and named") {
  for (const EmbeddedFile& file : embedded_mechanisms()) {
    CAPTURE(file.name);
    const Mechanism m = loaded(file.name);
    const MovingView view = still_view(m);
    std::set<std::string> names;
    for (const MovingView::Part& part : view.parts) {
      const bool ball =
          std::ranges::any_of(view.symbols, [&](const auto& s) { return s.kind == "mass" && s.name == part.name; });
      const bool shown = !part.strokes.empty() || !part.plate.empty() || ball;
      const bool moves = names.size() >= m.description.bodies.size();  // carriers have their axes alone
      if (shown || moves) names.insert(part.name);
    }
    for (const MovingView::Symbol& s : view.symbols) names.insert(s.name);
    for (const MovingView::Bar& b : view.bars) names.insert(b.name);
    for (const MovingView::Trace& t : view.traces) names.insert(t.name);
    for (const MechanismJoint& joint : m.description.joints)
      if (joint.kind != MechanismJointKind::free) CHECK(names.contains(joint.name));
    for (const MechanismSpring& spring : m.description.springs) CHECK(names.contains(spring.name));
    // a body with a single massless point is that joint's symbol
    for (const MechanismBody& body : m.description.bodies)
      if (body.m > 0) CHECK(names.contains(body.name));
    view_data(view);
    std::ostringstream out;
    write_drawing(view, out);
    CHECK(markup::markup_fault(out.str()) == "");
    CHECK(out.str().find("linkage &lt;1&gt;") != std::string::npos);
    CHECK(out.str().find("nan") == std::string::npos);
  }
}

TEST_CASE("the bodies of a four-bar are strokes of their lengths, and it is seen across its plane") {
  const Mechanism m = loaded("four_bar");
  const MovingView view = still_view(m);
  REQUIRE(view.parts.size() == 3);
  const double lengths[] = {0.3, 0.9, 0.7};
  for (std::size_t b = 0; b < 3; ++b) {
    // one whose mass is beside the line between its joints is a triangle, its joints first
    const MovingView::Part& part = view.parts[b];
    REQUIRE((part.strokes.size() == 1) != (part.plate.size() == 3));
    const Vec3<double> from = part.plate.empty() ? part.strokes[0][0] : part.plate[0],
                       to = part.plate.empty() ? part.strokes[0][1] : part.plate[1];
    CHECK(norm(to - from) == doctest::Approx(lengths[b]).epsilon(1e-9));
  }
  CHECK(view.plane.has_value());
  CHECK(count_kind(view, "ground") == 2);
  // the coupler alone is not joined to the ground: it draws the coupler curve
  REQUIRE(view.traces.size() == 1);
  CHECK(view.traces[0].part == 1);
  CHECK_FALSE(still_view(loaded("rssr")).plane.has_value());
}

TEST_CASE("poses of bodies are those of their own frames, at every instant") {
  const Mechanism m = loaded("stewart_platform");
  MechanismState state = described_state(m);
  MechanismMotion motion(m);
  std::vector<std::vector<Transform<double>>> wanted;
  for (int k = 0; k < 5; ++k) {
    state.t = 0.1 * k;
    for (BodyState& body : state.bodies) {
      body.r = body.r + Vec3<double>{0.01, -0.02, 0.005};
      body.p = normalized(body.p * quaternion_about(unit(Vec3<double>{1, 2, 3}), 0.1));
    }
    motion.add(state);
    auto& poses = wanted.emplace_back();
    for (int b = 0; b < m.bodies(); ++b) poses.push_back(body_pose(m, state, b));
  }
  const nlohmann::json data = view_data(mechanism_view(motion, ""));
  const std::vector<double> x = pages::base64_numbers<float>(data["clips"][0]["poses"].get<std::string>());
  const std::size_t parts = data["parts"].size();
  REQUIRE(x.size() == 5 * 7 * parts);
  for (std::size_t f = 0; f < wanted.size(); ++f)
    for (std::size_t b = 0; b < wanted[f].size(); ++b) {
      const double* const at = x.data() + 7 * (f * parts + b);
      CHECK(norm(Vec3<double>{at[0], at[1], at[2]} - wanted[f][b].p) < 1e-6);
      const Mat3<double> R = rotation(Quaternion<double>{at[3], at[4], at[5], at[6]});
      CHECK(norm(R.x - wanted[f][b].R.x) + norm(R.y - wanted[f][b].R.y) < 2e-6);
    }
}

TEST_CASE("a rod, a spring and a cylinder reach from one body to the other") {
  MechanismDescription d = *load_mechanism("pendulum");
  MechanismJoint rod;
  rod.name = "rod";
  rod.kind = MechanismJointKind::distance;
  rod.i = {ground, -1, {Mat3<double>::identity(), {1, 0, 0}}};
  rod.j = {0, -1, {Mat3<double>::identity(), {0, 0, 0.1}}};
  const Vec3<double> there = d.bodies[0].X_world_body.R * rod.j.X.p + d.bodies[0].X_world_body.p;
  rod.length = norm(there - rod.i.X.p);
  d.joints.push_back(rod);
  MechanismJoint place = rod;
  place.name = "place";
  place.kind = MechanismJointKind::free;
  d.joints.push_back(place);
  const int joint = static_cast<int>(d.joints.size()) - 1;
  MechanismSpring coil;
  coil.name = "coil";
  coil.measure = {joint, Measure::What::length};
  coil.k = 100;
  coil.rest = 0.5;
  d.springs.push_back(coil);
  MechanismActuator jack;
  jack.name = "jack";
  jack.measure = {joint, Measure::What::length};
  jack.effort_limit = 200;
  d.actuators = {jack};
  const auto mechanism = build(d);
  REQUIRE(mechanism);
  MechanismMotion motion(*mechanism);
  motion.add(described_state(*mechanism), std::vector{-50.0});
  const MovingView view = mechanism_view(motion, "");
  std::vector<std::string> kinds;
  for (const MovingView::Bar& bar : view.bars) {
    kinds.push_back(bar.name + " " + bar.kind);
    const MovingView::Clip& clip = view.clips.front();
    const auto world = [&](int part, const Vec3<double>& s) {
      const Transform<double> X = view.pose(clip, 0, part);
      return X.R * s + X.p;
    };
    CHECK(norm(world(bar.j, bar.at_j) - world(bar.i, bar.at_i)) == doctest::Approx(rod.length));
  }
  CHECK(kinds == std::vector<std::string>{"rod rod", "coil spring", "jack cylinder"});
  CHECK(view.share == "torque limit");
  CHECK(view.clips[0].shares[0] == doctest::Approx(0.25));
}

TEST_CASE("a mode goes to and fro once, by no more than a little, and is where it rests a quarter of the way") {
  const Mechanism m = loaded("pendulum");
  const MechanismState state = described_state(m);
  Mode mode;
  mode.frequency = 2;
  mode.bodies = {{{0, 1, 0}, {0.3, 0, 0}}};
  mode.bodies_late = {{{0, 0, 0}, {0, 0, 0}}};
  const MovingView view = mode_view(m, state, std::vector{mode}, "");
  REQUIRE(view.clips.size() == 1);
  const MovingView::Clip& clip = view.clips.front();
  REQUIRE(clip.t.size() == 49);
  CHECK(clip.t.back() == 360);
  const Transform<double> rest = body_pose(m, state, 0);
  const auto way = [&](std::size_t f) { return view.pose(clip, f, 0).p - rest.p; };
  CHECK(norm(way(12)) < 1e-12);
  CHECK(norm(way(36)) < 1e-12);
  CHECK(norm(way(0) + way(24)) < 1e-12);
  CHECK(norm(way(0) - way(48)) < 1e-12);
  CHECK(norm(way(0)) > 0);
  CHECK(view.loops);
  // the turn belongs to the way as the mode says: 0.3 m for each rad
  const Mat3<double> turned = view.pose(clip, 0, 0).R * ~rest.R;
  CHECK(std::acos((turned.x.x + turned.y.y + turned.z.z - 1) / 2) * 0.3 == doctest::Approx(norm(way(0))).epsilon(1e-6));
}
