// The shapes of a link, kept as URDF, as geoms of an MJCF; meshes stay where they are and are named.
#pragma once

#include <string>
#include <vector>

#include "torsor/text/xml.hpp"
#include "torsor/model/description.hpp"

namespace torsor::detail {

class MjcfShapes {
 public:
  /// The geoms of a link, without mass: group 2 for what is seen, group 3 for what touches.
  std::vector<XmlElement> geoms(const UrdfExtra& extra);
  /// The <asset> with all meshes named so far; without children if there are none.
  const XmlElement& asset() const { return asset_; }
  /// What was left out, and what a user of the file has to see to.
  const std::vector<std::string>& told() const { return told_; }

 private:
  XmlElement asset_{.name = "asset", .text = "", .line = 0, .attributes = {}, .children = {}};
  std::vector<std::string> told_;

  std::string mesh(const XmlElement& urdf);
  void tell(std::string sentence);
};

}  // namespace torsor::detail
