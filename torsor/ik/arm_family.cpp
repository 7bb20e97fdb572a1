#include "torsor/ik/arm_family.hpp"

namespace torsor {

std::span<const ArmFamily> arm_families() {
  static constexpr ArmFamily rows[] = {
      {"rotary", "three turns without offsets", "Hollerbach & Sahar 1983, (19) to (44)", rotary::premise,
       rotary::solve_arm, rotary::solve_wrist},
      {"elbow", "three turns, axes 2 and 3 parallel, any offsets", "Paul 1981; Craig 1986, section 4.7", elbow::premise,
       elbow::solve_arm, solve_spherical_wrist},
      {"polar", "two turns and a slide across the second", "Paul 1981, chapter 3", polar::premise, polar::solve_arm,
       solve_spherical_wrist},
      {"pieper", "any three turns and slides", "Pieper 1968; Craig 1986, section 4.6", pieper::premise,
       pieper::solve_arm, solve_spherical_wrist},
  };
  return rows;
}

}  // namespace torsor
