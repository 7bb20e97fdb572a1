// Mass matrix and forward dynamics as loops: composite bodies inward, and the force of each joint's motion carried inward
// to every joint before it; then L D L^T.
#include <fmt/format.h>

#include "torsor/codegen/loop_writer.hpp"
#include "torsor/spatial/inertia.hpp"

namespace torsor {
namespace {

Inertia<Trace> named_inertia(NamedInputs& input, const char* array) {
  Inertia<Trace> out;
  int k = 0;
  for (Trace* entry : {&out.m, &out.h.x, &out.h.y, &out.h.z, &out.I.xx, &out.I.yy, &out.I.zz, &out.I.xy, &out.I.xz, &out.I.yz})
    *entry = input(array, k++);
  return out;
}

void output_inertia(Tape& tape, const char* array, const Inertia<Trace>& J) {
  int k = 0;
  for (const Trace& entry : {J.m, J.h.x, J.h.y, J.h.z, J.I.xx, J.I.yy, J.I.zz, J.I.xy, J.I.xz, J.I.yz})
    tape.output(entry, fmt::format("{}[{}]", array, k++));
}

Force<Trace> named_force(NamedInputs& input, const char* array) {
  Force<Trace> f;
  int k = 0;
  for (Trace* entry : {&f.n.x, &f.n.y, &f.n.z, &f.f.x, &f.f.y, &f.f.z}) *entry = input(array, k++);
  return f;
}

void output_force(Tape& tape, const std::string& array, const Force<Trace>& f, int first = 0) {
  for (const Trace& entry : {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z}) tape.output(entry, fmt::format("{}[{}]", array, first++));
}

}  // namespace

std::string LoopWriter::mass() {
  const int n = model_.nv;
  int most = 1;  // columns of a joint
  for (const Body<double>& b : model_.bodies) most = std::max(most, b.nv);
  const std::string zero = real_.literal(0);

  std::string text = angles() + poses();
  text += fmt::format("  {} composite[{}][10];\n", real_.type, bodies() + 1);
  text += fmt::format("  for (int m = 0; m < {}; ++m) M[m] = {};\n", n * n, zero);
  Tape rotors;
  {
    const Recording recording(rotors);
    std::vector<double> M(static_cast<std::size_t>(n * n), 0);
    for (int k = 0; k < n; ++k) M[static_cast<std::size_t>(k * n + k)] = model_.rotor[static_cast<std::size_t>(k)];
    for (const auto& [j, k, value] : model_.rotor_coupling) {
      M[static_cast<std::size_t>(j * n + k)] += value;
      M[static_cast<std::size_t>(k * n + j)] += value;
    }
    for (std::size_t k = 0; k < M.size(); ++k)
      if (M[k] != 0) rotors.output(Trace(M[k]), fmt::format("M[{}]", k));
  }
  text += scope(rotors);
  text += fmt::format("  for (int m = 0; m < 10; ++m) composite[0][m] = {};\n", zero);
  const std::string own = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    output_inertia(tape, "B", SingleBody<Trace>(joints_.classes[c], input).model[0].inertia);
  });
  text += loop(fmt::format("int i = 0; i < {}; ++i", bodies()), with_pointers("i", own, 4));

  // forces of the joint's own motions, and what is left of them at each joint before it
  std::string body = step("i", 6, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<Trace> one(joints_.classes[c], input);
    const Inertia<Trace> composite = named_inertia(input, "B");
    for (int k = 0; k < one.model.nv; ++k) output_force(tape, "push", composite * one.model.S[static_cast<std::size_t>(k)], 6 * k);
    output_inertia(tape, "Bp", named_inertia(input, "Bp") + kept_[c](input) * composite);
  });
  const std::string project = step("a", 10, per_path(true), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody<Trace> one(joints_.classes[c], input);
    const Force<Trace> F = named_force(input, "F");
    for (int k = 0; k < one.model.nv; ++k) tape.output(dot(one.model.S[static_cast<std::size_t>(k)], F), fmt::format("part[{}]", k));
  });
  const std::string carry = step("a", 8, per_path(false), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    output_force(tape, "F", kept_[c](input) * named_force(input, "F"));
  });
  const bool one_column = most == 1 && [&] {
    for (const Body<double>& b : model_.bodies)
      if (b.nv != 1) return false;
    return true;
  }();
  const std::string columns_of_i = one_column ? "1" : "torsor_columns[i]", columns_of_a = one_column ? "1" : "torsor_columns[a]";
  std::string walk;
  walk += fmt::format("      {} *F = push + 6*c;\n      const int column = torsor_first_v[i] + c;\n", real_.type);
  walk += "      for (int a = i; a >= 0; a = torsor_parent[a] - 1) {\n";
  walk += fmt::format("        {} part[{}] = {{0}};\n        const int row = torsor_first_v[a];\n", real_.type, most);
  walk += "        {\n" + with_pointers("a", project, 10) + "        }\n";
  walk += fmt::format("        for (int l = 0; l < {}; ++l) {{\n          M[(row + l)*{} + column] += part[l];\n", columns_of_a, n);
  walk += fmt::format("          if (a != i) M[column*{} + row + l] += part[l];\n        }}\n", n);
  walk += "        if (torsor_parent[a] == 0) break;\n" + with_pointers("a", carry, 8) + "      }\n";
  body = fmt::format("    {} push[{}];\n    {{\n", real_.type, 6 * most) + with_pointers("i", body, 6) + "    }\n" +
         fmt::format("    for (int c = 0; c < {}; ++c) {{\n{}    }}\n", columns_of_i, walk);
  return text + loop(fmt::format("int i = {}; i >= 0; --i", bodies() - 1), body);
}

std::string LoopWriter::forward() {
  const int n = model_.nv;
  count_.multiplications += (n - 1) * n * (n + 1) / 6 + n * (n - 1) + n * (n - 1) / 2 + n;
  count_.additions += (n - 1) * n * (n + 1) / 6 + n * (n - 1) + n;
  count_.divisions += n;
  return fmt::format(R"(  {0} M[{2}], h[{1}], one_over[{1}];
  {3}_bias(q, qd, h);
  {3}_mass(q, M);
  /* M = L^T D L in place, from the last joint on: rows less multiples of rows */
  for (int k = {4}; k >= 0; --k) {{
    {0} *row = M + k*{1};
    one_over[k] = 1/row[k];
    for (int i = 0; i < k; ++i) {{
      {0} *to = M + i*{1};
      const {0} share = row[i]*one_over[k];
      for (int j = 0; j <= i; ++j) to[j] -= share*row[j];
    }}
    for (int i = 0; i < k; ++i) row[i] *= one_over[k];
  }}
  for (int i = 0; i < {1}; ++i) qdd[i] = tau[i] - h[i];
  for (int k = {4}; k >= 0; --k)
    for (int i = 0; i < k; ++i) qdd[i] -= M[k*{1} + i]*qdd[k];
  for (int k = 0; k < {1}; ++k) {{
    qdd[k] *= one_over[k];
    for (int i = 0; i < k; ++i) qdd[k] -= M[k*{1} + i]*qdd[i];
  }}
)",
                     real_.type, n, n * n, name_, n - 1);
}

}  // namespace torsor
