#include "cli/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/progress.hpp"
#include "torsor/text/utf8.hpp"

namespace torsor {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

// what the first fault of a column says: `"idle" is not a number`
std::string first_fault(const FaultLog& log) { return log.empty() ? "no values" : log.faults(1).front().what; }

// a line of text below the header, not of values: units, most likely
bool holds_no_numbers(const std::vector<double>& row, const std::vector<FaultLog>& logs) {
  return std::all_of(row.begin(), row.end(), [](double number) { return std::isnan(number); }) &&
         std::all_of(logs.begin(), logs.end(), [](const FaultLog& log) { return !log.empty(); });
}

// columns without a number are taken out, and told in one sentence
void drop_empty_curves(Curves& curves, const std::vector<FaultLog>& logs) {
  std::vector<Curve> drawn;
  std::vector<std::string> told;
  for (std::size_t k = 0; k < curves.all.size(); ++k) {
    Curve& curve = curves.all[k];
    if (curve.numbers > 0) {
      curves.faults.merge(logs[k]);
      drawn.push_back(std::move(curve));
    } else {
      told.push_back(fmt::format("{} ({})", excerpt(curve.name), first_fault(logs[k])));
      curves.skipped.push_back(std::move(curve.name));
    }
  }
  // where nothing is left, the faults say why
  if (drawn.empty())
    for (std::size_t k = 0; k < curves.all.size(); ++k) curves.faults.merge(logs[k]);
  else if (!told.empty())
    curves.sentences.push_back(fmt::format("columns without numbers are not drawn: {}", first_few(told)));
  curves.all = std::move(drawn);
}

}  // namespace

void Curve::push(double x, double y) {
  points.push(x, y);
  if (std::isnan(x) || std::isnan(y)) return;
  last = y;
  if (numbers == 0) first = y;
  if (numbers == 0 || y < least) least = y, least_at = x;
  if (numbers == 0 || y > greatest) greatest = y, greatest_at = x;
  ++numbers;
}

Curves read_curves(CsvReader& reader, const ColumnChoice& choice, bool x_is_guessed, std::optional<std::int64_t> size) {
  Curves curves;
  if (choice.x) curves.x = reader.header()[static_cast<std::size_t>(*choice.x)];
  // as fine as the memory for all of them allows
  const std::size_t runs =
      std::clamp(std::bit_floor(std::size_t{32768} / choice.y.size()), std::size_t{128}, std::size_t{1024});
  for (const int column : choice.y)
    curves.all.push_back({reader.header()[static_cast<std::size_t>(column)], ThinnedSeries(runs)});

  std::vector<int> selected = choice.y;
  if (choice.x) selected.push_back(*choice.x);
  reader.select(selected);
  std::vector<double> row(selected.size());
  std::vector<FaultLog> logs(selected.size());
  bool over_column = choice.x.has_value(), first = true;
  std::int64_t faults = reader.fault_count();
  Progress progress(size);
  while (reader.next(row, logs)) {
    // rows of another length in between
    const std::int64_t lost = reader.fault_count() - std::exchange(faults, reader.fault_count());
    curves.lost_rows += lost;
    if (std::exchange(first, false) && holds_no_numbers(row, logs)) {
      curves.sentences.push_back(fmt::format("line {} holds no numbers and is left out", reader.line()));
      logs.assign(selected.size(), FaultLog());
      continue;
    }
    if (curves.rows == 0 && over_column && x_is_guessed && !logs.back().empty()) {
      curves.sentences.push_back(fmt::format("drawn over the number of the row: {} in column {}",
                                             first_fault(logs.back()), excerpt(curves.x)));
      over_column = false;
      curves.x = "row";
    }
    const double x = over_column ? row.back() : static_cast<double>(curves.rows + 1);
    for (std::size_t k = 0; k < curves.all.size(); ++k) {
      if (lost > 0) curves.all[k].points.push(gap, gap);
      curves.all[k].push(x, row[k]);
    }
    ++curves.rows;
    progress.update(reader.bytes(), curves.rows);
  }
  curves.lost_rows += reader.fault_count() - faults;
  curves.faults.merge(reader.fault_log());
  if (over_column) curves.faults.merge(logs.back());
  drop_empty_curves(curves, logs);
  return curves;
}

std::string first_few(const std::vector<std::string>& items) {
  constexpr std::size_t told = 5;
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), told));
  const std::string more = items.size() > told ? fmt::format(" and {} more", items.size() - told) : "";
  return fmt::format("{}{}", fmt::join(items.begin(), end, ", "), more);
}

}  // namespace torsor
