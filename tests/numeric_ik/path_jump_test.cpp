#include <doctest/doctest.h>

#include <cmath>

#include "torsor/numeric_ik/follow_path.hpp"
#include "torsor/files/load_robot.hpp"
#include "torsor/model/description.hpp"

using namespace torsor;

namespace {

/// q4 = atan(x) with x = v t / d: a wrist that passes its singular position at a distance d; rows every h.
FollowedPath turning_over(double d, double h) {
  FollowedPath path;
  for (int i = -20; i <= 20; ++i) {
    const double t = (i + 0.5) * h, x = 0.02 * t / d;
    PathSample sample;
    sample.t = t;
    sample.q = sample.qd = sample.qdd = std::vector<double>(6, 0.0);
    sample.q[3] = std::atan(x);
    sample.qd[3] = 0.02 / d / (1 + x * x);
    path.samples.push_back(sample);
  }
  return path;
}

}  // namespace

TEST_CASE("a joint that turns over between two rows ends the path before them, one that rows show does not") {
  std::vector<TaskJoint> joints(6);
  for (int k = 0; k < 6; ++k) joints[static_cast<std::size_t>(k)] = {k, k, true, 1, -10, 10};
  const Model<double> model = *build(*load_robot("puma560"));
  for (const double d : {1e-3, 2e-4, 2e-5, 2e-6, 1e-9}) {
    CAPTURE(d);
    FollowedPath path = turning_over(d, 0.01);
    // how fast it really is, against what the rows have
    double told = 0, turned = 0;
    for (std::size_t i = 0; i < path.samples.size(); ++i) {
      told = std::max(told, path.samples[i].qd[3]);
      if (i > 0) turned = std::max(turned, path.samples[i].q[3] - path.samples[i - 1].q[3]);
    }
    torsor::detail::end_at_jump(path, joints, 0.1);
    const bool hidden = turned > 0.1 && 0.02 / d > 4 * told;
    CHECK((path.stop == PathStop::jump) == hidden);
    if (!hidden) {
      CHECK(path.finished());
      CHECK(path.samples.size() == 41);
      continue;
    }
    CHECK(path.samples.size() == 20);
    CHECK(path.stop_time == path.samples.back().t);
    CHECK(path.asked_time > path.stop_time);
    CHECK(path.joint == 3);
    CHECK(path.beyond == doctest::Approx(turned));
    CHECK(explanation(path, model).find("moves by") != std::string::npos);
  }
}
