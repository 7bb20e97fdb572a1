// The look of a report page, and the script of its plots.
#pragma once

#include <string_view>

namespace torsor {

/// Style rules of the page: light, dark (by the reader's setting), narrow screens, print.
std::string_view page_css();

/// Optional comfort, from the page's data block: values under the pointer, one cursor for curves and robots, zoom, legends that
/// hide and show, figures and tables saved as CSV (page.js, without its comments). It needs viewer_script() before it.
std::string_view page_script();

}  // namespace torsor
