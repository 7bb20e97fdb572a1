// The redundancy of seven joints along a whole path: what is planned goes to the end, is as short as what an independent search
// finds, and moves as its rates say; and where nothing is planned that search finds nothing either.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/random.hpp"
#include "torsor/closed_form_ik/redundant_arm.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/numeric_ik/plan_path.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/path_motion.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

struct Line {
  ToolPath path;
  std::vector<double> start;  // a position of the first pose
};

/// A straight way between the poses of two positions inside the limits, so far apart in share of their ranges.
Line drawn_line(const JointChain& chain, double share, Random& random) {
  std::vector<double> a, b;
  for (const Limits& limits : chain.limits) {
    a.push_back(random.uniform(limits.lower, limits.upper));
    b.push_back(a.back() + share * (random.uniform(limits.lower, limits.upper) - a.back()));
  }
  const auto motion =
      pose_motion(std::vector<Transform<double>>{chain.tool_pose(a), chain.tool_pose(b)}, 0, *pace("quintic", 1));
  REQUIRE(motion);
  return {tool_path(*motion, motion->duration() / 100), a};
}

double apart_from(const Transform<double>& A, const Transform<double>& B) {
  return norm(A.p - B.p) + norm(A.R.x - B.R.x) + norm(A.R.y - B.R.y);
}

/// Whether a chain of positions leads to the end, each near the one before it: solutions at values of the held joint, and no
/// curves. It may find more than there is, never less.
bool leads_to_the_end(const RedundantArm& arm, const ToolPath& path) {
  constexpr int instants = 120, values = 120;
  constexpr double near = 0.16;
  const auto [low, high] = arm.range();
  std::vector<SevenAngles> here;
  for (int l = 0; l <= instants; ++l) {
    std::vector<SevenAngles> all, reached;
    SevenSolutions found;
    for (int k = 0; k < values; ++k) {
      arm.solve(path.at(path.duration * l / instants).X, low + (high - low) * (k + 0.5) / values, found);
      for (const SevenSolution& s : found.all())
        if (s.inside_limits) all.push_back(s.q);
    }
    const auto is_near = [&](const SevenAngles& a, const SevenAngles& b) {
      for (std::size_t k = 0; k < 7; ++k)
        if (std::abs(a[k] - b[k]) > near) return false;
      return true;
    };
    const auto take = [&](const std::vector<SevenAngles>& from) {
      return std::erase_if(all, [&](const SevenAngles& x) {
               if (l > 0 && std::ranges::none_of(from, [&](const SevenAngles& y) { return is_near(x, y); })) return false;
               reached.push_back(x);
               return true;
             }) > 0;
    };
    take(here);
    while (take(std::vector<SevenAngles>(reached))) {
    }
    if (reached.empty()) return false;
    here = reached;
  }
  return true;
}

}  // namespace

TEST_CASE("the redundancy of seven joints is planned to the end of a path, or there is no way") {
  int planned = 0, without = 0, better = 0;
  for (const char* name : {"panda", "iiwa14"}) {
    CAPTURE(std::string(name));
    const Robot robot = Robot::load(name);
    const InverseKinematics ik(robot);
    const auto chain = joint_chain(robot.model(), robot.tool());
    REQUIRE(chain);
    Random random(name[0] == 'p' ? 3U : 5U);
    const int lines = draws(2, 60);
    for (int k = 0; k < lines; ++k) {
      auto [path, start] = drawn_line(*chain, 0.3, random);
      const PathPlan plan = plan_path(ik, path, "shortest");
      const FollowedPath usual = ik.follow(path, start);
      if (!plan.found()) {
        ++without;
        CHECK(!usual.finished());
        CHECK(!leads_to_the_end(*ik.redundant(), path));
        CHECK(explanation(plan).find("was found to go to the end") != std::string::npos);
        continue;
      }
      ++planned;
      const std::vector<double> first = plan.begin(path);
      const FollowedPath followed = ik.follow(path, first);
      REQUIRE(followed.finished());
      REQUIRE(followed.samples.size() == 101);
      double way = 0, usual_way = 0;
      const double h = path.duration / 100;
      for (std::size_t i = 0; i < followed.samples.size(); ++i) {
        const PathSample& s = followed.samples[i];
        CHECK(apart_from(chain->tool_pose(s.q), path.at(s.t).X) < 1e-12);
        double square = 0, usual_square = 0;
        for (std::size_t j = 0; j < 7; ++j) {
          CHECK(s.q[j] >= chain->limits[j].lower - 1e-9);
          CHECK(s.q[j] <= chain->limits[j].upper + 1e-9);
          if (i == 0) continue;
          const PathSample& before = followed.samples[i - 1];
          // Simpson with the quintic's middle: the change is that of the rates
          const double told = h / 2 * (before.qd[j] + s.qd[j]) + h * h / 12 * (before.qdd[j] - s.qdd[j]);
          CHECK(s.q[j] - before.q[j] == doctest::Approx(told).epsilon(1e-3).scale(0.1));
          square += std::pow(s.q[j] - before.q[j], 2);
          if (usual.finished()) usual_square += std::pow(usual.samples[i].q[j] - usual.samples[i - 1].q[j], 2);
        }
        way += std::sqrt(square);
        usual_way += std::sqrt(usual_square);
      }
      if (!usual.finished()) continue;
      ++better;
      CHECK(way < 1.1 * usual_way);  // all pieces and all values beside one start and shortest velocities
    }
  }
  CHECK(planned > 3);
  CHECK(better > 2);
  CHECK(planned + without == 2 * draws(2, 60));
}

TEST_CASE("planned far from limits or singular positions, the worst place on the way is nearly the best of a dense search") {
  const Robot robot = Robot::load("panda");
  const InverseKinematics ik(robot);
  const auto chain = joint_chain(robot.model(), robot.tool());
  const std::vector<double> q{0, -0.3, 0, -2, 0, 1.8, 0.7};
  const Transform<double> first = chain->tool_pose(q);
  const auto motion =
      pose_motion(std::vector<Transform<double>>{first, {first.R, first.p + Vec3<double>{0, 0.3, 0}}}, 0, *pace("quintic", 1));
  REQUIRE(motion);
  const ToolPath path = tool_path(*motion, motion->duration() / 50);
  const FollowedPath usual = ik.follow(path, q);
  REQUIRE(usual.finished());
  const auto margin = [&](std::span<const double> x) {
    double least = 1;
    for (std::size_t k = 0; k < 7; ++k) {
      const auto& [lower, upper] = std::pair{chain->limits[k].lower, chain->limits[k].upper};
      least = std::min({least, (x[k] - lower) / (upper - lower), (upper - x[k]) / (upper - lower)});
    }
    return least;
  };
  const auto worst = [&](const FollowedPath& p, bool limits) {
    double least = 1;
    for (const PathSample& s : p.samples) least = std::min(least, limits ? margin(s.q) : s.smallest_singular_value);
    return least;
  };
  // of all chains of positions at values of the held joint, each near the one before it, the worst place at its best; the plan has
  // a twentieth less at most, for a shorter way, and may have more than the grid
  double widest = 0;
  {
    constexpr int instants = 30, values = 120;
    const auto [low, high] = ik.redundant()->range();
    std::vector<SevenAngles> before;
    std::vector<double> best;
    for (int l = 0; l <= instants; ++l) {
      std::vector<SevenAngles> here;
      std::vector<double> most;
      SevenSolutions found;
      for (int k = 0; k < values; ++k) {
        ik.redundant()->solve(path.at(path.duration * l / instants).X, low + (high - low) * (k + 0.5) / values, found);
        for (const SevenSolution& s : found.all()) {
          if (!s.inside_limits) continue;
          double reached = l == 0 ? 1 : -1;
          for (std::size_t i = 0; i < before.size(); ++i) {
            bool near = true;
            for (std::size_t j = 0; j < 7; ++j) near = near && std::abs(before[i][j] - s.q[j]) < 0.2;
            if (near) reached = std::max(reached, best[i]);
          }
          here.push_back(s.q);
          most.push_back(std::min(reached, margin(s.q)));
        }
      }
      before = here;
      best = most;
    }
    widest = *std::ranges::max_element(best);
  }
  CHECK(widest > 0.2);
  for (const bool limits : {true, false}) {
    CAPTURE(limits);
    const PathPlan plan = plan_path(ik, path, limits ? "limits" : "singularity");
    REQUIRE(plan.found());
    CHECK(plan.within_speeds);
    ToolPath guided = path;
    const FollowedPath followed = ik.follow(guided, plan.begin(guided));
    REQUIRE(followed.finished());
    if (limits)
      CHECK(worst(followed, limits) > 0.95 * std::max(widest, worst(usual, limits)));
    else
      CHECK(worst(followed, limits) > 1.03 * worst(usual, limits));
    CHECK(-plan.candidates[static_cast<std::size_t>(plan.best)].cost == doctest::Approx(worst(followed, limits)).epsilon(0.05));
  }
  // the guide follows the path when its time is stretched
  ToolPath slow = path;
  const std::vector<double> start = plan_path(ik, path, "shortest").begin(slow);
  const FollowedPath before = ik.follow(slow, start);
  slow.stretch(3);
  const FollowedPath after = ik.follow(slow, start);
  REQUIRE(after.finished());
  REQUIRE(before.finished());
  for (std::size_t k = 0; k < 7; ++k) CHECK(after.samples.back().q[k] == doctest::Approx(before.samples.back().q[k]).epsilon(1e-9));
  // out of reach: it says when, and why
  const auto away = pose_motion(std::vector<Transform<double>>{first, {first.R, {3, 0, 0.6}}}, 0, *pace("quintic", 1));
  REQUIRE(away);
  const PathPlan none = plan_path(ik, tool_path(*away, 0.1), "shortest");
  CHECK(!none.found());
  REQUIRE(!none.candidates.empty());
  CHECK(explanation(none).find("out of reach") != std::string::npos);
}
