// The robots of the golden structure table as descriptions, and the PUMA 560 with its numbers.
#pragma once

#include "tests/support/golden.hpp"
#include "tests/support/random.hpp"

namespace torsor::testing {

inline Description puma() { return description(golden("puma560").at("meta").at("model")); }

/// Of a row of the golden table: letters of com are coordinates that are not zero; I is full, diagonal, or round.
inline Description described(const Json& table_row) {
  Description d;
  d.name = table_row.at("name");
  d.convention = Convention::standard_dh;
  const Json& dh = table_row.at("DH");
  Random random(3);
  const auto number = [&random] { return std::round(random.uniform(100, 999)) / 1000; };
  for (std::size_t i = 0; i < dh.at("type").size(); ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    link.kind = dh.at("type")[i] == "R" ? JointKind::revolute : JointKind::prismatic;
    link.geometry = DhRow{dh.at("theta")[i], dh.at("d")[i], dh.at("a")[i], dh.at("alpha")[i]};
    const Json& mass = table_row.at("links")[i];
    Part part;
    part.mass = number();
    for (const char letter : mass.at("com").get<std::string>())
      (letter == 'x' ? part.com.x : letter == 'y' ? part.com.y : part.com.z) = number();
    part.tensor = {number(), number(), number()};
    if (mass.at("I") == "full") part.tensor = {number(), number(), number(), number(), number(), number()};
    if (mass.contains("sym")) part.tensor.yy = part.tensor.xx;
    link.parts = {part};
    d.links.push_back(link);
  }
  return d;
}

}  // namespace torsor::testing
