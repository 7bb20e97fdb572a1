#include "torsor/ik/arm_family.hpp"

namespace torsor {

std::span<const ArmFamily> arm_families() {
  static constexpr ArmFamily rows[] = {
      {"rotary", "three turns without offsets", "Hollerbach & Sahar 1983, (19) to (44)", rotary_premise, solve_rotary,
       solve_rotary_wrist},
      {"elbow", "three turns, axes 2 and 3 parallel, any offsets", "Paul 1981; Craig 1986, section 4.7", elbow_premise,
       solve_elbow, solve_spherical_wrist},
      {"polar", "two turns and a slide across the second", "Paul 1981, chapter 3", polar_premise, solve_polar,
       solve_spherical_wrist},
      {"cylindrical", "a turn, a slide along it, a slide across it", "elementary", cylindrical_premise,
       solve_cylindrical, solve_spherical_wrist},
      {"cartesian", "three slides", "elementary", cartesian_premise, solve_cartesian, solve_spherical_wrist},
      {"scara", "two turns and a slide, all parallel", "elementary", scara_premise, solve_scara, solve_spherical_wrist},
      {"pieper", "any three turns and slides", "Pieper 1968; Craig 1986, section 4.6", pieper_premise, solve_pieper,
       solve_spherical_wrist},
  };
  return rows;
}

}  // namespace torsor
