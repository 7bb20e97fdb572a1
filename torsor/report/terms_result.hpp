// Every term of the equations of motion at a state, as a plain result; of a robot with loops in its independent coordinates.
#pragma once

#include "torsor/fast/terms.hpp"
#include "torsor/report/state_result.hpp"

namespace torsor {

/// What acts through a joint, or through the joint that closes a loop.
struct ReactionResult {
  std::optional<std::string> link, joint, loop;
  Force<double> on;
  std::optional<bool> unique = {};  // with loops alone
};

constexpr auto fields(Of<ReactionResult>) {
  using R = ReactionResult;
  return field_list("Reaction", "Exerted on a link through its joint.", field("link", "", "", &R::link).or_absent(),
                    field("joint", "", "", &R::joint).or_absent(), field("loop", "", "", &R::loop).or_absent(),
                    field("force", "N", "along the axes of the joint's frame", [](const R& r) { return r.on.f; }),
                    field("moment", "N m", "about its origin", [](const R& r) { return r.on.n; }),
                    field("unique", "", "whether the equations of the loops determine it", &R::unique).or_absent());
}

struct TermsResult {
  StateResult state;
  std::vector<double> qdd;
  const Robot& robot;
  std::string tool;
  Terms terms;
  double closure_error = 0;

  bool loops() const { return robot.loops() != nullptr; }
  Vec3<double> mass_centre() const {
    const Energy<double>& e = terms.energy;
    return e.mass == 0 ? Vec3<double>{} : e.first_moment * (1 / e.mass);
  }
  std::vector<ReactionResult> reactions() const;
  std::vector<ReactionResult> loop_reactions() const;
};

constexpr auto fields(Of<TermsResult>) {
  using T = TermsResult;
  const auto matrix = [](std::vector<double> Terms::*which) {
    return [which](const T& t) { return matrix_of(t.terms.*which, t.terms.tau.size()); };
  };
  const auto vector = [](std::vector<double> Terms::*which) { return [which](const T& t) { return t.terms.*which; }; };
  const auto energy = [](double Energy<double>::*which) {
    return [which](const T& t) { return t.terms.energy.*which; };
  };
  const auto of_trees = [](auto get) {
    return [get](const T& t) { return t.loops() ? std::nullopt : std::optional(get(t)); };
  };
  const auto of_loops = [](auto get) {
    return [get](const T& t) { return t.loops() ? std::optional(get(t)) : std::nullopt; };
  };
  return field_list(
      "TermsResult", "M qdd + C qd + gravity + friction + load = tau at a state.", fields_of_part(&T::state),
      field("qdd", "", "", [](const T& t) { return t.state.rates(t.qdd); }),
      field("M", "", "rotors included", matrix(&Terms::M)),
      field("M_pivots", "", "of M = L D L^T", of_trees(vector(&Terms::pivots))).or_absent(),
      field("M_positive_definite", "", "", of_trees([](const T& t) { return t.terms.bad_pivot < 0; })).or_absent(),
      field("C", "", "dM/dt - 2C is skew", matrix(&Terms::C)), field("C_qd", "", "", vector(&Terms::C_qd)),
      field("gravity_efforts", "", "", vector(&Terms::gravity)), field("friction", "", "", vector(&Terms::friction)),
      field("load_efforts", "", "", vector(&Terms::load)), field("bias", "", "tau at qdd = 0", vector(&Terms::bias)),
      field("tau", "", "", vector(&Terms::tau)),
      field("kinetic_energy", "J", "rotors included", energy(&Energy<double>::kinetic)),
      field("potential_energy", "J", "zero at the world's origin", energy(&Energy<double>::potential)),
      field("mass", "kg", "", energy(&Energy<double>::mass)),
      field("mass_centre", "m", "in the world", &T::mass_centre),
      field("momentum", "kg m/s", "", of_trees([](const T& t) { return t.terms.energy.momentum.f; })).or_absent(),
      field("angular_momentum", "kg m²/s", "about the world's origin",
            of_trees([](const T& t) { return t.terms.energy.momentum.n; }))
          .or_absent(),
      field("reactions", "", "through every joint", &T::reactions), field("tool", "", "", &T::tool),
      field("tool_pose", "", "in the world",
            [](const T& t) {
              return PoseResult{t.terms.X_world_tool, t.state.degrees};
            }),
      field("jacobian", "", "(w; v) = J qd, in the world", matrix(&Terms::J)),
      field("jacobian_rate", "", "", of_trees(matrix(&Terms::Jd))).or_absent(),
      field("closure_error", "", "m or rad", of_loops([](const T& t) { return t.closure_error; })).or_absent(),
      field("loop_reactions", "", "of the first link of a loop on its second",
            of_loops(std::mem_fn(&T::loop_reactions)))
          .or_absent());
}

}  // namespace torsor
