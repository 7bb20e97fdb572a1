#include "torsor/report/table_fit.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace torsor {

namespace {

// of the letters of page_css(), as wide as they come: fonts differ
constexpr double mean_letter = 0.63, column_gap = 1.3;        // of their size
constexpr double screen_letters = 15.04, paper_letters = 12;  // pixels
constexpr double text_room = 926, window_room = 1122,
                 paper_room = 648;  // pixels; the window is 1200 wide, the paper A4
constexpr std::array<double, 6> screen_steps{1, 0.92, 0.84, 0.77, 0.71, 0.66};
constexpr std::array<double, 4> paper_steps{1, 0.92, 0.84, 0.76};

int step_for(double wanted, double room, std::span<const double> steps) {
  std::size_t step = 0;
  while (step + 1 < steps.size() && steps[step] * wanted > room) ++step;
  return static_cast<int>(step);
}

// where parts begin, each of them as wide as the room at most, and at least of one column beside the first
std::vector<std::size_t> parts_within(std::span<const double> widths, double room) {
  std::vector<std::size_t> begins{1};
  double used = widths[0];
  for (std::size_t c = 1; c < widths.size(); ++c) {
    if (c > begins.back() && used + widths[c] > room) begins.push_back(c), used = widths[0];
    used += widths[c];
  }
  return begins;
}

}  // namespace

TableFit fit_table(const TextTable& table) {
  constexpr std::size_t longest_line = 26;
  std::vector<double> widths;
  for (const std::size_t letters : html_widths(table, longest_line))
    widths.push_back(mean_letter * static_cast<double>(letters) + column_gap);
  const double wanted = std::reduce(widths.begin(), widths.end());
  TableFit fit;
  fit.screen = step_for(screen_letters * wanted, text_room, screen_steps);
  if (fit.screen > 1) {
    fit.broad = true;
    fit.screen = step_for(screen_letters * wanted, window_room, screen_steps);
  }
  fit.paper = step_for(paper_letters * wanted, paper_room, paper_steps);
  const double room = paper_room / paper_letters / paper_steps.back();
  if (wanted <= room || widths.size() < 3) return fit;
  // as few parts as there can be, about as wide as each other
  fit.parts = parts_within(widths, room);
  double least = room;
  for (double tried = room; parts_within(widths, tried).size() == fit.parts.size() && tried > 4; tried -= 1)
    least = tried;
  fit.parts = parts_within(widths, least);
  return fit;
}

TextTable part_of(const TextTable& table, std::size_t from, std::size_t to) {
  const auto cut = [&](const auto& all) {
    auto part = all;
    part.assign(all.begin(), all.begin() + 1);
    part.insert(part.end(), all.begin() + static_cast<std::ptrdiff_t>(from),
                all.begin() + static_cast<std::ptrdiff_t>(to));
    return part;
  };
  TextTable part{"", cut(table.columns)};
  for (const TextTable::Row& row : table.rows) part.rows.push_back(cut(row));
  return part;
}

}  // namespace torsor
