// A robot whose base is fixed, put on a free one: its base becomes a link that a free joint carries.
#pragma once

#include "torsor/model/description.hpp"
#include "torsor/result.hpp"

namespace torsor {

/// The base of the description, with the inertia that its file gives it, is the first link, by its name, on a free joint
/// "floating_base" that starts where the base stood. A fault where the robot stands on a free joint already (base-free) or
/// where a joint has that name (joint-name).
Result<Description> on_free_base(Description description);

}  // namespace torsor
