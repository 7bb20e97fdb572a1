// ReducedModel: what Python holds of a reduced model. It never changes, so threads share it.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <utility>

#include "python/bindings/pool.hpp"
#include "python/bindings/robot.hpp"
#include "torsor/reduction/reduced_model.hpp"

namespace torsor::python {

struct Reduced {
  explicit Reduced(ReducedModel m, std::optional<std::size_t> all = {}) : model(std::move(m)), full_terms(all) {}

  const ReducedModel model;
  const std::optional<std::size_t> full_terms;  // of the model that it was made from, where that is known

  auto dynamics() const {
    return pool_.lease([this] { return std::make_unique<ReducedDynamics<double>>(model); });
  }

 private:
  mutable Pool<ReducedDynamics<double>> pool_;
};

/// Refuses a reduced model that is none of the robot.
void check_reduced(const Reduced&, const Robot&);

}  // namespace torsor::python
