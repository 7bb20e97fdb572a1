#include "torsor/result.hpp"

namespace torsor {
namespace {

std::string lines_of(const Faults& faults) {
  std::string text;
  for (const Fault& fault : faults) text += (text.empty() ? "" : "\n") + to_string(fault);
  return text;
}

}  // namespace

Error::Error(Faults faults) : std::runtime_error(lines_of(faults)), faults_(std::move(faults)) {}

void throw_error(const Faults& faults) { throw Error(faults); }

}  // namespace torsor
