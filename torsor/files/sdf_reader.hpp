// A robot from an SDF file, the format of Gazebo, which Drake reads, too. docs/sdf.md says what is read, what is
// refused and what is passed over.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/files/sdf_model.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The robot that an SDF text describes; `file` is its name in faults. Models it includes are sought beside it and in
/// the folders of the options; nothing else is opened. What Gazebo or Drake would compute with and we cannot is a
/// fault.
Result<Description> read_sdf(std::string_view text, const std::string& file, const LoadOptions& options = {});

/// The same, with other files opened by `open`: text that came over a wire need not open any.
Result<Description> read_sdf(std::string_view text, const std::string& file, const detail::OpenUri& open);

namespace detail {

/// The tree of a file; joints that close loops go to `loops`, and where that is null become loops of the robot.
Result<Description> read_sdf_tree(std::string_view text, const std::string& file, const OpenUri& open,
                                  std::vector<SdfLoop>* loops);

}  // namespace detail
}  // namespace torsor
