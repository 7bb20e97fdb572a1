// Room: hand to joints.
#pragma once

#include "torsor/ik/arm_family.hpp"
#include "torsor/ik/arm_solver.hpp"
#include "torsor/ik/bounded_descent.hpp"
#include "torsor/ik/circle_conic.hpp"
#include "torsor/ik/general_solver.hpp"
#include "torsor/ik/hand_motion.hpp"
#include "torsor/ik/ik_answer.hpp"
#include "torsor/ik/is_frame.hpp"
#include "torsor/ik/null_space_aim.hpp"
#include "torsor/ik/pose_task.hpp"
#include "torsor/ik/record_rotary.hpp"
#include "torsor/ik/rotary_acceleration.hpp"
#include "torsor/ik/secondary_aim.hpp"
#include "torsor/ik/solve_position.hpp"
#include "torsor/ik/wrist_arm.hpp"
