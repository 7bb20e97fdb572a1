// The trajectory room: time laws and joint motions made of them.
#pragma once

#include "torsor/trajectory/motion.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/point_to_point.hpp"
#include "torsor/trajectory/published_motion.hpp"
#include "torsor/trajectory/time_law.hpp"
#include "torsor/trajectory/via_points.hpp"
