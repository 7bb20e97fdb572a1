// The room of numbers: what a number may be, and the numbers beyond double.
#pragma once

#include "torsor/scalar/concepts.hpp"
#include "torsor/scalar/dual.hpp"
#include "torsor/scalar/factored_sums.hpp"
#include "torsor/scalar/fraction.hpp"
#include "torsor/scalar/interval.hpp"
#include "torsor/scalar/modular.hpp"
#include "torsor/scalar/pack.hpp"
#include "torsor/scalar/poly.hpp"
#include "torsor/scalar/stage.hpp"
#include "torsor/scalar/trace.hpp"
#include "torsor/scalar/trace_count.hpp"
#include "torsor/scalar/trace_evaluate.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/scalar/trace_text.hpp"
