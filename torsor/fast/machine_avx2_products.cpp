// Products with derivatives for registers of 32 bytes, compiled as machine_avx2.cpp is.
#include "torsor/fast/product_kernels.hpp"

namespace torsor {

ProductKernels product_kernels_avx2() { return products_of_doubles(); }

}  // namespace torsor
