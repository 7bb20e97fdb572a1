// The numbers of a controller: its gains, the impedance of the tool, and what its model of the arm leaves out.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace torsor {

/// Feedback of errors as accelerations: kp [1/s^2] and kv [1/s]. Laws without a mass matrix multiply by constant
/// inertias.
struct ControlGains {
  double kp = 2500, kv = 100;
};

/// What the tool is to feel like. Diagonals along the axes of the wanted tool, the three angular entries
/// first: kg m^2 and kg,
/// N m s/rad and N s/m, N m/rad and N/m.
struct Impedance {
  std::array<double, 6> mass{}, damping{}, stiffness{};
};

/// What a controller's model keeps, see controller_model.hpp.
enum class ControllerKind { full, no_coriolis, gravity, reduced };

inline constexpr std::string_view controller_kind_names[] = {"full", "no-coriolis", "gravity", "reduced"};

constexpr std::string_view kind_name(ControllerKind kind) {
  return controller_kind_names[static_cast<std::size_t>(kind)];
}

/// The kind of that name.
constexpr std::optional<ControllerKind> controller_kind(std::string_view name) {
  for (std::size_t k = 0; k < std::size(controller_kind_names); ++k)
    if (controller_kind_names[k] == name) return static_cast<ControllerKind>(k);
  return std::nullopt;
}

}  // namespace torsor
