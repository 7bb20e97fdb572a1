// C for all positions of six revolute joints of any geometry: the elimination of closed_form_ik/loop_elimination.hpp,
// whose pivots are chosen by value, as loops of C beside a table of the arm. The text is the same for every arm; the
// constants, and which cuts of the loop serve, are those that the library's solver found for this one.
#pragma once

#include <string>

#include "torsor/closed_form_ik/six_turns.hpp"
#include "torsor/model/model.hpp"

namespace torsor {

/// Solutions that there is room for.
inline constexpr int general_ik_rows = 16;

/// Tables and functions that come before the function itself, in double.
std::string c_general_ik(const SixTurns&, std::span<const Limits, 6>);

/// The statements of the function with the arguments R, p and the results branch, state.
std::string c_general_ik_body();

}  // namespace torsor
