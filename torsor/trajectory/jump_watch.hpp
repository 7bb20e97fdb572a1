// Whether the rows of a motion belong together, seen row by row: from each to the next the position may change by what the
// speeds of both rows tell, and the speed by what their accelerations tell (row_jump.hpp). Accelerations may jump, as those of
// trapezoids and parabolic blends do. A file that breaks this has a corner that is not rounded, rows too far apart for what
// happens between them, or rates that are not those of its positions: torques of its rows lack what the jump takes.
//
// Numbers are as good as their last digit: two units of it are no change, and a rate may be one unit larger than it is written.
// Besides, a jump of speed is more than a fiftieth of the greatest speed so far. Angles may come back into their range by
// whole turns.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/numeric/rest_watch.hpp"
#include "torsor/trajectory/motion.hpp"
#include "torsor/trajectory/motion_jump.hpp"

namespace torsor {

class JumpWatch {
 public:
  /// Looks at joints of one degree of freedom.
  explicit JumpWatch(const Model<double>& model);

  /// The next row, later than the last, with qd and qdd; whether there is a jump from the last one.
  bool add(const MotionRow& row);

  const RowJumps& jumps() const { return jumps_; }

 private:
  struct Channel {
    int q, v;
    bool turns;
    LastDigit digit[3] = {};
    bool digits[3] = {};  // zeros alone tell none
    double fastest = 0;

    double unit(int order) const;
  };

  std::vector<Channel> channels_;
  MotionRow before_;
  RowJumps jumps_;
  bool begun_ = false;
};

}  // namespace torsor
