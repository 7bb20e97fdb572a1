// Dominance as a plain result: where inertias, velocity torques and torques come from, without the curves.
#pragma once

#include "torsor/fields.hpp"
#include "torsor/reduction/dominance.hpp"

namespace torsor {

constexpr auto fields(Of<DominancePart>) {
  using P = DominancePart;
  return field_list("DominancePart", "A part of a quantity.", field("name", "", "translation, 'D12 qdd2'", &P::name),
                    field("share", share_unit, "of the sum of magnitudes", &P::share),
                    field("peak", "", "largest magnitude", &P::peak));
}

constexpr auto fields(Of<DominanceRow>) {
  using R = DominanceRow;
  return field_list(
      "DominanceRow", "A quantity that is the sum of its parts.", field("name", "", "D12, h3, tau4", &R::name),
      field("dominant", "", "the part with 90 % or more; mixed; zero", &R::verdict), field("parts", "", "", &R::parts));
}

/// Along a motion, or over random states inside their limits.
struct DominanceResult {
  std::string robot;
  std::optional<std::string> motion;
  std::optional<long long> seed;
  std::optional<std::vector<double>> speeds, accelerations;
  std::size_t states = 0;
  Dominance parts;
};

constexpr auto fields(Of<DominanceResult>) {
  using R = DominanceResult;
  return field_list("DominanceResult", "Where inertias and torques come from.", field("robot", "", "", &R::robot),
                    field("motion", "", "its name", &R::motion).or_absent(),
                    field("seed", "", "of random states", &R::seed).or_absent(),
                    field("speeds", "", "their limits", &R::speeds).or_absent(),
                    field("accelerations", "", "", &R::accelerations).or_absent(),
                    field("states", "", "how many", &R::states),
                    field("inertia", "", "D_ij, i <= j", [](const R& r) { return r.parts.inertia; }),
                    field("velocity", "", "h_i", [](const R& r) { return r.parts.velocity; }),
                    field("torque", "", "tau_i", [](const R& r) { return r.parts.torque; }));
}

/// A part beside the quantity that it is of.
struct Share {
  std::string quantity;
  DominancePart of;
};

constexpr auto fields(Of<Share>) {
  using S = Share;
  return row_list("Share", "What a part has in a quantity of the equations.",
                  field("quantity", "", "D12, h3, tau4", &S::quantity),
                  field("part", "", "translation, rotation, rotors; 'D12 qdd2', gravity, ...",
                        [](const S& s) { return s.of.name; }),
                  field("share", "", "from 0 to 1", [](const S& s) { return s.of.share; }),
                  field("peak", "", "largest magnitude", [](const S& s) { return s.of.peak; }));
}

}  // namespace torsor
