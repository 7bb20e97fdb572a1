// What torsor.jax asks of the module: the foreign function for XLA, and what stands for robots and frames in its calls.
#pragma once

#include <nanobind/nanobind.h>

namespace torsor::python {

void bind_jax_calls(nanobind::module_&);

}  // namespace torsor::python
