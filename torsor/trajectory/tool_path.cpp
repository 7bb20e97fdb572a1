#include "torsor/trajectory/tool_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "torsor/trajectory/orientation_path.hpp"

namespace torsor {
namespace {

/// Rows of a file as a path of their number.
class RowPath {
 public:
  RowPath(std::vector<ToolRow> rows, bool velocities, bool timed)
      : rows_(std::move(rows)), velocities_(velocities), timed_(timed) {}

  double last() const { return static_cast<double>(rows_.size() - 1); }

  double time(double u) const {
    const auto [k, f] = place(u);
    if (!timed_) return u;
    return f == 0 ? rows_[k].t : rows_[k].t + f * (rows_[k + 1].t - rows_[k].t);
  }

  double step(double u) const {
    const std::size_t k = std::min(place(u).first, rows_.size() - 2);
    return timed_ && rows_.size() > 1 ? rows_[k + 1].t - rows_[k].t : 1;
  }

  CartesianState at(double u) const {
    const auto [k, f] = place(u);
    if (rows_.size() == 1) return rows_.front().state;
    const std::size_t a = std::min(k, rows_.size() - 2);
    const CartesianState &x = rows_[a].state, &y = rows_[a + 1].state;
    const double h = step(u), g = static_cast<double>(k - a) + f;  // place between the rows a and a + 1
    CartesianState state = k == a ? x : y;
    const TurnPath turn = slerp(x.X.R, y.X.R);
    if (f != 0) state.X.R = turn.at(g).R;
    if (!velocities_) {
      // no rates are given: those of going straight keep the branch
      if (f != 0) state.X.p = x.X.p + (y.X.p - x.X.p) * g;
      state.twist = {x.X.R * turn.axis * turn.angle, y.X.p - x.X.p};
      state.acceleration = {};
      return state;
    }
    if (f != 0) {
      // the cubic that has the velocities of both ends; rates in proportion
      const double p = g * g * (3 - 2 * g), v0 = g * (1 - g) * (1 - g) * h, v1 = g * g * (g - 1) * h;
      state.X.p = x.X.p + (y.X.p - x.X.p) * p + x.twist.v * v0 + y.twist.v * v1;
      state.twist = x.twist * (1 - g) + y.twist * g;
      state.acceleration = x.acceleration * (1 - g) + y.acceleration * g;
    }
    state.twist = state.twist * h;
    state.acceleration = state.acceleration * (h * h);
    return state;
  }

 private:
  /// The row before u, and how far u is on the way to the next.
  std::pair<std::size_t, double> place(double u) const {
    const double row = std::clamp(std::floor(u), 0.0, last());
    return {static_cast<std::size_t>(row), row == last() ? 0 : std::clamp(u - row, 0.0, 1.0)};
  }

  std::vector<ToolRow> rows_;
  bool velocities_, timed_;
};

}  // namespace

void ToolPath::stretch(double factor) {
  const double t0 = time(0);
  time = [given = time, factor, t0](double u) { return t0 + factor * (given(u) - t0); };
  step = [given = step, factor](double u) { return factor * given(u); };
  if (!sampled) period /= factor;
}

ToolPath tool_path(PathMotion motion, double period) {
  ToolPath path;
  path.duration = motion.duration();
  path.period = period;
  path.breaks = motion.breaks();
  path.at = [motion = std::move(motion)](double t) { return motion.sample(t); };
  return path;
}

ToolPath tool_path(std::vector<ToolRow> rows, int derivatives, bool timed) {
  const auto shared = std::make_shared<const RowPath>(std::move(rows), derivatives > 0, timed);
  ToolPath path;
  path.duration = shared->last();
  path.period = 1;
  path.at = [shared](double u) { return shared->at(u); };
  path.time = [shared](double u) { return shared->time(u); };
  path.step = [shared](double u) { return shared->step(u); };
  path.derivatives = derivatives;
  path.timed = timed;
  path.sampled = true;
  return path;
}

// Rows contradict each other where from one to the next the mean velocity, by the poses, is not that of the two. The
// trapezoidal rule errs by a twelfth of the second differences; all of them are allowed, of the rows around,
// but only if poses and velocities both have them: else a number is wrong. Besides a thousandth, and rounding of six
// digits.
std::optional<std::string> contradiction(const std::vector<ToolRow>& rows) {
  if (rows.size() < 2) return std::nullopt;
  const std::size_t steps = rows.size() - 1;
  struct Half {
    std::array<const char*, 3> names;
    std::vector<Vec3<double>> given, mean;  // by row, by step
    double fastest = 0, size = 1;
  };
  Half turning{{"wx", "wy", "wz"}, {}, {}}, moving{{"vx", "vy", "vz"}, {}, {}, 0, 1e-3};
  std::vector<double> angle;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CartesianState& a = rows[i].state;
    turning.given.push_back(a.twist.w);
    moving.given.push_back(a.twist.v);
    moving.size = std::max(moving.size, norm(a.X.p));
    if (i == steps) break;
    const double h = rows[i + 1].t - rows[i].t;
    const TurnPath turn = slerp(a.X.R, rows[i + 1].state.X.R);
    turning.mean.push_back(a.X.R * turn.axis * (turn.angle / h));
    moving.mean.push_back((rows[i + 1].state.X.p - a.X.p) * (1 / h));
    angle.push_back(turn.angle);
  }
  const auto bend = [](const std::vector<Vec3<double>>& x, std::size_t from, std::size_t to) {
    double most = 0;
    for (std::size_t i = std::max<std::size_t>(from, 1); i < to && i + 1 < x.size(); ++i)
      most = std::max(most, norm(x[i - 1] - x[i] * 2.0 + x[i + 1]));
    return most;
  };
  std::string first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps; ++i) {
    const double h = rows[i + 1].t - rows[i].t;
    bool wrong = false;
    for (Half* part : {&moving, &turning}) {
      if (i == 0)
        for (const Vec3<double>& v : part->given) part->fastest = std::max(part->fastest, norm(v));
      // half a turn and more between two rows may have gone either way
      if (part == &turning && angle[i] > 1) continue;
      const Vec3<double>&u = part->given[i], &v = part->given[i + 1];
      const Vec3<double> off = part->mean[i] - (u + v) * 0.5;
      const std::size_t from = i > 2 ? i - 2 : 0;
      double slack = std::min(bend(part->given, from, i + 4), bend(part->mean, from, i + 4));
      slack += 1e-3 * part->fastest + 2e-6 * part->size / h;
      if (part == &turning) slack += h * norm(cross(u, v)) / 2;  // turns about several axes do not add up
      if (!(norm(off) > slack)) continue;
      wrong = true;
      if (!first.empty()) continue;
      const std::array<double, 3> o{std::abs(off.x), std::abs(off.y), std::abs(off.z)};
      const auto c = static_cast<std::size_t>(std::max_element(o.begin(), o.end()) - o.begin());
      const auto at = [c](const Vec3<double>& x) { return c == 0 ? x.x : c == 1 ? x.y : x.z; };
      first =
          fmt::format("row {}: {} is {:.6g} and then {:.6g}, but the pose changes at {:.6g} from there to the next row",
                      i + 1, part->names[c], at(u), at(v), at(part->mean[i]));
    }
    count += wrong;
  }
  if (count == 0) return std::nullopt;
  return fmt::format("{}{}; the velocities are believed, and torques follow them", first,
                     count > 1 ? fmt::format(" (and so in {} more)", count - 1) : "");
}

}  // namespace torsor
