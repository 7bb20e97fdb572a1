// Room: mechanisms with closed loops.
#pragma once

#include "torsor/mechanism/applied_forces.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/mechanism/constrained_motion.hpp"
#include "torsor/mechanism/constraint_row.hpp"
#include "torsor/mechanism/description.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equations.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/joint_equations.hpp"
#include "torsor/mechanism/joint_kind.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/mechanism/mechanism_of_robot.hpp"
#include "torsor/mechanism/mobility.hpp"
