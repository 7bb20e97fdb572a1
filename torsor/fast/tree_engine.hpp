// The engine of serial arms and trees: canonical chain, lane groups or the tree algorithms for one state
// (fast_dynamics.hpp), a register full of states at a time for rows (batch_dynamics.hpp), products of both kinds.
#pragma once

#include "torsor/fast/dynamics_engine.hpp"

namespace torsor {

/// The model is copied.
std::unique_ptr<DynamicsEngine> tree_engine(const Model<double>& model, DynamicsOptions options);

}  // namespace torsor
