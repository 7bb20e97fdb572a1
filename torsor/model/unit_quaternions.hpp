// The quaternions of a position from outside: unit up to a small slip, which is put right, or refused.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "torsor/model/model.hpp"

namespace torsor {

inline constexpr double quaternion_tolerance = 1e-3;

struct QuaternionFault {
  std::string what, remedy;
};

/// Brings every quaternion in q (nq) to unit length; a fault if one is farther from it than quaternion_tolerance.
std::optional<QuaternionFault> normalize_quaternions(const Model<double>& model, std::span<double> q);

}  // namespace torsor
