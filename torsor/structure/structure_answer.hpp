// Everything about the structure of a robot's dynamic model in one value: the exact structure at all four levels as the
// numbers are meant, the same as they were typed where that differs, what holds of the axes, the tables, and the sizes over
// the workspace.
#pragma once

#include <optional>

#include "torsor/dynamics/torque_difference.hpp"
#include "torsor/structure/structure_table.hpp"
#include "torsor/structure/workspace_survey.hpp"

namespace torsor {

struct StructureOptions {
  ExactOptions exact{};
  SurveyOptions survey{};
  GeometryTolerance geometry{};
};

struct StructureAnswer {
  ExactRobot robot;                                 // as meant: special values for rounded ones, unless told not to
  std::array<ExactStructure, levels.size()> exact;  // by Level
  AxisFacts facts;                                  // with these numbers
  StructureTable table;                             // with these numbers
  std::optional<ExactRobot> typed_robot;            // where something was snapped: without the snaps
  std::optional<ExactStructure> typed;              // and its structure, with these numbers
  TorqueDifference snap_effect;                     // what the snaps do to the torques
  WorkspaceSurvey survey;

  const ExactStructure& at(Level level) const { return exact[static_cast<std::size_t>(level)]; }
  const ExactStructure& numbers() const { return at(Level::numbers); }
  /// The row of the printed table with these joints and axes, if there is one.
  const PrintedRow* printed() const { return printed_row(facts); }
};

/// The structure of a robot of joints with one degree of freedom, or why there is none.
Result<StructureAnswer> analyse_structure(const Description&, const StructureOptions& = {});

/// A coefficient that is not zero is called negligible below this share of its scale.
inline constexpr double negligible_share = 1e-4;

}  // namespace torsor
