// robot.yaml, by which a URDF tree becomes a robot with loops: the form of the collection example-parallel-robots of Gepetto
// (LAAS-CNRS). The URDF is beside it: of the same name, or the only one of its folder.
//
//   closed_loop: [[frame, frame], ...]   links, or joints, for their child links, whose frames meet
//   type: [6d, 3d, ...]                  in pose (weld), or in position alone (spherical)
//   name_mot: [joint, ...]               the motors
//   joint_name, joint_type               joints of the URDF that are others: SPHERICAL, UJOINT_XY (about x, then y), FIXED
#pragma once

#include <string>
#include <string_view>

#include "torsor/model/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The robot of such a text; `file` says where it stands.
Result<Description> read_robot_yaml(std::string_view text, const std::string& file, const LoadOptions& options = {});

/// Of a URDF with a robot.yaml beside it that closes loops: a note that they are not in it. None for others.
Faults loops_beside(const std::string& urdf);

}  // namespace torsor
