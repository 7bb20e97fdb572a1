// Products with derivatives for any machine of the architecture, compiled as machine_baseline.cpp is.
#include "torsor/fast/product_kernels.hpp"

namespace torsor {

ProductKernels product_kernels_baseline() { return products_of_doubles(); }

}  // namespace torsor
