// Functions of a serial arm on tape by its canonical chain (fast/canonical_chain.hpp), whose frames and regrouped
// parameters take fewer operations than the tree, as a rule.
#pragma once

#include "torsor/codegen/code_function.hpp"
#include "torsor/fast/canonical_chain.hpp"
#include "torsor/scalar/trace.hpp"

namespace torsor {

/// Records a function of code_function.hpp; false, and nothing is recorded, for those that the chain does not have.
bool record_chain(const CanonicalChain&, const Model<double>&, const Frame<double>& tool, CodeFunction,
                  std::span<const Trace> arguments, std::span<Trace> results);

}  // namespace torsor
