// The look of a report page, and the small script that reads values off its plots.
#pragma once

#include <string_view>

namespace torsor {

/// Style rules of the page: light, dark (by the reader's setting), narrow screens, print.
std::string_view page_css();

/// Optional comfort: values under the pointer, figures and tables saved as CSV, both from the page's data block.
std::string_view page_script();

}  // namespace torsor
