// Robot: what Python holds of a robot: torsor::Robot, and the workspaces that its dynamics need, which are borrowed from it,
// one per call and thread.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "python/bindings/pool.hpp"
#include "torsor/dynamics.hpp"
#include "torsor/identification/regressor_rows.hpp"
#include "torsor/model/robot_forms.hpp"
#include "torsor/robot.hpp"

namespace torsor::python {

class Robot : public torsor::Robot {
 public:
  explicit Robot(torsor::Robot robot) : torsor::Robot(std::move(robot)) {}
  Robot(const Robot&) = delete;
  Robot& operator=(const Robot&) = delete;

  // workspaces; the first by itself because a call with one state takes less than finding it would. Whoever sets loads takes
  // them off again
  /// For poses and Jacobians, which need no masses.
  auto kinematics() const {
    return dynamics_.lease(
        [this] { return std::make_unique<Dynamics>(*this, DynamicsOptions{.questions = Questions::all_but_forward}); },
        answer_anew);
  }
  /// Likewise of another frame, found by a key that tells the frames of a robot apart.
  auto kinematics(const void* key, const Frame<double>& of) const {
    return others_.of<Dynamics>(key).lease([&] {
      return std::make_unique<Dynamics>(*this, DynamicsOptions{.questions = Questions::all_but_forward, .tool = of});
    }, answer_anew);
  }
  /// The same as the first for torques and accelerations.
  auto dynamics() const {
    refuse_massless();
    return kinematics();
  }
  /// Raises torsor.Error (robot-loops) for a robot with loops: what only takes its description would take it for a tree.
  void expect_tree() const { model(); }
  /// Raises torsor.Error (robot-massless) for a robot none of whose joints moves a mass: its torques would all be zero.
  void refuse_massless() const {
    if (!massless_.empty()) throw_error(massless_);
  }
  /// Regressors of all parameters.
  auto regressor() const {
    return regressors_.lease(
        [this] { return std::make_unique<RegressorRows>(RegressorSubject(*this), dynamic_parameters(tree())); },
        [](RegressorRows& rows) { rows.return_to_start(); });
  }
  /// Any other, made from (model) or by make().
  template <class Work>
  auto work() const {
    return others_.of<Work>().lease([this] { return std::make_unique<Work>(model()); });
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
  /// Answers are functions of their arguments: loops are followed from their start, wherever they were before.
  static void answer_anew(Dynamics& dynamics) { dynamics.return_to_start(); }

  Faults massless_ = without_masses();
  mutable Pool<Dynamics> dynamics_;
  mutable Pool<RegressorRows> regressors_;
  mutable Pools others_;
  mutable std::mutex forms_mutex_;
  mutable std::optional<RobotForms<double>> forms_;
};

/// What a file may ask for. `packages`: a dict of folders by name, a folder with packages in it, or a list of such.
torsor::LoadOptions load_options(nanobind::handle arguments, nanobind::handle packages, nanobind::handle environment);

/// The robot that Python is given.
inline std::unique_ptr<Robot> make_robot(torsor::Robot robot) { return std::make_unique<Robot>(std::move(robot)); }

}  // namespace torsor::python
