// Which slip of an author explains a body that is to be doubted. Each is undone in turn; those whose result is beyond
// doubt are ranked by how ordinary a link the result is and how common the slip, and the best is the probable cause.
#pragma once

#include <optional>
#include <string>

#include "torsor/model/body_doubts.hpp"

namespace torsor {

struct Slip {
  std::string cause;  // `decimal-point`, `product-signs`, `row-order`, `reference-point`, `units`, `placeholder`
  std::string text;   // what it would be and what would fit
};

/// The most probable slip behind a doubtful part, or nothing when no single one explains it.
std::optional<Slip> probable_slip(const Part&, const LinkScale&, bool alone, const DoubtLimits& = {});

/// Whether the tensor, given about the mass centre, is rather one about the frame's origin. A body between the frame's
/// origin O and twice the mass centre c, as links are, has its mass spread along c by sigma <= |c|; taking a tensor
/// about O for one about c adds |c|^2 to sigma^2 and leaves the directions across as they are.
bool seems_about_frame(const Part&, const LinkScale&);

}  // namespace torsor
