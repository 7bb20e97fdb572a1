// Room: hand to joints.
#pragma once

#include "torsor/ik/arm_family.hpp"
#include "torsor/ik/arm_solver.hpp"
#include "torsor/ik/circle_conic.hpp"
#include "torsor/ik/hand_motion.hpp"
#include "torsor/ik/ik_answer.hpp"
#include "torsor/ik/record_rotary.hpp"
#include "torsor/ik/rotary_acceleration.hpp"
#include "torsor/ik/solve_position.hpp"
#include "torsor/ik/wrist_arm.hpp"
