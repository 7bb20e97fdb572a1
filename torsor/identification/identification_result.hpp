// What an identification found, as a plain result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "torsor/fields.hpp"

namespace torsor {

/// One joint (or motor) of the record; residuals are relative to the torque, none where there is no torque.
struct IdentifiedJoint {
  std::string name, unit;
  long long equations = 0, resting = 0;
  double rms = 0, noise = 0;
  std::optional<double> residual, written;
  std::optional<std::optional<double>> held_out, held_out_file;  // where a part of the record was kept back
};

constexpr auto fields(Of<IdentifiedJoint>) {
  using J = IdentifiedJoint;
  return field_list(
      "IdentifiedJoint", "How well a joint of the record is explained.", field("name", "", "", &J::name),
      field("unit", "", "N m or N", &J::unit), field("equations", "", "used", &J::equations),
      field("resting", "", "left out, since it rested", &J::resting), field("rms", "", "of its torque", &J::rms),
      field("noise", "", "standard deviation of the residual", &J::noise),
      field("residual", share_unit, "rms", &J::residual),
      field("residual_written", share_unit, "with the parameters that are written", &J::written),
      field("residual_held_out", share_unit, "of the part that was kept back", &J::held_out).or_absent(),
      field("residual_held_out_file", share_unit, "with the parameters of the file", &J::held_out_file).or_absent());
}

struct IdentifiedBaseParameter {
  std::string name, unit, combination;
  double file = 0, value = 0, deviation = 0, inflation = 1, written = 0;
  std::string verdict;
};

constexpr auto fields(Of<IdentifiedBaseParameter>) {
  using P = IdentifiedBaseParameter;
  return field_list(
      "IdentifiedBaseParameter", "A base parameter.", field("name", "", "", &P::name), field("unit", "", "", &P::unit),
      field("combination", "", "of parameters", &P::combination), field("file", "", "its value by the file", &P::file),
      field("value", "", "identified", &P::value), field("deviation", "", "standard deviation", &P::deviation),
      field("inflation", "", "of it, since the others are not known", &P::inflation),
      field("written", "", "to the robot file", &P::written), field("verdict", "", "or empty", &P::verdict));
}

struct IdentifiedParameter {
  std::string name, unit;
  double file = 0, value = 0;
};

constexpr auto fields(Of<IdentifiedParameter>) {
  using P = IdentifiedParameter;
  return field_list("IdentifiedParameter", "A parameter of the full set.", field("name", "", "", &P::name),
                    field("unit", "", "", &P::unit), field("file", "", "", &P::file),
                    field("value", "", "", &P::value));
}

struct BoundaryLink {
  std::string link;
  double margin = 0;
};

constexpr auto fields(Of<BoundaryLink>) {
  return field_list(
      "BoundaryLink", "A link on the boundary of possible bodies.", field("link", "", "", &BoundaryLink::link),
      field("margin", "", "least eigenvalue of the pseudo-inertia over the largest", &BoundaryLink::margin));
}

struct IdentificationResult {
  std::string robot, log;
  std::size_t fitted = 0, held_out = 0;
  bool derived = false, at_motors = false;
  double condition = 1;
  int rounds = 0;
  bool settled = true;
  std::vector<IdentifiedJoint> joints;
  std::vector<IdentifiedBaseParameter> base_parameters;
  std::vector<IdentifiedParameter> parameters;
  bool constrained = false;
  double misfit = 0;
  std::vector<std::string> at_bound;
  std::vector<BoundaryLink> on_boundary;
  bool physically_consistent = true;
  std::vector<std::string> findings;
};

constexpr auto fields(Of<IdentificationResult>) {
  using R = IdentificationResult;
  return field_list(
      "IdentificationResult", "Parameters of a robot from a record.", field("robot", "", "", &R::robot),
      field("log", "", "", &R::log), field("fitted", "", "instants", &R::fitted),
      field("held_out", "", "instants", &R::held_out), field("derived", "", "whether rates were", &R::derived),
      field("at_motors", "", "whether torques are those of motors", &R::at_motors),
      field("condition", "", "of the excitation", &R::condition), field("rounds", "", "of weighting", &R::rounds),
      field("settled", "", "", &R::settled), field("joints", "", "", &R::joints),
      field("base_parameters", "", "", &R::base_parameters), field("parameters", "", "the full set", &R::parameters),
      field("constrained", "", "whether it is the possible set of least misfit", &R::constrained),
      field("misfit", "", "what that adds to the weighted sum of squares", &R::misfit),
      field("at_bound", "", "parameters that are held there", &R::at_bound),
      field("on_boundary", "", "links that would be beyond", &R::on_boundary),
      field("physically_consistent", "", "", &R::physically_consistent), field("findings", "", "", &R::findings));
}

}  // namespace torsor
