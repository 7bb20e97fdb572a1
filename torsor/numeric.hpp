// Room: small numerical tools: factorisations over any field, eigenvalues, polynomial roots, splines.
#pragma once

#include "torsor/numeric/dense.hpp"
#include "torsor/numeric/exact_polynomial.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/gauss.hpp"
#include "torsor/numeric/integrator.hpp"
#include "torsor/numeric/invert.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/polynomial_roots.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/numeric/smoothing_spline.hpp"
#include "torsor/numeric/spline_filter.hpp"
#include "torsor/numeric/streaming_spline.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"
