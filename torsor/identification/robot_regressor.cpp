#include "torsor/identification/robot_regressor.hpp"

#include <algorithm>
#include <limits>

namespace torsor {

RobotRegressor::RobotRegressor(const RegressorSubject& subject, std::vector<DynamicParameter> parameters)
    : tree_(subject.tree, std::move(parameters)),
      nv_(subject.coordinates.nv),
      qd_(static_cast<std::size_t>(subject.tree.nv)) {
  if (!subject.loops) return;
  closed_.emplace(subject.tree, subject.loops);
  Y_.resize(cells(subject.tree.nv, columns()));
}

bool RobotRegressor::at(std::span<const double> q, Rates<const double> qd, Rates<const double> qdd,
                        std::span<double> Y) {
  if (!closed_) {
    if (qd.empty())
      std::ranges::fill(qd_, 0.0);
    else
      std::ranges::copy(qd, qd_.begin());
    tree_.at(q, qd, qdd, Y);
    return true;
  }
  if (!closed_->set(q, qd, qdd)) {
    std::ranges::fill(Y, std::numeric_limits<double>::quiet_NaN());
    return false;
  }
  tree_.at(closed_->q(), qd.empty() ? Rates<const double>() : closed_->qd(), closed_->qdd(), Y_);
  closed_->map().project_rows(Y_, columns(), Y);
  return true;
}

}  // namespace torsor
