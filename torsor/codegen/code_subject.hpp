// What C is generated for: a robot, or a reduced model or closed form of it; of a robot with loops in its independent
// coordinates.
#pragma once

#include "torsor/codegen/code_function.hpp"
#include "torsor/model/model.hpp"
#include "torsor/result.hpp"
#include "torsor/robot.hpp"

namespace torsor {

struct CodeIk;
struct ReducedModel;

/// All that is pointed to outlives it.
struct CodeSubject {
  const Model<double>* model = nullptr;   // with loops: Robot::coordinates()
  Frame<double> tool;                     // of fk, jacobian and ik
  const ReducedModel* reduced = nullptr;  // dynamics by it; the friction is the robot's
  const CodeIk* ik = nullptr;             // its closed form: code_ik.hpp
  const Robot* closed = nullptr;          // with loops: the robot
};

/// Why a function cannot be generated: nothing where it can.
Faults refusals(const CodeSubject&, CodeFunction);

}  // namespace torsor
