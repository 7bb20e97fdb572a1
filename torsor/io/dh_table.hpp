// The DH rows of a robot as a table, for the screen, Markdown, HTML (text_table.hpp) or LaTeX.
#pragma once

#include <optional>
#include <string>

#include "torsor/io/text_table.hpp"
#include "torsor/model/description.hpp"

namespace torsor {

/// The table, numbers in so many significant digits; nothing where some link has no DH row.
std::optional<TextTable> dh_table(const Description& robot, int digits);

/// The same as a LaTeX tabular: angles in degrees, the joint variables as $q_i$.
std::optional<std::string> dh_table_latex(const Description& robot, int digits);

}  // namespace torsor
