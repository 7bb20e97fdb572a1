#include "bench/timing/loop_timing.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/timing/clock.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/loops/start_position.hpp"
#include "torsor/numeric/dense.hpp"

namespace torsor {
namespace {

/// Swings of a tenth of a radian or metre about a position, an instant of it after the other.
class Swinging {
 public:
  Swinging(std::vector<double> about, std::size_t nv) : qd(nv), qdd(nv), about_(std::move(about)) { step(); }

  void step() {
    const double t = 1e-3 * static_cast<double>(++count_);
    q = about_;
    for (std::size_t k = 0; k < qd.size(); ++k) {
      const double s = 0.1 * std::sin(t + static_cast<double>(k)), c = 0.1 * std::cos(t + static_cast<double>(k));
      if (q.size() == qd.size()) q[k] += s;
      qd[k] = c, qdd[k] = -s;
    }
  }

  std::vector<double> q, qd, qdd;

 private:
  std::vector<double> about_;
  long count_ = 0;
};

/// What is asked of a robot, whether it has loops or not.
struct Asked {
  explicit Asked(const Robot& robot)
      : dynamics(robot),
        motion(start_position(robot), static_cast<std::size_t>(robot.nv())),
        tau(motion.qd.size()),
        M(cells(robot.nv(), robot.nv())) {}

  void inverse() { motion.step(), dynamics.inverse(motion.q, motion.qd, motion.qdd, tau); }
  void mass() { motion.step(), dynamics.mass(motion.q, M); }
  void forward() { motion.step(), dynamics.forward(motion.q, motion.qd, motion.qdd, tau); }

  Dynamics dynamics;
  Swinging motion;
  std::vector<double> tau, M;
};

Robot without_loops(const Robot& robot) {
  Description cut = robot.description();
  cut.loops.clear();
  for (LinkDescription& link : cut.links) link.start.reset();
  return Robot(std::move(cut));
}

}  // namespace

std::vector<LoopTime> time_loops(const Robot& robot, double seconds_each) {
  Asked with(robot), cut(without_loops(robot));
  LoopMap map(robot.tree(), robot.loops()), newton(robot.tree(), robot.loops(), false);
  Swinging motion = with.motion;
  const auto has_plan = [](const LoopCluster& c) { return c.dyads.has_value(); };

  struct Way {
    const char* name;
    std::function<void()> run, cut;
  };
  const auto positions = [&motion](LoopMap& by) { return [&by, &motion] { motion.step(), by.place(motion.q); }; };
  std::vector<Way> ways{{"positions of all joints by Newton's method", positions(newton), {}}};
  if (std::ranges::any_of(robot.loops()->clusters, has_plan))
    ways.push_back({"positions of all joints in closed form", positions(map), {}});
  ways.push_back({"inverse dynamics", [&] { with.inverse(); }, [&] { cut.inverse(); }});
  ways.push_back({"mass matrix", [&] { with.mass(); }, [&] { cut.mass(); }});
  ways.push_back({"forward dynamics", [&] { with.forward(); }, [&] { cut.forward(); }});

  std::vector<LoopTime> out;
  for (const Way& way : ways) out.push_back({way.name, 1e9, way.cut ? 1e9 : 0});
  constexpr int batches = 50;
  const auto time = [&](const std::function<void()>& run, double& least) {
    long calls = 1;
    for (;;) {
      const Clock::time_point start = Clock::now();
      for (long call = 0; call < calls; ++call) run();
      const double spent = seconds_since(start);
      least = std::min(least, spent / static_cast<double>(calls));
      if (spent >= seconds_each / batches / 2) break;
      calls *= 2;
    }
  };
  for (int batch = 0; batch < batches; ++batch)
    for (std::size_t k = 0; k < ways.size(); ++k) {
      time(ways[k].run, out[k].seconds);
      if (ways[k].cut) time(ways[k].cut, out[k].cut);
    }
  return out;
}

}  // namespace torsor
