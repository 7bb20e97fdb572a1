// Room: runs of a model under efforts, with stick-slip, stops and sampled control.
#pragma once

#include "torsor/simulate/control_run.hpp"
#include "torsor/simulate/deviating_model.hpp"
#include "torsor/simulate/dry_friction.hpp"
#include "torsor/simulate/followed_motion.hpp"
#include "torsor/simulate/input.hpp"
#include "torsor/simulate/joint_stops.hpp"
#include "torsor/simulate/motion_effort.hpp"
#include "torsor/simulate/plant.hpp"
#include "torsor/simulate/round_trip.hpp"
#include "torsor/simulate/rules.hpp"
#include "torsor/simulate/sampled_effort.hpp"
#include "torsor/simulate/simulation.hpp"
#include "torsor/simulate/simulation_timing.hpp"
#include "torsor/simulate/surroundings.hpp"
#include "torsor/simulate/wall_contact.hpp"
