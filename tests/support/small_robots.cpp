#include "tests/support/small_robots.hpp"

namespace torsor::testing {

Description two_sliders() {
  Description d;
  for (int i = 0; i < 2; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i), link.joint_name = "joint" + std::to_string(i);
    link.kind = JointKind::prismatic;
    link.geometry = JointPlacement{{}, {1, 0, 0}};
    Part part;
    part.mass = i == 0 ? 2 : 3;
    link.parts = {part};
    d.links.push_back(link);
  }
  return d;
}

std::string planar_arm(const std::string& third) {
  const auto link = [](const std::string& k, const std::string& dh, const std::string& body) {
    return "[[link]]\nname = \"link" + k + "\"\njoint = { kind = \"revolute\", name = \"q" + k + "\" }\ndh = { " + dh +
           " }\n" + body + "\n";
  };
  return "format = 1\nname = \"planar 3R\"\nconvention = \"standard-dh\"\ngravity = [0, -9.81, 0]\n" +
         link("1", "a = 0.5", "mass = 3\ncom = [-0.2, 0.1, 0]\ninertia = [0.1, 0.2, 0.3]") +
         link("2", "a = 0.4", "mass = 2\ncom = [-0.1, 0.02, 0]\ninertia = [0.1, 0.2, 0.25]") +
         link("3", "a = 0.3" + third, "mass = 1\ncom = [-0.1, 0.03, 0]\ninertia = [0.1, 0.2, 0.22]");
}

}  // namespace torsor::testing
