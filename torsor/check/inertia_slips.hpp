// Which slip of an author explains a body that is to be doubted. Each is undone in turn; those whose result is beyond
// doubt are ranked by how ordinary a link the result is and how common the slip, and the best is the probable cause.
#pragma once

#include <optional>
#include <string>

#include "torsor/check/body_doubts.hpp"

namespace torsor {

struct Slip {
  std::string
      cause;         // `decimal-point`, `product-signs`, `row-order`, `reference-point`, `units`, `placeholder`, `sign`
  std::string text;  // what it would be and what would fit
};

/// The most probable slip behind a doubtful part, or nothing when no single one explains it. `repeated`: other links
/// have the very same tensor.
std::optional<Slip> probable_slip(const Part&, const LinkScale&, bool alone, const DoubtLimits& = {},
                                  bool repeated = false);

/// Whether the tensor is one of those written where none is known: the same number on the whole diagonal, a power of ten
/// or repeated in other links, or in all six places.
bool seems_placeholder(const Part&, bool repeated);

/// Log-likelihood of a body among those of published robots: density about 800 kg/m^3, gyration radius half the extent
/// of the link.
double ordinary_body(const BodyDoubts&);

/// The same of the distance of its mass centre from the joint: about a gyration radius, however near from a tenth on.
double ordinary_centre(const BodyDoubts&);

/// The same of the size of a robot, by the largest distance between neighbouring joints: about 0.3 m.
double ordinary_size(const LinkScale&);

/// Whether the tensor, given about the mass centre, is rather one about the frame's origin. A body between the frame's
/// origin O and twice the mass centre c, as links are, has its mass spread along c by sigma <= |c|; taking a tensor
/// about O for one about c adds |c|^2 to sigma^2 and leaves the directions across as they are.
bool seems_about_frame(const Part&, const LinkScale&);

}  // namespace torsor
