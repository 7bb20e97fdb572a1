#include "torsor/structure/course.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

class Table {
 public:
  explicit Table(std::vector<MotionRow> rows) : rows_(std::move(rows)) {}

  void operator()(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), t, [](double time, const MotionRow& row) { return time < row.t; });
    if (after == rows_.begin() || after == rows_.end() || (after - 1)->t == t) {
      const MotionRow& row = after == rows_.begin() ? rows_.front() : *(after - 1);
      std::ranges::copy(row.q, q.begin());
      std::ranges::copy(row.qd, qd.begin());
      std::ranges::copy(row.qdd, qdd.begin());
      return;
    }
    // Hermite's cubic on u from 0 to 1
    const MotionRow &a = *(after - 1), &b = *after;
    const double T = b.t - a.t, u = (t - a.t) / T, w = 1 - u;
    for (std::size_t l = 0; l < q.size(); ++l) {
      const double slope = (b.q[l] - a.q[l]) / T;
      q[l] = w * w * (1 + 2 * u) * a.q[l] + u * u * (1 + 2 * w) * b.q[l] + u * w * T * (w * a.qd[l] - u * b.qd[l]);
      qd[l] = 6 * u * w * slope + w * (1 - 3 * u) * a.qd[l] + u * (1 - 3 * w) * b.qd[l];
      qdd[l] = w * a.qdd[l] + u * b.qdd[l];
    }
  }

 private:
  std::vector<MotionRow> rows_;
};

struct Height {
  double t = 0, value = 0;
};

/// The top of a function with one top from a to b, to the rounding of its value.
Height highest(const std::function<double(double)>& f, double a, double b) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  const auto at = [&](double t) { return Height{t, f(t)}; };
  Height left = at(b - golden * (b - a)), right = at(a + golden * (b - a));
  for (int k = 0; k < 40; ++k) {
    if (left.value > right.value) {
      b = right.t;
      right = left;
      left = at(b - golden * (b - a));
    } else {
      a = left.t;
      left = right;
      right = at(a + golden * (b - a));
    }
  }
  return left.value > right.value ? left : right;
}

/// The instants that are higher than one beside them and not lower than the other, and so near to the highest that the top
/// may be beside them: of many those that may be highest.
std::vector<std::size_t> near_tops(const std::vector<double>& values) {
  constexpr std::size_t most = 12;
  const double top = std::ranges::max(values);
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double before = values[k == 0 ? k : k - 1], after = values[k + 1 == values.size() ? k : k + 1];
    const double here = values[k], drop = here - std::min(before, after);
    if (here >= before && here >= after && drop > 1e-14 * std::abs(here) && here + drop >= top)
      found.emplace_back(-here - drop, k);
  }
  std::ranges::sort(found);
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < found.size() && k < most; ++k) out.push_back(found[k].second);
  return out;
}

}  // namespace

Course finer(Course course) {
  const std::size_t intervals = course.times.size() - 1;
  const std::size_t parts = std::clamp<std::size_t>(40'000 / std::max<std::size_t>(intervals, 1), 2, 8);
  std::vector<double> times{course.times.front()};
  for (std::size_t k = 0; k < intervals; ++k) {
    const double from = course.times[k], step = (course.times[k + 1] - from) / static_cast<double>(parts);
    for (std::size_t p = 1; p < parts; ++p) times.push_back(from + static_cast<double>(p) * step);
    times.push_back(course.times[k + 1]);
  }
  course.times = std::move(times);
  return course;
}

std::vector<double> peak_times(const Course& course, std::size_t count,
                               const std::function<void(double t, std::span<double> values)>& f) {
  std::vector<double> values(count), out(count);
  std::vector<std::vector<double>> curves(count);
  for (const double t : course.times) {
    f(t, values);
    for (std::size_t k = 0; k < count; ++k) curves[k].push_back(values[k]);
  }
  const std::vector<double>& times = course.times;
  for (std::size_t k = 0; k < count; ++k) {
    const auto one = [&](double t) {
      f(t, values);
      return values[k];
    };
    const auto first = std::ranges::max_element(curves[k]);
    Height best{times[static_cast<std::size_t>(first - curves[k].begin())], *first};
    for (const std::size_t at : near_tops(curves[k])) {
      if (at > 0)
        if (const Height h = highest(one, times[at - 1], times[at]); h.value > best.value) best = h;
      if (at + 1 < times.size())
        if (const Height h = highest(one, times[at], times[at + 1]); h.value > best.value) best = h;
    }
    out[k] = best.t;
  }
  return out;
}

Course course_of(const Trajectory& motion, int steps) {
  Course out;
  for (int k = 0; k <= steps; ++k) out.times.push_back(motion.duration() * k / steps);
  if (!(motion.duration() > 0)) out.times.resize(1);
  out.sample = [motion](double t, auto q, auto qd, auto qdd) { motion.sample(t, q, qd, qdd); };
  return out;
}

Course course_through(std::vector<MotionRow> rows) {
  TORSOR_EXPECT(!rows.empty());
  Course out;
  for (const MotionRow& row : rows) out.times.push_back(row.t);
  out.sample = Table(std::move(rows));
  return out;
}

}  // namespace torsor
