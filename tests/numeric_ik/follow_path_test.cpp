// Paths made by moving the joints of an arm: whoever follows the tool must find the joints again, their velocities and
// accelerations, and stop where the path cannot be followed, at the right instant and for the right reason.
#include "torsor/numeric_ik/follow_path.hpp"

#include <doctest/doctest.h>

#include <numbers>

#include "tests/closed_form_ik/round_trip.hpp"
#include "tests/support/shipped_robot.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// Joints that swing: q = middle + amplitude sin(rate t + phase).
struct Swing {
  Numbers middle, amplitude, rate, phase;

  State at(double t) const {
    State s;
    for (std::size_t k = 0; k < middle.size(); ++k) {
      const double a = rate[k] * t + phase[k];
      s.q.push_back(middle[k] + amplitude[k] * std::sin(a));
      s.qd.push_back(amplitude[k] * rate[k] * std::cos(a));
      s.qdd.push_back(-amplitude[k] * rate[k] * rate[k] * std::sin(a));
    }
    return s;
  }
};

Swing random_swing(Random& random, int n) {
  Swing s{random.numbers(n, 2), random.numbers(n, 0.5), random.numbers(n, 1.5), random.numbers(n, 3)};
  return s;
}

/// The tool's motion while the joints move.
template <class Joints>
PathOfTime tool_path(const Model<double>& model, const Joints& joints) {
  return [&model, joints, motions = FrameMotions(model)](double t) mutable {
    const State s = joints.at(t);
    motions.set(model, s.q, s.qd, s.qdd);
    const FrameMotion f = motions.of(model.frames.back());
    return CartesianState{f.X, {f.w, f.v}, {f.wd, f.a}};
  };
}

FollowedPath follow(const Model<double>& model, const ArmSolver* closed, const PathOfTime& path, double duration,
                    double period, View start, const FollowOptions& options = {}) {
  return follow_path(model, model.frames.back(), closed, path, duration, period, start, options);
}

/// Largest difference between rates and central differences of what they are rates of, over the inner samples.
struct Differences {
  double velocity = 0, acceleration = 0;
};
Differences differences(const FollowedPath& p) {
  Differences worst;
  for (std::size_t i = 1; i + 1 < p.samples.size(); ++i) {
    const PathSample &a = p.samples[i - 1], &b = p.samples[i], &c = p.samples[i + 1];
    for (std::size_t k = 0; k < b.qd.size(); ++k) {
      worst.velocity = std::max(worst.velocity, std::abs((c.q[k] - a.q[k]) / (c.t - a.t) - b.qd[k]));
      worst.acceleration = std::max(worst.acceleration, std::abs((c.qd[k] - a.qd[k]) / (c.t - a.t) - b.qdd[k]));
    }
  }
  return worst;
}

double worst_residual(const FollowedPath& p) {
  double worst = 0;
  for (const PathSample& s : p.samples)
    worst = std::max({worst, s.position_residual, s.angle_residual, s.velocity_residual, s.acceleration_residual});
  return worst;
}

/// Signs of a label, by IkPart.
std::array<int, 3> signs(const BranchLabel& label) { return {label.shoulder, label.elbow, label.wrist}; }

/// A branch keeps its name but for the sign whose factor passes zero, between two samples, and det J changes sign as
/// often.
void check_names(const Model<double>& model, const FollowedPath& p) {
  Configuration<double> configuration(model);
  std::vector<Transform<double>> X(model.bodies.size());
  const auto side = [&](const PathSample& s) {
    configuration.set(model, s.q);
    forward_kinematics<double>(model, configuration, X);
    const auto [shoulder, elbow, wrist] = signs(s.label);
    return determinant_6x6(tool_columns(model, X, model.frames.back())) * shoulder * elbow * wrist;
  };
  // from sample to sample a joint turns by 0.0375 rad at most, and two of them move the shoulder's factor
  constexpr double most = 0.075;
  const PathSample* before = &p.samples.front();
  const double first = side(*before);
  for (const PathSample& s : p.samples) {
    CHECK(side(s) * first > 0);
    for (std::size_t i = 0; i < 3; ++i)
      if (signs(s.label)[i] != signs(before->label)[i]) CHECK(s.factor[i] + before->factor[i] <= most);
    before = &s;
  }
}

/// A point that moves on a straight line at constant speed.
PathOfTime line(const Vec3<double>& from, const Vec3<double>& velocity) {
  return [=](double t) {
    return CartesianState{Transform<double>::translation(from + velocity * t), {{}, velocity}, {}};
  };
}

}  // namespace

TEST_CASE("six joints are found again along the path their hand made, with velocities and accelerations") {
  Random random(720);
  for (const char* name : {"puma560", "stanford", "ur5", "rotary_hollerbach"}) {
    const Description robot = without_limits(name);
    const Model<double> model = built(robot);
    const auto closed = arm_solver(robot);
    int followed = 0;
    for (int k = 0; k < draws(6); ++k) {
      const Swing swing = random_swing(random, 6);
      const FollowedPath p =
          follow(model, closed ? &*closed : nullptr, tool_path(model, swing), 2, 0.05, swing.at(0).q);
      // a path through a singular position may go on either way behind it
      double least = 1;
      for (const PathSample& s : p.samples) least = std::min(least, s.smallest_singular_value);
      if (least < 5e-3) continue;
      REQUIRE(p.finished());
      ++followed;
      CHECK(p.samples.size() == 41);
      CHECK(worst_residual(p) < 1e-10);
      for (const PathSample& s : p.samples) {
        const State truth = swing.at(s.t);
        // digits lost to the conditioning: 1e-14 in the pose, once for q, twice and thrice for its rates
        CHECK(difference(s.q, truth.q) < 1e-13 / s.smallest_singular_value);
        CHECK(difference(s.qd, truth.qd) < 1e-11 / s.smallest_singular_value);
        CHECK(difference(s.qdd, truth.qdd) < 1e-9 / s.smallest_singular_value);
      }
      if (closed) check_names(model, p);
    }
    CAPTURE(name);
    CHECK(followed >= 2);
  }
}

TEST_CASE("a wrist that passes exactly through its singular position keeps joint 4") {
  const Description robot = without_limits("puma560");
  const Model<double> model = built(robot);
  const auto closed = arm_solver(robot);
  REQUIRE(closed);
  // joint 5 through zero at t = 1, a sample, and between samples at t = 1.03
  for (const double when : {1.0, 1.03}) {
    struct Through {
      double when;
      State at(double t) const {
        return {{0.3 + 0.2 * t, -0.5 + 0.1 * t, 0.4 - 0.1 * t, 0.7, (t - when) * 0.5, -0.2},
                {0.2, 0.1, -0.1, 0, 0.5, 0},
                Numbers(6, 0.0)};
      }
    };
    const Through joints{when};
    const FollowedPath p = follow(model, &*closed, tool_path(model, joints), 2, 0.1, joints.at(0).q);
    REQUIRE(p.finished());
    CHECK(worst_residual(p) < 1e-10);
    for (const PathSample& s : p.samples) CHECK(difference(s.q, joints.at(s.t).q) < 1e-7);
    CHECK(p.samples.front().label.wrist == -p.samples.back().label.wrist);
  }
}

TEST_CASE("where the hand does not determine the rates they go on as before and behind, at elbow and wrist") {
  const double stretched[] = {-std::atan2(0.4318, 0.0203), 0};  // joint 3 of the PUMA and of the UR5
  int continued = 0;
  for (const bool ur5 : {false, true}) {
    const Description robot = without_limits(ur5 ? "ur5" : "puma560");
    const Model<double> model = built(robot);
    const auto closed = arm_solver(robot);
    REQUIRE(closed);
    for (const bool wrist : {false, true}) {
      // exactly singular at t = 1, and within rounding of it
      for (const double off : {0.0, 1e-9, 1e-7, 1e-5}) {
        Swing swing{{0.4, -0.7, stretched[ur5], 0.5, 0.8, 0.2},
                    {0.2, 0.15, 0.6, 0.2, 0.2, 0.1},
                    {1, 1, 1.2, 0.8, 1, 0.9},
                    {0, 0.3, -1.2, 0.4, 0.1, 0.7}};
        if (wrist) {
          swing.middle[2] += 1.2;
          swing.middle[4] = 0;
          swing.amplitude[4] = 0.6;
          swing.phase[4] = -1;
        }
        swing.middle[wrist ? 4 : 2] += off;
        const FollowedPath p = follow(model, &*closed, tool_path(model, swing), 2, 0.02, swing.at(0).q);
        CAPTURE(robot.name);
        CAPTURE(wrist);
        CAPTURE(off);
        REQUIRE(p.finished());
        for (const PathSample& s : p.samples) {
          const State truth = swing.at(s.t);
          CAPTURE(s.t);
          CAPTURE(s.smallest_singular_value);
          CHECK(s.rates != RatesFrom::least);
          continued += s.rates == RatesFrom::neighbours;
          CHECK(difference(s.q, truth.q) < 1e-6);
          CHECK(difference(s.qd, truth.qd) < 1e-5);
          CHECK(difference(s.qdd, truth.qdd) < 1e-4);
        }
      }
    }
  }
  CHECK(continued >= 16);
}

TEST_CASE("a wrist that stays singular moves by the least rates, and that is said") {
  const Description robot = without_limits("puma560");
  const Model<double> model = built(robot);
  const auto closed = arm_solver(robot);
  REQUIRE(closed);
  const Swing swing{{0.4, -0.7, 0.4, 0.5, 0, 0.2}, {0.2, 0.15, 0.3, 0, 0, 0.1}, Numbers(6, 1), Numbers(6, 0.3)};
  const FollowedPath p = follow(model, &*closed, tool_path(model, swing), 1, 0.05, swing.at(0).q);
  REQUIRE(p.finished());
  double fastest = 0;
  for (const PathSample& s : p.samples) {
    CHECK(s.rates == RatesFrom::least);
    for (const double rate : s.qdd) fastest = std::max(fastest, std::abs(rate));
  }
  CHECK(fastest < 1);
  REQUIRE(undetermined_rates(p).size() == 1);
  CHECK(undetermined_rates(p)[0].find("t = 0, 0.05, 0.1, 0.15, 0.2 and 16 more s") != std::string::npos);
}

TEST_CASE("a redundant arm moves by the shortest velocities, and its accelerations are their derivative") {
  const Model<double> model = built(without_limits("iiwa14"));
  const Swing swing{
      {0.2, 0.6, -0.3, -1.2, 0.4, 0.9, 0.1}, Numbers(7, 0.3), {1, 0.7, 1.2, 0.8, 1, 0.9, 1.1}, Numbers(7, 0.0)};
  const PathOfTime path = tool_path(model, swing);
  const FollowedPath p = follow(model, nullptr, path, 1, 1e-3, swing.at(0).q);
  REQUIRE(p.finished());
  CHECK(worst_residual(p) < 1e-10);
  // differences over a millisecond and predictions over it leave its square
  CHECK(differences(p).velocity < 1e-5);
  CHECK(differences(p).acceleration < 1e-5);
  // shorter than the velocities that made the path
  REQUIRE(p.samples.front().t == 0);
  const Numbers made = swing.at(0).qd, &first = p.samples.front().qd;
  CHECK(testing::dot(first, first) <= testing::dot(made, made));
}

TEST_CASE("an aim along the path is approached, and velocities and accelerations stay those of the joints") {
  const Model<double> model = built(*load_robot("panda"));
  const Numbers start{0.1, 0.3, 0.8, -1.5, 0.2, 2.0, 0.4};
  FrameMotions motions(model);
  motions.set(model, start, {}, {});
  const Transform<double> X = motions.of(model.frames.back()).X;
  const PathOfTime path = [X](double t) {
    Transform<double> now = X;
    now.p += Vec3<double>{0.05 * std::sin(t), 0, -0.03 * t};
    return CartesianState{now, {{}, {0.05 * std::cos(t), 0, -0.03}}, {{}, {-0.05 * std::sin(t), 0, 0}}};
  };
  for (const SecondaryAim& aim : secondary_aims()) {
    FollowOptions options;
    options.aim = &aim;
    const Numbers posture(7, 0.1);
    options.posture = posture;
    const FollowedPath p = follow(model, nullptr, path, 1, 1e-3, start, options);
    CAPTURE(std::string(aim.name));
    REQUIRE(p.finished());
    CHECK(worst_residual(p) < 1e-10);
    CHECK(differences(p).velocity < 1e-5);
    CHECK(differences(p).acceleration < 1e-4);
    PoseTask task(model, model.frames.back());
    AimWork work(task);
    const auto value = [&](const PathSample& s) {
      task.aim(path(s.t).X, {});
      task.place(s.q);
      task.linearise();
      return aim.value({task, s.q, posture, work});
    };
    // better than without it
    const FollowedPath plain = follow(model, nullptr, path, 1, 0.1, start);
    REQUIRE(plain.finished());
    CHECK(value(p.samples.back()) < value(plain.samples.back()) - 1e-3);
  }
}

TEST_CASE("five joints follow a path whose turn about the tool is free, or whose shift along it is") {
  Random random(721);
  for (const bool turn : {true, false}) {
    int followed = 0;
    for (int k = 0; k < draws(10); ++k) {
      const Model<double> model = built(random_dh_arm(random, 5, Convention::standard_dh));
      const Swing swing = random_swing(random, 5);
      // the target turns about the tool's z, or shifts along it, which five joints could not follow
      const PathOfTime exact = tool_path(model, swing);
      const PathOfTime beside = [exact, turn](double t) {
        CartesianState i = exact(t);
        const double by = 0.7 * t * t, rate = 1.4 * t, rate2 = 1.4;
        const Vec3<double> z = i.X.R.z, zd = cross(i.twist.w, z);
        if (turn) {
          i.X.R = i.X.R * rotation_z(by);
          i.acceleration.w += z * rate2 + zd * rate;
          i.twist.w += z * rate;
        } else {
          i.X.p += z * by;
          i.acceleration.v += z * rate2 + zd * (2 * rate) + (cross(i.acceleration.w, z) + cross(i.twist.w, zd)) * by;
          i.twist.v += z * rate + zd * by;
        }
        return i;
      };
      FollowOptions options;
      options.weights = turn ? TaskWeights::free_turn_about_z() : TaskWeights{{1, 1, 1}, {1, 1, 0}};
      const FollowedPath p = follow(model, nullptr, beside, 1, 0.05, swing.at(0).q, options);
      double least = 1;
      for (const PathSample& s : p.samples) least = std::min(least, s.smallest_singular_value);
      if (least < 0.02) continue;
      REQUIRE(p.finished());
      ++followed;
      for (const PathSample& s : p.samples) {
        const State truth = swing.at(s.t);
        CHECK(difference(s.q, truth.q) < 1e-11 / s.smallest_singular_value);
        CHECK(difference(s.qd, truth.qd) < 1e-9 / s.smallest_singular_value);
        CHECK(difference(s.qdd, truth.qdd) < 1e-8 / s.smallest_singular_value);
      }
    }
    CHECK(followed >= 3);
  }
}

TEST_CASE("a long straight line keeps its branch, in any of them") {
  const Description robot = without_limits("puma560");
  const Model<double> model = built(robot);
  const auto closed = arm_solver(robot);
  REQUIRE(closed);
  const std::vector<Transform<double>> poses{{rotation_y(2.2), {0.35, -0.5, 0.1}},
                                             {rotation_y(2.6) * rotation_z(0.5), {0.5, 0.45, 0.3}}};
  const PathMotion motion = *pose_motion(poses, 0, *pace("quintic", 2));
  const IkAnswer first = closed->position(poses.front());
  int followed = 0;
  for (const IkBranch& b : first.branches()) {
    const FollowedPath p = follow(model, &*closed, path_of(motion), motion.duration(), 0.02, b.q);
    CAPTURE(explanation(p, model));
    if (!p.finished()) continue;
    ++followed;
    CHECK(worst_residual(p) < 1e-9);
    for (const PathSample& s : p.samples) CHECK(s.label == b.label);
    CHECK(differences(p).velocity < 0.1);
  }
  CHECK(followed == first.count);
}

TEST_CASE("a path out of the workspace ends at its edge, and says how far it goes on") {
  const Model<double> model = built(planar_arm(2));
  FollowOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const FollowedPath p = follow(model, nullptr, line({0.5, 0, 0}, {0.25, 0, 0}), 4, 0.3, Numbers{-1, 2}, options);
  CHECK(p.stop == PathStop::out_of_reach);
  CHECK(p.stop_time == doctest::Approx(2).epsilon(1e-6));
  CHECK(p.asked_time == doctest::Approx(2.1));
  CHECK(p.short_by == doctest::Approx(0.025).epsilon(1e-6));
  CHECK(p.samples.size() == 7);
  CHECK(p.smallest_singular_value < 1e-2);
  CHECK(explanation(p, model) == "followed to t = 2 s; for t = 2.1 s the pose is out of reach by 0.025 m");
}

TEST_CASE("a joint at its limit ends the path, with the instant, the joint and the amount") {
  const Model<double> model = built(planar_arm(2, {-1.5, 1.2}));
  struct Moves {
    State at(double t) const { return {{-0.4 + t, 0.6 + 0.1 * t}, {1, 0.1}, {0, 0}}; }
  };
  FollowOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const FollowedPath p = follow(model, nullptr, tool_path(model, Moves{}), 3, 0.25, Moves{}.at(0).q, options);
  CHECK(p.stop == PathStop::joint_limit);
  CHECK(p.stop_time == doctest::Approx(1.6).epsilon(1e-6));
  CHECK(p.asked_time == doctest::Approx(1.75));
  CHECK(p.joint == 0);
  CHECK(p.limit == 1.2);
  CHECK(p.beyond == doctest::Approx(0.15).epsilon(1e-6));
  CHECK(explanation(p, model) ==
        "followed to t = 1.6 s; for t = 1.75 s joint \"joint1\" would pass its limit 1.2 by 0.15");
}

TEST_CASE("a redundant arm slides along a limit that another would end at") {
  Description arm = planar_arm(3);
  arm.links[0].limits = {-1.5, 1.2};
  const Model<double> model = built(arm);
  struct Moves {
    State at(double t) const { return {{-0.2 + t, 0.6, 1.3}, {1, 0, 0}, {0, 0, 0}}; }
  };
  FollowOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const FollowedPath p = follow(model, nullptr, tool_path(model, Moves{}), 1.8, 0.1, Moves{}.at(0).q, options);
  CAPTURE(explanation(p, model));
  REQUIRE(p.finished());
  CHECK(p.samples.back().q[0] == doctest::Approx(1.2));
  CHECK(worst_residual(p) < 1e-9);
  for (const PathSample& s : p.samples) CHECK(s.q[0] <= 1.2);
  CHECK(p.samples.back().qd[0] == 0);
}

TEST_CASE("a joint on its limit has no rates, the others have those of an arm without it, until it leaves the limit") {
  Description arm = planar_arm(3);
  arm.links[0].limits = {-1.5, 1.2};
  const Model<double> model = built(arm);
  // out and, from pi / 2 on, back: the shortest velocities bring joint 1 onto its limit and off again
  struct Moves {
    State at(double t) const {
      const double a = -0.2 + 1.8 * std::sin(t), ad = 1.8 * std::cos(t), add = -1.8 * std::sin(t);
      return {{a, 0.6, 1.8}, {ad, 0, 0}, {add, 0, 0}};
    }
  };
  FollowOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const PathOfTime path = tool_path(model, Moves{});
  for (const double period : {0.05, 1e-3}) {
    CAPTURE(period);
    const FollowedPath p = follow(model, nullptr, path, 3, period, Moves{}.at(0).q, options);
    CAPTURE(explanation(p, model));
    REQUIRE(p.finished());
    CHECK(worst_residual(p) < 1e-10);
    FollowedPath on, off;
    for (const PathSample& s : p.samples) {
      if (s.q[0] == 1.2 || !on.samples.empty()) (s.t < std::numbers::pi / 2 ? on : off).samples.push_back(s);
    }
    REQUIRE(static_cast<double>(on.samples.size()) * period > 0.3);
    REQUIRE(static_cast<double>(off.samples.size()) * period > 1.4);
    for (const PathSample& s : on.samples) {
      CAPTURE(s.t);
      CHECK(s.q[0] == 1.2);
      CHECK(s.qd[0] == 0);
      CHECK(s.qdd[0] == 0);
      // bars 2 and 3 alone: |r|^2 = (1 + cos q3) / 2 from the end of bar 1, and its rates
      const CartesianState now = path(s.t);
      const Vec3<double> r = now.X.p - Vec3<double>{std::cos(1.2), std::sin(1.2), 0} * 0.5;
      const double f = 2 * dot(r, r) - 1, fd = 4 * dot(r, now.twist.v),
                   fdd = 4 * (dot(now.twist.v, now.twist.v) + dot(r, now.acceleration.v)), sine = std::sqrt(1 - f * f);
      CHECK(s.q[2] == doctest::Approx(std::acos(f)).epsilon(1e-9));
      CHECK(s.qd[2] == doctest::Approx(-fd / sine).epsilon(1e-9));
      CHECK(s.qdd[2] == doctest::Approx(-fdd / sine - fd * fd * f / (sine * sine * sine)).epsilon(1e-9));
    }
    if (period > 1e-3) continue;
    // differences over a millisecond leave its square times the next derivative
    for (const FollowedPath& part : {on, off}) {
      CHECK(differences(part).velocity < 1e-5);
      CHECK(differences(part).acceleration < 1e-4);
    }
    CHECK(off.samples.back().q[0] < 1);
  }
}

TEST_CASE("a branch that ends inside the workspace is lost there, at a singular position; a jump passes near one") {
  Random random(722);
  int lost = 0, jumps = 0;
  for (int k = 0; k < draws(120); ++k) {
    CAPTURE(k);
    const Model<double> model = built(random_dh_arm(random, 3, Convention::standard_dh));
    FrameMotions motions(model);
    const auto place = [&](const Numbers& q) {
      motions.set(model, q, {}, {});
      return motions.of(model.frames.back()).X.p;
    };
    const Numbers start = random.numbers(3, 3);
    const Vec3<double> from = place(start), to = place(random.numbers(3, 3));
    FollowOptions options;
    options.weights = TaskWeights::position();
    const FollowedPath p = follow(model, nullptr, line(from, to - from), 1, 0.1, start, options);
    if (p.finished()) continue;
    if (p.stop == PathStop::jump) {
      // the branch goes on; samples a thousandth as far apart show how near to a singular position it comes
      ++jumps;
      options.jumps = true;
      const FollowedPath on = follow(model, nullptr, line(from, to - from), 1, 1e-4, start, options);
      REQUIRE(on.stop_time >= p.asked_time);
      double ends = infinity, least = infinity, change = 0, before = infinity;
      for (const PathSample& s : on.samples) {
        const double value = s.smallest_singular_value, margin = 1e-9;
        if (s.t < p.stop_time - margin || s.t > p.asked_time + margin) continue;
        least = std::min(least, value);
        if (before < infinity) change = std::max(change, std::abs(value - before));
        before = value;
        if (s.t < p.stop_time + margin || s.t > p.asked_time - margin) ends = std::min(ends, value);
      }
      CHECK(least < ends);
      // steps of 0.1 rad at most saw it; the samples know it to what it changes from one to the next
      CHECK(std::abs(p.smallest_singular_value - least) < 0.1 * least + change);
      continue;
    }
    // a branch ends where two meet: at a distance d from there the value goes as sqrt(d), and the last step was 1e-12
    CHECK(p.smallest_singular_value < 1e-4);
    if (p.stop != PathStop::branch_lost) continue;
    ++lost;
    GeneralSolver solver(model, model.frames.back());
    GeneralOptions position;
    position.weights = TaskWeights::position();
    CHECK(solver.solve(line(from, to - from)(p.asked_time).X, start, position).solved());
    CHECK(explanation(p, model).find("only another branch is left") != std::string::npos);
  }
  CHECK(lost >= 1);
  CHECK(jumps >= 1);
}

TEST_CASE("a first pose that is not reached and a path that is none are said to be so") {
  const Model<double> model = built(planar_arm(2));
  FollowOptions options;
  options.weights = {{0, 0, 0}, {1, 1, 0}};
  const FollowedPath far = follow(model, nullptr, line({3, 0, 0}, {1, 0, 0}), 1, 0.1, Numbers{0, 1}, options);
  CHECK(far.stop == PathStop::no_start);
  CHECK(far.samples.empty());
  CHECK(explanation(far, model) == "no joint position for the first pose: the pose is out of reach by 2 m");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PathOfTime breaks = [nan](double t) {
    return CartesianState{Transform<double>::translation({t < 0.5 ? 0.6 : nan, 0.1, 0}), {}, {}};
  };
  const FollowedPath broken = follow(model, nullptr, breaks, 1, 0.1, Numbers{0, 1}, options);
  CHECK(broken.stop == PathStop::not_a_pose);
  CHECK(broken.samples.size() == 5);
  options.weights = {{0, 0, 0}, {0, 0, 0}};
  CHECK(follow(model, nullptr, breaks, 1, 0.1, Numbers{0, 1}, options).stop == PathStop::not_a_task);
}
