// The angle [rad] after which a joint is back where it was.
#pragma once

#include <numbers>

namespace torsor {

inline constexpr double whole_turn = 2 * std::numbers::pi;

}  // namespace torsor
