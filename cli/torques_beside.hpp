// Figures of torques along a course, those of two models in one plot per joint, and of the robot as it moves there: full beside
// reduced, before beside after.
#pragma once

#include <functional>
#include <string>

#include "torsor/model/model.hpp"
#include "torsor/report/report.hpp"
#include "torsor/structure/course.hpp"

namespace torsor {

/// tau (nv numbers) of q, qd, qdd.
using TorqueLaw = std::function<void(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                                     std::span<double> tau)>;
struct NamedTorques {
  std::string name;
  TorqueLaw law;
};

/// By inverse dynamics of the model, friction left out.
TorqueLaw torques_without_friction(Model<double> model);

/// The robot (as `model` says), then the curves; the first law colours its joints.
void add_torques_beside(ReportSection& section, const std::string& title, const Model<double>& model,
                        const Course& course, const NamedTorques& one, const NamedTorques& other);

}  // namespace torsor
