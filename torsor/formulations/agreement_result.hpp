// The lists of fields of an agreement: fields.hpp says what is made from them.
#pragma once

#include "torsor/dynamics/snap_result.hpp"
#include "torsor/fields.hpp"
#include "torsor/formulations/agreement.hpp"

namespace torsor {

constexpr auto fields(Of<Disagreement>) {
  using D = Disagreement;
  return field_list("Disagreement", "Where a comparison is worst.",
                    field("disagreement", "", "max |dtau| / max (|D qdd| + |h| + |g|)", &D::measure),
                    field("joint", "", "None where nothing differs", [](const D& d) { return d.if_any(d.joint); }),
                    field("q", "", "the state", &D::q), field("qd", "", "", &D::qd), field("qdd", "", "", &D::qdd),
                    field("tau_first", "", "N m or N, there", [](const D& d) { return d.if_any(d.first); }),
                    field("tau_second", "", "of other questions than inverse dynamics: what is off",
                          [](const D& d) { return d.if_any(d.second); }));
}

constexpr auto fields(Of<CertifiedRow>) {
  using C = CertifiedRow;
  return field_list(
      "CertifiedRow", "A row of a catalogue and how it did, beside the first of its question.",
      field("question", "", "inverse, coefficients, christoffel, mass or gravity",
            [](const C& c) { return question_name(c.question); }),
      field("name", "", "", &C::name), field("source", "", "", &C::source),
      field("frames", "", "tree, standard DH or modified DH", [](const C& c) { return frames_name(c.frames); }),
      field("complexity", "", "", &C::complexity), fields_of_part(&C::worst),
      field("reason", "", "why it does not serve the robot; None if it does",
            [](const C& c) { return c.refused.empty() ? std::nullopt : std::optional(c.refused); }));
}

constexpr auto fields(Of<CertifiedPair>) {
  return field_list("CertifiedPair", "Two formulations of inverse dynamics, and where they differ most.",
                    field("first", "", "", &CertifiedPair::first), field("second", "", "", &CertifiedPair::second),
                    fields_of_part(&CertifiedPair::worst));
}

constexpr auto fields(Of<Agreement>) {
  using A = Agreement;
  return field_list(
      "Agreement", "Every formulation against every other, over random states of one robot.",
      field("robot", "", "", &A::robot), field("states", "", "how many", &A::states),
      field("seed", "", "of them", &A::seed), field("worst", "", "of all", &A::worst),
      field("formulations", "", "all that were run, those of inverse dynamics first", &A::rows),
      field("names", "", "of the formulations of inverse dynamics", &A::names),
      field("matrix", "", "(names, names): the worst disagreement of each pair", &A::matrix),
      field("pairs", "", "the same with the states", &A::named_pairs),
      field("refused", "", "those that do not serve the robot, with the reason", &A::refused),
      field("snaps", "", "geometry that was taken as special: none, all forms are of the robot as typed", &A::snaps));
}

}  // namespace torsor
