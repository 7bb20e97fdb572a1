// A tape as C statements: one per value that is needed more than once, products inside their sums, so that compilers fuse
// them. Inputs and outputs are named by C expressions (`qd[2]`); sines and cosines of all angles come from one call.
#pragma once

#include <string>

#include "torsor/codegen/c_real.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

struct CStatementOptions {
  int indent = 2;
  bool stores_last = false;  // for blocks whose outputs are inputs, too
};

struct CBlock {
  std::string text;
  int angles = 0;  // of the one call for sines and cosines
  // what it calls
  bool sincos = false, sincos_sum = false, exp = false, atan2 = false, sqrt = false;

  CBlock& operator+=(const CBlock& other);
};

/// The statements of a tidied tape. An output without a name is returned.
CBlock c_statements(const Tape&, const CReal&, const CStatementOptions& = {});

}  // namespace torsor
