// A robot from an MJCF file, MuJoCo's own format. docs/mjcf.md says what is read, what is refused and what is passed over.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "torsor/model/description.hpp"
#include "torsor/model/load_options.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The robot that an MJCF text describes, in MuJoCo's coordinates; `file` is its name in faults, and its folder is where
/// included and attached files are. What MuJoCo would compute with and we cannot is a fault.
/// Files outside that folder are opened in the packages and package folders of the options alone.
Result<Description> read_mjcf(std::string_view text, const std::string& file, const LoadOptions& options = {});

/// The same, with other files read by `read`: text that came over a wire need not open any.
Result<Description> read_mjcf(std::string_view text, const std::string& file,
                              const std::function<Result<std::string>(const std::string& path)>& read);

namespace detail {

struct MjcfLoops;

/// The tree of a file; loops and where it stands go to `loops`, and loops are faults where that is null.
Result<Description> read_mjcf_tree(std::string_view text, const std::string& file,
                                   const std::function<Result<std::string>(const std::string& path)>& read,
                                   const LoadOptions& options, MjcfLoops* loops);

/// The text of a file, unless it is something else than a plain file: a pipe would wait for ever.
Result<std::string> read_plain_file(const std::string& path);

}  // namespace detail
}  // namespace torsor
