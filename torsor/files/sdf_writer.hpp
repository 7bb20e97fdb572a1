// A robot as SDF, for Gazebo and Drake. docs/sdf.md says what an SDF can hold and what it cannot.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The text of an SDF that read_sdf() turns into a robot with the same torques and coordinates; numbers in the shortest
/// form that reads back exactly. The version is the oldest that holds the robot. What an SDF cannot hold is an error
/// (rules `sdf-...`), with what to do; what is lost or taken otherwise stands in comments at the head of the text, and
/// in `told`.
Result<std::string> write_sdf(const Description&, std::vector<std::string>* told = nullptr);

}  // namespace torsor
