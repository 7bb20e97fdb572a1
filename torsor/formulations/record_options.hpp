// What of a robot is a number only when its recorded equations are run.
#pragma once

namespace torsor {

/// Which of the robot's constants a recording takes as known only at run time: they become inputs, before all others,
/// and sums and products with them are counted. Twists stay constants, and so do mass centres in DH frames.
struct RecordOptions {
  bool gravity_at_run_time = false;
  bool lengths_at_run_time = false;  // a and d of a DH table; in the tree, where each joint is placed in its parent
  bool masses_at_run_time = false;   // in the tree with the first moments and inertias, which depend on them
};

}  // namespace torsor
