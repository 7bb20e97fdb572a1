// The proof that all formulations of inverse dynamics are one: run over Poly, on a robot with letters for its numbers,
// positions, velocities and accelerations, each gives tau as polynomials, and these are the same.
//
// Where multiplying out meets the limits of polynomials or would take too long, the two are compared in random points
// modulo random primes instead (random_point.hpp).
#pragma once

#include "torsor/formulations/catalogue.hpp"
#include "torsor/symbolic/symbolic_robot.hpp"

namespace torsor {

enum class Proof { polynomial, finite_field };

struct ProvenRow {
  std::string_view name, source;
  Frames frames = Frames::tree;
  Proof proof = Proof::polynomial;
  std::size_t terms = 0;  // of all tau_i together, by polynomials
  bool equal = false;     // to the first row
  int coordinate = -1;    // where it differs first
  std::string limit;      // why not by polynomials
  double seconds = 0;
};

struct RefusedRow {
  std::string_view name;
  std::string reason;
};

struct ExactAgreement {
  std::vector<ProvenRow> rows;  // the first one is what the others are held against
  std::vector<RefusedRow> refused;
  std::uint64_t seed = 0;
  std::vector<std::uint64_t> primes;  // of the finite-field proofs
  double log2_error = 0;              // of one such proof

  bool holds() const;
};

struct ProofOptions {
  std::size_t most_terms = 10'000'000;
  std::size_t most_products = 20'000'000;  // of two terms, for one formulation: some seconds
  std::uint64_t seed = 1985;
  bool finite_field_only = false;
};

/// Every formulation that accepts the robot, which must have letters for its rates.
ExactAgreement prove_agreement(const SymbolicRobot&, const ProofOptions& = {});

}  // namespace torsor
