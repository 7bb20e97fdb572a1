// The formulations of a robot's inverse dynamics as a report: the robot, its DH tables, how well they agree, what they cost.
#pragma once

#include "torsor/model/robot_forms.hpp"
#include "torsor/report/print_style.hpp"
#include "torsor/report/report.hpp"
#include "torsor/robot.hpp"

namespace torsor {

/// Appends all of it, operation counts last; states: random ones at which formulations are compared. The worst disagreement of any two.
double describe_formulations(Report& report, const Robot& robot, RobotForms<double>& forms, int states,
                             const PrintStyle& print);

/// The verdict by that disagreement, where there is none yet; and the robot in front, where no motion is shown.
void finish_formulations(Report& report, const Robot& robot, double worst, bool figure);

}  // namespace torsor
