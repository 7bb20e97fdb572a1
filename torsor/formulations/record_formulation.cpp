#include "torsor/formulations/record_formulation.hpp"

#include "torsor/spatial/record_inputs.hpp"

namespace torsor {
namespace {

std::string indexed(const char* name, int i) { return name + std::to_string(i); }

/// The constants of a DH arm that the options want as inputs.
void take_inputs(Tape& tape, DhArm<Trace>& arm, const RecordOptions& options) {
  if (options.gravity_at_run_time) {
    arm.g = input_vector(tape, "g");
    arm.level = false;
  }
  for (int i = 1; i <= arm.n(); ++i) {
    DhLink<Trace>& l = arm.links[static_cast<std::size_t>(i - 1)];
    if (options.lengths_at_run_time) {
      l.a = tape.input(indexed("a", i));
      if (!l.prismatic) l.d = tape.input(indexed("d", i));
    }
    if (options.masses_at_run_time) l.m = tape.input(indexed("m", i));
  }
}

/// The same for a tree.
void take_inputs(Tape& tape, Model<Trace>& model, const RecordOptions& options) {
  if (options.gravity_at_run_time) model.gravity = input_vector(tape, "g");
  for (int i = 0; i < model.size(); ++i) {
    Body<Trace>& body = model.bodies[static_cast<std::size_t>(i)];
    if (options.lengths_at_run_time) body.placement.p = input_vector(tape, indexed("p", i + 1));
    if (options.masses_at_run_time) {
      auto& [m, h, I] = body.inertia;
      m = tape.input(indexed("m", i + 1));
      h = input_vector(tape, indexed("h", i + 1));
      for (const auto& [entry, name] :
           {std::pair{&I.xx, "Ixx"}, {&I.yy, "Iyy"}, {&I.zz, "Izz"}, {&I.xy, "Ixy"}, {&I.xz, "Ixz"}, {&I.yz, "Iyz"}})
        *entry = tape.input(indexed(name, i + 1));
    }
  }
}

/// The forms over traces, positions as inputs; the form in the frames asked for also has those of the options.
RobotForms<Trace> traced(Tape& tape, const RobotForms<double>& forms, Frames frames, const RecordOptions& options) {
  RobotForms<Trace> out = cast<Trace>(forms, [](double x) { return Trace(x); });
  switch (frames) {
    case Frames::tree: take_inputs(tape, out.model, options); break;
    case Frames::standard_dh: take_inputs(tape, *out.standard, options); break;
    case Frames::modified_dh: take_inputs(tape, *out.modified, options); break;
  }
  for (int b = 0, i = 1; b < out.model.size(); ++b) {
    const Body<Trace>& body = out.model[b];
    if (body.kind == JointKind::fixed) continue;
    TORSOR_EXPECT(body.nv == 1);
    JointPosition<Trace>& joint = out.configuration[b];
    if (body.kind != JointKind::prismatic) {
      joint.c = tape.input(indexed("c", i));
      joint.s = tape.input(indexed("s", i));
    }
    if (body.kind != JointKind::revolute) joint.d = tape.input(indexed("d", i));
    // a classical formulation is given the cosine and sine of the DH angle itself
    const auto place = [&](const DhArm<Trace>& arm, DhPosition<Trace>& position) {
      std::size_t row = 1;
      for (int before = i; arm.links[row - 1].held || --before > 0;) ++row;
      const DhLink<Trace>& l = arm.links[row - 1];
      position.c[row] = l.prismatic ? l.c : joint.c;
      position.s[row] = l.prismatic ? l.s : joint.s;
      position.d[row] = l.prismatic ? joint.d : l.d;
    };
    if (out.standard) {
      place(*out.standard, out.standard_position);
      place(*out.modified, out.modified_position);
    }
    ++i;
  }
  return out;
}

void output(Tape& tape, const char* name, std::span<const Trace> values) {
  for (std::size_t i = 0; i < values.size(); ++i) tape.output(values[i], indexed(name, static_cast<int>(i) + 1));
}

void output_upper(Tape& tape, std::span<const Trace> D, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) tape.output(D[i * n + j], "D" + std::to_string(i + 1) + "_" + std::to_string(j + 1));
}

std::vector<Trace> zeros(int n) { return std::vector<Trace>(static_cast<std::size_t>(n)); }

}  // namespace

Tape record(const InverseFormulation<Trace>& row, const RobotForms<double>& forms, const RecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  const RobotForms<Trace> robot = traced(tape, forms, row.frames, options);
  const std::vector<Trace> qd = record_inputs(tape, "qd", robot.model.nv),
                           qdd = record_inputs(tape, "qdd", robot.model.nv);
  std::vector<Trace> tau = zeros(robot.model.nv);
  row.prepare(robot)(robot, qd, qdd, tau);
  output(tape, "tau", tau);
  return tape;
}

Tape record(const CoefficientsFormulation<Trace>& row, const RobotForms<double>& forms, const RecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  const RobotForms<Trace> robot = traced(tape, forms, row.frames, options);
  const int n = robot.model.nv;
  const std::vector<Trace> qd = record_inputs(tape, "qd", n);
  std::vector<Trace> D = zeros(n * n), h = zeros(n), c = zeros(n);
  row.prepare(robot)(robot, qd, D, h, c);
  output_upper(tape, D, n);
  output(tape, "h", h);
  output(tape, "c", c);
  return tape;
}

Tape record(const ChristoffelFormulation<Trace>& row, const RobotForms<double>& forms, const RecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  const RobotForms<Trace> robot = traced(tape, forms, row.frames, options);
  const int n = robot.model.nv;
  std::vector<Trace> h = zeros(n * n * n);
  row.prepare(robot)(robot, h);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int m = k; m < n; ++m)
        tape.output(h[(i * n + k) * n + m], "h" + std::to_string(i + 1) + "_" + std::to_string(k + 1) + "_" +
                                                std::to_string(m + 1));
  return tape;
}

Tape record(const MassFormulation<Trace>& row, const RobotForms<double>& forms, const RecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  const RobotForms<Trace> robot = traced(tape, forms, row.frames, options);
  std::vector<Trace> D = zeros(robot.model.nv * robot.model.nv);
  row.prepare(robot)(robot, D);
  output_upper(tape, D, robot.model.nv);
  return tape;
}

Tape record(const GravityFormulation<Trace>& row, const RobotForms<double>& forms, const RecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  const RobotForms<Trace> robot = traced(tape, forms, row.frames, options);
  std::vector<Trace> c = zeros(robot.model.nv);
  row.prepare(robot)(robot, c);
  output(tape, "c", c);
  return tape;
}

}  // namespace torsor
