// Generated C of a robot's dynamics and kinematics, and the proof that it computes the same.
#pragma once

#include "torsor/codegen/generate.hpp"
#include "torsor/codegen/prove.hpp"
