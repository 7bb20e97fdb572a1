// Products with derivatives for registers of 64 bytes, compiled as machine_avx512.cpp is.
#include "torsor/fast/product_kernels.hpp"

namespace torsor {

ProductKernels product_kernels_avx512() { return products_of_doubles(); }

}  // namespace torsor
