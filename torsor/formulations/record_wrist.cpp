#include "torsor/formulations/record_wrist.hpp"

#include "torsor/formulations/inverse_wrist_simple.hpp"
#include "torsor/scalar/trace_passes.hpp"
#include "torsor/spatial/record_inputs.hpp"

namespace torsor {
namespace {

void output(Tape& tape, const Vec3<Trace>& v, const std::string& name) {
  tape.output(v.x, name + "x");
  tape.output(v.y, name + "y");
  tape.output(v.z, name + "z");
}

/// What all variants start from, as inputs.
struct Scene {
  Tape& tape;
  DhArm<Trace> arm;
  DhPosition<Trace> position{arm.n()};
  std::vector<Trace> qd, qdd, tau = std::vector<Trace>(arm.links.size());

  Scene(Tape& tape_, const DhArm<double>& numbers)
      : tape(tape_), arm(cast<Trace>(numbers, [](double x) { return Trace(x); })) {
    for (int i = 1; i <= arm.n(); ++i) {
      position.c[i] = tape.input("c" + std::to_string(i));
      position.s[i] = tape.input("s" + std::to_string(i));
    }
    qd = record_inputs(tape, "qd", arm.n());
    qdd = record_inputs(tape, "qdd", arm.n());
  }

  Vec3<Trace> base_acceleration(const WristRecordOptions& options) const {
    if (!options.gravity_along_z0) return input_vector(tape, "pdd0");
    return {Trace(0), Trace(0), tape.input("pdd0z")};
  }
  BaseMotion<Trace> spinning_base(const WristRecordOptions& options) const {
    const Vec3<Trace> w0 = input_vector(tape, "w0"), wd0 = input_vector(tape, "wd0");
    return {w0, wd0, base_acceleration(options)};
  }
};

template <class Inertia>
void record_given(Scene& scene, const WristRecordOptions& options) {
  Tape& tape = scene.tape;
  PrecomputedWristWork<Trace, Inertia> work(scene.arm);
  work.base.a = scene.base_acceleration(options);
  work.place(scene.arm, scene.position);

  WristKinematics<Trace> given;
  given.W6 = {input_vector(tape, "W6_x"), input_vector(tape, "W6_y"), input_vector(tape, "W6_z")};
  given.w6 = input_vector(tape, "w6"), given.wd6 = input_vector(tape, "wd6");
  given.w1_1 = work.A[1].back_along_z(scene.qd[0]), given.wd1_1 = work.A[1].back_along_z(scene.qdd[0]);
  given.w2_2 = input_vector(tape, "w2"), given.wd2_2 = input_vector(tape, "wd2");
  given.w3_3 = input_vector(tape, "w3"), given.wd3_3 = input_vector(tape, "wd3");
  given.pdd4_2 = input_vector(tape, "pdd4");
  given.weightless = options.weightless;

  mark_stage<Trace>("hand");
  relative_end_effector_motion(work.A, given, work.tool);
  inverse_wrist_given<Trace, Inertia>(scene.arm, given, scene.qd, scene.qdd, work, scene.tau);
  output(tape, work.tool.wh_4, "wh");
  output(tape, work.tool.whd_4, "whd");
}

/// Without the stage in which the A_i are formed.
OperationCount count_given_turns(const Tape& tape) {
  OperationCount total;
  for (const StageCount& row : count_stages(tape))
    if (row.stage != "A") total += row.count;
  return total;
}

WristCount count_both(const Tape& tape) {
  const Tape folded = fold(tape);
  return {count_given_turns(folded), count_given_turns(live(folded))};
}

void set_off(OperationCount& count, const OperationCount& saved) {
  count.multiplications -= saved.multiplications;
  count.additions -= saved.additions;
}

}  // namespace

Tape record_wrist(WristVariant variant, const DhArm<double>& numbers, const WristRecordOptions& options) {
  Tape tape;
  const Recording recording(tape);
  Scene scene(tape, numbers);
  auto& [t, arm, position, qd, qdd, tau] = scene;
  switch (variant) {
    case WristVariant::general: {
      GeneralRotaryWork<Trace> work(arm);
      work.base = scene.spinning_base(options);
      inverse_rotary<Trace, TwistedTurn<Trace>, FullInertia<Trace>>(arm, position, qd, qdd, work, tau);
      break;
    }
    case WristVariant::spherical: {
      SphericalWristWork<Trace> work(arm);
      work.base = scene.spinning_base(options);
      inverse_wrist_spherical<Trace, FullInertia<Trace>>(arm, position, qd, qdd, work, tau);
      break;
    }
    case WristVariant::fixed_base: {
      FixedBaseWork<Trace> work(arm, options.base_moment);
      work.base.a = scene.base_acceleration(options);
      inverse_wrist_fixed_base<Trace, FullInertia<Trace>>(arm, position, qd, qdd, work, tau);
      break;
    }
    case WristVariant::precomputed: record_given<FullInertia<Trace>>(scene, options); break;
    case WristVariant::simple: record_given<DiagonalInertia<Trace>>(scene, options); break;
  }
  for (std::size_t i = 0; i < tau.size(); ++i) tape.output(tau[i], "tau" + std::to_string(i + 1));
  return tape;
}

Tape record_tool_alone() {
  Tape tape;
  const Recording recording(tape);
  const Trace c4 = tape.input("c4"), s4 = tape.input("s4");
  // y3 is horizontal, (33)
  const Mat3<Trace> W3{
      input_vector(tape, "W3_x"), {tape.input("W3_yx"), tape.input("W3_yy"), Trace(0)}, input_vector(tape, "W3_z")};
  const Vec3<Trace> w6 = input_vector(tape, "w6"), wd6 = input_vector(tape, "wd6");
  const Vec3<Trace> w3_3 = input_vector(tape, "w3"), wd3_3 = input_vector(tape, "wd3");
  const auto back_4 = [&](const Vec3<Trace>& v) { return quarter_turn_x(-1, turn_z(c4, -s4, v)); };

  const Vec3<Trace> w6_3 = ~W3 * w6, wh_3 = w6_3 - w3_3;
  const Vec3<Trace> wd6_3 = ~W3 * wd6;
  output(tape, back_4(wh_3), "wh");
  output(tape, back_4(wd6_3 - wd3_3 - cross(w3_3, wh_3)), "whd");
  return tape;
}

WristCount count_wrist(WristVariant variant, const DhArm<double>& arm, const WristRecordOptions& options) {
  WristCount figures = count_both(record_wrist(variant, arm, options));
  if (variant == WristVariant::precomputed || variant == WristVariant::simple) {
    const WristCount alone = count_both(record_tool_alone());
    set_off(figures.all, alone.all);
    set_off(figures.live, alone.live);
  }
  return figures;
}

}  // namespace torsor
