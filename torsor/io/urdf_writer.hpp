// A robot as URDF, for the programs that read nothing else. docs/urdf.md says what a URDF can hold and what it cannot.
#pragma once

#include <string>

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The text of a URDF that read_urdf() turns into a robot with the same torques; numbers in the shortest form that reads
/// back exactly. Links placed explicitly keep their frames; a link on a DH row gets the frame of its joint, z along the
/// axis. Tools become links without mass. What a URDF cannot hold is an error (rules `urdf-...`), with what to do.
Result<std::string> write_urdf(const Description&);

}  // namespace torsor
