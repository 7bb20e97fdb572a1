#include "cli/mechanism_redundancy.hpp"

#include <fmt/format.h>

#include <set>

#include "torsor/how_many.hpp"

namespace torsor {
namespace {

/// Joints, couplings and drivers that redundant equations come from.
std::vector<std::string> blocks_not_unique(const Mechanism& m, const MobilityReport& report) {
  std::set<int> blocks;
  for (const Dependence& each : report.dependences) {
    blocks.insert(each.block);
    blocks.insert(each.partners.begin(), each.partners.end());
  }
  std::vector<std::string> names;
  for (const int b : blocks) names.push_back(m.block_name(m.blocks[static_cast<std::size_t>(b)]));
  return names;
}

}  // namespace

std::string redundancy_sentence(const Mechanism& m, const MobilityReport& report, ReactionsGiven given) {
  const bool any = given != ReactionsGiven::none;
  if (report.too_large)
    return fmt::format(
        "Its loops connect too many bodies for the rank of its {} to be found: they are taken to depend on one another{}.",
        how_many(report.rows, "equation"), any ? ", and single reactions may not be unique" : "");
  if (report.redundant == 0)
    return fmt::format("{} independent{}.",
                       report.rows == 1 ? "Its one equation is" : fmt::format("All {} equations are", report.rows),
                       given == ReactionsGiven::of_joints ? ": reactions are unique" : "");
  const std::vector<std::string> names = blocks_not_unique(m, report);
  constexpr std::size_t most_named = 8;
  std::string list;
  for (std::size_t k = 0; k < names.size() && k < most_named; ++k) list += (k == 0 ? "" : ", ") + names[k];
  if (names.size() > most_named) list += fmt::format(" and {} more", names.size() - most_named);
  return fmt::format("{} of {} equations {} redundant (rank {}): {} {}.", report.redundant, report.rows,
                     report.redundant == 1 ? "is" : "are", report.rank,
                     any ? "reactions of" : "those of",
                     list + (any ? " are not unique, the least ones are given" : " depend on one another"));
}

void redundancy_field(JsonWriter& json, const Mechanism& m, const MobilityReport& report) {
  json.key("redundancy").begin_object().field("equations", report.rows);
  if (!report.too_large) {
    json.field("rank", report.rank).field("redundant", report.redundant);
    field(json, "not_unique", blocks_not_unique(m, report));
  }
  json.end_object();
}

}  // namespace torsor
