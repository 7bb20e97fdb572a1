#include "torsor/simulate/roundtrip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

/// The pose of the tool, and that of the motion at the same instant.
class Tool final : public Observer {
 public:
  Tool(const Model<double>& model, const Frame<double>& tool, const Trajectory& motion, const ToolWatch& watch)
      : model_(model),
        tool_(tool),
        motion_(motion),
        watch_(watch),
        configuration_(model),
        X_(model.bodies.size()),
        q_(static_cast<std::size_t>(model.nq)),
        qd_(static_cast<std::size_t>(model.nv)),
        qdd_(qd_.size()) {
    // how long its way is, as straight lines between instants
    constexpr int lines = 100;
    Vec3<double> before;
    for (int k = 0; k <= lines; ++k) {
      motion_.sample(motion_.duration() * k / lines, q_, qd_, qdd_);
      const Vec3<double> here = pose(q_).p;
      reach_ = std::max(reach_, norm(here - X_.front().p));
      if (k > 0) way_ += norm(here - before);
      before = here;
    }
  }

  void instant(const Simulation& s) override {
    motion_.sample(s.t(), q_, qd_, qdd_);
    const Transform<double> X = pose(s.q()), wanted = pose(q_);
    const Vec3<double> off = X.p - wanted.p;
    trip.position_error = std::sqrt(dot(off, off));
    // the angle from its sine: a cosine knows nothing of small ones
    const Mat3<double> R = ~wanted.R * X.R;
    const Vec3<double> twice{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
    trip.orientation_error = std::atan2(std::sqrt(dot(twice, twice)), R.x.x + R.y.y + R.z.z - 1);
    trip.largest_position_error = std::max(trip.largest_position_error, trip.position_error);
    watch_growth(s.t(), trip.position_error);
    trip.joint_error = 0;
    for (std::size_t k = 0; k < q_.size(); ++k)
      trip.joint_error = std::max(trip.joint_error, std::abs(s.q()[k] - q_[k]));
    if (watch_) watch_(s.t(), X, wanted);
  }

  /// A tool that turns on the spot has no way to measure by.
  bool is_lost() const override { return way_ > 0 && trip.position_error > way_; }

  bool is_astray() const {
    constexpr double far = 0.1, turned = 0.5;
    return trip.position_error > far * reach_ || trip.orientation_error > turned;
  }

  RoundTrip trip;

 private:
  /// Between what is surely no rounding and what is surely small beside the arm.
  void watch_growth(double t, double error) {
    constexpr double no_rounding = 1e-9, small = 1e-2, much = 100;
    if (grew_ || error < no_rounding) return;
    grew_ = error > small;
    if (first_error_ == 0) first_ = t, first_error_ = error;
    if (!grew_ && error > much * first_error_) trip.tenfold_time = (t - first_) / std::log10(error / first_error_);
  }

  Transform<double> pose(std::span<const double> q) {
    configuration_.set(model_, q);
    forward_kinematics(model_, configuration_, std::span(X_));
    return X_[tool_.body] * tool_.X_body_frame;
  }

  const Model<double>& model_;
  const Frame<double>& tool_;
  const Trajectory& motion_;
  const ToolWatch& watch_;
  Configuration<double> configuration_;
  std::vector<Transform<double>> X_;
  std::vector<double> q_, qd_, qdd_;
  double way_ = 0;                      // m, of the tool along the motion
  double reach_ = 0;                    // m, the largest distance of the tool from the first body
  double first_ = 0, first_error_ = 0;  // where an error was first no rounding
  bool grew_ = false;
};

/// The end of a run whose torques cannot be sampled: before it begins, by the first that is not finite.
RunEnd first_not_finite(const TorqueSamples& samples, int nv) {
  RunEnd end{EndKind::torque_not_finite};
  const auto found = std::ranges::find_if_not(samples.tau, [](double x) { return std::isfinite(x); });
  if (found == samples.tau.end()) return end;
  const auto [row, coordinate] = std::div(found - samples.tau.begin(), static_cast<std::ptrdiff_t>(nv));
  return {end.kind, samples.t[static_cast<std::size_t>(row)], static_cast<int>(coordinate)};
}

}  // namespace

std::string describe(const RoundTripInput& input) {
  if (!input.interpolation) return "exact function";
  return fmt::format("{} through {} samples{}", name(*input.interpolation), input.samples,
                     input.pieces ? ", in pieces" : "");
}

TorqueSamples sample_torques(const Model<double>& model, const Trajectory& motion, int samples, bool pieces) {
  TORSOR_EXPECT(samples >= 2);
  Dynamics dynamics(model, {.questions = Questions::all_but_forward});
  std::vector<double> q(static_cast<std::size_t>(model.nq)), qd(static_cast<std::size_t>(model.nv)), qdd(qd), tau(qd);
  TorqueSamples out;
  const auto take = [&](double t, double asked) {
    motion.sample(asked, q, qd, qdd);
    dynamics.inverse(q, qd, qdd, tau);
    out.t.push_back(t);
    out.tau.insert(out.tau.end(), tau.begin(), tau.end());
  };
  std::vector<double> ends{0.0};
  if (pieces) ends.insert(ends.end(), motion.breaks().begin(), motion.breaks().end());
  ends.push_back(motion.duration());
  for (std::size_t p = 0; p + 1 < ends.size(); ++p) {
    const double a = ends[p], b = ends[p + 1];
    const int steps =
        pieces ? std::max(3, static_cast<int>(std::lround((samples - 1) * (b - a) / motion.duration()))) : samples - 1;
    // at its ends a piece has the torques of its own side of the jump
    for (int k = 0; k <= steps; ++k) {
      const double t = k == steps ? b : a + (b - a) * k / steps;
      take(t, pieces && k == 0 ? std::nextafter(a, b) : pieces && k == steps ? std::nextafter(b, a) : t);
    }
  }
  return out;
}

RoundTrip roundtrip(const Model<double>& model, const Frame<double>& tool, const Trajectory& motion,
                     const RoundTripInput& input, const SimulationRules& given, const ToolWatch& watch) {
  SimulationRules rules = given;
  rules.saturate = false;
  Simulation simulation(model, rules);
  std::vector<double> q(static_cast<std::size_t>(model.nq)), qd(static_cast<std::size_t>(model.nv)), qdd(qd);
  motion.sample(0, q, qd, qdd);
  Tool watcher(model, tool, motion, watch);
  if (!simulation.start(0, q, qd).empty()) {
    watcher.trip.end.kind = EndKind::singular;
    return watcher.trip;
  }
  if (!input.interpolation) {
    MotionTorque exact(model, motion);
    watcher.trip.end = simulation.run(motion.duration(), exact, nullptr, &watcher);
  } else {
    const TorqueSamples samples = sample_torques(model, motion, input.samples, input.pieces);
    auto sampled = SampledTorque::make(samples.t, samples.tau, *input.interpolation);
    if (sampled)
      watcher.trip.end = simulation.run(motion.duration(), *sampled, nullptr, &watcher);
    else
      watcher.trip.end = first_not_finite(samples, model.nv);
  }
  watcher.trip.astray = watcher.trip.end && watcher.is_astray();
  watcher.trip.count = simulation.count();
  return watcher.trip;
}

}  // namespace torsor
