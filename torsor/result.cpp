#include "torsor/result.hpp"

#include <cmath>

namespace torsor {
namespace {

std::string lines_of(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + to_string(fault);
  return text;
}

}  // namespace

Error::Error(Faults faults) : std::runtime_error(lines_of(faults)), faults_(std::move(faults)) {}

Fault not_finite(std::string offender, std::string_view what, double result, std::string_view of) {
  return {{},
          std::move(offender),
          "not-finite",
          std::string(what) + " is " + (std::isnan(result) ? "not a number" : "infinite"),
          "the numbers of the " + std::string(of) + " are too large or too small"};
}

void throw_error(const Faults& faults) { throw Error(faults); }

}  // namespace torsor
