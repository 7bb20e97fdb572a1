// Results that Python has as arrays over coefficients, joints or instants, by their lists of fields.
#pragma once

#include <algorithm>
#include <map>

#include "python/bindings/errors.hpp"
#include "python/bindings/results.hpp"
#include "torsor/identification/identification.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/mechanism_result.hpp"
#include "torsor/report/structure_result.hpp"

namespace torsor::python {

std::vector<std::string> coefficient_names(std::span<const Coefficient> coefficients, int n);
std::vector<std::string> snap_names(const std::vector<Snap>& snaps);

/// Which coefficients vanish; the sizes are of the workspace.
struct StructureArrays {
  StructureAnswer of;

  std::map<std::string, std::vector<bool>> levels() const;
  std::vector<bool> constant() const;
  std::vector<double> relative_size() const;
};

constexpr auto fields(Of<StructureArrays>) {
  using S = StructureArrays;
  return field_list(
      "Structure", "Which coefficients of the equations vanish, which are constant, and how large they get.",
      field("coefficients", "", "names of the independent ones: d12, c23(1), G4",
            [](const S& s) { return coefficient_names(s.of.numbers().coefficients, s.of.numbers().n); }),
      field("levels", "", "for each of them whether it is not identically zero, at every level of `nonzero`",
            &S::levels),
      field("constant", "", "whether it is the same in all positions", &S::constant),
      field("relative_size", "", "how large it gets over the workspace, relative to what its kind allows",
            &S::relative_size),
      field("snaps", "", "numbers near special ones (1.5708) that were taken as these",
            [](const S& s) { return snap_names(s.of.robot.snaps); }),
      field("snap_effect", "", "what that does to the torques, over random states, relative to their size",
            [](const S& s) { return s.of.snap_effect.relative; }),
      field("log2_error", "", "base-2 logarithm of the probability that any zero is wrong",
            [](const S& s) { return s.of.numbers().error.log2_error; }));
}

/// What both surveys have.
struct SpreadArrays {
  std::vector<Spread> values, dominance, coupling;

  static std::vector<double> numbers(const std::vector<Spread>& spreads, double Spread::*which);
  /// Symmetric, 1 on the diagonal; k_ij is at [i n + j], i < j.
  NumberArray coupling_matrix(double Spread::*which) const;
};

constexpr auto fields(Of<SpreadArrays>) {
  using S = SpreadArrays;
  const auto values = [](double Spread::*which) { return [which](const S& s) { return S::numbers(s.values, which); }; };
  const auto coupling = [](double Spread::*which) { return [which](const S& s) { return s.coupling_matrix(which); }; };
  return field_list(
      "SpreadArrays", "", field("least", "", "of each coefficient", values(&Spread::least)),
      field("mean", "", "", values(&Spread::mean)), field("most", "", "", values(&Spread::most)),
      field("dominance", "", "per joint: largest sum over j of |d_ij| / d_ii; diagonally dominant below 1",
            [](const S& s) { return S::numbers(s.dominance, &Spread::most); }),
      field("coupling_mean", "", "(n, n): of |d_ij| / sqrt(d_ii d_jj)", coupling(&Spread::mean)),
      field("coupling_largest", "", "", coupling(&Spread::most)));
}

struct WorkspaceArrays {
  std::string robot;
  std::vector<std::string> coefficients;
  SpreadArrays spreads;
  std::vector<double> scales;
  NumberArray q;
};

constexpr auto fields(Of<WorkspaceArrays>) {
  using W = WorkspaceArrays;
  return field_list(
      "WorkspaceSurvey", "Every coefficient of the equations over random positions; joints with a coordinate each.",
      field("robot", "", "", &W::robot),
      field("coefficients", "", "the independent ones: 'd12', 'c23(1)', 'G4'", &W::coefficients),
      fields_of_part(&W::spreads),
      field("scales", "", "what the size of each coefficient is compared with: as large as its kind allows",
            &W::scales),
      field("q", "", "(positions, n): all that were looked at", &W::q));
}

struct NamedPassage {
  std::string coefficient;
  ZeroPassage of;
};

constexpr auto fields(Of<NamedPassage>) {
  using P = NamedPassage;
  return row_list("ZeroPassage", "When a coefficient is zero: for an instant, or for a while (s).",
                  field("coefficient", "", "", &P::coefficient),
                  field("start", "", "", [](const P& p) { return p.of.from; }),
                  field("end", "", "", [](const P& p) { return p.of.to; }),
                  field("changes_sign", "", "", [](const P& p) { return p.of.changes_sign; }));
}

struct MotionArrays {
  std::string robot;
  std::vector<std::string> coefficients;
  MotionSurvey survey;
  std::vector<std::string> snaps;
  double snap_effect = 0;
  SpreadArrays spreads{survey.values, survey.dominance, survey.coupling};

  std::vector<NamedPassage> zeros() const;
  std::vector<std::string> idle() const;
  NumberArray terms(std::vector<double> TorqueSplit::*which) const;
};

constexpr auto fields(Of<MotionArrays>) {
  using M = MotionArrays;
  const auto terms = [](std::vector<double> TorqueSplit::*which) {
    return [which](const M& m) { return m.terms(which); };
  };
  return field_list(
      "MotionSurvey", "Every coefficient of the equations along a motion.", field("robot", "", "", &M::robot),
      field("coefficients", "", "", &M::coefficients),
      field("t", "", "(instants,), s", [](const M& m) { return m.survey.times; }), fields_of_part(&M::spreads),
      field("zeros", "", "of those that do not vanish identically", &M::zeros),
      field("idle", "", "that do not vanish identically, but all along this motion", &M::idle),
      field("inertia", "", "(instants, n): the part D qdd of the torques", terms(&TorqueSplit::inertia)),
      field("velocity", "", "", terms(&TorqueSplit::velocity)), field("gravity", "", "", terms(&TorqueSplit::gravity)),
      field("snaps", "", "numbers near special ones (1.5708) that were taken as these", &M::snaps),
      field("snap_effect", "", "what that does to the torques, over random states, relative to their size",
            &M::snap_effect));
}

/// Small motions of a mechanism.
struct ModeArrays {
  Linearisation of;

  std::size_t n() const { return static_cast<std::size_t>(of.freedoms); }
};

constexpr auto fields(Of<ModeArrays>) {
  using M = ModeArrays;
  const auto modes = [](auto number) {
    return [number](const M& m) {
      std::vector<std::remove_cvref_t<decltype(number(m.of.modes[0]))>> out;
      for (const Mode& mode : m.of.modes) out.push_back(number(mode));
      return out;
    };
  };
  return field_list(
      "Modes", "Small motions z'' = -K z - D z' along the degrees of freedom.",
      field("degrees_of_freedom", "", "", [](const M& m) { return m.of.freedoms; }),
      field("K", "1/s^2", "(dof, dof); where something rolls with more columns, one per degree of freedom of position",
            [](const M& m) {
              return NumberArray{m.of.K, {m.n(), static_cast<std::size_t>(m.of.positions)}};
            }),
      field("D", "1/s", "",
            [](const M& m) {
              return NumberArray{m.of.D, {m.n(), m.n()}};
            }),
      field("state_space", "", "", [](const M& m) { return m.of.state_space; }),
      field("moving", "", "about a motion, not about rest", [](const M& m) { return m.of.moving; }),
      field("unsteady", "", "why that motion is no steady one; empty: it is", [](const M& m) { return m.of.unsteady; }),
      field("uncertain", "", "which eigenvalues have few digits, and why; empty: none",
            [](const M& m) { return m.of.uncertain; }),
      field("s", "1/s", "eigenvalues; of a pair the one with positive imaginary part only",
            modes([](const Mode& mode) { return mode.s; })),
      field("frequencies", "Hz", "0 of one that does not oscillate",
            modes([](const Mode& mode) { return mode.frequency; })),
      field("damping", "", "ratios", modes([](const Mode& mode) { return mode.damping; })),
      field("left_over", "",
            "largest acceleration at the state, mass-normalised (kg^(1/2) m/s^2): 0 at rest, in steady motion",
            [](const M& m) { return m.of.left_over; }));
}

struct NamedFit {
  std::string name;
  JointFit of;
};

constexpr auto fields(Of<NamedFit>) {
  using F = NamedFit;
  const auto of = [](double JointFit::*which) { return [which](const F& f) { return f.of.*which; }; };
  return row_list("JointFit", "How well a joint of the record is explained.", field("name", "", "", &F::name),
                  field("rows", "", "", [](const F& f) { return f.of.rows; }),
                  field("resting", "", "rows left out, since it rested", [](const F& f) { return f.of.resting; }),
                  field("noise", "", "standard deviation of the residual", of(&JointFit::noise)),
                  field("size", "", "rms of its torque where fitted", of(&JointFit::size)),
                  field("fit", "", "rms of the residual, relative to that", of(&JointFit::fit)),
                  field("held_size", "", "the same of the part that was kept back", of(&JointFit::held_size)),
                  field("held_fit", "", "", of(&JointFit::held_fit)),
                  field("held_file", "", "with the parameters of the file", of(&JointFit::held_file)));
}

struct IdentifiedArrays {
  const Model<double>& model;  // whose torques are recorded
  const Model<double>& tree;   // whose parameters are found: of all joints, with loops
  Identification of;
  Faults doubts = {};
  RobotValue robot = {};
  Faults faults = {};

  std::vector<DynamicParameter> base() const;
  std::vector<std::string> names() const;
  std::vector<std::string> units() const;
  std::vector<std::string> unexcited() const;
  std::vector<NamedFit> joints() const;
};

constexpr auto fields(Of<IdentifiedArrays>) {
  using I = IdentifiedArrays;
  const auto of = [](auto which) { return [which](const I& i) { return i.of.*which; }; };
  return field_list(
      "Identification", "Base parameters from a record.", field("names", "", "", &I::names),
      field("units", "", "", &I::units), field("file", "", "their values by the file", of(&Identification::file)),
      field("value", "", "", of(&Identification::value)),
      field("deviation", "", "standard deviation", of(&Identification::deviation)),
      field("inflation", "", "deviation over what it would be if all others were known",
            of(&Identification::inflation)),
      field("unexcited", "", "", &I::unexcited), field("joints", "", "", &I::joints),
      field("condition", "", "", of(&Identification::condition)), field("rounds", "", "", of(&Identification::rounds)),
      field("settled", "", "", of(&Identification::settled)),
      field("fitted", "", "instants", of(&Identification::fitted)),
      field("held_out", "", "", of(&Identification::held_out)),
      field("robot", "", "with these parameters; None where there is none", &I::robot),
      field("faults", "", "why there is none", &I::faults),
      field("implausible", "", "why the torques cannot be those of this robot", &I::doubts));
}

}  // namespace torsor::python
