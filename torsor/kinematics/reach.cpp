#include "torsor/kinematics/reach.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

constexpr int draws = 2000, starts = 8;
constexpr double finest_step = 1e-9;

// the farthest that the body's frame can be from its parent's
double longest_step(const Model<double>& model, const Body<double>& b) {
  const Vec3<double>&p = b.placement.p, &z = b.placement.R.z;
  if (b.kind == JointKind::free || b.kind == JointKind::planar) return std::numeric_limits<double>::infinity();
  if (b.kind != JointKind::prismatic && b.kind != JointKind::helical) return norm(p);
  const Limits& limits = model.limits[b.v];
  if (std::isinf(limits.lower) || std::isinf(limits.upper)) return std::numeric_limits<double>::infinity();
  const double advance = b.kind == JointKind::prismatic ? 1 : b.pitch;
  const auto at = [&](double q) { return norm(p + z * (advance * (b.ratio * q + b.offset))); };
  return std::max(at(limits.lower), at(limits.upper));
}

class Search {
 public:
  Search(const Model<double>& m, const Frame<double>& frame, std::int64_t budget)
      : model(m),
        tool(frame),
        bounds(position_bounds(m)),
        configuration(m),
        X(m.bodies.size()),
        left(budget / m.size()) {}

  /// Distances that may still be asked for.
  std::int64_t affordable() const { return left; }

  double distance(const std::vector<double>& q) {
    --left;
    configuration.set(model, q);
    forward_kinematics(model, configuration, std::span(X));
    return norm(frame_pose(tool, std::span<const Transform<double>>(X)).p - model.base.p);
  }

  // one coordinate at a time, a step to either side; the steps shrink when none of them gains. Ends early when no more
  // than `reserve` distances are left
  double climb(std::vector<double>& q, std::int64_t reserve) {
    double best = distance(q);
    for (double step = 0.25; step > finest_step;) {
      bool gained = false;
      for (std::size_t k = 0; k < q.size(); ++k)
        for (const double side : {-step, step}) {
          if (left <= reserve) return best;
          const double before = q[k];
          q[k] = std::clamp(before + side * (bounds[k].upper - bounds[k].lower), bounds[k].lower, bounds[k].upper);
          const double now = distance(q);
          if (now > best) {
            best = now;
            gained = true;
          } else {
            q[k] = before;
          }
        }
      if (!gained) step /= 2;
    }
    return best;
  }

 private:
  const Model<double>& model;
  const Frame<double>& tool;
  std::vector<Limits> bounds;
  Configuration<double> configuration;
  std::vector<Transform<double>> X;
  std::int64_t left;
};

}  // namespace

Reach reach(const Model<double>& model, const Frame<double>& tool, std::uint64_t seed, std::int64_t budget) {
  Reach result{norm(tool.X_body_frame.p), 0, neutral_position(model)};
  for (int i = tool.body; i >= 0; i = model[i].parent) result.bound += longest_step(model, model[i]);
  if (result.bound == std::numeric_limits<double>::infinity()) {
    result.found = result.bound;
    return result;
  }

  // a quarter of the budget may go into the draws; the rest is shared evenly by the climbs
  Search search(model, tool, std::max<std::int64_t>(budget, std::int64_t{4} * model.size()));
  const auto tries = static_cast<int>(std::clamp<std::int64_t>(search.affordable() / 4, 1, draws));
  const int climbs = std::min(starts, tries);
  std::mt19937_64 engine(seed);
  std::vector<std::pair<double, std::vector<double>>> tried;
  for (int k = 0; k < tries; ++k) {
    std::vector<double> q = random_position(model, engine);
    const double distance = search.distance(q);
    tried.emplace_back(distance, std::move(q));
  }
  std::partial_sort(tried.begin(), tried.begin() + climbs, tried.end(),
                    [](const auto& a, const auto& b) { return a.first > b.first; });
  for (int k = 0; k < climbs; ++k) {
    const std::int64_t reserve = search.affordable() / (climbs - k) * (climbs - k - 1);
    const double distance = search.climb(tried[k].second, reserve);
    result.cut_short = result.cut_short || search.affordable() <= reserve;
    if (distance > result.found) {
      result.found = distance;
      result.q = std::move(tried[k].second);
    }
  }
  result.cut_short = result.cut_short || tries < draws;
  return result;
}

}  // namespace torsor
