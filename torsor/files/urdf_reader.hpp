// URDF, the robot file of ROS and of most simulators, read strictly: every number is a number, every name is found, and
// all faults of a file are listed at once. docs/urdf.md says what is read, what is kept, what is passed over.
#pragma once

#include <string>
#include <string_view>

#include "torsor/text/xml.hpp"
#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The robot a URDF describes, sound enough for build() to succeed; or all faults, by line. Links come parents first and
/// else in the order of their joints in the file; the root link is the base, its inertia kept in base_parts; what was
/// passed over or assumed is in notes. `file` names the text in messages, and the robot if it has no name of its own.
Result<Description> read_urdf(std::string_view text, const std::string& file);
/// The same of a document that is parsed already.
Result<Description> read_urdf(const XmlElement& document, const std::string& file);

}  // namespace torsor
