// Room: vectors, rotations, spatial motions and forces, poses, inertias.
#pragma once

#include "torsor/spatial/articulated_inertia.hpp"
#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/mat4.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/transform.hpp"
#include "torsor/spatial/turn.hpp"
#include "torsor/spatial/turning.hpp"
#include "torsor/spatial/vec3.hpp"
