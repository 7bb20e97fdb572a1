// Trajectory of the joints and ToolPath of the tool over time: from files, points, splines and paths; scaled to limits.
#pragma once

#include "torsor/files/load_motion.hpp"
#include "torsor/trajectory/pick_and_place.hpp"
#include "torsor/trajectory/spline_motion.hpp"
#include "torsor/trajectory/time_scaling.hpp"
#include "torsor/trajectory/tool_path.hpp"
#include "torsor/trajectory/trajectory.hpp"
#include "torsor/trajectory/usual_motion.hpp"
