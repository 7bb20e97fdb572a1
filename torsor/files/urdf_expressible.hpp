// What of a robot fits into a URDF.
#pragma once

#include <optional>
#include <string_view>

#include "torsor/model/description.hpp"

namespace torsor::detail {

/// Everything of the robot that a URDF has no words for; `model` is the one built from it.
Faults inexpressible(const Description&, const Model<double>& model);

/// What viscous and dry friction, the same in both directions, cannot say of a law; empty if nothing.
std::string_view beyond_two_coefficients(const Friction<double>& law);

/// Reductions of a differential: motors a, joints n.
struct Differential {
  double a[2], n[2];
};

/// The differential that a coupling matrix describes, if it does.
std::optional<Differential> as_differential(const TransmissionDescription&);

}  // namespace torsor::detail
