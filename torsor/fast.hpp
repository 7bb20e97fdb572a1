// The room fast/: canonical chains, one state and many at once, instruction sets chosen at run time.
#pragma once

#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/fast/canonical_chain.hpp"
#include "torsor/fast/derivative_timing.hpp"
#include "torsor/fast/fast_derivatives.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/fast/instruction_set.hpp"
