#include "torsor/closed_form_ik/solve_rates_6x6.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/wrist_partition.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/singular_values.hpp"

namespace torsor {
namespace {

using SixNumbers = std::array<double, 6>;

constexpr double columns_rank_tolerance = 1e-12;

/// J of a point with all entries in metres: turning times a lever, rates of slides per lever.
struct ScaledJacobian {
  std::array<Motion<double>, 6> column;  // of the point
  double lever = 0;
  std::array<bool, 6> slides{};
  std::array<double, 36> J;

  ScaledJacobian(const ToolColumns& tool, const Vec3<double>& point) : column(tool.column) {
    const Vec3<double> r = tool.R_world_tool * point;
    for (std::size_t k = 0; k < 6; ++k) {
      column[k].v += cross(column[k].w, r);
      slides[k] = dot(column[k].w, column[k].w) == 0;
      if (!slides[k]) lever = std::max(lever, dot(column[k].v, column[k].v));
    }
    lever = lever > 0 ? std::sqrt(lever) : 1;
    for (std::size_t k = 0; k < 6; ++k) {
      const SixNumbers entries = scaled(column[k]);
      for (std::size_t i = 0; i < 6; ++i) J[6 * i + k] = entries[i] * of_rate(k);
    }
  }
  SixNumbers scaled(const Motion<double>& m) const {
    return {m.v.x, m.v.y, m.v.z, lever * m.w.x, lever * m.w.y, lever * m.w.z};
  }
  Motion<double> unscaled(const SixNumbers& x) const {
    return {{x[3] / lever, x[4] / lever, x[5] / lever}, {x[0], x[1], x[2]}};
  }
  double of_rate(std::size_t k) const { return slides[k] ? lever : 1; }

  /// What the rates add to the acceleration of the point by themselves.
  Motion<double> bias(const SixNumbers& qd) const {
    Motion<double> sum;
    Vec3<double> turning;
    for (std::size_t k = 0; k < 6; ++k) {
      const Vec3<double> added = column[k].w * qd[k];
      sum.w += cross(turning, added);
      sum.v += cross(turning * 2.0 + added, column[k].v * qd[k]);
      turning += added;
    }
    return sum;
  }
};

/// J = U B by its singular values.
struct Spectrum {
  std::array<double, 36> J, B, U{};
  SixNumbers S{};

  explicit Spectrum(const std::array<double, 36>& entries) : J(entries), B(entries) {
    singular_values<double>(B, 6, 6, U, S);
  }
  /// The shortest x that comes nearest to b, which becomes the residual.
  SixNumbers shortest(SixNumbers& b) const {
    SixNumbers x{};
    shortest_solution<double>(B, U, S, 6, 6, columns_rank_tolerance * S[0], b, x);
    for (std::size_t i = 0; i < 36; ++i) b[i / 6] -= J[i] * x[i % 6];
    return x;
  }
};

void rates_that_remain(const ScaledJacobian& jacobian, const ToolMotion& motion, JointRates& out) {
  const Spectrum spectrum(jacobian.J);
  const auto solve = [&](const Motion<double>& m, SixNumbers& x) {
    SixNumbers b = jacobian.scaled(m);
    x = spectrum.shortest(b);
    for (std::size_t k = 0; k < 6; ++k) x[k] *= jacobian.of_rate(k);
    return jacobian.unscaled(b);
  };
  out.missed_twist = solve(motion.twist, out.qd);
  out.missed_acceleration = solve(motion.acceleration - jacobian.bias(out.qd), out.qdd);
  out.factor = 0;
  out.status = RateStatus::singular;
}

}  // namespace

ToolColumns tool_columns(const SixAxis& arm, const IkBranch& b) {
  ToolColumns out;
  std::array<Vec3<double>, 6> z, o;
  Transform<double> X = arm.X_world_0;
  for (std::size_t i = 0; i < 6; ++i) {
    z[i] = X.R.z;
    o[i] = X.p;
    advance(arm, static_cast<int>(i + 1), b.c[i], b.s[i], detail::shift_of(arm, b, i), X);
  }
  X = X * arm.X_flange_tool;
  // backwards the chain is written in the tool, and what a joint does to the world it does to the tool with the other
  // sense of its coordinate: the same column
  const Vec3<double> p = arm.backwards ? Vec3<double>{} : X.p;
  out.R_world_tool = arm.backwards ? ~X.R : X.R;
  for (std::size_t i = 0; i < 6; ++i) {
    const Motion<double> m =
        arm.joint[i].prismatic ? Motion<double>{{}, z[i]} : Motion<double>{z[i], cross(z[i], p - o[i])};
    if (arm.backwards)
      out.column[5 - i] = {out.R_world_tool * m.w, out.R_world_tool * m.v};
    else
      out.column[i] = m;
  }
  return out;
}

ToolColumns tool_columns(const Model<double>& model, std::span<const Transform<double>> X, const Frame<double>& tool) {
  TORSOR_EXPECT(model.nv == 6);
  ToolColumns out;
  const Transform<double> X_tool = X[static_cast<std::size_t>(tool.body)] * tool.X_body_frame;
  out.R_world_tool = X_tool.R;
  for (int i = tool.body; i >= 0; i = model[i].parent) {
    if (model[i].nv == 0) continue;
    TORSOR_EXPECT(model[i].nv == 1);
    const Motion<double> s = X[static_cast<std::size_t>(i)] * model.S[static_cast<std::size_t>(model[i].column)];
    out.column[static_cast<std::size_t>(model[i].v)] = {s.w, s.v + cross(s.w, X_tool.p)};
  }
  return out;
}

JointRates solve_rates_6x6(const ToolColumns& tool, const ToolMotion& motion) {
  JointRates out;
  const ScaledJacobian jacobian(tool, motion.point);
  std::array<double, 36> LU = jacobian.J;
  std::array<int, 6> rows{};
  out.factor = lu_factor<double>(LU, 6, rows);
  if (!(out.factor > columns_rank_tolerance)) {
    rates_that_remain(jacobian, motion, out);
  } else {
    const auto solve = [&](const Motion<double>& m, SixNumbers& x) {
      lu_solve<double>(LU, 6, rows, jacobian.scaled(m), x);
      for (std::size_t k = 0; k < 6; ++k) x[k] *= jacobian.of_rate(k);
    };
    solve(motion.twist, out.qd);
    solve(motion.acceleration - jacobian.bias(out.qd), out.qdd);
    if (out.factor < near_singular_factor) out.status = RateStatus::near_singular;
  }
  double sum = 0;
  for (std::size_t k = 0; k < 6; ++k) sum += out.qd[k] + out.qdd[k];
  if (!std::isfinite(sum)) {
    out = {};
    out.status = RateStatus::not_finite;
  }
  return out;
}

LostMotions lost_motions_6x6(const ToolColumns& tool) {
  LostMotions out;
  const ScaledJacobian jacobian(tool, {});
  std::array<double, 36> transposed{};
  for (std::size_t i = 0; i < 36; ++i) transposed[i] = jacobian.J[i % 6 * 6 + i / 6];
  const Spectrum rows(jacobian.J), columns(transposed);
  for (std::size_t k = 0; k < 6; ++k) {
    if (rows.S[k] > columns_rank_tolerance * rows.S[0]) continue;
    const auto n = static_cast<std::size_t>(out.count++);
    SixNumbers lost{}, &x = out.idle[n];
    double greatest = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      lost[i] = rows.U[6 * i + k];
      x[i] = columns.U[6 * i + k] * jacobian.of_rate(i);
      greatest = std::abs(x[i]) > std::abs(greatest) ? x[i] : greatest;
    }
    const Motion<double> m = jacobian.unscaled(lost);
    out.lost[n] = m * (1 / std::sqrt(dot(m.w, m.w) + dot(m.v, m.v)));
    for (std::size_t i = 0; i < 6; ++i) {
      x[i] /= greatest;
      out.involved[i] = out.involved[i] || std::abs(x[i]) > 1e-9;
    }
  }
  return out;
}

double determinant_6x6(const ToolColumns& tool) {
  std::array<double, 36> J{};
  for (std::size_t k = 0; k < 6; ++k) {
    const Motion<double>& m = tool.column[k];
    const SixNumbers entries{m.v.x, m.v.y, m.v.z, m.w.x, m.w.y, m.w.z};
    for (std::size_t i = 0; i < 6; ++i) J[6 * i + k] = entries[i];
  }
  std::array<int, 6> rows{};
  return lu_factor<double>(J, 6, rows) == 0 ? 0 : lu_determinant<double>(J, 6, rows);
}

}  // namespace torsor
