// The structure of a robot's dynamic model in words, tables and heat maps: one report for the screen and for the page.
#pragma once

#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/structure/coupling.hpp"
#include "torsor/structure/motion_survey.hpp"
#include "torsor/structure/structure_answer.hpp"

namespace torsor {

/// The robot along a motion.
struct MotionView {
  std::string name;
  MotionSurvey survey;
};

/// What is wanted beyond the usual.
struct StructureView {
  bool all = false;                          // every coefficient, with meaning, dependence and size
  std::optional<std::vector<double>> state;  // q of a position to look at closely
  std::vector<double> qd, qdd;               // rates there; empty: at rest
  RateLimits limits;                         // speeds and accelerations of the states that sizes are of
  TermSizes sizes;                           // of inertia, velocity and gravity over the workspace
  std::optional<MotionView> motion;
};

Report structure_report(const StructureAnswer& answer, const StructureView& view, const PrintStyle& print);

/// The first section: plain sentences.
void add_summary(Report& report, const StructureAnswer& answer, const StructureView& view);

/// Whether d_ij is zero in every position, so that rounding is not shown for it.
bool never_coupled(const ExactStructure& structure, int i, int j);

/// The diagonal of D and how far it dominates its rows; the coupling of all pairs of joints, as a table and a heat map.
void add_diagonal(ReportSection& section, const StructureAnswer& answer, std::span<const Spread> values,
                  std::span<const Spread> dominance, const PrintStyle& print);
void add_coupling(ReportSection& section, const StructureAnswer& answer, std::span<const Spread> coupling,
                  const PrintStyle& print);

/// What torques are made of, over the workspace and at a state; and the section about a motion, with its plots.
void add_workspace_terms(ReportSection& section, const StructureAnswer& answer, const StructureView& view,
                         const PrintStyle& print);
void add_state_terms(ReportSection& section, const StructureAnswer& answer, const StructureView& view,
                     const PrintStyle& print);
void add_motion(Report& report, const StructureAnswer& answer, const StructureView& view, const PrintStyle& print);
/// What torques at the state of a view are made of.
TorqueSplit state_terms(const StructureAnswer& answer, const StructureView& view);

/// `these numbers`, `equal moments kept equal`, ...
std::string_view level_name(Level);

}  // namespace torsor
