// A robot as MJCF, for MuJoCo. docs/mjcf.md says what an MJCF can hold and what it cannot.
#pragma once

#include <string>
#include <vector>

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The text of an MJCF that read_mjcf() turns into a robot with the same torques; numbers in the shortest form that reads
/// back exactly. Bodies have the frames of the links; tools become sites. Coordinates come in MuJoCo's order, that of
/// depth_first(). What an MJCF cannot hold is an error (rules `mjcf-...`), with what to do; what is lost or taken otherwise
/// stands in comments at the head of the text, and in `told`.
Result<std::string> write_mjcf(const Description&, std::vector<std::string>* told = nullptr);

/// The same robot with its links in the order of a walk through the tree, each with all that hangs from it before the next:
/// the order in which MJCF has them, and so its coordinates.
Description depth_first(Description);

}  // namespace torsor
