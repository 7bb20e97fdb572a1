// The structure of a robot's dynamic model as JSON.
#pragma once

#include "cli/print.hpp"
#include "torsor/report/structure_report.hpp"

namespace torsor {

/// On standard output; the verb's exit code.
int print_structure_json(const StructureAnswer& answer, const StructureView& view);

}  // namespace torsor
