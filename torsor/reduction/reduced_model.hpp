// ReducedModel: the equations of motion of a serial arm as a list of terms, of which some were left out because they hardly
// matter where the arm is used. Plain numbers: it can be written to a file and read back.
//
//   tau'_i = sum_j D'_ij u'_j + sum_{j<=m} h'_jm(i) u_j u_m + G'_i        D'_ij, h'_jm(i), G'_i: sums of terms
//   term   = coefficient * powers of cosines and sines of angles and of displacements
//
// Joints with parallel axes are counted together, in the rates u of absolute angles, in which far fewer terms are needed:
// u_i = qd_i + u_p, where p is the joint before i with a parallel axis, and u_i = qd_i where there is none. Then
// tau_i = tau'_i + tau_k, k being the joint after i in the same row. An angle is the sum of one or several joints of such a row.
//
// ReducedDynamics evaluates it by tapes on which the terms share their factors (reduced_tapes.hpp). Friction is no part of it.
#pragma once

#include <compare>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "torsor/model/model.hpp"
#include "torsor/numeric/dense.hpp"

namespace torsor {

enum class TermPart { inertia, velocity, gravity };

/// A power of a cosine or sine of an angle, by its number among the angles, or of the displacement of a slide, by its joint.
struct TermFactor {
  enum class Kind { cosine, sine, slide } kind = Kind::cosine;
  int index = 0, exponent = 1;

  friend auto operator<=>(const TermFactor&, const TermFactor&) = default;  // NOLINT(modernize-use-nullptr)
};

/// One term of D'_ij (i <= j, it stands for that of D'_ji too), of h'_jm(i) (j <= m), or of G'_i.
struct TorqueTerm {
  TermPart part = TermPart::inertia;
  int i = 0, j = 0, m = 0;
  double coefficient = 0;
  std::vector<TermFactor> factors;

  friend bool operator==(const TorqueTerm&, const TorqueTerm&) = default;
};

/// An entry of D', h' or G' as text: its indices, from 1, and the sum of its terms, `1.8774 - 0.32392 C23^2`.
struct ReducedEntry {
  std::vector<int> indices;
  std::string sum;
};

struct ReducedJoint {
  std::string name;
  bool prismatic = false;
  double offset = 0;  // what the table adds to q
  int previous = -1;  // the joint whose rate its own is counted from, before it; -1: none
};

/// From least to most.
struct StateRange {
  double low = 0, high = 0;
};

/// What is known about a reduced model: where it holds, and how well.
struct ReductionStatement {
  double tolerance = 0;                      // asked for
  std::vector<StateRange> q, qd, qdd;        // the ranges, per joint [rad or m, and per s, s^2]
  std::vector<double> scale;                 // per joint: the largest |tau| of the full model on the motion [N m or N]
  std::vector<double> on_motion;             // per joint: the largest error found on the motion, relative to scale
  std::vector<double> on_ranges;  // the same over the ranges: where `proven` a bound that no state in them exceeds
  std::vector<double> found = {};            // the largest that a search found there; empty where it is not known
  bool proven = false;                       // on_ranges is a bound by interval arithmetic; else found by search
  bool definite = false;                     // the mass matrix is positive definite on the ranges, as far as is known
  bool consistent = false;                   // h follows from D: dD/dt - 2C is skew
};

struct ReducedModel {
  std::string robot;
  std::vector<ReducedJoint> joints;
  std::vector<std::vector<int>> angles;  // the joints that each is the sum of
  std::vector<TorqueTerm> terms;
  ReductionStatement statement;
  std::vector<std::vector<double>> reference;  // reference_torques of the robot it was made from

  int size() const { return static_cast<int>(joints.size()); }
  /// The joint after i that counts its rate from i's; -1: none.
  int next(int i) const;
};

/// Whether a state lies in the ranges of the statement, up to rounding; an empty qd or qdd stands for zero.
bool holds_at(const ReductionStatement&, std::span<const double> q, std::span<const double> qd,
              std::span<const double> qdd);

/// Torques (nv each) of a robot at three states that are always the same, friction apart: by these it is known again. Joints
/// of one degree of freedom.
std::vector<std::vector<double>> reference_torques(const Model<double>&);

/// Why this is no reduced model of the robot; empty where it is: joints and reference torques are the same, and the error
/// stays within the one stated at random states of the ranges.
std::string mismatch(const ReducedModel&, const Model<double>&);

/// `C23`, `S4`, `d3`.
std::string factor_name(const ReducedModel&, const TermFactor&);

/// The dynamics of a reduced model over T: double, Interval, Trace. One object per thread; it allocates in its constructor only.
template <Ring T = double>
class ReducedDynamics {
 public:
  explicit ReducedDynamics(const ReducedModel& model);
  ~ReducedDynamics();
  ReducedDynamics(const ReducedDynamics&) = delete;
  ReducedDynamics& operator=(const ReducedDynamics&) = delete;

  /// tau (n) for q, qd, qdd (n each); no friction. An empty qd or qdd stands for zero.
  void inverse(std::span<const T> q, std::span<const T> qd, std::span<const T> qdd, std::span<T> tau);

  /// Everything but M qdd.
  void bias(std::span<const T> q, std::span<const T> qd, std::span<T> tau) { inverse(q, qd, {}, tau); }

  /// M(q), row-major n x n.
  void mass(std::span<const T> q, std::span<T> M);

  /// qdd (n) under tau, where M is positive definite: then -1; else qdd is not to be used, and the answer is the first
  /// coordinate whose pivot is not positive.
  int forward(std::span<const T> q, std::span<const T> qd, std::span<const T> tau,
              std::span<T> qdd) requires Decidable<T>;

  const ReducedModel& model() const { return model_; }

 private:
  struct Runs;  // the tapes, and numbers that go through them

  ReducedModel model_;
  std::unique_ptr<Runs> runs_;
};

}  // namespace torsor
