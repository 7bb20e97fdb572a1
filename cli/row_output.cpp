#include "cli/row_output.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "cli/print.hpp"
#include "cli/printable_output.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/text/npy_header.hpp"

namespace torsor {
namespace {

// half of what is promised: where rows are computed by the block, a block takes its time, too
constexpr double most_seconds_held = 0.25;

// the columns of angles get their unit, and are found
std::vector<std::size_t> mark_degrees(std::vector<std::string>& header, const Model<double>& model) {
  constexpr std::string_view units[] = {"_deg", "_deg_s", "_deg_s2"};
  std::unordered_map<std::string, int> rates;  // of an angle, by column
  const auto enter = [&](const char* prefix, const std::vector<std::string>& names,
                         const std::vector<CoordinateKind>& kinds, int rate) {
    for (std::size_t k = 0; k < names.size(); ++k)
      if (kinds[k] == CoordinateKind::angle) rates.emplace(fmt::format("{}.{}", prefix, names[k]), rate);
  };
  enter("q", model.position_names, position_kinds(model), 0);
  enter("qd", model.velocity_names, velocity_kinds(model), 1);
  enter("qdd", model.velocity_names, velocity_kinds(model), 2);
  for (const char* angle : {"roll", "pitch", "yaw"}) rates.emplace(angle, 0);
  for (const char* axis : {"x", "y", "z"}) {
    rates.emplace(fmt::format("w{}", axis), 1);
    rates.emplace(fmt::format("wd{}", axis), 2);
  }
  std::vector<std::size_t> columns;
  for (std::size_t k = 0; k < header.size(); ++k)
    if (const auto found = rates.find(header[k]); found != rates.end()) {
      columns.push_back(k);
      header[k] += units[found->second];
    }
  return columns;
}

bool is_npy(const std::string& path) { return path.ends_with(".npy"); }

// the head of an array says how many rows there are, and so differs from that of a run that goes on
RowBytes row_bytes(const std::string& path, std::size_t columns) {
  if (!is_npy(path)) return {};
  const auto count = static_cast<std::int64_t>(columns);
  return {std::ssize(npy_header(0, count)), count * static_cast<std::int64_t>(sizeof(double))};
}

}  // namespace

double coarse_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

RowOutput::RowOutput(const std::optional<std::string>& path, bool json, const std::vector<std::string>& header,
                     bool discard, std::function<void(JsonWriter&)> begin, ColumnRange npy, bool go_on,
                     const Model<double>* degrees_of)
    : header_(header),
      in_degrees_(degrees_of ? mark_degrees(header_, *degrees_of) : std::vector<std::size_t>()),
      npy_columns_(npy.count == 0 ? ColumnRange{0, header.size()} : npy),
      file_(path.value_or("-"), go_on ? Keep::earlier_rows : Keep::rows,
            row_bytes(path.value_or("-"), npy_columns_.count)),
      json_(std::cout),
      discard_(discard),
      begin_(std::move(begin)),
      written_at_(coarse_seconds()) {
  if (!file_.faults().empty() || discard_) return;
  if (json && file_.is_standard()) {
    begin_json();
    field(json_, "columns", header_);
    json_.key("rows").begin_array();
  } else if (is_npy(file_.name())) {
    npy_.emplace(file_.stream(), file_.name(), static_cast<int>(npy_columns_.count));
  } else if (file_.is_standard()) {
    std::vector<std::string> names;
    for (const std::string& name : header_) names.push_back(printable(name));
    csv_.emplace(standard_output_of_numbers(), file_.name(), std::move(names));
  } else {
    csv_.emplace(file_.stream(), file_.name(), header_);
  }
  if (file_.gathered())
    interruption_.emplace([this] {
      if (!finished_) finish(false);
    });
}

RowOutput::~RowOutput() {
  const auto held = guard();
  if (finished_ || (!csv_ && !npy_)) return;
  rows_ > 0 ? static_cast<void>(finish(false)) : file_.keep_nothing();
}

std::string RowOutput::arrow() const { return place().empty() ? "" : " -> " + printable(place()); }

void RowOutput::place_field(const std::optional<std::string>& named) {
  if (!named) return;
  json_.key("output");
  place().empty() ? json_.value(nullptr) : json_.value(place());
}

JsonWriter& RowOutput::begin_summary(const std::optional<std::string>& output, const std::optional<std::string>& page) {
  if (!is_standard()) begin_json();
  place_field(output);
  if (page) json_.field("html", *page);
  return json_;
}

void RowOutput::begin_json() {
  json_.begin_object();
  begin_(json_);
  if (!in_degrees_.empty()) angle_unit_field(json_, true);
}

bool RowOutput::row(std::span<const double> numbers, Gaps gaps) {
  if (discard_) return true;
  const auto held = guard();
  clean_.assign(numbers.begin(), numbers.end());
  for (const std::size_t k : in_degrees_) clean_[k] = in_unit(clean_[k], CoordinateKind::angle, true);
  double nothing = 0;  // and not a number where one is not finite
  for (double& x : clean_) {
    x += 0.0;
    if (gaps == Gaps::faults || !std::isnan(x)) nothing += 0 * x;
  }
  if (std::isnan(nothing) && !not_finite_) not_finite_ = first_not_finite(clean_, header_);
  if (not_finite_) return false;
  ++rows_;
  if (!csv_ && !npy_) {
    const auto no_value = [](double x) { return std::isnan(x); };
    if (std::ranges::none_of(clean_, no_value)) {
      json_.value(std::span<const double>(clean_));
    } else {
      json_.begin_array();
      for (const double x : clean_) no_value(x) ? json_.value(nullptr) : json_.value(x);
      json_.end_array();
    }
    return static_cast<bool>(std::cout);
  }
  if (!(csv_ ? csv_->row(clean_, gaps)
             : npy_->row(std::span<const double>(clean_).subspan(npy_columns_.first, npy_columns_.count))))
    return false;
  const double now = coarse_seconds();
  if (now - written_at_ < most_seconds_held) return true;
  written_at_ = now;
  return csv_ ? csv_->flush() : npy_->flush();
}

bool RowOutput::flush() {
  const auto held = guard();
  if (finished_ || discard_ || rows_ == 0) return true;
  written_at_ = coarse_seconds();
  return csv_ ? csv_->flush() : npy_ ? npy_->flush() : true;
}

bool RowOutput::finish_rows(bool complete) {
  if (discard_) return true;
  const auto held = guard();
  return finish(complete);
}

bool RowOutput::finish(bool complete) {
  complete = complete && !not_finite_;
  finished_ = true;
  bool written = true;
  if (csv_ || npy_) {
    written = csv_ ? csv_->finish() : npy_->finish();
    if (rows_ == 0 && !(complete && written)) file_.keep_nothing();
    // rows of the piece at which the disk was full are counted in the head, too
    if (npy_ && !written && file_.gathered())
      file_.gathered()->put_head(npy_header(kept_rows(), static_cast<std::int64_t>(npy_columns_.count)));
    if (!file_.is_standard()) written = file_.finish(complete);
  } else {
    json_.end_array();
  }
  if (file_.gathered() ? !complete || !written : !complete && written) report_kept();
  return written && !not_finite_;
}

std::int64_t RowOutput::kept_rows() const {
  const FileBuffer* const gathered = file_.gathered();
  if (npy_ && gathered) {
    const RowBytes bytes = row_bytes(file_.name(), npy_columns_.count);
    return std::max<std::int64_t>(gathered->size() - bytes.head, 0) / bytes.row;
  }
  return csv_ ? csv_->written_rows() + (gathered ? gathered->saved_rows() : 0) : npy_ ? npy_->written_rows() : rows_;
}

void RowOutput::report_kept() const {
  if (file_.not_of_this_run()) return;
  if (!file_.earlier_came()) return note(fmt::format("{} is as the earlier run has left it", file_.place()));
  const std::int64_t rows = kept_rows();
  const std::string where = file_.is_standard() || rows == 0 ? "" : ", in " + file_.place();
  note(fmt::format("rows kept from before the stop: {}{}", rows, where));
}

int RowOutput::complain_unwritten() const {
  if (const auto other = file_.not_of_this_run()) return complain({*other}, exit_bad_input);
  if (csv_ && !csv_->faults().empty()) return complain(csv_->faults(), exit_not_written);
  if (npy_ && !npy_->faults().empty()) return complain(npy_->faults(), exit_not_written);
  if (!file_.faults().empty()) return complain(file_.faults(), exit_not_written);
  return not_finite_ ? complain({*not_finite_}, exit_impossible) : exit_not_written;
}

void add_continue_to(Options& options, bool& go_on) {
  options.flag(
      "--continue", go_on,
      "go on with the rows that a stopped run has left in FILE.partial: they are computed again, compared, and kept");
}

std::optional<Fault> first_not_finite(std::span<const double> numbers, const std::vector<std::string>& header) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!std::isfinite(numbers[k]))
      return not_finite(fmt::format("column \"{}\"", header[k]), "the result", numbers[k]);
  return std::nullopt;
}

}  // namespace torsor
