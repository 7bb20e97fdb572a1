#include "torsor/formulations/worked_example.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "torsor/dynamics/add_rotors.hpp"
#include "torsor/dynamics/moving_rows.hpp"
#include "torsor/formulations/coefficients_dalembert.hpp"
#include "torsor/formulations/inverse_kane.hpp"
#include "torsor/formulations/inverse_lagrange_euler.hpp"
#include "torsor/formulations/inverse_newton_euler_link.hpp"

namespace torsor {
namespace {

using WorkMethod = void (*)(const RobotForms<double>&, Rates<const double> qd, Rates<const double> qdd, WorkedExample&);

/// LaTeX in which a number of two digits behind _ or ^ is in braces.
std::string braced(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    out += text[k];
    if (text[k] != '_' && text[k] != '^') continue;
    std::size_t end = k + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end - k <= 2) continue;
    out += fmt::format("{{{}}}", text.substr(k + 1, end - k - 1));
    k = end - 1;
  }
  return out;
}

/// Writes the steps of one example down; i is the row of the table throughout.
class WorkedSheet {
 public:
  WorkedSheet(WorkedExample& out, const DhArm<double>& arm) : out_(out), arm_(arm) {}

  void stage(std::string name) { stage_ = std::move(name); }

  void vector(int i, const std::string& symbol, const std::string& equation, const char* reference, const char* unit,
              const Vec3<double>& v) {
    add(i, symbol, equation, reference, unit).values = {v.x, v.y, v.z};
  }
  void matrix(int i, const std::string& symbol, const std::string& equation, const char* reference,
              const Mat4<double>& A) {
    auto& values = add(i, symbol, equation, reference, "").values;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c) values.push_back(A(r, c));
  }
  void sum(int i, const std::string& symbol, const std::string& equation, const char* reference, const char* unit,
           double value, std::vector<WorkedTerm> terms = {}) {
    WorkedStep& step = add(i, symbol, equation, reference, unit);
    step.values = {value};
    std::erase_if(terms, [](const WorkedTerm& t) { return t.value == 0; });
    for (WorkedTerm& t : terms) t.symbol = braced(t.symbol);
    step.terms = std::move(terms);
  }
  const char* torque_unit(int i) const { return arm_[i].prismatic ? "N" : "N m"; }
  /// Of an entry of the mass matrix.
  const char* inertia_unit(int i, int k) const {
    const int slides = int{arm_[i].prismatic} + int{arm_[k].prismatic};
    return slides == 0 ? "kg m^2" : slides == 1 ? "kg m" : "kg";
  }

 private:
  WorkedStep& add(int i, const std::string& symbol, const std::string& equation, const char* reference,
                  const char* unit) {
    return out_.steps.emplace_back(WorkedStep{stage_, i, braced(symbol), braced(equation), reference, unit, {}, {}});
  }

  WorkedExample& out_;
  const DhArm<double>& arm_;
  std::string stage_;
};

/// Terms that are zero but for rounding are no terms, whatever a compiler made of them.
void drop_noise(WorkedExample& out) {
  std::map<std::string_view, double> largest;  // of the numbers of a unit
  for (const WorkedStep& step : out.steps) {
    double& most = largest[step.unit];
    for (const double x : step.values) most = std::max(most, std::abs(x));
    for (const WorkedTerm& t : step.terms) most = std::max(most, std::abs(t.value));
  }
  for (WorkedStep& step : out.steps)
    std::erase_if(step.terms,
                  [most = largest[step.unit]](const WorkedTerm& t) { return std::abs(t.value) <= 1e-14 * most; });
}

/// tau_i = sum_k D_ik qdd_k + h_i + c_i.
void assemble_steps(WorkedSheet& sheet, const DhArm<double>& arm, Rates<const double> D, Rates<const double> h,
                    Rates<const double> c, Rates<const double> qdd, Rates<const double> tau, const char* reference) {
  sheet.stage("torques");
  const auto n = static_cast<std::size_t>(arm.n());
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<WorkedTerm> terms;
    for (std::size_t k = 0; k < n; ++k)
      terms.push_back({fmt::format("D_{{{0}{1}}}\\ddot q_{1}", i + 1, k + 1), D[i * n + k] * qdd[k]});
    terms.push_back({fmt::format("h_{}", i + 1), h[i]});
    terms.push_back({fmt::format("c_{}", i + 1), c[i]});
    const int row = static_cast<int>(i) + 1;
    sheet.sum(row, fmt::format("\\tau_{}", row), fmt::format("\\sum_k D_{{{0}k}}\\ddot q_k + h_{0} + c_{0}", row),
              reference, sheet.torque_unit(row), tau[i], std::move(terms));
  }
}

void work_newton_euler(const RobotForms<double>& forms, Rates<const double> qd, Rates<const double> qdd,
                       WorkedExample& out) {
  const DhArm<double>& arm = *forms.standard;
  NewtonEulerLinkWork<double> w(arm);
  std::vector<double> tau(arm.links.size());
  inverse_newton_euler_link<double>(arm, forms.standard_position, qd, qdd, {}, w, tau);
  out.title = "Newton-Euler, in link frames";
  out.source = "Luh, Walker & Paul 1980; Fu, Gonzalez & Lee 1987, Table 3.3";
  out.frames = "standard DH; every vector in the frame of its own link";
  WorkedSheet sheet(out, arm);
  sheet.stage("outward: velocities and accelerations");
  for (int i = 1; i <= arm.n(); ++i) {
    const bool P = arm[i].prismatic;
    const std::string R = fmt::format("{{}}^{0}R_{1}", i, i - 1), p = fmt::format("p^*_{}", i),
                      o = fmt::format("\\omega_{}", i), a = fmt::format("\\dot\\omega_{}", i),
                      b = std::to_string(i - 1), q = std::to_string(i);
    sheet.vector(i, o,
                 P ? fmt::format("{}\\,\\omega_{}", R, b) : fmt::format("{}(\\omega_{} + z_0\\dot q_{})", R, b, q),
                 "(3.3-50)", "rad/s", w.w[static_cast<std::size_t>(i)]);
    sheet.vector(
        i, a,
        P ? fmt::format("{}\\,\\dot\\omega_{}", R, b)
          : fmt::format("{0}(\\dot\\omega_{1} + z_0\\ddot q_{2} + \\omega_{1}\\times z_0\\dot q_{2})", R, b, q),
        "(3.3-51)", "rad/s^2", w.wd[static_cast<std::size_t>(i)]);
    const std::string turns = fmt::format("{1}\\times {0} + {2}\\times({2}\\times {0})", p, a, o);
    sheet.vector(
        i, fmt::format("\\dot v_{}", i),
        turns + (P ? fmt::format(" + {0}(\\dot v_{1} + z_0\\ddot q_{2}) + 2{3}\\times({0}z_0\\dot q_{2})", R, b, q, o)
                   : fmt::format(" + {}\\,\\dot v_{}", R, b)),
        "(3.3-52)", "m/s^2", w.vd[static_cast<std::size_t>(i)]);
    sheet.vector(i, fmt::format("\\bar a_{}", i),
                 fmt::format("{1}\\times\\bar s_{0} + {2}\\times({2}\\times\\bar s_{0}) + \\dot v_{0}", i, a, o),
                 "(3.3-53)", "m/s^2", w.a[static_cast<std::size_t>(i)]);
  }
  sheet.stage("inward: forces and moments");
  for (int i = arm.n(); i >= 1; --i) {
    const std::string R = fmt::format("{{}}^{0}R_{1}", i, i + 1);
    const bool last = i == arm.n();
    const auto at = static_cast<std::size_t>(i);
    sheet.vector(i, fmt::format("F_{}", i), fmt::format("m_{0}\\bar a_{0}", i), "(3.3-54)", "N", w.F[at]);
    sheet.vector(i, fmt::format("N_{}", i),
                 fmt::format("I_{0}\\dot\\omega_{0} + \\omega_{0}\\times(I_{0}\\omega_{0})", i), "(3.3-55)", "N m",
                 w.N[at]);
    sheet.vector(i, fmt::format("f_{}", i), last ? fmt::format("F_{}", i) : fmt::format("{}f_{} + F_{}", R, i + 1, i),
                 "(3.3-56)", "N", w.f[at]);
    const std::string own = fmt::format("(p^*_{0} + \\bar s_{0})\\times F_{0} + N_{0}", i);
    sheet.vector(i, fmt::format("n_{}", i),
                 last ? own : fmt::format("{0}n_{1} + p^*_{2}\\times({0}f_{1}) + ", R, i + 1, i) + own, "(3.3-57)",
                 "N m", w.n[at]);
    sheet.sum(i, fmt::format("\\tau_{}", i),
              fmt::format("{}_{}\\cdot({{}}^{}R_{}z_0)", arm[i].prismatic ? "f" : "n", i, i, i - 1), "(3.3-58)",
              sheet.torque_unit(i), tau[at - 1]);
  }
  out.tau = tau;
}

void work_lagrange_euler(const RobotForms<double>& forms, Rates<const double> qd, Rates<const double> qdd,
                         WorkedExample& out) {
  const DhArm<double>& arm = *forms.standard;
  const int n = arm.n();
  const auto size = static_cast<std::size_t>(n);
  LagrangeEulerWork<double> w(arm);
  std::vector<double> tau(size);
  inverse_lagrange_euler<double>(arm, forms.standard_position, qd, qdd, w, tau);
  out.title = "Lagrange-Euler, with 4x4 matrices";
  out.source = "Fu, Gonzalez & Lee 1987, section 3.2";
  out.frames = "standard DH; homogeneous coordinates";
  WorkedSheet sheet(out, arm);
  sheet.stage("link transforms");
  for (int j = 1; j <= n; ++j)
    sheet.matrix(j, fmt::format("{{}}^{}A_{}", j - 1, j), "\\text{row of the DH table}", "(3.2-4)", w.A(j - 1, j));
  sheet.stage("inertia");
  for (int i = 1; i <= n; ++i)
    for (int k = i; k <= n; ++k) {
      std::vector<WorkedTerm> terms;
      for (int j = k; j <= n; ++j)
        terms.push_back({fmt::format("\\mathrm{{Tr}}(U_{{{0}{1}}}J_{0}U_{{{0}{2}}}^T)", j, k, i),
                         trace(detail::lagrange_U(arm, w, j, k) * w.J[static_cast<std::size_t>(j)] *
                               ~detail::lagrange_U(arm, w, j, i))});
      sheet.sum(i, fmt::format("D_{{{}{}}}", i, k),
                fmt::format("\\sum_{{j={1}}}^{{{2}}} \\mathrm{{Tr}}(U_{{j{1}}}J_jU_{{j{0}}}^T)", i, k, n), "(3.2-31)",
                sheet.inertia_unit(i, k), w.D[static_cast<std::size_t>(i - 1) * size + static_cast<std::size_t>(k - 1)],
                std::move(terms));
    }
  sheet.stage("Coriolis and centrifugal");
  for (int i = 1; i <= n; ++i) {
    std::vector<WorkedTerm> terms;
    const auto row = static_cast<std::size_t>(i - 1);
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t m = k; m < size; ++m)
        terms.push_back({k == m ? fmt::format("h_{{{0}{1}{1}}}\\dot q_{1}^2", i, k + 1)
                                : fmt::format("2h_{{{0}{1}{2}}}\\dot q_{1}\\dot q_{2}", i, k + 1, m + 1),
                         (k == m ? 1 : 2) * w.h_ikm[(row * size + k) * size + m] * qd[k] * qd[m]});
    sheet.sum(i, fmt::format("h_{}", i), fmt::format("\\sum_{{k,m}} h_{{{}km}}\\dot q_k\\dot q_m", i), "(3.2-32)",
              sheet.torque_unit(i), w.h[row], std::move(terms));
  }
  sheet.stage("gravity");
  for (int i = 1; i <= n; ++i) {
    std::vector<WorkedTerm> terms;
    const Vec4<double> g{arm.g.x, arm.g.y, arm.g.z, 0};
    for (int j = i; j <= n; ++j)
      terms.push_back({fmt::format("-m_{0}gU_{{{0}{1}}}\\bar r_{0}", j, i),
                       -(arm[j].m * dot(~detail::lagrange_U(arm, w, j, i) * g,
                                        Vec4<double>{arm[j].r.x, arm[j].r.y, arm[j].r.z, 1}))});
    sheet.sum(i, fmt::format("c_{}", i), fmt::format("\\sum_{{j={0}}}^{{{1}}} -m_jgU_{{j{0}}}\\bar r_j", i, n),
              "(3.2-34)", sheet.torque_unit(i), w.c[static_cast<std::size_t>(i - 1)], std::move(terms));
  }
  assemble_steps(sheet, arm, w.D, w.h, w.c, qdd, tau, "(3.2-25)");
  out.tau = tau;
}

void work_dalembert(const RobotForms<double>& forms, Rates<const double> qd, Rates<const double> qdd,
                    WorkedExample& out) {
  const DhArm<double>& arm = *forms.standard;
  const int n = arm.n();
  DAlembertWork<double> w(arm);
  std::vector<double> D(w.n * w.n), h(w.n), c(w.n), tau(w.n);
  coefficients_dalembert<double>(arm, forms.standard_position, qd, w, D, h, c);
  inverse_dalembert<double>(arm, forms.standard_position, qd, qdd, w, tau);
  out.title = "generalized d'Alembert";
  out.source = "Fu, Gonzalez & Lee 1987, section 3.4";
  out.frames = "standard DH; translation in base axes, rotation in the axes of the link";
  WorkedSheet sheet(out, arm);
  sheet.stage("positions");
  for (int s = 1; s <= n; ++s) {
    const auto at = static_cast<std::size_t>(s);
    sheet.vector(s, fmt::format("z_{}", s - 1), fmt::format("\\text{{axis of joint }}{}", s), "", "", w.z[at - 1]);
    sheet.vector(s, fmt::format("p_{}", s), fmt::format("p_{0} + p^*_{1}", s - 1, s), "", "m", w.p[at]);
    sheet.vector(s, fmt::format("\\bar r_{}", s), fmt::format("p_{0} + \\bar c_{1}", s - 1, s), "", "m", w.r_bar[at]);
  }
  sheet.stage("inertia: translation and rotation of the links");
  for (int i = 1; i <= n; ++i)
    for (int j = i; j <= n; ++j) {
      std::vector<WorkedTerm> tran, rot;
      for (int s = j; s <= n; ++s) {
        tran.push_back({fmt::format("\\text{{link }}{}", s), dot(w.m_partial[w.at(s, j)], w.partial[w.at(s, i)])});
        if (!arm[i].prismatic && !arm[j].prismatic)
          rot.push_back({fmt::format("\\text{{link }}{}", s), dot(w.axis[w.at(s, i)], w.I_axis[w.at(s, j)])});
      }
      const auto along = [&](int k) {
        return arm[k].prismatic ? fmt::format("z_{}", k - 1) : fmt::format("[z_{0}\\times(\\bar r_s - p_{0})]", k - 1);
      };
      const char* const unit = sheet.inertia_unit(i, j);
      sheet.sum(i, fmt::format("D_{{{}{}}}^{{tran}}", i, j),
                fmt::format("\\sum_s m_s\\,{}\\cdot{}", along(j), along(i)), "(3.4-25)", unit,
                w.terms.D_tran[w.entry(i, j)], std::move(tran));
      sheet.sum(i, fmt::format("D_{{{}{}}}^{{rot}}", i, j),
                arm[i].prismatic || arm[j].prismatic
                    ? "0"
                    : fmt::format("\\sum_s ({{}}^sR_0z_{})^T I_s\\,({{}}^sR_0z_{})", i - 1, j - 1),
                "(3.4-25)", unit, w.terms.D_rot[w.entry(i, j)], std::move(rot));
      sheet.sum(i, fmt::format("D_{{{}{}}}", i, j), fmt::format("D_{{{0}{1}}}^{{tran}} + D_{{{0}{1}}}^{{rot}}", i, j),
                "(3.4-25)", unit, D[w.entry(i, j)]);
    }
  sheet.stage("Coriolis and centrifugal");
  for (int i = 1; i <= n; ++i) {
    const auto row = static_cast<std::size_t>(i - 1);
    sheet.sum(
        i, fmt::format("h_{}", i), fmt::format("h_{0}^{{tran}} + h_{0}^{{rot}}", i), "(3.4-26), (3.4-27)",
        sheet.torque_unit(i), h[row],
        {{fmt::format("h_{}^{{tran}}", i), w.terms.h_tran[row]}, {fmt::format("h_{}^{{rot}}", i), w.terms.h_rot[row]}});
  }
  sheet.stage("gravity");
  for (int i = 1; i <= n; ++i) {
    std::vector<WorkedTerm> terms;
    for (int s = i; s <= n; ++s)
      terms.push_back({fmt::format("\\text{{link }}{}", s), -dot(arm.g, w.m_partial[w.at(s, i)])});
    sheet.sum(i, fmt::format("c_{}", i),
              arm[i].prismatic ? fmt::format("-g\\cdot\\sum_s m_s z_{}", i - 1)
                               : fmt::format("-g\\cdot\\sum_s m_s[z_{0}\\times(\\bar r_s - p_{0})]", i - 1),
              "(3.4-28)", sheet.torque_unit(i), c[static_cast<std::size_t>(i - 1)], std::move(terms));
  }
  assemble_steps(sheet, arm, D, h, c, qdd, tau, "(3.4-24)");
  out.tau = tau;
}

void work_kane(const RobotForms<double>& forms, Rates<const double> qd, Rates<const double> qdd, WorkedExample& out) {
  const DhArm<double>& arm = *forms.modified;
  const int n = arm.n();
  KaneWork<double> w(arm);
  std::vector<double> tau(arm.links.size());
  struct Inward {
    Vec3<double> u, hd, v, t;
  };
  std::vector<Inward> inward(arm.links.size() + 1);
  inverse_kane_seen<double, KaneSigns::set_b>(
      arm, forms.modified_position, qd, qdd, w, tau,
      [&](int i, const Vec3<double>& u, const Vec3<double>& hd, const Vec3<double>& v, const Vec3<double>& t) {
        inward[static_cast<std::size_t>(i)] = {u, hd, v, t};
      });
  out.title = "Kane's equations";
  out.source = "Angeles, Ma & Rojas 1989, section 6, with the usual d";
  out.frames = "modified DH; every vector in the frame of its own link, e_i along joint i";
  WorkedSheet sheet(out, arm);
  sheet.stage("stage 2, outward: velocities and accelerations");
  for (int i = 1; i <= n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool P = arm[i].prismatic;
    sheet.vector(i, fmt::format("\\omega_{}", i),
                 fmt::format("Q_{0}^T\\omega_{1}", i, i - 1) + (P ? "" : fmt::format(" + \\dot\\theta_{0}e_{0}", i)),
                 "", "rad/s", w.w[at]);
    sheet.vector(i, fmt::format("\\dot\\omega_{}", i),
                 fmt::format("Q_{0}^T\\dot\\omega_{1}", i, i - 1) +
                     (P ? "" : fmt::format(" + \\omega_{0}\\times\\dot\\theta_{0}e_{0} + \\ddot\\theta_{0}e_{0}", i)),
                 "", "rad/s^2", w.wd[at]);
    sheet.vector(i, fmt::format("\\ddot p_{}", i),
                 fmt::format("Q_{0}^T[\\ddot p_{1} + W_{1}(a_{0} - \\rho_{1})] + W_{0}\\rho_{0}{2}", i, i - 1,
                             P ? fmt::format(" + 2\\omega_{0}\\times\\dot d_{0}e_{0} + \\ddot d_{0}e_{0}", i) : ""),
                 "(18)", "m/s^2", w.pdd[at]);
  }
  sheet.stage("stage 3, inward: inertia forces along the partial velocities");
  for (int i = n; i >= 1; --i) {
    const Inward& x = inward[static_cast<std::size_t>(i)];
    const bool last = i == n;
    sheet.vector(i, fmt::format("u_{}", i), fmt::format("m_{0}\\ddot p_{0}", i), "", "N", x.u);
    // the first link turns about an axis at rest: only its part along it is wanted
    sheet.vector(i, fmt::format("\\dot h_{}", i),
                 fmt::format("I_{0}\\dot\\omega_{0}", i) +
                     (i > 1 ? fmt::format(" + \\omega_{0}\\times I_{0}\\omega_{0}", i) : ""),
                 "", "N m", x.hd);
    sheet.vector(i, fmt::format("v_{}", i), last ? fmt::format("u_{}", i) : fmt::format("Q_{1}v_{1} + u_{0}", i, i + 1),
                 "", "N", x.v);
    sheet.vector(i, fmt::format("w_{}", i),
                 fmt::format("\\dot h_{0} + \\rho_{0}\\times u_{0}{1}", i,
                             last ? "" : fmt::format(" + Q_{0}w_{0} + a_{0}\\times Q_{0}v_{0}", i + 1)),
                 "", "N m", x.t);
    sheet.sum(i, fmt::format("\\tau_{}", i), fmt::format("e_{0}\\cdot {1}_{0}", i, arm[i].prismatic ? "v" : "w"), "",
              sheet.torque_unit(i), tau[static_cast<std::size_t>(i - 1)]);
  }
  out.tau = tau;
}

struct WorkedRow {
  std::string_view name;
  WorkMethod work;
};
constexpr std::array<WorkedRow, 4> worked_rows{{{"newton-euler-link", work_newton_euler},
                                                {"lagrange-euler", work_lagrange_euler},
                                                {"dalembert", work_dalembert},
                                                {"kane", work_kane}}};
constexpr std::array<std::string_view, 4> worked_names{worked_rows[0].name, worked_rows[1].name, worked_rows[2].name,
                                                       worked_rows[3].name};

}  // namespace

std::span<const std::string_view> worked_formulations() { return worked_names; }

Result<WorkedExample> worked_example(const RobotForms<double>& forms, std::string_view name, Rates<const double> qd,
                                     Rates<const double> qdd) {
  const auto* const row = std::ranges::find(worked_rows, name, &WorkedRow::name);
  if (row == worked_rows.end())
    return Faults{{{},
                   std::string(name),
                   "formulation-unknown",
                   "it is not worked through step by step",
                   fmt::format("use {}", fmt::join(worked_names, ", "))}};
  if (!forms.standard || !forms.modified)
    return forms.not_serial.empty() ? Faults{{{}, forms.model.name, "formulation-robot", "it has no DH table", ""}}
                                    : forms.not_serial;
  // rows whose joint is held have no rates
  detail::MovingRows<double, 1> moving(*forms.standard);
  WorkedExample out;
  out.name = row->name;
  row->work(forms, moving.rate(qd), moving.rate(qdd, 1), out);
  std::vector<double> tau(qd.size());
  const std::span<double> all = moving.room(tau);
  std::ranges::copy(out.tau, all.begin());
  moving.give(tau);
  const std::vector<double> without = tau;
  detail::add_rotors<double>(forms, qdd, tau);
  if (tau != without)
    for (std::size_t k = 0; k < tau.size(); ++k)
      out.steps.push_back({"rotors",
                           0,
                           fmt::format("\\tau_{{{}}}", k + 1),
                           "\\tau + \\text{rotor inertias}\\cdot\\ddot q",
                           "",
                           "N m or N",
                           {tau[k]},
                           {{"\\tau", without[k]}, {"\\text{rotors}", tau[k] - without[k]}}});
  out.tau = tau;
  drop_noise(out);
  return out;
}

}  // namespace torsor
