// Inverse dynamics and its derivatives as loops: motions outward, forces inward. Derivatives are those of the same steps,
// one direction after the other; what a direction does not move is left out.
#include <fmt/format.h>

#include "torsor/codegen/loop_writer.hpp"
#include "torsor/dynamics/inverse_newton_euler.hpp"
#include "torsor/dynamics/joint_friction.hpp"

namespace torsor {
namespace {

Vec3<Trace> named_vector(NamedInputs& input, const char* array, int first) {
  const Trace x = input(array, first), y = input(array, first + 1), z = input(array, first + 2);
  return {x, y, z};
}

Vec3<Dual<Trace>> with_tangents(const Vec3<Trace>& v, const Vec3<Trace>& d) {
  using D = Dual<Trace>;
  return {D(v.x, {d.x}), D(v.y, {d.y}), D(v.z, {d.z})};
}

Vec3<Trace> tangents(const Vec3<Dual<Trace>>& v) { return {v.x.tangent[0], v.y.tangent[0], v.z.tangent[0]}; }

void output_vector(Tape& tape, const char* array, int first, const Vec3<Trace>& v) {
  for (const Trace& entry : {v.x, v.y, v.z}) tape.output(entry, fmt::format("{}[{}]", array, first++));
}

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
  std::string text = fmt::format("  {0} motion[{1}][{2}], force[{1}][6], kept[{3}][{4}];\n", real_.type, bodies() + 1, motion, bodies(), kept_entries());
  int at = 0;
  for (int k = 0; k < motion - 3; ++k) text += fmt::format("  motion[0][{}] = {};\n", at++, real_.literal(0));
  for (const double a : {a0.x, a0.y, a0.z}) text += fmt::format("  motion[0][{}] = {};\n", at++, real_.literal(a));
  text += fmt::format("  for (int m = 0; m < 6; ++m) force[0][m] = {};\n", real_.literal(0));

  const std::string outward = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<Trace> one(joints_.classes[c], input);
    Loads<Trace> loads;
    if (moves) loads.base = {named_vector(input, "from", 0), named_vector(input, "from", 3), named_vector(input, "from", 6)};
    else loads.base.a = named_vector(input, "from", 0);
    const int nv = one.model.nv;
    const std::vector<Trace> u = moves ? named_list(input, "u", nv) : std::vector<Trace>();
    const std::vector<Trace> ud = rates == Rates::both ? named_list(input, "ud", nv) : std::vector<Trace>();
    NewtonEulerWork<Trace> work(one.model);
    std::vector<Trace> effort(static_cast<std::size_t>(nv));
    inverse_newton_euler<Trace>(one.model, one.configuration, u, ud, loads, work, effort);
    kept_[c].keep(tape, work.X[0]);
    if (moves) {
      output_vector(tape, "to", 0, work.w[0]);
      output_vector(tape, "to", 3, work.wd[0]);
    }
    output_vector(tape, "to", motion - 3, work.a[0]);
    output_vector(tape, "f", 0, work.f[0].n);
    output_vector(tape, "f", 3, work.f[0].f);
  });
  text += loop(fmt::format("int i = 0; i < {}; ++i", bodies()), with_pointers("i", outward, 4));

  const std::string inward = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<Trace> one(joints_.classes[c], input);
    const Force<Trace> f{named_vector(input, "f", 0), named_vector(input, "f", 3)};
    for (int k = 0; k < one.model.nv; ++k) tape.output(input("e", k) + dot(one.model.S[static_cast<std::size_t>(k)], f), fmt::format("e[{}]", k));
    const Force<Trace> sum = Force<Trace>{named_vector(input, "fp", 0), named_vector(input, "fp", 3)} + kept_[c](input) * f;
    output_vector(tape, "fp", 0, sum.n);
    output_vector(tape, "fp", 3, sum.f);
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

std::string LoopWriter::derivatives() {
  using D = Dual<Trace>;
  const int n = model_.nv;
  // the motion itself, which all directions share; its efforts are not wanted
  std::string text = angles() + fmt::format("  {0} tau[{1}] = {{{2}}};\n", real_.type, n, real_.literal(0)) + inverse_loops(Rates::both);
  text += "  (void)tau;\n";

  int runs = 0;  // bodies moved, over all directions
  std::vector<int> first_body(static_cast<std::size_t>(n), bodies());
  for (int i = bodies() - 1; i >= 0; --i)
    for (int k = 0; k < model_[i].nv; ++k) first_body[static_cast<std::size_t>(model_[i].v + k)] = i;
  std::vector<int> times(joints_.classes.size(), 0);
  for (const int first : first_body)
    for (int i = first; i < bodies(); ++i, ++runs) times[static_cast<std::size_t>(joints_.class_of[static_cast<std::size_t>(i)])] += 2;

  const auto dual_rates = [&](NamedInputs& input, int nv) {
    std::vector<D> u, ud;
    for (int k = 0; k < nv; ++k) {
      u.emplace_back(input("u", k), D::Tangent{input("du", k)});
      ud.emplace_back(input("ud", k));
    }
    return std::pair(u, ud);
  };
  const std::string outward = step("i", 6, times, [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<D> one(joints_.classes[c], input);
    Loads<D> loads;
    loads.base = {with_tangents(named_vector(input, "from", 0), named_vector(input, "dfrom", 0)),
                  with_tangents(named_vector(input, "from", 3), named_vector(input, "dfrom", 3)),
                  with_tangents(named_vector(input, "from", 6), named_vector(input, "dfrom", 6))};
    const auto [u, ud] = dual_rates(input, one.model.nv);
    NewtonEulerWork<D> work(one.model);
    std::vector<D> effort(u.size());
    inverse_newton_euler<D>(one.model, one.configuration, u, ud, loads, work, effort);
    output_vector(tape, "dto", 0, tangents(work.w[0]));
    output_vector(tape, "dto", 3, tangents(work.wd[0]));
    output_vector(tape, "dto", 6, tangents(work.a[0]));
    output_vector(tape, "df", 0, tangents(work.f[0].n));
    output_vector(tape, "df", 3, tangents(work.f[0].f));
  });
  const std::string inward = step("i", 6, times, [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<D> one(joints_.classes[c], input);
    const Force<D> f{with_tangents(named_vector(input, "f", 0), named_vector(input, "df", 0)),
                     with_tangents(named_vector(input, "f", 3), named_vector(input, "df", 3))};
    for (int k = 0; k < one.model.nv; ++k)
      tape.output(input("de", k) + dot(one.model.S[static_cast<std::size_t>(k)], f).tangent[0], fmt::format("de[{}]", k));
    const Force<D> moved = pose_in_parent(one.model, one.configuration, 0) * f;
    output_vector(tape, "dfp", 0, named_vector(input, "dfp", 0) + tangents(moved.n));
    output_vector(tape, "dfp", 3, named_vector(input, "dfp", 3) + tangents(moved.f));
  });

  const std::string zero = real_.literal(0);
  text += fmt::format("  static const int first_body[{}] = {{{}}};\n", n, fmt::join(first_body, ", "));
  text += fmt::format("  for (int direction = 0; direction < {}; ++direction) {{\n", 2*n);
  text += fmt::format("    {0} dmotion[{1}][9] = {{{{{2}}}}}, dforce[{1}][6] = {{{{{2}}}}}, dtau[{3}] = {{{2}}}, along_q[{3}] = {{{2}}}, along_v[{3}] = {{{2}}};\n",
                      real_.type, bodies() + 1, zero, n);
  text += fmt::format("    const int column = direction%{0}, first = first_body[column];\n    if (direction < {0})\n      along_q[column] = {1};\n    else\n      along_v[column] = {1};\n", n, real_.literal(1));
  text += loop(fmt::format("int i = first; i < {}; ++i", bodies()), with_pointers("i", outward, 6), 4);
  text += loop(fmt::format("int i = {}; i >= 0; --i", bodies() - 1), with_pointers("i", inward, 6), 4);
  text += fmt::format("    for (int m = 0; m < {0}; ++m) (direction < {0} ? tau_q : tau_qd)[m*{0} + column] = dtau[m];\n  }}\n", n);

  // friction of a joint depends on its own motion alone
  if (!given_.friction.empty()) {
    Tape friction;
    {
      const Recording recording(friction);
      NamedInputs input(friction);
      const Model<D> model = cast<D>(given_, [](double x) { return D(Trace(x)); });
      std::vector<D> by_q, by_qd, none(static_cast<std::size_t>(n));
      for (int k = 0; k < model_.nq; ++k) none.reserve(1), by_q.emplace_back(input("q", k), D::Tangent{Trace(1)});
      for (int k = 0; k < n; ++k) by_qd.emplace_back(input("qd", k), D::Tangent{Trace(1)});
      for (const bool velocity : {false, true}) {
        std::vector<D> q = by_q, qd = by_qd, effort(static_cast<std::size_t>(n));
        for (D& x : velocity ? q : qd) x.tangent = {Trace(0)};
        add_joint_friction<D>(model, q, qd, D(Trace(1)), effort);
        const char* result = velocity ? "tau_qd" : "tau_q";
        for (int k = 0; k < n; ++k) {
          const std::string entry = fmt::format("{}[{}]", result, k * n + k);
          friction.output(input(entry) + effort[static_cast<std::size_t>(k)].tangent[0], entry);
        }
      }
    }
    text += scope(friction, true);
  }
  return text + fmt::format("  {}_mass(q, M);\n", name_);
}

}  // namespace torsor
