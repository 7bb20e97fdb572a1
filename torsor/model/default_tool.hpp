// Which link is meant by "the tool" where a file names none.
#pragma once

#include <span>

#include "torsor/model/model.hpp"

namespace torsor {

/// The body whose link is the default tool: one that is called tool0, flange, tcp, ee_link, tool, ... (or ends in _tool0,
/// ...) and sits at the end of an arm, not of its base: at least half as many movable joints carry it as the longest
/// chain has. Else the last link at the end of a longest chain of movable joints; the last link of all where nothing moves.
/// `links` are the bodies of the links in the order of the file: rotors are bodies, too, and no tool.
int default_tool_body(const Model<double>& model, std::span<const int> links);

}  // namespace torsor
