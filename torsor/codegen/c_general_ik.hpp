// C for all positions of revolute joints of any geometry: the elimination of closed_form_ik/loop_elimination.hpp,
// whose pivots are chosen by value, as loops of C beside a table of the arm. The text is the same for every arm; the
// constants, and which cuts of the loop serve, are those that the library's solver found for this one.
//
// Six joints are solved as they are, seven with one of them held at a value that is given, five and fewer with others
// added behind the tool (closed_form_ik/short_arm.hpp), which must stand at zero.
#pragma once

#include <algorithm>
#include <string>

#include "torsor/closed_form_ik/joint_chain.hpp"
#include "torsor/closed_form_ik/six_turns.hpp"

namespace torsor {

/// Solutions that there is room for.
inline constexpr int general_ik_rows = 16;

struct EliminatedArm {
  JointChain chain;
  SixTurns six;   // of seven joints with that joint where the cuts of the loop were chosen
  int held = -1;  // of seven

  /// Of the six those that are the chain's own.
  int own() const { return std::min(chain.joints(), 6); }
  /// One of these in the chain.
  std::size_t joint_of(int i) const { return static_cast<std::size_t>(held >= 0 && i >= held ? i + 1 : i); }
  /// The six with the held joint at a value.
  SixTurns at(double value) const { return held < 0 ? six : six.with(six_of(chain, held, value)); }
};

/// What joints that were added may turn where they are to stand [rad].
inline constexpr double general_ik_stands = 1e-5;

/// Tables and functions that come before the function itself, in double.
std::string c_general_ik(const EliminatedArm&);

/// The statements of the function with the arguments R, p, of seven joints held, and the results branch, state.
std::string c_general_ik_body(const EliminatedArm&);

}  // namespace torsor
