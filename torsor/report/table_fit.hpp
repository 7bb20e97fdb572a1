// How a table is fitted to the window and to paper. In the window its letters become smaller, and a table that wants more
// goes beyond the margins of the text. On paper, where nothing can be scrolled, letters may become a quarter smaller; a table
// that wants more is cut into parts below one another, the first column repeated in each.
#pragma once

#include <vector>

#include "torsor/text/text_table.hpp"

namespace torsor {

struct TableFit {
  bool broad = false;  // beyond the margins of the text
  int screen = 0;      // steps of page_css(): how much smaller the letters are, 0 for as they are
  int paper = 0;
  std::vector<std::size_t> parts = {};  // on paper: the first column of each part, if there are several
};

TableFit fit_table(const TextTable& table);

/// The first column and those from `from` to before `to`.
TextTable part_of(const TextTable& table, std::size_t from, std::size_t to);

}  // namespace torsor
