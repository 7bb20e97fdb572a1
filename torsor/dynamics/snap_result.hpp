// Numbers of a robot that were taken as the special ones they are close to, and what that does to its torques, as parts of results.
#pragma once

#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/fields.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

constexpr auto fields(Of<Snap>) {
  return row_list("Snap", "A number that was taken as the special one it is close to.",
                  field("what", "", "", &Snap::what), field("residual", "", "between them", &Snap::residual),
                  field("unit", "", "rad or m", [](const Snap& s) { return s.is_angle ? "rad" : "m"; }));
}

constexpr auto fields(Of<TorqueDifference>) {
  using D = TorqueDifference;
  return field_list("TorqueDifference", "How far the torques of two robots are apart, over random states.",
                    field("relative", "", "largest difference by the size of the torques", &D::relative),
                    field("effort", "", "the largest itself, N m or N", &D::effort),
                    field("joint", "", "where", &D::joint));
}

namespace detail {
/// The field snap_effect of a result that has snaps.
template <class R>
constexpr auto snap_effect_field() {
  return field("snap_effect", "", "what that does to the torques; None where nothing was snapped", [](const R& r) {
    return r.snaps.empty() ? std::nullopt : std::optional<TorqueDifference>(r.snap_effect);
  });
}
}  // namespace detail

}  // namespace torsor
