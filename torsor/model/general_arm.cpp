#include "torsor/model/general_arm.hpp"

#include <cmath>

namespace torsor {
namespace {

/// Numbers between 0.1 and 0.9 that never repeat: multiples of the golden ratio, turned into the interval.
class Generic {
 public:
  double next() { return 0.1 + 0.8 * std::fmod(++count_ * 0.6180339887498949, 1.0); }

 private:
  int count_ = 0;
};

}  // namespace

Description general_arm(int n, Convention convention, std::string_view joints) {
  TORSOR_EXPECT(n >= 1 && (joints.empty() || joints.size() == static_cast<std::size_t>(n)));
  Generic generic;
  Description arm;
  arm.name = "general arm of " + std::to_string(n) + " joints";
  arm.convention = convention;
  arm.gravity = {generic.next(), generic.next(), -9};
  for (int i = 0; i < n; ++i) {
    LinkDescription link;
    link.name = "link" + std::to_string(i + 1);
    link.joint_name = "joint" + std::to_string(i + 1);
    if (!joints.empty() && joints[static_cast<std::size_t>(i)] == 'P') link.kind = JointKind::prismatic;
    link.geometry = DhRow{generic.next(), generic.next(), generic.next(), generic.next(), 0};
    // moments of three different rods and small products: a body that can exist
    const double m = 1 + generic.next();
    const Sym3<double> tensor{1 + generic.next(),       1 + generic.next(),       1 + generic.next(),
                              0.1 * generic.next(), 0.1 * generic.next(), 0.1 * generic.next()};
    link.parts = {{m, {generic.next(), generic.next(), generic.next()}, tensor, InertiaAbout::mass_centre, {}, {}}};
    arm.links.push_back(std::move(link));
  }
  return arm;
}

RobotForms<double> general_forms(int n, std::string_view joints) {
  const Description modified = general_arm(n, Convention::modified_dh, joints);
  RobotForms<double> forms = *robot_forms(modified);
  forms.standard = *dh_arm(general_arm(n, Convention::standard_dh, joints), Convention::standard_dh);
  forms.modified = *dh_arm(modified, Convention::modified_dh);
  return forms;
}

}  // namespace torsor
