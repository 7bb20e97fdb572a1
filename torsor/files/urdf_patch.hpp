// Numbers of a URDF changed inside its text: every other byte, comments, order and layout stay as their author wrote them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "torsor/result.hpp"
#include "torsor/spatial/mat3.hpp"

namespace torsor {

/// The <inertial> of a link: kg; mass centre in the link frame, m; tensor about it along the link's axes, kg m^2.
struct InertialEdit {
  std::string link;
  double mass = 0;
  Vec3<double> com = {};
  Sym3<double> tensor = {};
};

/// The <limit> of a joint; what is not set stays.
struct LimitEdit {
  std::string joint;
  std::optional<double> lower = {}, upper = {}, velocity = {}, effort = {};
};

/// The text with these numbers in it. Elements and attributes that are missing are added, with the indentation of their
/// neighbours; a turned inertial frame becomes parallel to the link's. Faults: text that is no URDF, names that it has not or
/// has twice, numbers that are not finite.
Result<std::string> patch_urdf(std::string_view text, const std::vector<InertialEdit>& inertials,
                               const std::vector<LimitEdit>& limits = {});

}  // namespace torsor
