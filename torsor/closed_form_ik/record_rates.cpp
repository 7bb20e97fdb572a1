#include "torsor/closed_form_ik/record_rates.hpp"

#include "torsor/closed_form_ik/polar_velocity.hpp"
#include "torsor/closed_form_ik/record_rotary.hpp"

namespace torsor {
namespace {

using SixTraces = std::array<Trace, 6>;

/// A^-1 b.
SixTraces by_inversion(std::array<Trace, 36>& A, const SixTraces& b) {
  gauss_invert<Trace>(A, 6);
  SixTraces x;
  for (std::size_t i = 0; i < 6; ++i) {
    x[i] = A[6 * i] * b[0];
    for (std::size_t j = 1; j < 6; ++j) x[i] += A[6 * i + j] * b[j];
  }
  return x;
}

Configuration<Trace> input_configuration(Tape& tape, const Model<Trace>& model) {
  Configuration<Trace> out(model);
  for (int b = 0, i = 1; b < model.size(); ++b) {
    if (model[b].kind == JointKind::fixed) continue;
    const std::string k = std::to_string(i++);
    if (model[b].kind == JointKind::prismatic) {
      out[b].d = tape.input("d" + k);
    } else {
      out[b].c = tape.input("c" + k);
      out[b].s = tape.input("s" + k);
    }
  }
  return out;
}

}  // namespace

Tape record_dense(DenseMethod method, RateLevel level, const RobotForms<double>& forms) {
  TORSOR_EXPECT(forms.model.nv == 6);
  Tape tape;
  const Recording recording(tape);
  DenseRatesWork<Trace> work(cast<Trace>(forms.model, [](double x) { return Trace(x); }));
  const Configuration<Trace> configuration = input_configuration(tape, work.model);
  SixTraces qd;
  if (level == RateLevel::acceleration)
    for (std::size_t i = 0; i < 6; ++i) qd[i] = tape.input("qd" + std::to_string(i + 1));
  const EndEffectorMotion<Trace> tool = input_tool(tape);

  detail::tool_jacobian(configuration, work);
  SixTraces b{tool.pd7.x, tool.pd7.y, tool.pd7.z, tool.w6.x, tool.w6.y, tool.w6.z};
  if (level == RateLevel::acceleration) b = detail::without_rates<Trace>(configuration, tool, qd, work);
  mark_stage<Trace>("solution");
  if (method == DenseMethod::inversion)
    b = by_inversion(work.J, b);
  else
    gauss_solve<Trace>(work.J, b, 6);
  for (std::size_t i = 0; i < 6; ++i)
    tape.output(b[i], (level == RateLevel::velocity ? "qd" : "qdd") + std::to_string(i + 1));
  return tape;
}

OperationCount count_solution(const Tape& tape) {
  OperationCount sum;
  for (const StageCount& row : count_stages(tape, Rule::all))
    if (row.stage == "solution") sum += row.count;
  sum.multiplications += sum.divisions;
  sum.divisions = 0;
  return sum;
}

OperationCount count_dense(DenseMethod method, RateLevel level, const RobotForms<double>& forms) {
  const Tape tape = record_dense(method, level, forms);
  return count_steps(tape, "J") + count_solution(tape);  // Jacobian and Jd qd begin so
}

Tape record_polar(double d_2, bool from_axes) {
  Tape tape;
  const Recording recording(tape);
  PolarPosition<Trace> at;
  at.A1A2.x = input_vector(tape, "A1A2x");
  const Trace y2x = tape.input("A1A2yx"), y2y = tape.input("A1A2yy");
  at.A1A2.y = {y2x, y2y, Trace(0)};
  at.A1A2.z = input_vector(tape, "A1A2z");
  at.d_2 = tape.constant(d_2);
  at.d_3 = tape.input("d3");
  for (const auto& [c, s, name] :
       {std::tuple{&at.c2, &at.s2, "2"}, {&at.c4, &at.s4, "4"}, {&at.c5, &at.s5, "5"}, {&at.c6, &at.s6, "6"}}) {
    *c = tape.input(std::string("c") + name);
    *s = tape.input(std::string("s") + name);
  }
  const Vec3<Trace> pd4 = input_vector(tape, "pd4");
  SixTraces qd;
  if (from_axes) {
    Mat3<Trace> W6, Wd6;
    W6.x = input_vector(tape, "W6x"), W6.y = input_vector(tape, "W6y"), W6.z = input_vector(tape, "W6z");
    Wd6.x = input_vector(tape, "Wd6x"), Wd6.y = input_vector(tape, "Wd6y"), Wd6.z = input_vector(tape, "Wd6z");
    qd = polar_velocity(at, pd4, W6, Wd6);
  } else {
    qd = polar_velocity(at, pd4, input_vector(tape, "w6"));
  }
  for (std::size_t i = 0; i < 6; ++i) tape.output(qd[i], "qd" + std::to_string(i + 1));
  return tape;
}

}  // namespace torsor
