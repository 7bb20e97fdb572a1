// What is to be said of the rows of a motion, seen one by one: limits of the robot that they pass, steps between them
// that their rates do not explain, and noise of derived speeds that dry friction follows. One watch for all who go
// along a motion.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "torsor/dynamics/chatter_watch.hpp"
#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/trajectory/jump_watch.hpp"

namespace torsor {

class RowWatch {
 public:
  struct Questions {
    bool limits = true;  // of positions, their rates and torques
    int rates = 2;       // how many rates rows have that limits hold for
    bool timed = true;   // there is time between rows
    bool jumps = false;  // rows have times, and rates of their own
    double reach = 0;    // [s] of the spline that the speeds are derived with (spline_reach); 0: they are not derived
  };

  /// The model must outlive this.
  RowWatch(const Model<double>& model, const Questions& questions) : asked_(questions), limits_(model) {
    if (asked_.jumps) jumps_.emplace(model);
    if (asked_.reach > 0) chatter_.emplace(model, asked_.reach);
  }

  /// The next row, later than the last; torques (nv) or none. Whether it jumps from the last one.
  bool add(const MotionRow& row, std::span<const double> tau = {}) {
    if (asked_.limits)
      limits_.add(
          row.t, {row.q, asked_.rates > 0 ? std::span<const double>(row.qd) : std::span<const double>(),
                  asked_.rates > 1 ? std::span<const double>(row.qdd) : std::span<const double>(), tau, !asked_.timed});
    if (chatter_) chatter_->add(row.t, row.qd);
    return jumps_ && jumps_->add(row);
  }

  const LimitWatch& limits() const { return limits_; }
  RowJumps jumps() const { return jumps_ ? jumps_->jumps() : RowJumps(); }
  std::vector<Chatter> chatter() const { return chatter_ ? chatter_->found() : std::vector<Chatter>(); }

 private:
  Questions asked_;
  LimitWatch limits_;
  std::optional<JumpWatch> jumps_;
  std::optional<ChatterWatch> chatter_;
};

}  // namespace torsor
