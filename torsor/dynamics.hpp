// Room: forces and motion. One file per formulation; the catalogues list them.
#pragma once

#include "torsor/dynamics/catalogue.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/dynamics/effort_statistics.hpp"
#include "torsor/dynamics/energy.hpp"
#include "torsor/dynamics/forward_articulated_body.hpp"
#include "torsor/dynamics/forward_by_method.hpp"
#include "torsor/dynamics/forward_mass_matrix.hpp"
#include "torsor/dynamics/inertia_composite_body.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/dynamics/link_trace.hpp"
#include "torsor/dynamics/loads.hpp"
#include "torsor/dynamics/motion_terms.hpp"
#include "torsor/dynamics/tree_dynamics.hpp"
