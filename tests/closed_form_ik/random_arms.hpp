// Random geometries of every family of positioning parts, right-angled and oblique wrists, at the tool and at the base.
#pragma once

#include <string>

#include "tests/closed_form_ik/round_trip.hpp"

namespace torsor::testing {

struct ArmKind {
  std::string_view what, family, kinds;
  std::string_view twists;  // of joints 1 to 5: '|' parallel, '+' perpendicular, '/' oblique
  bool backwards = false;
  bool offsets = true;
};

inline constexpr ArmKind arm_kinds[] = {
    {"rotary", "rotary", "RRRRRR", "+|+++", false, false},
    {"elbow", "elbow", "RRRRRR", "+|/++"},
    {"elbow with an oblique wrist", "elbow", "RRRRRR", "+|+//"},
    {"elbow with the wrist at the base", "elbow", "RRRRRR", "+|+++", true},
    {"elbow with an oblique wrist at the base", "elbow", "RRRRRR", "+|///", true},
    {"polar", "polar", "RRPRRR", "++/++"},
    {"polar with the wrist at the base", "polar", "RRPRRR", "++/++", true},
    {"cylindrical", "cylindrical", "RPPRRR", "|+/++"},
    {"cartesian", "cartesian", "PPPRRR", "++/++"},
    {"cartesian askew", "cartesian", "PPPRRR", "////+"},
    {"scara", "scara", "RRPRRR", "||/++"},
    {"three turns", "pieper", "RRRRRR", "///++"},
    {"a slide behind two turns", "pieper", "RRPRRR", "///++"},
    {"a slide between two turns", "pieper", "RPRRRR", "///++"},
    {"a slide before two turns", "pieper", "PRRRRR", "///++"},
    {"two slides behind a turn", "pieper", "RPPRRR", "///++"},
    {"a turn between two slides, wrist at the base", "pieper", "PRPRRR", "///+/", true},
    {"a turn behind two slides", "pieper", "PPRRRR", "///++"},
};

/// An arm of that kind; the chain as the solver sees it is turned round where the wrist is at the base.
inline Description random_arm(Random& random, const ArmKind& kind) {
  const auto length = [&] { return random.either_sign(0.1, 0.5); };
  const auto twist = [&](char c) {
    if (c == '|') return random.chance(0.5) ? 0 : 2 * quarter;
    if (c == '+') return random.chance(0.5) ? quarter : -quarter;
    return random.either_sign(0.4, 1.3);
  };
  std::array<DhRow, 6> rows;
  for (std::size_t i = 0; i < 6; ++i) {
    rows[i] = {random.uniform(-3, 3), length(), i < 3 || i == 5 ? length() : 0, i < 5 ? twist(kind.twists[i]) : 0.3};
    if (i == 4) rows[i].d = 0;
  }
  if (!kind.offsets) {
    for (const std::size_t i : {0, 2}) rows[i].a = 0;
    for (const std::size_t i : {1, 2}) rows[i].d = 0;
    constexpr double alpha[] = {quarter, 0, -quarter, quarter, -quarter};
    for (std::size_t i = 0; i < 5; ++i) rows[i].alpha = alpha[i];
    rows[1].a = std::abs(rows[1].a);
    rows[3].d = std::abs(rows[3].d);
  }
  std::string kinds{kind.kinds};
  if (kind.backwards) {
    std::array<DhRow, 6> turned;
    for (std::size_t i = 0; i < 6; ++i) {
      turned[i] = {-rows[5 - i].theta, -rows[5 - i].d, 0, 0};
      if (i < 5) turned[i].a = -rows[4 - i].a, turned[i].alpha = -rows[4 - i].alpha;
    }
    rows = turned;
    kinds = {kinds.rbegin(), kinds.rend()};
  }
  return robot_of(random, kinds, rows);
}

}  // namespace torsor::testing
