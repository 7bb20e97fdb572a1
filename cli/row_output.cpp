#include "cli/row_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <utility>

#include "cli/print.hpp"

namespace torsor {

RowOutput::RowOutput(const std::optional<std::string>& path, bool json, const std::vector<std::string>& header,
                     bool discard, std::function<void(JsonWriter&)> begin, ColumnRange npy)
    : file_(path.value_or("-")), npy_columns_(npy), json_(std::cout), discard_(discard), begin_(std::move(begin)) {
  if (!file_.errors().empty() || discard_) return;
  if (json && file_.is_standard()) {
    begin_json();
    field(json_, "columns", header);
    json_.key("rows").begin_array();
  } else if (file_.name().ends_with(".npy")) {
    if (npy_columns_.count == 0) npy_columns_ = {0, header.size()};
    npy_.emplace(file_.stream(), file_.name(), static_cast<int>(npy_columns_.count));
  } else {
    csv_.emplace(file_.stream(), file_.name(), header);
  }
}

void RowOutput::begin_json() {
  json_.begin_object();
  begin_(json_);
}

bool RowOutput::row(std::span<const double> numbers) {
  if (discard_) return true;
  clean_.assign(numbers.begin(), numbers.end());
  for (double& x : clean_) x += 0.0;
  if (csv_) return csv_->row(clean_);
  if (npy_) return npy_->row(std::span<const double>(clean_).subspan(npy_columns_.first, npy_columns_.count));
  json_.value(std::span<const double>(clean_));
  return static_cast<bool>(std::cout);
}

bool RowOutput::finish_rows() {
  if (discard_) return true;
  if (csv_ || npy_) return (csv_ ? csv_->finish() : npy_->finish()) && (file_.is_standard() || file_.finish());
  json_.end_array();
  return true;
}

Errors RowOutput::write_errors() const {
  if (csv_ && !csv_->errors().empty()) return csv_->errors();
  return npy_ && !npy_->errors().empty() ? npy_->errors() : file_.errors();
}

std::optional<Error> first_not_finite(std::span<const double> numbers, const std::vector<std::string>& header) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!std::isfinite(numbers[k]))
      return Error{{},
                   fmt::format("column \"{}\"", header[k]),
                   "not-finite",
                   fmt::format("the result is {}", std::isnan(numbers[k]) ? "not a number" : "infinite"),
                   "the numbers of the motion or of the robot are too large or too small"};
  return std::nullopt;
}

}  // namespace torsor
