// What a reduction found, as a plain result.
#pragma once

#include "torsor/dynamics/snap_result.hpp"
#include "torsor/reduction/reduce.hpp"

namespace torsor {

constexpr auto fields(Of<ModelCost>) {
  return field_list("ModelCost", "What inverse dynamics costs, sines and cosines given.",
                    field("path", "", "formulation", &ModelCost::path),
                    field("multiplications", "", "", [](const ModelCost& c) { return c.count.multiplications; }),
                    field("additions", "", "", [](const ModelCost& c) { return c.count.additions; }));
}

/// How wrong a reduced model is for a joint, relative to scale, and for which ranges that holds.
struct ReducedJointError {
  std::string name;
  double scale = 0, on_motion = 0, on_ranges = 0, found = 0;
  StateRange q, qd, qdd;
};

constexpr auto fields(Of<ReducedJointError>) {
  using E = ReducedJointError;
  const auto from_to = [](StateRange E::*which) {
    return [which](const E& e) { return std::array{(e.*which).low, (e.*which).high}; };
  };
  return field_list("ReducedJointError", "How wrong a reduced model is for a joint, relative to scale.",
                    field("name", "", "", &E::name),
                    field("scale", "", "largest torque on the motion, N m or N", &E::scale),
                    field("error_on_motion", share_unit, "largest found on the motion", &E::on_motion),
                    field("error_on_ranges", share_unit, "bound over the ranges", &E::on_ranges),
                    field("error_found", share_unit, "largest found over the ranges", &E::found),
                    field("q", "", "from, to", from_to(&E::q)), field("qd", "", "from, to", from_to(&E::qd)),
                    field("qdd", "", "from, to", from_to(&E::qdd)));
}

constexpr auto fields(Of<ReducedEntry>) {
  return field_list("ReducedEntry", "An entry of the equations.",
                    field("indices", "", "from 1", &ReducedEntry::indices),
                    field("sum", "", "of its terms", &ReducedEntry::sum));
}

struct KeptTerm {
  std::string part;  // D, h or G
  std::vector<int> indices;
  double coefficient = 0;
  std::vector<std::string> factors;
  double share = 0;
};

constexpr auto fields(Of<KeptTerm>) {
  using T = KeptTerm;
  return field_list("KeptTerm", "A term of a reduced model.", field("part", "", "D, h or G", &T::part),
                    field("indices", "", "from 1", &T::indices), field("coefficient", "", "", &T::coefficient),
                    field("factors", "", "its powers written out", &T::factors),
                    field("share", share_unit, "in the torque that it matters most for", &T::share));
}

struct ReductionResult {
  std::string robot, motion;
  double tolerance = 0;
  std::optional<std::string> output;
  std::vector<Snap> snaps;
  TorqueDifference snap_effect;
  std::size_t terms = 0, terms_kept = 0;
  ModelCost cost;
  std::vector<ModelCost> full;
  bool definite = false;
  double least_eigenvalue = 0;
  bool consistent = false, proven = false;
  std::vector<ReducedJointError> joints;
  std::vector<ReducedEntry> D, h, G;
  std::vector<KeptTerm> kept;

  /// Of the multiplications of the cheapest way in full; negative where it takes more.
  double saved() const;
};

constexpr auto fields(Of<ReductionResult>) {
  using R = ReductionResult;
  return field_list(
      "ReductionResult", "The equations of a robot without what hardly matters on a motion.",
      field("robot", "", "", &R::robot), field("motion", "", "", &R::motion),
      field("tolerance", share_unit, "asked for", &R::tolerance),
      field("output", "", "file of the model", &R::output).or_absent(), field("snaps", "", "", &R::snaps),
      detail::snap_effect_field<R>().or_absent(), field("terms", "", "of the full model", &R::terms),
      field("terms_kept", "", "", &R::terms_kept), field("multiplications_saved", share_unit, "", &R::saved),
      field("cost", "", "", &R::cost), field("full", "", "by every formulation, the cheapest first", &R::full),
      field("positive_definite", "", "the mass matrix on the ranges, as far as is known", &R::definite),
      field("least_eigenvalue", "", "of the scaled mass matrix, found by search", &R::least_eigenvalue),
      field("consistent", "", "whether dD/dt - 2C is skew", &R::consistent),
      field("error_proven", "", "whether error_on_ranges is proven", &R::proven), field("joints", "", "", &R::joints),
      field("D", "", "", &R::D), field("h", "", "", &R::h), field("G", "", "", &R::G), field("kept", "", "", &R::kept));
}

/// output: the file that the model goes to. entries: of D, h and G.
ReductionResult reduction_result(const Reduction& reduction, const std::string& motion,
                                 const std::optional<std::string>& output,
                                 std::array<std::vector<ReducedEntry>, 3> entries);

}  // namespace torsor
