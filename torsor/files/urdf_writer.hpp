// A robot as URDF, for the programs that read nothing else. docs/urdf.md says what a URDF can hold and what it cannot.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The text of a URDF that read_urdf() turns into a robot with the same torques; numbers in the shortest form that reads
/// back exactly. Links placed explicitly keep their frames; a link on a DH row gets the frame of its joint, z along the
/// axis, or that of a tool by its own name where this lies on the axis. Other tools become links without mass. What a URDF
/// cannot hold is an error (rules `urdf-...`), with what to do; what others may lose or take otherwise stands in comments
/// at the head of the text, and in `told`.
Result<std::string> write_urdf(const Description&, std::vector<std::string>* told = nullptr);

}  // namespace torsor
