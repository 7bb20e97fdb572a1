// The tables of the literature with an executed column beside them: shared by count and report.
#pragma once

#include "cli/print.hpp"

namespace torsor {

/// One table per table of the literature.
std::vector<TextTable> quoted_report();

/// Prints them, or the same as JSON; the verb's exit code.
int print_quoted_tables(const PrintArguments& print);

}  // namespace torsor
