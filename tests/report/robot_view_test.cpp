#include "torsor/report/robot_view.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <sstream>

#include "tests/report/view_data.hpp"
#include "tests/support/loop_robots.hpp"
#include "tests/support/markup.hpp"
#include "tests/support/page_data.hpp"
#include "torsor/files/embedded_robots.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/report/page_columns.hpp"
#include "torsor/report/report.hpp"
#include "torsor/report/robot_sketch.hpp"
#include "torsor/robot.hpp"
#include "torsor/spatial/quaternion.hpp"

using namespace torsor;
using torsor::testing::loop_robots;

namespace {

std::vector<double> random_position(const Model<double>& m, std::mt19937& draw) {
  std::vector<double> q = neutral_position(m);
  std::uniform_real_distribution<double> some(-1, 1);
  for (const Body<double>& b : m.bodies)
    if (b.nv == 1) q[static_cast<std::size_t>(b.q)] = some(draw);
  return q;
}

}  // namespace

TEST_CASE("the poses of a page are those of forward kinematics, for every built-in robot") {
  std::mt19937 draw(7);
  for (const EmbeddedRobot& file : embedded_robots()) {
    CAPTURE(file.name);
    const Robot robot = Robot::load(std::string(file.name));
    const Model<double>& m = robot.model();
    RobotMotion motion;
    std::vector<std::vector<double>> positions;
    for (int k = 0; k < 12; ++k) {
      positions.push_back(random_position(m, draw));
      motion.add(0.1 * k, positions.back());
    }
    const MovingView view = robot_view(m, "a robot", motion);
    const nlohmann::json data = view_data(view);
    REQUIRE(data["clips"].size() == 1);
    REQUIRE(data["parts"].size() == m.bodies.size());
    CHECK(data["clips"][0]["t"].size() == 12);
    const std::vector<double> numbers = pages::base64_numbers<float>(data["clips"][0]["poses"].get<std::string>());
    REQUIRE(numbers.size() == 12 * 7 * m.bodies.size());
    Configuration<double> at(m);
    std::vector<Transform<double>> X(m.bodies.size());
    double reach = 1;
    for (std::size_t f = 0; f < positions.size(); ++f) {
      at.set(m, positions[f]);
      forward_kinematics(m, at, std::span(X));
      for (std::size_t b = 0; b < X.size(); ++b) {
        const double* const x = numbers.data() + 7 * (f * X.size() + b);
        reach = std::max(reach, norm(X[b].p));
        CHECK(norm(Vec3<double>{x[0], x[1], x[2]} - X[b].p) < 2e-7 * reach);
        const Mat3<double> R = rotation(Quaternion<double>{x[3], x[4], x[5], x[6]});
        CHECK(norm(R.x - X[b].R.x) + norm(R.y - X[b].R.y) + norm(R.z - X[b].R.z) < 2e-6);
      }
    }
    // every joint but a rotor's has a symbol, every tool a way
    CHECK(view.symbols.size() >= static_cast<std::size_t>(m.nv > 0 ? 1 : 0));
    CHECK(data["traces"].size() == m.frames.size());
  }
}

TEST_CASE("strokes of neighbouring links meet at their joint in every position") {
  const Robot robot = Robot::load("puma560");
  const Model<double>& m = robot.model();
  std::mt19937 draw(11);
  RobotMotion motion;
  for (int k = 0; k < 20; ++k) motion.add(k, random_position(m, draw));
  const MovingView view = robot_view(m, "", motion);
  const MovingView::Clip& clip = view.clips.front();
  for (std::size_t f = 0; f < clip.t.size(); ++f)
    for (int i = 0; i < m.size(); ++i) {
      // the joint's origin, fixed in the parent, is the origin of the body for joints that turn
      const Transform<double> X = view.pose(clip, f, i), P = m[i].parent < 0 ? m.base : view.pose(clip, f, m[i].parent);
      CHECK(norm((P * m[i].placement).p - X.p) < 1e-12);
    }
}

TEST_CASE("joints are coloured by the share of the torque limit where torques are known, else of their range") {
  const Robot robot = Robot::load("puma560");
  const Model<double>& m = robot.model();
  std::vector<double> q(6, 0.0), tau(6, 0.0);
  tau[1] = -0.5 * m.limits[1].effort;
  q[2] = m.limits[2].upper;
  RobotMotion with, without;
  with.add(0, q, tau);
  without.add(0, q);
  const MovingView efforts = robot_view(m, "", with), ranges = robot_view(m, "", without);
  CHECK(efforts.share == "torque limit");
  CHECK(efforts.clips[0].shares[1] == doctest::Approx(0.5));
  CHECK(efforts.clips[0].shares[0] == 0);
  CHECK(ranges.share == "position limit");
  CHECK(ranges.clips[0].shares[2] == doctest::Approx(1));
  const double middle = (m.limits[0].lower + m.limits[0].upper) / 2, half = (m.limits[0].upper - m.limits[0].lower) / 2;
  CHECK(ranges.clips[0].shares[0] == doctest::Approx(std::abs(0 - middle) / half));
}

TEST_CASE("an arm that moves in a plane is seen across it, others are not") {
  const auto plane_of = [](const char* name) {
    const Robot robot = Robot::load(name);
    RobotMotion motion;
    motion.add(0, neutral_position(robot.model()));
    return robot_view(robot.model(), "", motion).plane;
  };
  CHECK(plane_of("two_link").has_value());
  CHECK_FALSE(plane_of("puma560").has_value());
  CHECK_FALSE(plane_of("scara").has_value());
}

TEST_CASE("each joint goes through its range, and begins where the robot stands") {
  const Robot robot = Robot::load("stanford");
  const Model<double>& m = robot.model();
  const std::vector<double> q{0.1, -0.2, 0.3, 0.4, 0.5, -0.6};
  const MovingView view = joint_range_view(m, "", q);
  REQUIRE(view.clips.size() == 6);
  Configuration<double> at(m);
  at.set(m, q);
  std::vector<Transform<double>> X(m.bodies.size());
  forward_kinematics(m, at, std::span(X));
  for (const MovingView::Clip& clip : view.clips) {
    REQUIRE(clip.start < clip.t.size());
    for (int i = 0; i < m.size(); ++i)
      CHECK(norm(view.pose(clip, clip.start, i).p - X[static_cast<std::size_t>(i)].p) < 1e-12);
    CHECK(std::ranges::is_sorted(clip.t));
  }
  CHECK(view.clips[2].unit == "mm");
  CHECK(view.clips[0].unit == "deg");
}

TEST_CASE("of a robot with loops the independent joints go as far as the loops close, and these stay closed") {
  for (const Robot& robot : loop_robots()) {
    CAPTURE(robot.name());
    const Model<double>& tree = robot.tree();
    const std::vector<double> q = posture_of(robot);
    const MovingView view = joint_range_view(robot, "", q);
    REQUIRE(view.clips.size() == static_cast<std::size_t>(robot.loops()->nv()));
    const auto ends = RobotSketch::ends_of(tree, robot.loops().get());
    REQUIRE(ends.size() == 2 * robot.description().loops.size());
    for (std::size_t c = 0; c < view.clips.size(); ++c) {
      const MovingView::Clip& clip = view.clips[c];
      CHECK(clip.t.size() > 5);
      CHECK(std::ranges::is_sorted(clip.t));
      const double unit = clip.unit == "deg" ? 180 / std::numbers::pi : 1000;
      CHECK(clip.t[clip.start] == doctest::Approx(q[c] * unit).epsilon(1e-6));
      double worst = 0;
      for (std::size_t frame = 0; frame < clip.t.size(); ++frame)
        for (std::size_t k = 0; k < ends.size(); k += 2) {
          const auto at = [&](const RobotSketch::LoopEnd& end) { return view.pose(clip, frame, end.body) * end.X; };
          const Vec3<double> gap = at(ends[k + 1]).p - at(ends[k]).p;
          const LoopDescription& loop =
              robot.description().loops[static_cast<std::size_t>(ends[k].loop->loop)];
          worst = std::max(worst, std::abs(norm(gap) - loop.length));
        }
      CHECK(worst < 1e-8);
    }
  }
}

TEST_CASE("a robot stands so that it is seen, and where its loops close") {
  const Robot panda = Robot::load("panda");
  const std::vector<double> q = posture_of(panda);
  for (std::size_t k = 0; k < q.size(); ++k) {
    CHECK(q[k] >= panda.model().limits[k].lower);
    CHECK(q[k] <= panda.model().limits[k].upper);
  }
  CHECK(q != neutral_position(panda.model()));
  // a position where they do not close gives way
  const Robot delta = Robot::load("delta");
  const MovingView view = joint_range_view(delta, "", std::vector<double>{3, 0, 0});
  REQUIRE(view.clips.size() == 3);
  CHECK(view.clips[0].t[view.clips[0].start] ==
        doctest::Approx(posture_of(delta)[0] * 180 / std::numbers::pi).epsilon(1e-6));
}

TEST_CASE("a page with a long motion stays small, well-formed and without a word of the network") {
  const Robot robot = Robot::load("panda");
  const Model<double>& m = robot.model();
  RobotMotion motion;
  std::vector<double> q(static_cast<std::size_t>(m.nq));
  for (int k = 0; k < 100000; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = std::sin(1e-4 * k + static_cast<double>(i));
    motion.add(1e-3 * k, q);
  }
  Report report;
  report.title = "a <robot>";
  report.section("").figure(robot_view(m, "moves", motion));
  std::ostringstream out;
  write_html(report, out);
  const std::string page = out.str();
  CHECK(markup::markup_fault(page) == "");
  CHECK(page.size() < 260'000);
  for (const char* word : {"http:", "https:", "//cdn", "src=", "@import", "url("}) {
    CAPTURE(word);
    CHECK(page.find(word) == std::string::npos);
  }
  const auto data = pages::page_data(page);
  const std::size_t frames = data["figures"][0]["figure"]["clips"][0]["t"].size();
  CHECK(frames <= max_view_frames);
  CHECK(frames >= max_view_frames / 2);
  CHECK(data["figures"][0]["figure"]["clips"][0]["t"].back() == doctest::Approx(99.999));
  CHECK(viewer_script().size() < 22'000);
}

TEST_CASE(
    "a robot of very many links is not drawn, one of many has fewer instants, and the page says so or stays small") {
  const auto chain = [](int links) {
    Model<double> m;
    m.name = "chain";
    for (int i = 0; i < links; ++i) {
      Body<double> b;
      b.parent = i - 1;
      b.kind = JointKind::revolute;
      b.q = b.v = b.column = i;
      b.nv = 1;
      b.placement.p = {0.1, 0, 0};
      m.bodies.push_back(b);
      m.S.push_back({{0, 0, 1}, {0, 0, 0}});
      m.limits.emplace_back();
      for (auto* names : {&m.link_names, &m.joint_names, &m.position_names, &m.velocity_names})
        names->push_back("j" + std::to_string(i));
    }
    m.nq = m.nv = links;
    return m;
  };
  const Model<double> many = chain(400), too_many = chain(5000);
  RobotMotion motion;
  for (int k = 0; k < 300; ++k) motion.add(k, std::vector<double>(400, 1e-3 * k));
  const MovingView moving = robot_view(many, "", motion),
                   ranges = joint_range_view(many, "", std::vector<double>(400, 0.0));
  REQUIRE(moving.has_frames());
  CHECK(moving.clips.front().t.size() <= 101);
  CHECK(moving.clips.front().t.back() == 299);
  std::size_t poses = 0;
  for (const MovingView::Clip& clip : ranges.clips) poses += clip.poses.size();
  CHECK(poses <= 50'000);
  const MovingView none = joint_range_view(too_many, "", std::vector<double>(5000, 0.0));
  CHECK_FALSE(none.has_frames());
  CHECK(none.note.find("5000") != std::string::npos);
}

TEST_CASE("positions that are not finite are left out, and a view without any says so") {
  const Robot robot = Robot::load("two_link");
  RobotMotion motion;
  motion.add(0, std::vector{std::nan(""), 0.0});
  CHECK(motion.empty());
  const MovingView view = robot_view(robot.model(), "", motion);
  CHECK_FALSE(view.has_frames());
  CHECK(drawing_notes(view).size() == 1);
  std::ostringstream out;
  write_drawing(view, out);
  CHECK(markup::markup_fault(out.str()) == "");
}
