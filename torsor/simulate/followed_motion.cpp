#include "torsor/simulate/followed_motion.hpp"

#include <cmath>
#include <memory>

#include "torsor/trajectory/spline_motion.hpp"

namespace torsor {
namespace {

constexpr int instants = 200;  // along the whole path; at least a twentieth of them in a piece

/// The joints at an instant from those next to them.
struct PutRight {
  PutRight(const Model<double>& model, const Frame<double>& tool)
      : solver(model, tool), rates(solver.task()), x(solver.task().joints().size()), xd(x.size()), xdd(x.size()) {
    options.limits = false;
    options.restarts = 0;
    options.position_tolerance = options.angle_tolerance = 1e-12;  // a step beyond it is quadratically less
    rate_options.limits = false;
  }

  /// Of six joints that are well determined; others stay as they are.
  void operator()(const CartesianState& wanted, std::span<double> q, std::span<double> qd, std::span<double> qdd) {
    if (x.size() != 6) return;
    const GeneralAnswer answer = solver.solve(wanted.X, q, options);
    if (!answer.solved() || answer.smallest_singular_value < 1e-4) return;
    PoseTask& task = solver.task();
    for (std::size_t k = 0; k < 6; ++k) x[k] = answer.q[static_cast<std::size_t>(task.joints()[k].q)];
    const RateAnswer rate = rates.solve(task, x, wanted.twist, wanted.acceleration, rate_options, xd, xdd);
    if (rate.lost > 0) return;
    std::copy(answer.q.begin(), answer.q.end(), q.begin());
    for (std::size_t k = 0; k < 6; ++k) {
      qd[static_cast<std::size_t>(task.joints()[k].v)] = xd[k];
      qdd[static_cast<std::size_t>(task.joints()[k].v)] = xdd[k];
    }
  }

  GeneralSolver solver;
  TaskRates rates;
  GeneralOptions options;
  RateOptions rate_options;
  std::vector<double> x, xd, xdd;
};

}  // namespace

Result<Trajectory> followed_motion(const Model<double>& model, const Frame<double>& tool, const ArmSolver* closed,
                                    const PathOfTime& path, double duration, std::span<const double> breaks,
                                    std::span<const double> start, const FollowOptions& options) {
  TORSOR_EXPECT(duration > 0 && model.nq == model.nv);
  std::vector<double> ends{0.0};
  ends.insert(ends.end(), breaks.begin(), breaks.end());
  ends.push_back(duration);
  auto pieces = std::make_shared<std::vector<SplineMotion>>();
  std::vector<double> q(start.begin(), start.end());
  for (std::size_t p = 0; p + 1 < ends.size(); ++p) {
    const double a = ends[p], b = ends[p + 1], first = p == 0 ? a : std::nextafter(a, b),
                 last = p + 2 == ends.size() ? b : std::nextafter(b, a);
    const auto piece = [&](double t) { return path(std::clamp(a + t, first, last)); };
    const double period = (b - a) / std::max(instants / 20.0, std::ceil(instants * (b - a) / duration));
    FollowOptions own = options;
    const JointGuide guide = [&options, a](double t, GuideState& state) { (*options.guide)(a + t, state); };
    if (options.guide) own.guide = &guide;
    const FollowedPath followed = follow_path(model, tool, closed, piece, b - a, period, q, own);
    if (!followed.finished()) {
      FollowedPath whole = followed;
      whole.stop_time += a;
      whole.asked_time += a;
      return Fault{{}, "motion", "path-stop", explanation(whole, model), "another branch, start or path may do"};
    }
    std::vector<MotionRow> rows;
    for (const PathSample& s : followed.samples) rows.push_back({s.t, s.q, s.qd, s.qdd});
    auto spline = sampled_motion(rows);
    if (!spline) return spline.faults();
    pieces->push_back(*std::move(spline));
    q = rows.back().q;
  }
  const Vec3<double>&turn = options.weights.turn, &shift = options.weights.shift;
  const bool determined = turn.x * turn.y * turn.z * shift.x * shift.y * shift.z != 0;
  const auto right = determined ? std::make_shared<PutRight>(model, tool) : nullptr;
  const auto at = [pieces, ends, right, path](double t, std::span<double> x, std::span<double> xd,
                                              std::span<double> xdd) {
    // right of a break the piece behind it
    const auto behind = std::upper_bound(ends.begin() + 1, ends.end() - 1, t);
    const auto p = static_cast<std::size_t>(behind - ends.begin()) - 1;
    const double into = std::clamp(t - ends[p], 0.0, (*pieces)[p].duration());
    (*pieces)[p].sample(into, x, xd, xdd);
    if (right) (*right)(path(t), x, xd, xdd);
  };
  return Trajectory(static_cast<std::size_t>(model.nv), duration, at, {breaks.begin(), breaks.end()});
}

}  // namespace torsor
