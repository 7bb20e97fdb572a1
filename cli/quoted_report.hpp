// The tables of the literature with an executed column beside them: shared by count and report.
#pragma once

#include "cli/print.hpp"

namespace torsor {

struct QuotedSheet {
  TextTable table;
  std::vector<std::string> remarks;  // how each row was counted again and why it differs; "row: ..."
};

/// One sheet per table of the literature.
std::vector<QuotedSheet> quoted_report();

/// Prints them, or the same as JSON; the verb's exit code.
int print_quoted_tables(const PrintArguments& print);

}  // namespace torsor
