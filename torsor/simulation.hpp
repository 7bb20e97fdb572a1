// Simulation of a robot under torques: integrators, events, stops, friction that sticks, sampled control.
#pragma once

#include "torsor/simulate/sampled_torque.hpp"
#include "torsor/simulate/simulation.hpp"
