// The chosen columns of a CSV file as curves, read once in memory that does not grow with the file. A cell without a
// number is a gap in its own curve and harms no other; a column without any number is no curve.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/column_choice.hpp"
#include "torsor/text/csv_reader.hpp"
#include "torsor/report/thinned_series.hpp"

namespace torsor {

/// One column: its points, and the numbers of its ends and extremes.
struct Curve {
  std::string name;
  ThinnedSeries points;
  std::int64_t numbers = 0;  // rows that have a point on the curve
  double first = 0, last = 0, least = 0, least_at = 0, greatest = 0, greatest_at = 0;

  void push(double x, double y);
};

struct Curves {
  std::string x = "row";  // the name of its axis
  std::vector<Curve> all;
  std::int64_t rows = 0;               // of the right length
  std::int64_t lost_rows = 0;          // of another length: gaps in every curve
  FaultLog faults;                     // of the file and of the columns drawn
  std::vector<std::string> skipped;    // names of the columns without numbers
  std::vector<std::string> sentences;  // what else the user should know of how the file was read

  /// Rows that have no point on the curve.
  std::int64_t gaps(const Curve& curve) const { return rows + lost_rows - curve.numbers; }
};

/// Reads to the end; size, if known, is that of the file in bytes. x_is_guessed: nobody asked for the column of the x
/// axis, so that it gives way to the number of the row when it begins with text. No curves if there is no number.
Curves read_curves(CsvReader& reader, const ColumnChoice& choice, bool x_is_guessed, std::optional<std::int64_t> size);

/// The first few with what is to be said of each, the others by number: `a (1), b (2) and 3 more`.
std::string first_few(const std::vector<std::string>& items);

}  // namespace torsor
