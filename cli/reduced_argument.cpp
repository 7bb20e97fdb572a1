#include "cli/reduced_argument.hpp"

#include <fmt/format.h>

#include <istream>
#include <iterator>

#include "cli/files.hpp"
#include "torsor/files/reduced_toml.hpp"
#include "torsor/symbolic/meant_robot.hpp"

namespace torsor {

Result<std::optional<ReducedModel>> read_reduced(const std::optional<std::string>& path, const Description& robot) {
  if (!path) return std::optional<ReducedModel>{};
  InputFile file(*path);
  if (!file.faults().empty()) return file.faults();
  const std::string text{std::istreambuf_iterator<char>(file.stream()), {}};
  auto reduced = read_reduced_toml(text, file.name());
  if (!reduced) return reduced.faults();
  // models are reduced of the robot as it was meant, with right angles where the file has rounded ones
  const auto meant = build(meant_robot(robot).description);
  if (!meant) return meant.faults();
  if (const std::string why = mismatch(*reduced, *meant); !why.empty())
    return Fault{{file.name(), 0},
                 fmt::format("\"{}\"", reduced->robot),
                 "reduced-robot",
                 why,
                 "give the robot that it was made from, or reduce this one"};
  return std::optional<ReducedModel>{*std::move(reduced)};
}

}  // namespace torsor
