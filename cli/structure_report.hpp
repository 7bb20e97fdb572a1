// The structure of a robot's dynamic model in words, tables and heat maps: one report for the screen and for the page.
#pragma once

#include "cli/print.hpp"
#include "torsor/structure/coupling.hpp"
#include "torsor/structure/structure_answer.hpp"

namespace torsor {

/// What is wanted beyond the usual.
struct StructureView {
  bool all = false;                          // every coefficient, with meaning, dependence and size
  std::optional<std::vector<double>> state;  // q of a position to look at closely
};

Report structure_report(const StructureAnswer& answer, const StructureView& view, const PrintArguments& print);

/// The same as JSON on standard output; the verb's exit code.
int print_structure_json(const StructureAnswer& answer, const StructureView& view);

/// `these numbers`, `equal moments kept equal`, ...
std::string_view level_name(Level);

}  // namespace torsor
