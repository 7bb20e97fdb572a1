// Rows of a robot with loops: one state after the other, since each goes on from where the loops were closed before.
#pragma once

#include "torsor/fast/dynamics_engine.hpp"

namespace torsor {

/// Of an engine with nq positions and nv rates, which must outlive its rows.
template <class Real>
std::unique_ptr<RowsEngine<Real>> rows_one_by_one(DynamicsEngine& engine, int nq, int nv);

}  // namespace torsor
