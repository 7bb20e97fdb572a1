// Room: where the bodies are and how they move.
#pragma once

#include "torsor/kinematics/base_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/kinematics/row_jump.hpp"
