// The trajectory room: time laws, joint and Cartesian motions made of them, and their scaling to limits.
#pragma once

#include "torsor/trajectory/blend.hpp"
#include "torsor/trajectory/blended_motion.hpp"
#include "torsor/trajectory/motion.hpp"
#include "torsor/trajectory/pace.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/point_to_point.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/ramp_law.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_law.hpp"
#include "torsor/trajectory/via_points.hpp"
