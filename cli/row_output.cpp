#include "cli/row_output.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <utility>

#include "cli/print.hpp"

namespace torsor {

RowOutput::RowOutput(const std::optional<std::string>& path, bool json, const std::vector<std::string>& header,
                     bool discard, std::function<void(JsonWriter&)> begin)
    : file_(path.value_or("-")), json_(std::cout), discard_(discard), begin_(std::move(begin)) {
  if (!file_.errors().empty() || discard_) return;
  if (json && file_.is_standard()) {
    begin_json();
    field(json_, "columns", header);
    json_.key("rows").begin_array();
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
  json_.value(std::span<const double>(clean_));
  return static_cast<bool>(std::cout);
}

bool RowOutput::finish_rows() {
  if (discard_) return true;
  if (!csv_)
    json_.end_array();
  else if (!csv_->finish())
    return false;
  return csv_ == std::nullopt || file_.is_standard() || file_.finish();
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
