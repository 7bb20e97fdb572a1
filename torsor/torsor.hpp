// The face: Robot, Dynamics and what is asked of them, one header each. The files of the modules are there for who wants them.
#pragma once

#include "torsor/control.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/equations.hpp"
#include "torsor/formulation.hpp"
#include "torsor/identification.hpp"
#include "torsor/inverse_kinematics.hpp"
#include "torsor/loads.hpp"
#include "torsor/mechanism.hpp"
#include "torsor/reduced_model.hpp"
#include "torsor/report.hpp"
#include "torsor/result.hpp"
#include "torsor/robot.hpp"
#include "torsor/simulation.hpp"
#include "torsor/sizing.hpp"
#include "torsor/structure.hpp"
#include "torsor/trajectory.hpp"
