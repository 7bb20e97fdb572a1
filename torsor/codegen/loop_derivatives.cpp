// Mass matrix and derivatives of inverse dynamics as loops, by the recursion of dynamics/inverse_derivatives.hpp: what
// belongs to bodies and their motions outward, in the axes of the base about the first body; then, from the tips inward,
// products for every pair of joints on one branch. Terms of motions stand side by side, so that the products of one
// joint with all those inward of it are loops that compilers make vector instructions of.
#include <fmt/format.h>

#include <map>

#include "torsor/codegen/loop_entries.hpp"
#include "torsor/codegen/loop_writer.hpp"
#include "torsor/dynamics/derivative_terms.hpp"
#include "torsor/dynamics/joint_friction.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/scalar/dual.hpp"

namespace torsor {
namespace {

// entries of the terms of a motion: s; for derivatives also psidd, psid + sd, and psid without its linear part
constexpr int axis_terms = 6, all_terms = 21;
// and of a body: its inertia; for derivatives also N, p, F
constexpr int inertia_entries = 10, body_entries = 28;
// what a motion as the outer one is multiplied with: C s; for derivatives also by_q, by_qd, B^T s
constexpr int push_entries = 6, all_push_entries = 21;

BodyTerms<Trace> named_body(NamedInputs& input, const std::string& array) {
  return {named<Inertia<Trace>>(input, array), named<Mat3<Trace>>(input, array, 10),
          named<Vec3<Trace>>(input, array, 19), named<Force<Trace>>(input, array, 22)};
}

}  // namespace

bool LoopWriter::is_path() const {
  for (int i = 0; i < bodies(); ++i)
    if (const Body<double>& b = model_[i]; b.nv != 1 || b.parent != i - 1 || b.v != i || b.column != i) return false;
  return true;
}

std::string LoopWriter::outward_terms(bool slopes) {
  const int m = static_cast<int>(model_.S.size());
  const std::string zero = real_.literal(0);
  std::string text = fmt::format("  {0} world[{1}][12], composite[{1}][{2}], terms[{3}];\n", real_.type, bodies() + 1,
                                 slopes ? body_entries : inertia_entries, (slopes ? all_terms : axis_terms) * m);
  // the point about which everything is meant: where the first body is
  text += fmt::format("  for (int m = 0; m < 12; ++m) world[0][m] = m%4 == 0 && m < 9 ? {} : {};\n", real_.literal(1),
                      zero);
  Tape first;
  {
    const Recording recording(first);
    NamedInputs input(first);
    const SingleBody one(joints_.classes[static_cast<std::size_t>(joints_.class_of[0])], input);
    keep(first, "world[0]", -pose_in_parent(one.model, one.configuration, 0).p, 9);
  }
  text += "  {\n" + with_pointers("0", block(first, 4, 1), 4) + "  }\n";
  if (slopes) {
    const Vec3<double> a = ~model_.base.R * (-model_.gravity);
    text += fmt::format("  {0} motion[{1}][12] = {{{{{2}}}}};\n", real_.type, bodies() + 1, zero);
    int at = 9;
    for (const double x : {a.x, a.y, a.z}) text += fmt::format("  motion[0][{}] = {};\n", at++, real_.literal(x));
  }
  const std::string body = step("i", 4, per_body(), [&](std::size_t c, Tape& tape, NamedInputs& input) {
    const SingleBody one(joints_.classes[c], input);
    const Transform<Trace> X = named<Transform<Trace>>(input, "Wp") * pose_in_parent(one.model, one.configuration, 0);
    keep(tape, "W", X);
    const int nv = one.model.nv;
    std::vector<Motion<Trace>> s;
    for (int l = 0; l < nv; ++l) {
      s.push_back(X * one.model.S[static_cast<std::size_t>(l)]);
      keep(tape, "term", s.back(), l, m);
    }
    BodyTerms<Trace> terms;
    terms.C = X * one.model[0].inertia;
    keep(tape, "B", terms.C);
    if (!slopes) return;
    const auto v_p = named<Motion<Trace>>(input, "from"), a_p = named<Motion<Trace>>(input, "from", 6);
    Motion<Trace> v = v_p, a = a_p;
    for (int l = 0; l < nv; ++l) {
      v += s[static_cast<std::size_t>(l)] * input("u", l);
      a += s[static_cast<std::size_t>(l)] * input("ud", l);
    }
    for (int l = 0; l < nv; ++l) {
      const Motion<Trace>& axis = s[static_cast<std::size_t>(l)];
      const Motion<Trace> sd = cross(v, axis), psid = cross(v_p, axis);
      keep(tape, "term", cross(a_p, axis) + cross(v_p, psid), 6 * m + l, m);
      keep(tape, "term", psid + sd, 12 * m + l, m);
      keep(tape, "term", psid.w, 18 * m + l, m);
      a += sd * input("u", l);
    }
    keep(tape, "to", v);
    keep(tape, "to", a, 6);
    terms.set(v, a);
    keep(tape, "B", terms.turning, 10);
    keep(tape, "B", terms.p, 19);
    keep(tape, "B", terms.F, 22);
  });
  return text + loop(fmt::format("int i = 0; i < {}; ++i", bodies()), with_pointers("i", body, 4));
}

std::string LoopWriter::pairs_inward(bool slopes) {
  const int n = model_.nv, m = static_cast<int>(model_.S.size());
  int pairs = 0;
  for (int j = 0; j < bodies(); ++j)
    for (int i = j; i >= 0; i = model_[i].parent) pairs += model_[i].nv * model_[j].nv;
  Tape outer, pair;
  {
    // the vectors that a motion as the outer one of two needs
    const Recording recording(outer);
    NamedInputs input(outer);
    ColumnTerms<Trace> column;
    column.s = named<Motion<Trace>>(input, "term", 0, m);
    if (slopes) {
      column.psidd = named<Motion<Trace>>(input, "term", 6 * m, m);
      column.psid_sd = named<Motion<Trace>>(input, "term", 12 * m, m);
      column.psid.w = named<Vec3<Trace>>(input, "term", 18 * m, m);
      column.multiply(named_body(input, "B"));
      keep(outer, "g", column.by_q, 6);
      keep(outer, "g", column.by_qd, 12);
      keep(outer, "g", column.B_s, 18);
    } else {
      column.C_s = named<Inertia<Trace>>(input, "B") * column.s;
    }
    keep(outer, "g", column.C_s);
  }
  const bool path = is_path();
  {
    // its products with an inner one, which is column `at`
    const Recording recording(pair);
    NamedInputs input(pair);
    const auto term = [&](int row) { return input(fmt::format("terms[{} + at]", row * m)); };
    const auto motion = [&](int row) {
      Motion<Trace> out;
      for (Trace* entry : entries_of(out)) *entry = term(row++);
      return out;
    };
    const auto result = [&](const char* in_path, const char* elsewhere, const Trace& value) {
      pair.output(value, path ? fmt::format(fmt::runtime(in_path), n) : std::string(elsewhere));
    };
    ColumnTerms<Trace> inner;
    inner.s = motion(0);
    const auto C_s = named<Force<Trace>>(input, "g");
    if (slopes) {
      inner.psidd = motion(6);
      inner.psid_sd = motion(12);
      inner.psid.w = {term(18), term(19), term(20)};
      const PairTerms<Trace> products(inner, C_s, named<Force<Trace>>(input, "g", 6),
                                      named<Force<Trace>>(input, "g", 12), named<Vec3<Trace>>(input, "g", 18));
      result("tau_q[{}*o + at]", "part[1]", products.row_dq);
      result("tau_qd[{}*o + at]", "part[2]", products.row_dqd);
      result("across_q[at]", "part[3]", products.column_dq);
      result("across_qd[at]", "part[4]", products.column_dqd);
    }
    result("M[{}*o + at]", "part[0]", dot(inner.s, C_s));
  }

  const std::string real(real_.type), zero = real_.literal(0);
  const int entries = slopes ? body_entries : inertia_entries;
  std::string text, body;
  const auto clear = [&](const char* array) {
    text += fmt::format("  for (int m = 0; m < {}; ++m) {}[m] = {};\n", n * n, array, zero);
  };
  if (!path) {
    clear("M");
    if (slopes) clear("tau_q"), clear("tau_qd");
  }
  text += fmt::format("  for (int m = 0; m < {}; ++m) composite[0][m] = {};\n", entries, zero);
  if (path) {
    body += fmt::format("    const {0} *term = terms + o, *B = composite[o + 1];\n    {0} g[{1}]", real,
                        slopes ? all_push_entries : push_entries);
    if (slopes) body += fmt::format(", across_q[{0}], across_qd[{0}]", n);
    body += ";\n    {\n" + block(outer, 6, m) + "    }\n";
    body += "    for (int at = 0; at <= o; ++at) {\n" + block(pair, 6, pairs) + "    }\n";
    body += fmt::format("    for (int at = 0; at < o; ++at) {{\n      M[{0}*at + o] = M[{0}*o + at];\n", n);
    if (slopes)
      body += fmt::format("      tau_q[{0}*at + o] = across_q[at];\n      tau_qd[{0}*at + o] = across_qd[at];\n", n);
    body += "    }\n";
  } else {
    body += fmt::format("    const {} *B = composite[o + 1];\n", real);
    body += "    for (int c = 0; c < torsor_columns[o]; ++c) {\n";
    body += fmt::format(
        "      const {0} *term = terms + torsor_first_column[o] + c;\n      const int outer = torsor_first_v[o] + c;\n "
        "     {0} g[{1}];\n",
        real, slopes ? all_push_entries : push_entries);
    body += "      {\n" + block(outer, 8, m) + "      }\n";
    body +=
        "      for (int i = o; i >= 0; i = torsor_parent[i] - 1)\n        for (int l = 0; l < torsor_columns[i]; ++l) "
        "{\n";
    body += fmt::format(
        "          const int at = torsor_first_column[i] + l, inner = torsor_first_v[i] + l;\n          {} part[{}];\n",
        real, slopes ? 5 : 1);
    body += block(pair, 10, pairs);
    const auto add = [&](const char* array, const char* row, const char* column, int part, const char* margin) {
      body += fmt::format("{}{}[{}*{} + {}] += part[{}];\n", margin, array, n, row, column, part);
    };
    add("M", "outer", "inner", 0, "          ");
    if (slopes) add("tau_q", "outer", "inner", 1, "          "), add("tau_qd", "outer", "inner", 2, "          ");
    body += "          if (i == o) continue;\n";
    add("M", "inner", "outer", 0, "          ");
    if (slopes) add("tau_q", "inner", "outer", 3, "          "), add("tau_qd", "inner", "outer", 4, "          ");
    body += "        }\n    }\n";
  }
  body +=
      fmt::format("    {{\n      {} *to = composite[{}];\n      for (int m = 0; m < {}; ++m) to[m] += B[m];\n    }}\n",
                  real, path ? "o" : "torsor_parent[o]", entries);
  return text + loop(fmt::format("int o = {}; o >= 0; --o", bodies() - 1), body);
}

std::string LoopWriter::rotors_on_mass() {
  const int n = model_.nv;
  std::map<int, double> entries;
  for (int k = 0; k < n; ++k) entries[k * n + k] += model_.rotor[static_cast<std::size_t>(k)];
  for (const auto& [j, k, value] : model_.rotor_coupling) {
    entries[j * n + k] += value;
    entries[k * n + j] += value;
  }
  Tape rotors;
  {
    const Recording recording(rotors);
    NamedInputs input(rotors);
    for (const auto& [at, value] : entries)
      if (value != 0) rotors.output(input("M", at) + Trace(value), entry_name("M", at));
  }
  return scope(rotors, true);
}

std::string LoopWriter::mass() { return angles() + outward_terms(false) + pairs_inward(false) + rotors_on_mass(); }

std::string LoopWriter::derivatives() {
  std::string text = angles() + outward_terms(true) + pairs_inward(true) + rotors_on_mass();
  if (given_.friction.empty()) return text;
  // friction of a joint depends on its own motion alone
  using D = Dual<Trace>;
  const int n = model_.nv;
  Tape friction;
  {
    const Recording recording(friction);
    NamedInputs input(friction);
    const Model<D> model = cast<D>(given_, [](double x) { return D(Trace(x)); });
    std::vector<D> by_q, by_qd;
    for (int k = 0; k < model_.nq; ++k) by_q.emplace_back(input("q", k), D::Tangent{Trace(1)});
    for (int k = 0; k < n; ++k) by_qd.emplace_back(input("qd", k), D::Tangent{Trace(1)});
    for (const bool velocity : {false, true}) {
      std::vector<D> q = by_q, qd = by_qd, effort(static_cast<std::size_t>(n));
      for (D& x : velocity ? q : qd) x.tangent = {Trace(0)};
      add_joint_friction<D>(model, q, qd, D(Trace(1)), effort);
      for (int k = 0; k < n; ++k) {
        const std::string entry = entry_name(velocity ? "tau_qd" : "tau_q", k * n + k);
        friction.output(input(entry) + effort[static_cast<std::size_t>(k)].tangent[0], entry);
      }
    }
  }
  return text + scope(friction, true);
}

}  // namespace torsor
