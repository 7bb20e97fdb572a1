#include "torsor/numeric/integrator.hpp"

#include <algorithm>
#include <array>

namespace torsor {
namespace {

constexpr std::array rows{
    IntegratorRow{"semi-implicit", "semi-implicit Euler, fixed steps", 1, false, false, false, semi_implicit},
    IntegratorRow{"rk4", "Runge-Kutta, fixed steps", 4, false, false, false, runge_kutta_4},
    IntegratorRow{"dormand-prince", "Dormand-Prince 8(5,3), steps by its error estimate", 8, true, false, false,
                  dormand_prince},
    IntegratorRow{"gauss", "Gauss collocation, fixed steps, symplectic", 6, false, true, true, gauss},
    IntegratorRow{"radau", "Radau IIA, for stiff systems, steps by its error estimate", 5, true, true, false, radau},
};

}  // namespace

std::span<const IntegratorRow> integrators() { return rows; }

const IntegratorRow* find_integrator(std::string_view name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const IntegratorRow& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace torsor
