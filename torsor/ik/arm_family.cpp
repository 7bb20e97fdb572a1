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
      {"cylindrical", "a turn, a slide along it, a slide across it", "elementary", cylindrical::premise,
       cylindrical::solve_arm, solve_spherical_wrist},
      {"cartesian", "three slides", "elementary", cartesian::premise, cartesian::solve_arm, solve_spherical_wrist},
      {"scara", "two turns and a slide, all parallel", "elementary", scara::premise, scara::solve_arm,
       solve_spherical_wrist},
      {"pieper", "any three turns and slides", "Pieper 1968; Craig 1986, section 4.6", pieper::premise,
       pieper::solve_arm, solve_spherical_wrist},
  };
  return rows;
}

}  // namespace torsor
