// Inverse dynamics as loops: motions outward, forces inward.
#include <fmt/format.h>

#include "torsor/codegen/loop_entries.hpp"
#include "torsor/codegen/loop_writer.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/dynamics/joint_friction.hpp"

namespace torsor {
namespace {

std::vector<Trace> named_list(NamedInputs& input, const char* array, int n) {
  std::vector<Trace> out;
  for (int k = 0; k < n; ++k) out.push_back(input(array, k));
  return out;
}

}  // namespace

std::string LoopWriter::inverse_loops(Rates rates) {
  // a base at rest, but for gravity; without velocities only accelerations of origins are needed
  const bool moves = rates != Rates::none;
  const int motion = moves ? 9 : 3;
  const Vec3<double> a0 = ~model_.base.R * (-model_.gravity);
  std::string text = fmt::format("  {0} motion[{1}][{2}], force[{1}][6], kept[{3}][{4}];\n", real_.type, bodies() + 1,
                                 motion, bodies(), kept_entries());
  int at = 0;
  for (int k = 0; k < motion - 3; ++k) text += fmt::format("  motion[0][{}] = {};\n", at++, real_.literal(0));
  for (const double a : {a0.x, a0.y, a0.z}) text += fmt::format("  motion[0][{}] = {};\n", at++, real_.literal(a));
  text += fmt::format("  for (int m = 0; m < 6; ++m) force[0][m] = {};\n", real_.literal(0));

  const std::string outward = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody one(joints_.classes[c], input);
    BodyLoads<Trace> loads;
    if (moves)
      loads.base = {named<Vec3<Trace>>(input, "from", 0), named<Vec3<Trace>>(input, "from", 3),
                    named<Vec3<Trace>>(input, "from", 6)};
    else loads.base.a = named<Vec3<Trace>>(input, "from", 0);
    const int nv = one.model.nv;
    const std::vector<Trace> u = moves ? named_list(input, "u", nv) : std::vector<Trace>();
    const std::vector<Trace> ud = rates == Rates::both ? named_list(input, "ud", nv) : std::vector<Trace>();
    NewtonEulerWork<Trace> work(one.model);
    std::vector<Trace> effort(static_cast<std::size_t>(nv));
    inverse_newton_euler<Trace>(one.model, one.configuration, u, ud, loads, work, effort);
    kept_[c].keep(tape, work.X[0]);
    if (moves) {
      keep(tape, "to", work.w[0]);
      keep(tape, "to", work.wd[0], 3);
    }
    keep(tape, "to", work.a[0], motion - 3);
    keep(tape, "f", work.f[0]);
  });
  text += loop(fmt::format("int i = 0; i < {}; ++i", bodies()), with_pointers("i", outward, 4));

  const std::string inward = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody one(joints_.classes[c], input);
    const auto f = named<Force<Trace>>(input, "f");
    for (int k = 0; k < one.model.nv; ++k)
      tape.output(input("e", k) + dot(one.model.S[static_cast<std::size_t>(k)], f), fmt::format("e[{}]", k));
    keep(tape, "fp", named<Force<Trace>>(input, "fp") + kept_[c](input) * f);
  });
  return text + loop(fmt::format("int i = {}; i >= 0; --i", bodies() - 1), with_pointers("i", inward, 4));
}

std::string LoopWriter::inverse(Rates rates) {
  // rotors first, friction last: a line per joint
  Tape rotors, friction;
  const auto n = static_cast<std::size_t>(model_.nv);
  {
    const Recording recording(rotors);
    NamedInputs input(rotors);
    std::vector<Trace> tau(n);
    if (rates == Rates::both) {
      const std::vector<Trace> qdd = named_list(input, "qdd", model_.nv);
      for (std::size_t k = 0; k < n; ++k) tau[k] = Trace(model_.rotor[k]) * qdd[k];
      for (const auto& [j, k, value] : model_.rotor_coupling) {
        tau[static_cast<std::size_t>(j)] += Trace(value) * qdd[static_cast<std::size_t>(k)];
        tau[static_cast<std::size_t>(k)] += Trace(value) * qdd[static_cast<std::size_t>(j)];
      }
    }
    for (std::size_t k = 0; k < n; ++k) rotors.output(tau[k], fmt::format("tau[{}]", k));
  }
  if (rates != Rates::none && !given_.friction.empty()) {
    const Recording recording(friction);
    NamedInputs input(friction);
    std::vector<bool> rubs(n, false);
    for (const auto& [body, law] : given_.friction) rubs[static_cast<std::size_t>(given_[body].v)] = true;
    const std::vector<Trace> q = named_list(input, "q", model_.nq), qd = named_list(input, "qd", model_.nv);
    std::vector<Trace> tau = named_list(input, "tau", model_.nv);
    add_joint_friction<Trace>(cast<Trace>(given_), q, qd, Trace(1), tau);
    for (std::size_t k = 0; k < n; ++k)
      if (rubs[k]) friction.output(tau[k], fmt::format("tau[{}]", k));
  }
  std::string text = angles() + scope(rotors) + inverse_loops(rates);
  return text + scope(friction, true);
}

}  // namespace torsor
