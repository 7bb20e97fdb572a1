// Room: what a robot is. Description (what a file says) -> build() -> Model<T> (what the algorithms need).
#pragma once

#include "torsor/model/chain_links.hpp"
#include "torsor/model/check.hpp"
#include "torsor/model/configuration.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/dh.hpp"
#include "torsor/model/dh_chain.hpp"
#include "torsor/model/friction.hpp"
#include "torsor/model/geometry.hpp"
#include "torsor/model/joint.hpp"
#include "torsor/model/model.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/model/shape.hpp"
#include "torsor/model/transmission.hpp"
#include "torsor/model/unit_quaternions.hpp"
