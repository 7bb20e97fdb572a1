// Identification of a robot's parameters from a record of its motion and torques, by weighted least squares in the base
// parameters. What is solved for is the change d of the base parameters from those of the robot file,
//
//   tau - tau_file(q, qd, qdd) = Y_b(q, qd, qdd) d + noise,    b = b_file + d
//
// so that whatever is no parameter (friction tables, coupled rotors) is taken as the file has it. The equations of each
// joint are compressed into a triangle (row_triangle.hpp); each is weighted by its own noise, which is estimated from
// what the solution leaves, until nothing changes:
//
//   sigma_j^2 = |residual_j|^2 / (rows_j - h_j),    C = (sum_j Y_j^T Y_j / sigma_j^2)^-1,    deviation_k = sqrt(C_kk)
//
// h_j is the share of the parameters that the rows of joint j determine (the trace of its part of the hat matrix). The
// deviations hold for noise that is independent from row to row; filtered or oversampled records promise too much.
// W. Khalil & E. Dombre, Modeling, Identification and Control of Robots (2002), ch. 12.
#pragma once

#include "torsor/identification/consistent_parameters.hpp"
#include "torsor/dynamics/torque_rows.hpp"

namespace torsor {

struct IdentificationOptions {
  double held_out = 0.25;  // share of the record, at its end, that is kept for validation; 0 to 0.9
  double rest_speed = 0;   // a joint no faster than this tells nothing of its dry friction: its rows are left out
  bool at_motors = false;  // the torques are those of the motors (transmission.hpp)
  double excited = 1e-8;   // of a column's length: what must be left of it when the others are taken out
  std::uint64_t seed = 1;  // of the states that the base parameters are found with
  std::vector<bool> passive{};  // coordinates without a motor, beside those of a free body; empty: none
};

/// One joint (or motor) of the record.
struct JointFit {
  long long rows = 0;        // equations used
  long long resting = 0;     // left out, since it rested
  double noise = 0;          // sigma: standard deviation of what is left of its torque
  double size = 0, fit = 0;  // rms of its torque where fitted; rms of what is left, relative to that
  double held_size = 0;      // the same for the part that was kept back, and with the file's parameters
  double held_fit = 0, held_file = 0;
  double inertia = 0, inertia_deviation = 0;  // M_jj of the identified robot where it is least along the record
  int like = -1;  // of the other joints the one whose recorded torque is most like what the file expects of this one
  double like_left = 0, own_left = 0;  // what that expectation leaves of it, and of this joint's own, relative to them

  /// What validates it, relative to the torque: of the part kept back, if there is one.
  double left() const { return held_size > 0 ? held_fit : fit; }
};

struct Identification {
  BaseParameters base;
  std::vector<double> file, value, deviation;  // base parameters: of the file, identified, and how sure
  std::vector<double> inflation;  // deviation over what it would be if all others were known: 1 for independent columns
  std::vector<int> unexcited;     // base parameters that this motion cannot tell from the others: left as in the file
  std::vector<JointFit> joints;
  std::vector<int> opposite;  // joints whose torques have the other sign: with theirs turned the record is one of bodies
  double condition = 1;  // of the weighted equations, columns of unit length
  int rounds = 0;        // of weighting
  bool settled = true;
  std::size_t fitted = 0, held_out = 0;  // instants
  BaseKnowledge known;                   // the base parameters as weighted equations, and those of each joint
  std::vector<RowTriangle> equations;    // for their change from the file's

  int count() const { return static_cast<int>(value.size()); }
};

/// Identifies the base parameters of these parameters from a record of the model's motion; or the faults of a record
/// that has too few rows. A motion that does not excite all of them is told in `unexcited`. The rows, of which
/// there is a survey, are gone through once and not kept.
/// With loops the record is one of independent joints, the parameters are those of the tree (RobotRegressor).
Result<Identification> identify(const RegressorSubject&, std::vector<DynamicParameter>, TorqueRows&,
                                const RecordSurvey&, const IdentificationOptions& = {});
Result<Identification> identify(const RegressorSubject&, std::vector<DynamicParameter>,
                                const std::vector<TorqueSample>&, const IdentificationOptions& = {});

/// Why this is no identification of this robot: a joint of whose torque next to nothing is explained, whose own motion
/// would take a negative inertia, or whose torque by the file is in the column of another. Columns of torques that were
/// exchanged show so; of torques with the other sign it is said that they have it. The model is that of the coordinates.
Faults implausible(const Model<double>&, const Identification&);

/// Whether the own motion of a joint would take a negative inertia, beyond the noise.
bool negative_inertia(const Identification&, int joint);

/// A body next to impossible ones: it has no extent along some direction, so that its matter seems too dense.
struct BoundaryBody {
  int body = -1;
  double margin = 0;  // least eigenvalue of its pseudo-inertia over the largest, in its own unit of length
};

/// A full set of parameters that a robot can have.
struct IdentifiedSet {
  std::vector<double> phi;      // of identification.base.parameters: as near to the file as can be
  std::vector<int> impossible;  // bodies of the model that could not be what the estimates make of them
  // then this is the possible set of least misfit (consistent_parameters.hpp), which is not looked for where torques have
  // the other sign, and pays for it:
  bool constrained = false;
  std::vector<int> at_bound;  // places in phi: friction and rotors held at zero, breakaway held at the level of sliding
  std::vector<BoundaryBody> on_boundary;  // bodies that the record would have beyond
  std::vector<double> base;     // its base parameters
  std::vector<double> fit;      // of each joint, rms of what is left over that of its torque, as JointFit::fit
  double misfit = 0;            // |R (base - identified)|^2: what is added to the weighted sum of squares

  /// How far a base parameter is from the estimate, in deviations of that.
  double off(const Identification&, int k) const;
};

IdentifiedSet identified_set(const Model<double>& file, const Identification&);

}  // namespace torsor
