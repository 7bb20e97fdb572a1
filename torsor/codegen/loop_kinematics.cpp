// Poses and Jacobian of the tool, and the Coriolis matrix, as loops: everything in the world frame, outward from the base.
#include <fmt/format.h>

#include "torsor/codegen/loop_entries.hpp"
#include "torsor/codegen/loop_writer.hpp"
#include "torsor/dynamics/coriolis_matrix.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {
namespace {

template <class Visit>
void visit_numbers(Inertia<Trace>& I, detail::Mat6<Trace>& B, const Visit& visit) {
  for (Trace* entry : entries_of(I)) visit(*entry);
  for (Mat3<Trace>* part : {&B.nw, &B.nv, &B.fw, &B.fv})
    for (Vec3<Trace>* column : {&part->x, &part->y, &part->z})
      for (Trace* entry : {&column->x, &column->y, &column->z}) visit(*entry);
}

}  // namespace

std::string LoopWriter::world_loop(bool with_rates) {
  std::string text = fmt::format("  {} world[{}][12];\n", real_.type, bodies() + 1);
  const Mat3<double>& R = model_.base.R;
  const Vec3<double>& p = model_.base.p;
  int at = 0;
  for (const double x : {R.x.x, R.y.x, R.z.x, R.x.y, R.y.y, R.z.y, R.x.z, R.y.z, R.z.z, p.x, p.y, p.z})
    text += fmt::format("  world[0][{}] = {};\n", at++, real_.literal(x));
  std::string body = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody one(joints_.classes[c], input);
    const Transform<Trace> X = named<Transform<Trace>>(input, "Wp") * pose_in_parent(one.model, one.configuration, 0);
    keep(tape, "W", X);
    if (!with_rates) return;
    // v, then s and sd of each column, then the inertia and its Coriolis factor
    Motion<Trace> v = named<Motion<Trace>>(input, "from");
    std::vector<Motion<Trace>> s;
    for (int l = 0; l < one.model.nv; ++l) {
      s.push_back(X * one.model.S[static_cast<std::size_t>(l)]);
      v += s.back() * input("u", l);
      keep(tape, "axis", s.back(), 6 * l);
    }
    keep(tape, "to", v);
    for (int l = 0; l < one.model.nv; ++l) keep(tape, "turned", cross(v, s[static_cast<std::size_t>(l)]), 6 * l);
    Inertia<Trace> I = X * one.model[0].inertia;
    detail::Mat6<Trace> B = detail::coriolis_factor(I, v);
    int k = 0;
    visit_numbers(I, B, [&](const Trace& x) { tape.output(x, fmt::format("B[{}]", k++)); });
  });
  if (with_rates) {
    body = fmt::format("    {0} *axis = axes[i], *turned = rates[i];\n", real_.type) + body;
    text += fmt::format("  {0} motion[{1}][6] = {{{{{2}}}}}, composite[{1}][46] = {{{{{2}}}}};\n", real_.type,
                        bodies() + 1, real_.literal(0));
  }
  return text + loop(fmt::format("int i = 0; i < {}; ++i", bodies()), with_pointers("i", body, 4));
}

std::string LoopWriter::pose(bool with_jacobian) {
  std::string text = angles() + world_loop(false);
  Tape tape;
  {
    const Recording recording(tape);
    NamedInputs input(tape);
    const Transform<Trace> frame = cast<Trace>(tool_.X_body_frame, [](double x) { return Trace(x); });
    const Transform<Trace> X = named<Transform<Trace>>(input, fmt::format("world[{}]", tool_.body + 1)) * frame;
    keep(tape, "R", X.R);
    keep(tape, "p", X.p);
  }
  text += scope(tape);
  if (!with_jacobian) return text;

  const int n = model_.nv;
  std::vector<int> times(joints_.classes.size(), 0);
  for (int i = tool_.body; i >= 0; i = model_[i].parent)
    ++times[static_cast<std::size_t>(joints_.class_of[static_cast<std::size_t>(i)])];
  text += fmt::format("  for (int m = 0; m < {}; ++m) J[m] = {};\n", 6 * n, real_.literal(0));
  const std::string body = step("i", 4, times, [&](std::size_t c, Tape& jacobian, NamedInputs& input) {
    const SingleBody one(joints_.classes[c], input);
    const auto X = named<Transform<Trace>>(input, "W");
    const auto p = named<Vec3<Trace>>(input, "p");
    for (int l = 0; l < one.model.nv; ++l) {
      Motion<Trace> s = X * one.model.S[static_cast<std::size_t>(l)];
      s.v = s.v + cross(s.w, p);
      int k = 0;
      for (const Trace* entry : entries_of(s)) {
        const std::string name = entry_name("column", k++ * n + l);
        jacobian.output(input(name) + *entry, name);
      }
    }
  });
  const std::string column = fmt::format("    {} *column = J + torsor_first_v[i];\n", real_.type);
  return text + loop(fmt::format("int i = {}; i >= 0; i = torsor_parent[i] - 1", tool_.body),
                     with_pointers("i", column + body, 4));
}

std::string LoopWriter::coriolis() {
  const int n = model_.nv;
  int most = 1, pairs = 0, columns = 0, inner = 0;
  for (int j = 0; j < bodies(); ++j) {
    most = std::max(most, model_[j].nv);
    columns += model_[j].nv;
    for (int i = j; i >= 0; i = model_[i].parent) {
      pairs += model_[i].nv * model_[j].nv;
      if (i != j) inner += model_[i].nv * model_[j].nv;
    }
  }
  bool one_column = true;
  for (const Body<double>& b : model_.bodies) one_column = one_column && b.nv == 1;
  const std::string columns_of_i = one_column ? "1" : "torsor_columns[i]",
                    columns_of_j = one_column ? "1" : "torsor_columns[o]";

  std::string text = angles();
  text += fmt::format("  {0} axes[{1}][{2}], rates[{1}][{2}];\n", real_.type, bodies(), 6 * most) + world_loop(true);
  text += fmt::format("  for (int m = 0; m < {}; ++m) C[m] = {};\n", n * n, real_.literal(0));

  // I sd + B s for some joint's motions and the composite body B
  const auto push = [&](const char* s, const char* sd, const char* result, int indent, int times) {
    Tape tape;
    {
      const Recording recording(tape);
      NamedInputs input(tape);
      Inertia<Trace> I;
      detail::Mat6<Trace> B;
      int k = 0;
      visit_numbers(I, B, [&](Trace& x) { x = input("B", k++); });
      keep(tape, result, I * named<Motion<Trace>>(input, sd) + B * named<Motion<Trace>>(input, s));
    }
    return block(tape, indent, times);
  };
  const auto power = [&](const char* s, const char* f, const char* result, int indent, int times) {
    Tape tape;
    {
      const Recording recording(tape);
      NamedInputs input(tape);
      tape.output(input(result) + dot(named<Motion<Trace>>(input, s), named<Force<Trace>>(input, f)), result);
    }
    return block(tape, indent, times, true);
  };
  const std::string real(real_.type);
  std::string body = fmt::format("    {} *B = composite[o + 1], *Bp = composite[torsor_parent[o]];\n", real);
  body += fmt::format("    for (int c = 0; c < {}; ++c) {{\n", columns_of_j);
  body += fmt::format(
      "      const {0} *s = axes[o] + 6*c, *sd = rates[o] + 6*c;\n      const int column = torsor_first_v[o] + c;\n    "
      "  {0} g[6];\n",
      real);
  body += "      {\n" + push("s", "sd", "g", 8, columns) + "      }\n";
  body += "      for (int i = o; i >= 0; i = torsor_parent[i] - 1)\n";
  body += fmt::format(
      "        for (int l = 0; l < {}; ++l) {{\n          const {} *si = axes[i] + 6*l;\n          const int row = "
      "torsor_first_v[i] + l;\n",
      columns_of_i, real);
  body += fmt::format("          {} *entry = C + row*{} + column;\n", real, n);
  body += "          {\n" + power("si", "g", "entry[0]", 12, pairs) + "          }\n";
  body += fmt::format(
      "          if (i != o) {{\n            const {0} *sdi = rates[i] + 6*l;\n            {0} h[6], *mirror = C + "
      "column*{1} + row;\n",
      real, n);
  body += "            {\n" + push("si", "sdi", "h", 14, inner) + "            }\n" +
          power("s", "h", "mirror[0]", 12, inner);
  body += "          }\n        }\n    }\n";
  body += "    for (int m = 0; m < 46; ++m) Bp[m] += B[m];\n";
  return text + loop(fmt::format("int o = {}; o >= 0; --o", bodies() - 1), body);
}

}  // namespace torsor
