#include "torsor/loops/assembly_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/loops/close_cluster.hpp"
#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

constexpr double same = 1e-6;  // of poses: lengths of the cluster, or of a turn
constexpr std::size_t most_modes = 10000;

/// A way to close one cluster: positions of the whole tree, of which its own count, and where its bodies are.
struct ClusterMode {
  std::vector<double> q;
  std::vector<Transform<double>> X;
  double residual = 0, determined = 1;
  bool inside_limits = true;
  int found = 1;
};

double apart(const ClusterMode& a, const ClusterMode& b, double length) {
  double most = 0;
  for (std::size_t k = 0; k < a.X.size(); ++k) {
    most = std::max(most, norm(a.X[k].p - b.X[k].p) / length);
    for (const Vec3<double>& d : {a.X[k].R.x - b.X[k].R.x, a.X[k].R.y - b.X[k].R.y, a.X[k].R.z - b.X[k].R.z})
      most = std::max(most, norm(d));
  }
  return most;
}

bool inside(const Model<double>& tree, std::span<const double> q) {
  for (const Body<double>& b : tree.bodies) {
    if (b.nv != 1 || b.ratio != 1 || b.offset != 0) continue;
    const Limits& limits = tree.limits[static_cast<std::size_t>(b.v)];
    const double x = q[static_cast<std::size_t>(b.q)], slack = 1e-9;
    const auto within = [&](double at) { return at >= limits.lower - slack && at <= limits.upper + slack; };
    const double turn = b.kind == JointKind::revolute ? 2 * std::numbers::pi : 0;
    if (!within(x) && !within(x + turn) && !within(x - turn)) return false;
  }
  return true;
}

class Search {
 public:
  Search(const Model<double>& tree, const LoopCluster& cluster, std::vector<double> q, std::uint64_t seed,
         const std::optional<Frame<double>>& frame)
      : tree_(tree),
        c_(cluster),
        q_(std::move(q)),
        engine_(seed),
        frame_(frame),
        kinematics_(tree, cluster),
        configuration_(tree),
        poses_(tree.bodies.size()) {}

  /// The mode in which it is; then all.
  void run(const AssemblyModeOptions& options, bool closed_here) {
    if (closed_here) take(q_);
    const std::vector<double> start = q_;
    for (starts = 0; starts < options.starts_at_most; ++starts) {
      if (starts >= options.starts_at_least &&
          std::ranges::all_of(modes, [&](const ClusterMode& m) { return m.found >= options.times; }))
        return;
      q_ = start;
      draw();
      const Closing closing = close_dependent(tree_, c_, q_);
      if (closing.closed && !closing.flipped) take(q_);
    }
    settled = false;
  }

  double missing() const {
    const auto count = [&](int times) {
      return static_cast<double>(std::ranges::count(modes, times, &ClusterMode::found));
    };
    return count(1) * (count(1) > 0 ? (count(2) > 0 ? count(1) / (2 * count(2)) : (count(1) - 1) / 2) : 0);
  }

  std::vector<ClusterMode> modes;
  int starts = 0;
  bool settled = true;

 private:
  const Model<double>& tree_;
  const LoopCluster& c_;
  std::vector<double> q_;
  std::mt19937_64 engine_;
  const std::optional<Frame<double>>& frame_;
  ClusterKinematics<double> kinematics_;
  Configuration<double> configuration_;
  std::vector<Transform<double>> poses_;

  /// Dependent joints anywhere.
  void draw() {
    const auto either_way = [&](double size) { return size * (2 * uniform(engine_) - 1); };
    for (const LoopCluster::Solved& joint : c_.solved) {
      const auto at = static_cast<std::size_t>(joint.q);
      switch (joint.kind) {
        case JointKind::prismatic: {
          const Limits& limits = tree_.limits[static_cast<std::size_t>(
              c_.coordinates[static_cast<std::size_t>(c_.dependent[static_cast<std::size_t>(joint.first)])])];
          if (std::isfinite(limits.lower) && std::isfinite(limits.upper))
            q_[at] = limits.lower + (limits.upper - limits.lower) * uniform(engine_);
          else
            q_[at] = either_way(3 * c_.length);
          break;
        }
        case JointKind::spherical:
        case JointKind::free: {
          double square = 0;
          do {
            square = 0;
            for (std::size_t k = 0; k < 4; ++k) q_[at + k] = either_way(1), square += q_[at + k] * q_[at + k];
          } while (square > 1 || square < 1e-4);
          for (std::size_t k = 0; k < 4; ++k) q_[at + k] /= std::sqrt(square);
          for (std::size_t k = 4; k < static_cast<std::size_t>(joint.nq); ++k) q_[at + k] = either_way(2 * c_.length);
          break;
        }
        default:
          q_[at] = either_way(std::numbers::pi);
          for (std::size_t k = 1; k < static_cast<std::size_t>(joint.nq); ++k) q_[at + k] = either_way(2 * c_.length);
      }
    }
  }

  void take(const std::vector<double>& q) {
    ClusterMode mode;
    mode.q = q;
    // turns by whole turns are one
    for (const LoopCluster::Solved& joint : c_.solved)
      if (joint.kind == JointKind::revolute)
        mode.q[static_cast<std::size_t>(joint.q)] =
            std::remainder(mode.q[static_cast<std::size_t>(joint.q)], 2 * std::numbers::pi);
    kinematics_.place(mode.q);
    kinematics_.factor();
    mode.residual = kinematics_.residual();
    mode.determined = kinematics_.determined();
    mode.inside_limits = inside(tree_, mode.q);
    if (frame_) {
      configuration_.set(tree_, mode.q);
      forward_kinematics<double>(tree_, configuration_, poses_);
      mode.X.push_back(frame_pose<double>(*frame_, poses_));
    } else {
      for (std::size_t b = 0; b < c_.bodies.size(); ++b) mode.X.push_back(kinematics_.body(static_cast<int>(b)));
    }
    // where two modes meet a solution is known to the root of its residual
    const double alike = mode.determined < 1e-3 ? 1e-4 : same;
    for (ClusterMode& known : modes)
      if (apart(known, mode, c_.length) < alike) {
        const int found = ++known.found;
        // the first is the one in which the robot is
        if (&known != &modes.front() && mode.inside_limits && !known.inside_limits)
          known = std::move(mode), known.found = found;
        return;
      }
    modes.push_back(std::move(mode));
  }
};

}  // namespace

Result<AssemblyModes> find_assembly_modes(const Robot& robot, std::span<const double> q_a,
                                          const AssemblyModeOptions& options) {
  const std::shared_ptr<const LoopModel>& loops = robot.loops();
  if (!loops)
    return Fault{{}, robot.name(), "loop-none", "it has no loops, and one way to be put together", "ask for its pose"};
  const Model<double>& tree = robot.tree();
  LoopMap map(tree, loops);
  const bool closes = map.place(q_a).kind == LoopStatus::closed;
  std::vector<double> start(map.q().begin(), map.q().end());
  for (std::size_t k = 0; k < loops->q.size(); ++k) start[static_cast<std::size_t>(loops->q[k])] = q_a[k];

  AssemblyModes out;
  AssemblyMode first;
  first.q = start, first.assembled = closes;
  out.modes.push_back(std::move(first));
  for (std::size_t c = 0; c < loops->clusters.size(); ++c) {
    const LoopCluster& cluster = loops->clusters[c];
    Search search(tree, cluster, start, options.seed + c, options.frame);
    search.run(options, closes);
    out.starts += search.starts;
    out.missing += search.missing();
    out.settled = out.settled && search.settled;
    if (out.modes.size() * search.modes.size() > most_modes)
      return Fault{{},
                   robot.name(),
                   "loop-modes",
                   "its loops can be put together in more than 10000 ways, those of one cluster times those of others",
                   "leave loops out, and ask for the modes of the others"};
    // each with each of those before
    std::vector<AssemblyMode> all;
    for (const AssemblyMode& before : out.modes)
      for (std::size_t m = 0; m < search.modes.size(); ++m) {
        const ClusterMode& mode = search.modes[m];
        AssemblyMode& both = all.emplace_back(before);
        for (const LoopCluster::Solved& joint : cluster.solved)
          std::copy_n(mode.q.begin() + joint.q, joint.nq, both.q.begin() + joint.q);
        both.residual = std::max(both.residual, mode.residual);
        both.determined = std::min(both.determined, mode.determined);
        both.assembled = before.assembled && m == 0;
      }
    out.modes = std::move(all);
  }
  for (AssemblyMode& mode : out.modes) mode.inside_limits = inside(tree, mode.q);
  if (out.modes.empty())
    return Fault{{},
                 "q",
                 "loop-open",
                 "the loops cannot be closed at this position, in no mode that was found",
                 "give another position of the independent joints"};
  std::ranges::stable_sort(out.modes, [](const AssemblyMode& a, const AssemblyMode& b) {
    return std::pair(!a.assembled, !a.inside_limits) < std::pair(!b.assembled, !b.inside_limits);
  });
  return out;
}

}  // namespace torsor
