// The certificate: do all formulations of the catalogues say the same of one robot? Every inverse formulation that
// serves the robot is run at random states inside its limits, and each pair is compared by
//
//   max_i |tau_i - tau'_i| / max_i (|D qdd| + |h| + |g|)_i,
//
// so that a joint that happens to be at rest weighs nothing. The rows of the other questions (coefficients, Christoffel
// symbols, mass matrix, gravity) are held against the tree's by the torques that their differences are worth at the
// state: sum_j |dD_ij qdd_j|, sum_km |dh_ikm qd_k qd_m|, |dc_i|, over the same denominator.
#pragma once

#include <cstdint>

#include "torsor/dynamics/snap_result.hpp"
#include "torsor/formulations/catalogue.hpp"

namespace torsor {

/// Where a comparison is worst: the measure (infinite if a result is not finite), the coordinate, both torques there,
/// and the state.
struct Disagreement {
  double measure = 0;
  std::string joint;
  double first = 0, second = 0;  // N m or N; of other questions than the inverse: the tree's, and what is off
  std::vector<double> q, qd, qdd;

  template <class T>
  std::optional<T> if_any(const T& x) const {
    return measure > 0 ? std::optional(x) : std::nullopt;
  }
};

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

/// A row of a catalogue and how it did; `refused` is empty for those that were run.
struct CertifiedRow {
  Question question;
  std::string_view name, source, complexity;
  Frames frames;
  std::string refused;
  Disagreement worst;  // against the first of its question that serves; of the first itself: nothing
};

/// "inverse", "coefficients", "christoffel", "mass", "gravity".
std::string_view question_name(Question);
/// "tree", "standard DH", "modified DH".
std::string_view frames_name(Frames);

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

/// Two formulations of inverse dynamics.
struct CertifiedPair {
  std::string_view first, second;
  Disagreement worst;
};

constexpr auto fields(Of<CertifiedPair>) {
  return field_list("CertifiedPair", "Two formulations of inverse dynamics, and where they differ most.",
                    field("first", "", "", &CertifiedPair::first), field("second", "", "", &CertifiedPair::second),
                    fields_of_part(&CertifiedPair::worst));
}

struct Agreement {
  std::string robot;
  int states = 0;
  std::uint64_t seed = 1;
  std::vector<CertifiedRow> inverse;  // those that were run, in the order of the catalogue
  std::vector<Disagreement> pairs;    // inverse.size() squared, row-major; only those above the diagonal are filled
  std::vector<CertifiedRow> others;   // rows of the other questions that were run
  std::vector<CertifiedRow> refused;  // rows of all questions that do not serve the robot
  std::vector<Snap> snaps;            // geometry taken as special in all forms, where that was asked for

  const Disagreement& pair(std::size_t a, std::size_t b) const { return pairs[a * inverse.size() + b]; }
  /// Of all that were run.
  Disagreement worst() const;
  std::vector<CertifiedRow> rows() const;
  std::vector<CertifiedPair> named_pairs() const;
  std::vector<std::string_view> names() const;
  NumberArray matrix() const;
};

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

/// Runs every row of every catalogue over `states` states of that seed: positions inside the limits, speeds inside
/// theirs (2 rad/s or m/s where there are none), accelerations up to 2 rad/s^2 or m/s^2. `inverse` are the formulations
/// to be paired; fast/certificate.hpp adds the paths that have no row in the catalogues.
Agreement certify_agreement(RobotForms<double>& forms, int states, std::uint64_t seed = 1,
                            std::span<const InverseFormulation<double>> inverse = inverse_formulations<double>(),
                            std::span<const MassFormulation<double>> mass = mass_formulations<double>(),
                            std::span<const GravityFormulation<double>> gravity = gravity_formulations<double>());

}  // namespace torsor
