#include "torsor/closed_form_ik/arm_family.hpp"

namespace torsor {

std::span<const ArmFamily> arm_families() {
  static constexpr ArmFamily rows[] = {
      {"rotary", "three turns without offsets", "Hollerbach & Sahar 1983, (19) to (44)", rotary_premise, solve_rotary,
       solve_rotary_wrist, "a2 s4 p_wx c3 s5", elbow_determinant},
      {"elbow", "three turns, axes 2 and 3 parallel, any offsets", "Paul 1981; Craig 1986, section 4.7", elbow_premise,
       solve_elbow, solve_spherical_wrist, "-sa1 a2 m_y g_x sa4 sa5 s5", elbow_determinant},
      {"polar", "two revolute joints and a prismatic joint across the second", "Paul 1981, chapter 3", polar_premise,
       solve_polar, solve_spherical_wrist, "-sa1 sa2 f_y g_x sa4 sa5 s5", polar_determinant},
      {"cylindrical", "a revolute joint, a prismatic joint along it, one across it", "elementary", cylindrical_premise,
       solve_cylindrical, solve_spherical_wrist, "-ca1 sa2 (f_y - s2 a1) sa4 sa5 s5", cylindrical_determinant},
      {"cartesian", "three prismatic joints", "elementary", cartesian_premise, solve_cartesian, solve_spherical_wrist,
       "sa1 sa2 s2 sa4 sa5 s5", cartesian_determinant},
      {"scara", "two revolute joints and a prismatic joint, all parallel", "elementary", scara_premise, solve_scara,
       solve_spherical_wrist, "ca1 ca2 a1 (s2 f_x + c2 f_y) sa4 sa5 s5", scara_determinant},
      {"pieper", "any three revolute and prismatic joints", "Pieper 1968; Craig 1986, section 4.6", pieper_premise,
       solve_pieper, solve_spherical_wrist, "C_1 . (C_2 x C_3) sa4 sa5 s5", general_determinant, false},
  };
  return rows;
}

}  // namespace torsor
