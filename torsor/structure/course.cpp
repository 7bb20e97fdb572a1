#include "torsor/structure/course.hpp"

#include <algorithm>

#include "torsor/expect.hpp"

namespace torsor {
namespace {

class Table {
 public:
  explicit Table(std::vector<CourseRow> rows) : rows_(std::move(rows)) {}

  void operator()(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    const auto after =
        std::upper_bound(rows_.begin(), rows_.end(), t, [](double time, const CourseRow& row) { return time < row.t; });
    if (after == rows_.begin() || after == rows_.end() || (after - 1)->t == t) {
      const CourseRow& row = after == rows_.begin() ? rows_.front() : *(after - 1);
      std::ranges::copy(row.q, q.begin());
      std::ranges::copy(row.qd, qd.begin());
      std::ranges::copy(row.qdd, qdd.begin());
      return;
    }
    // Hermite's cubic on u from 0 to 1
    const CourseRow &a = *(after - 1), &b = *after;
    const double T = b.t - a.t, u = (t - a.t) / T, w = 1 - u;
    for (std::size_t l = 0; l < q.size(); ++l) {
      const double slope = (b.q[l] - a.q[l]) / T;
      q[l] = w * w * (1 + 2 * u) * a.q[l] + u * u * (1 + 2 * w) * b.q[l] + u * w * T * (w * a.qd[l] - u * b.qd[l]);
      qd[l] = 6 * u * w * slope + w * (1 - 3 * u) * a.qd[l] + u * (1 - 3 * w) * b.qd[l];
      qdd[l] = w * a.qdd[l] + u * b.qdd[l];
    }
  }

 private:
  std::vector<CourseRow> rows_;
};

}  // namespace

Course course_through(std::vector<CourseRow> rows) {
  TORSOR_EXPECT(!rows.empty());
  Course out;
  for (const CourseRow& row : rows) out.times.push_back(row.t);
  out.sample = Table(std::move(rows));
  return out;
}

}  // namespace torsor
