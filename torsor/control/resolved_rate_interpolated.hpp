// Resolved motion rate control with what Whitney (1972) proposed against the cost of inverting J: inverse Jacobians
// computed beforehand at a few positions of the plan, and interpolated in time between them.
//
//   qd_c = ((1 - u) J^-1(q_k) + u J^-1(q_k+1)) (xd_d + l (x_d - x)),   u = (t - t_k) / (t_k+1 - t_k)
//
// Where joints are left over they follow their own plan in what remains. Near a singular position the knots are damped;
// what is lost between them is not known, and none is reported.
#pragma once

#include "torsor/control/resolved_rate.hpp"

namespace torsor {

class InterpolatedRateLaw final : public ResolvedRateLaw {
 public:
  explicit InterpolatedRateLaw(const ControlSetup& setup) : ResolvedRateLaw(setup) {
    std::vector<JointKnot> knots = setup.knots;
    if (knots.empty()) knots.push_back({0, setup.start});
    const std::vector<double> at_rest(static_cast<std::size_t>(n_));
    std::vector<double> column(at_rest.size());
    for (const JointKnot& knot : knots) {
      times_.push_back(knot.t);
      tool_.set(knot.q, at_rest);
      tool_.factor();
      std::vector<double>& inverse = inverses_.emplace_back(cells(6, n_));
      for (int i = 0; i < 6; ++i) {
        std::array<double, 6> unit{};
        unit[i] = 1;
        std::fill(column.begin(), column.end(), 0.0);
        tool_.resolve({{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}}, column);
        std::copy(column.begin(), column.end(), inverse.begin() + static_cast<std::ptrdiff_t>(cell(i, n_, 0)));
      }
    }
  }

 private:
  void resolve(const ControlState& s, const ControlReference& r, const Motion<double>& asked) override {
    // the knots around the instant
    std::size_t k = 0;
    while (k + 2 < times_.size() && s.t >= times_[k + 1]) ++k;
    const std::size_t next = k + 1 < times_.size() ? k + 1 : k;
    const double u = next > k ? std::clamp((s.t - times_[k]) / (times_[next] - times_[k]), 0.0, 1.0) : 0;

    std::fill(rate_.begin(), rate_.end(), 0.0);
    const bool left_over = n_ > tool_.rows() && !r.q.empty();
    if (left_over)
      for (int i = 0; i < n_; ++i) rate_[i] = r.qd[i] + gains_.kp / gains_.kv * (r.q[i] - s.q[i]);
    const std::array<double, 6> y{asked.w.x, asked.w.y, asked.w.z, asked.v.x, asked.v.y, asked.v.z};
    std::array<double, 6> rest = y;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < n_; ++j) rest[i] -= tool_.J()[cell(i, n_, j)] * rate_[j];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < n_; ++j)
        rate_[j] += ((1 - u) * inverses_[k][cell(i, n_, j)] + u * inverses_[next][cell(i, n_, j)]) * rest[i];
  }

  std::vector<double> times_;
  std::vector<std::vector<double>> inverses_;  // transposed: 6 x n
};

}  // namespace torsor
