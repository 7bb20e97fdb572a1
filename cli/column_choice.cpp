#include "cli/column_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/column_groups.hpp"
#include "torsor/text/suggest.hpp"

namespace torsor {
namespace {

Fault unknown_column(const std::string& option, const std::string& name, const std::vector<std::string>& header) {
  constexpr std::size_t told = 40;
  const std::size_t count = std::min(header.size(), told);
  const std::string hint = did_you_mean(name, header);
  return {{},
          fmt::format("{} \"{}\"", option, name),
          "column-unknown",
          "the file has no such column",
          fmt::format("{}{}columns: {}{}", hint, hint.empty() ? "" : " ",
                      fmt::join(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(count), ", "),
                      header.size() > told ? fmt::format(" and {} more", header.size() - told) : "")};
}

// by its whole heading, or by the name without the unit: `q1` is `q1 (deg)`
std::optional<int> index_of(const std::vector<std::string>& header, std::string_view name) {
  auto found = std::ranges::find(header, name);
  if (found == header.end())
    found = std::ranges::find(header, name, [](const std::string& each) { return plot_heading(each).name; });
  return found == header.end() ? std::nullopt : std::optional(static_cast<int>(found - header.begin()));
}

// the time, as every reader of motions knows it, if something is left to be drawn over it; and a timestamp of any unit
std::optional<int> time_column(const std::vector<std::string>& header) {
  for (std::size_t k = 0; k < header.size() && header.size() > 1; ++k) {
    const ColumnHeading heading = plot_heading(header[k]);
    if (is_time(heading) || lower_case(heading.name) == "timestamp") return static_cast<int>(k);
  }
  return std::nullopt;
}

// the parts of a list separated by commas, without blanks around them
std::vector<std::string> split_names(std::string_view list) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = std::min(list.find(','), list.size());
    std::string_view name = list.substr(0, comma);
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    if (!name.empty()) names.emplace_back(name);
    if (comma == list.size()) return names;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<ColumnChoice> choose_columns(const std::vector<std::string>& header, const std::optional<std::string>& x,
                                    const std::optional<std::string>& columns) {
  Faults errors;
  ColumnChoice choice;
  choice.x = x ? index_of(header, *x) : time_column(header);
  if (x && !choice.x) errors.push_back(unknown_column("--x", *x, header));

  // a name is that of a column, or of a quantity with several
  std::vector<int> wanted;
  const std::vector<ColumnGroup> groups = group_columns(header);
  for (const std::string& name : split_names(columns.value_or(""))) {
    const std::size_t before = wanted.size();
    if (const auto column = index_of(header, name)) {
      wanted.push_back(*column);
      continue;
    }
    for (const ColumnGroup& group : groups)
      if (group.stem == name) wanted.insert(wanted.end(), group.columns.begin(), group.columns.end());
    // a quantity has several columns; a lone one goes by its own name
    if (wanted.size() < before + 2) errors.push_back(unknown_column("--columns", name, header));
  }
  if (!errors.empty()) return errors;
  if (!columns)
    for (int k = 0; k < static_cast<int>(header.size()); ++k) wanted.push_back(k);
  // once each, and not over itself
  std::vector<bool> taken(header.size(), false);
  if (choice.x) taken[static_cast<std::size_t>(*choice.x)] = true;
  for (const int column : wanted) {
    if (!taken[static_cast<std::size_t>(column)]) choice.y.push_back(column);
    taken[static_cast<std::size_t>(column)] = true;
  }

  if (choice.y.empty())
    return Fault{{}, "plot", "plot-columns", "there is nothing to draw", "name columns other than that of the x axis"};
  if (choice.y.size() > most_curves)
    return Fault{{},
                 "plot",
                 "plot-columns",
                 fmt::format("there are {} columns to draw", choice.y.size()),
                 fmt::format("choose at most {} with --columns", most_curves)};
  return choice;
}

}  // namespace torsor
