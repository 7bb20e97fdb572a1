// Mechanism with closed loops: mobility, assembly, motion, torques and reactions, equilibrium, linearisation, simulation.
#pragma once

#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/driven_run.hpp"
#include "torsor/mechanism/equilibrium.hpp"
#include "torsor/mechanism/forward_run.hpp"
#include "torsor/mechanism/inverse_dynamics.hpp"
#include "torsor/mechanism/joint_reaction.hpp"
#include "torsor/mechanism/linearisation.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/mechanism/mobility.hpp"
