// The shapes of a link, which a Description keeps as URDF, as <visual> and <collision> of an SDF; meshes stay where
// they are and are named. The other way is read_sdf_looks() in sdf_element.hpp.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/text/xml.hpp"

namespace torsor::detail {

/// The shapes with their poses in a frame in which the link has the pose X; names begin with `name`. What an SDF does
/// not have is left out, with a sentence in `told`.
std::vector<XmlElement> sdf_shapes(const UrdfExtra& extra, const Transform<double>& X, const std::string& name,
                                   std::vector<std::string>& told);

}  // namespace torsor::detail
