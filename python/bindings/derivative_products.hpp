// Products with derivatives: a part of dynamics_derivatives.cpp that has a file of its own.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_derivative_products(nanobind::module_&);

}  // namespace torsor::python
