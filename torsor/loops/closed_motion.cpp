#include "torsor/loops/closed_motion.hpp"

#include "torsor/numeric/finite.hpp"

namespace torsor {

ClosedMotion::ClosedMotion(const Model<double>& tree, std::shared_ptr<const LoopModel> loops)
    : map_(tree, std::move(loops)), qd_(static_cast<std::size_t>(tree.nv)), qdd_(qd_.size()) {}

LoopStatus ClosedMotion::set(std::span<const double> q_a, std::span<const double> qd_a, std::span<const double> qdd_a) {
  if (!all_finite(q_a)) {
    LoopStatus none;
    none.kind = LoopStatus::open;
    return none;
  }
  const LoopStatus status = map_.place(q_a);
  if (!status) return status;
  map_.rates(qd_a, qd_);
  if (qd_a.empty())
    map_.rates(qdd_a, qdd_);
  else
    map_.accelerations(qd_, qdd_a, qdd_);
  return status;
}

}  // namespace torsor
