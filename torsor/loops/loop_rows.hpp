// Rows of a robot with loops: one state after the other, since each goes on from where the loops were closed before. On
// several threads in pieces, each of which begins where the loops were assembled, so that answers do not depend on how many.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "torsor/fast/dynamics_engine.hpp"
#include "torsor/fast/workers.hpp"

namespace torsor {

/// Threads, and for each but the first an engine that answers as the first does.
struct LoopTeam {
  explicit LoopTeam(int threads) : workers(threads) {}

  Workers workers;
  std::vector<std::unique_ptr<DynamicsEngine>> others;
};

/// Of an engine with nq positions and nv rates, which must outlive its rows. team: asked for where there are many states;
/// none: on the thread of the caller.
template <class Real>
std::unique_ptr<RowsEngine<Real>> rows_one_by_one(DynamicsEngine& engine, int nq, int nv,
                                                  std::function<LoopTeam*()> team);

}  // namespace torsor
