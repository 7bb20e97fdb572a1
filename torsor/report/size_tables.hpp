// The tables of a sizing, in parts: joints, motors, gear ratios.
#pragma once

#include <utility>

#include "torsor/report/size_report.hpp"

namespace torsor {

std::vector<TextTable> joint_tables(const SizingResult& sized, const LimitWatch& limits, const SizingFacts& facts,
                                    const PrintStyle& print);
/// Without motors none.
std::vector<TextTable> motor_tables(const SizingResult& sized, const PrintStyle& print);
/// The summary first, then quantities of all motors by ratio; without a sweep none.
std::vector<TextTable> ratio_tables(const SizingResult& sized, const PrintStyle& print);

/// The largest share of a limit of the robot file of torques and rates, and whose it is; 0 where there are none.
std::pair<double, std::string> nearest_limit(const LimitWatch& limits);
/// Whether such a share is the whole limit as it is shown, so that no factor is left.
constexpr bool just_kept(double share) { return share >= 0.995; }

}  // namespace torsor
