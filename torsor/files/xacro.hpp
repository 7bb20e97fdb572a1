// xacro, the macro language of ROS for XML: macros, properties, conditions and includes are expanded as the program
// `xacro` 2 does it (https://github.com/ros/xacro), by code of our own: nothing is executed, and only files of the robot's
// folder and of known packages are read. docs/xacro.md says what is understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "torsor/text/xml.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// An expanded document. Its elements come from several files: their lines count through all of these, one after the
/// other, and `place` tells which one is meant.
struct ExpandedXacro {
  struct Source {
    std::string file;
    int first_line = 0;  // of this file is 1
  };
  XmlElement root;
  std::vector<Source> sources;
  Faults notes;  // messages of the file, and what was passed over

  Where place(int line) const;
};

/// The document without macros; or the first fault, with file, line and the macros it lies in (rules `xacro-...`).
/// `file` names the text in faults; files it includes are sought from there, if it is one.
Result<ExpandedXacro> expand_xacro(std::string_view text, const std::string& file, const LoadOptions& options = {});
/// The same of a document that is parsed already.
Result<ExpandedXacro> expand_xacro(XmlElement document, const std::string& file, const LoadOptions& options = {});

/// The first element of a document that is of xacro, or holds an expression of it; or null.
const XmlElement* find_xacro(const XmlElement& document);

}  // namespace torsor
