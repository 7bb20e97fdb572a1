// The proof that all formulations of inverse dynamics are one: run over Poly, on a robot with letters for its numbers,
// positions, velocities and accelerations, each gives tau as polynomials, and these are the same.
//
// Where multiplying out meets the limits of polynomials or would take too long, the two are compared in random points
// modulo random primes instead (random_point.hpp).
#pragma once

#include "torsor/dynamics/snap_result.hpp"
#include "torsor/formulations/catalogue.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

enum class Proof { polynomial, finite_field };
inline const char* status_name(Proof proof) { return proof == Proof::polynomial ? "polynomial" : "finite field"; }

struct ProvenRow {
  std::string_view name, source;
  Frames frames = Frames::tree;
  Proof proof = Proof::polynomial;
  std::size_t terms = 0;  // of all tau_i together, by polynomials
  bool equal = false;     // to the first row
  int coordinate = -1;    // where it differs first
  std::string limit;      // why not by polynomials
  double seconds = 0;

  template <class T>
  std::optional<T> if_by(Proof wanted, const T& x) const {
    return proof == wanted ? std::optional(x) : std::nullopt;
  }
};

constexpr auto fields(Of<ProvenRow>) {
  using P = ProvenRow;
  return row_list(
      "ProvenRow", "A formulation of inverse dynamics and its proof.", field("name", "", "", &P::name),
      field("source", "", "", &P::source), field("equal", "", "to the first", &P::equal),
      field("proof", "", "polynomial or finite field", &P::proof), field("seconds", "s", "it took", &P::seconds),
      field("terms", "", "of all torques together, by polynomials",
            [](const P& p) { return p.if_by(Proof::polynomial, p.terms); }),
      field("limit", "", "why not by polynomials", [](const P& p) { return p.if_by(Proof::finite_field, p.limit); }));
}

struct RefusedRow {
  std::string_view name;
  std::string reason;
};

constexpr auto fields(Of<RefusedRow>) {
  return row_list("RefusedRow", "A formulation that does not serve a robot.", field("name", "", "", &RefusedRow::name),
                  field("reason", "", "", &RefusedRow::reason));
}

struct ExactAgreement {
  std::string robot;
  std::size_t letters = 0, angles = 0;
  std::vector<Snap> snaps;       // numbers near special ones that were taken as these
  TorqueDifference snap_effect;  // what that does to the torques
  std::vector<ProvenRow> rows;  // the first one is what the others are held against
  std::vector<RefusedRow> refused;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> primes;  // of the finite-field proofs
  double log2_error = 0;              // of one such proof

  bool holds() const;
};

constexpr auto fields(Of<ExactAgreement>) {
  using E = ExactAgreement;
  return field_list(
      "ExactAgreement", "Whether all formulations are the same polynomials.", field("robot", "", "", &E::robot),
      field("holds", "", "whether they are", &E::holds), field("letters", "", "of the polynomials", &E::letters),
      field("angles", "", "whose sines and cosines stand in them", &E::angles),
      field("snaps", "", "numbers near special ones (1.5708) that were taken as these", &E::snaps),
      detail::snap_effect_field<E>(),
      field("formulations", "", "the first is what the others are held against", &E::rows),
      field("refused", "", "those that do not serve the robot", &E::refused), field("seed", "", "", &E::seed),
      field("log2_error", "", "of a proof in finite fields: that it is wrong", &E::log2_error));
}

struct ProofOptions {
  std::size_t most_terms = 10'000'000;
  std::size_t most_products = 20'000'000;  // of two terms, for one formulation: some seconds
  std::uint64_t seed = 1985;
  bool finite_field_only = false;
};

/// Every formulation that accepts the robot, which must have letters for its rates.
ExactAgreement agree_exact(const SymbolicRobot&, const ProofOptions& = {});

}  // namespace torsor
