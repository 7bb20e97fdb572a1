#include "torsor/io/effort_record.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>

#include "torsor/io/csv_reader.hpp"
#include "torsor/io/number.hpp"

namespace torsor {
namespace {

constexpr double vast = 1e100;  // the square of an effort, and sums of them, must be numbers

/// The columns of efforts, one row after the other.
Result<std::vector<std::vector<double>>> read_efforts(const MotionNames& names, std::istream& in,
                                                      const std::string& file) {
  CsvReader csv(in, file);
  if (!csv.ok()) return csv.errors();
  const auto columns = resolve_motion_columns(csv.header(), {names.qdd, {}, {}}, 0, file);
  if (!columns) return columns.errors();
  csv.select(columns->q);
  std::vector<std::vector<double>> rows;
  std::vector<double> row(columns->q.size());
  while (csv.next(row)) {
    for (std::size_t k = 0; k < row.size(); ++k)
      if (std::abs(row[k]) > vast)
        csv.fault("column \"" + csv.header()[static_cast<std::size_t>(columns->q[k])] + '"', "effort-range",
                  print_number(row[k]) + " is beyond the efforts that can be compared",
                  "look for a number that was never written; keep the magnitude below " + print_number(vast));
    rows.push_back(row);
  }
  if (!csv.ok()) return csv.errors();
  return rows;
}

}  // namespace

Result<EffortRecord> read_effort_record(const Model<double>& model, std::istream& in, const std::string& file,
                                        std::optional<double> cutoff) {
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const MotionNames names = motion_names(model.position_names, model.velocity_names, "tau");
  std::istringstream once(text), twice(text);

  EffortRecord record;
  MotionStream stream(model, once, file, {2, cutoff});
  for (MotionRow row; stream.next(row);) {
    record.t.push_back(row.t);
    record.samples.push_back({row.q, row.qd, row.qdd, {}});
  }
  const MotionReader& reader = stream.reader();
  Errors errors = reader.errors();
  auto efforts = read_efforts(names, twice, file);
  // a row that is broken for both is told once
  for (const Error& error : efforts.errors())
    if (std::none_of(errors.begin(), errors.end(), [&](const Error& e) { return to_string(e) == to_string(error); }))
      errors.push_back(error);
  if (!errors.empty()) return errors;

  TORSOR_EXPECT(efforts->size() == record.samples.size());
  for (std::size_t k = 0; k < record.samples.size(); ++k) record.samples[k].tau = std::move((*efforts)[k]);
  if (!reader.has_time()) record.t.clear();
  record.derived = reader.derived();
  record.cutoff = reader.cutoff();
  record.period = reader.period();
  record.even = reader.even();
  for (const std::string& column : reader.ignored())
    if (std::none_of(names.qdd.begin(), names.qdd.end(), [&](const std::vector<std::string>& spellings) {
          return std::find(spellings.begin(), spellings.end(), column) != spellings.end();
        }))
      record.ignored.push_back(column);
  return record;
}

}  // namespace torsor
