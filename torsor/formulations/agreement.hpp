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
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/formulations/catalogue.hpp"
#include "torsor/model/geometry.hpp"

namespace torsor {

struct NumberArray;

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

/// Two formulations of inverse dynamics.
struct CertifiedPair {
  std::string_view first, second;
  Disagreement worst;
};

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

/// Runs every row of every catalogue over `states` states of that seed: positions inside the limits, speeds inside
/// theirs (2 rad/s or m/s where there are none), accelerations up to 2 rad/s^2 or m/s^2. `inverse` are the formulations
/// to be paired; fast/certificate.hpp adds the paths that have no row in the catalogues.
Agreement certify_agreement(RobotForms<double>& forms, int states, std::uint64_t seed = 1,
                            std::span<const InverseFormulation<double>> inverse = inverse_formulations<double>(),
                            std::span<const MassFormulation<double>> mass = mass_formulations<double>(),
                            std::span<const GravityFormulation<double>> gravity = gravity_formulations<double>());

}  // namespace torsor
