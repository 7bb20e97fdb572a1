// Robot: what Python holds of a robot. It never changes after it was made, so threads share it; the workspaces that its
// dynamics need are borrowed from it, one per call and thread.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "python/bindings/pool.hpp"
#include "torsor/fast/batch_dynamics.hpp"
#include "torsor/fast/fast_derivatives.hpp"
#include "torsor/fast/fast_dynamics.hpp"
#include "torsor/model/description.hpp"
#include "torsor/model/robot_forms.hpp"

namespace torsor::python {

class Robot {
 public:
  Robot(Description d, Model<double> m) : description(std::move(d)), model(std::move(m)) {}
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  const Description description;
  const Model<double> model;

  // workspaces; the first three by themselves because a call with one state takes less than finding them would
  auto fast() const {
    return fast_.lease([this] { return std::make_unique<FastDynamics>(model); });
  }
  template <class Real>
  auto batch() const {
    const auto make = [this] { return std::make_unique<BatchDynamics<Real>>(model); };
    if constexpr (std::is_same_v<Real, float>)
      return batch_float_.lease(make);
    else
      return batch_double_.lease(make);
  }
  auto derivatives() const {
    return derivatives_.lease([this] { return std::make_unique<FastDerivatives>(model); });
  }
  /// Any other, made from (model) or by make().
  template <class Work>
  auto work() const {
    return others_.of<Work>().lease([this] { return std::make_unique<Work>(model); });
  }
  template <class Work, class Make>
  auto work(const void* key, const Make& make) const {
    return others_.of<Work>(key).lease(make);
  }

  /// The robot in every form that a formulation may ask for; found once. Raises torsor.Error where there is none.
  const RobotForms<double>& forms() const;

  /// A tool or link frame by its name, or the default tool for None; ValueError of `function` where there is none.
  Frame<double> frame(const char* function, nanobind::handle name) const;

 private:
  mutable Pool<FastDynamics> fast_;
  mutable Pool<BatchDynamics<double>> batch_double_;
  mutable Pool<BatchDynamics<float>> batch_float_;
  mutable Pool<FastDerivatives> derivatives_;
  mutable Pools others_;
  mutable std::mutex forms_mutex_;
  mutable std::optional<RobotForms<double>> forms_;
};

/// The robot of a description; torsor.Error with all its faults.
std::unique_ptr<Robot> make_robot(Description description);

}  // namespace torsor::python
