// Everything. A single room is cheaper to compile: <torsor/dynamics.hpp>, <torsor/kinematics.hpp>, ...
#pragma once

#include "torsor/control.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/expect.hpp"
#include "torsor/fast.hpp"
#include "torsor/ik.hpp"
#include "torsor/io.hpp"
#include "torsor/kinematics.hpp"
#include "torsor/mechanism.hpp"
#include "torsor/model.hpp"
#include "torsor/numeric.hpp"
#include "torsor/result.hpp"
#include "torsor/scalar.hpp"
#include "torsor/simulate.hpp"
#include "torsor/spatial.hpp"
#include "torsor/structure.hpp"
#include "torsor/trajectory.hpp"
