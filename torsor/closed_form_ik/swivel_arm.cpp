#include "torsor/closed_form_ik/swivel_arm.hpp"

#include <numbers>

#include "torsor/closed_form_ik/measure_branch.hpp"
#include "torsor/closed_form_ik/two_turns.hpp"

namespace torsor {
namespace {

constexpr double half_turn = std::numbers::pi;

Vec3<double> z_axis() { return {0, 0, 1}; }

}  // namespace

/// What a pose leaves of the arm: where the elbow's circle is.
struct SwivelArm::Triangle {
  Vec3<double> S, W, n, r, side;  // side = n x r
  double along = 0, across = 0;   // of the elbow from the shoulder

  Vec3<double> elbow(double psi) const { return S + n * along + (r * std::cos(psi) + side * std::sin(psi)) * across; }
};

std::optional<SwivelArm> SwivelArm::of(const JointChain& chain) {
  constexpr double tolerance = 1e-9;
  if (chain.joints() != 7) return std::nullopt;
  for (const bool slides : chain.slides)
    if (slides) return std::nullopt;
  SwivelArm arm;
  arm.chain_ = chain;
  if (!axes_meet(chain, 0, tolerance, arm.shoulder_) || !axes_meet(chain, 4, tolerance, arm.wrist_))
    return std::nullopt;
  // axes 3 and 4 meet in the elbow
  const Transform<double> before = inverse(chain.B[3]);
  const Vec3<double>&l = before.R.z, &p = before.p;
  const double square = l.x * l.x + l.y * l.y;
  if (square < 1e-6) return std::nullopt;
  const Vec3<double> elbow_of_4 = p - l * ((p.x * l.x + p.y * l.y) / square);
  if (std::hypot(elbow_of_4.x, elbow_of_4.y) > tolerance * chain.size) return std::nullopt;
  const Vec3<double> elbow{0, 0, elbow_of_4.z};
  arm.elbow_of_3_ = chain.B[3] * elbow;
  arm.shoulder_of_3_ = inverse(chain.B[2]) * arm.shoulder_;
  arm.wrist_of_5_ = chain.B[5] * arm.wrist_;
  arm.wrist_of_4_ = chain.B[4] * arm.wrist_of_5_ - elbow;
  arm.upper_ = norm(arm.elbow_of_3_ - arm.shoulder_of_3_);
  arm.fore_ = norm(arm.wrist_of_4_);
  if (arm.upper_ < tolerance * chain.size || arm.fore_ < tolerance * chain.size) return std::nullopt;
  arm.regular_ = RegularChain::of_joints(chain);
  if (!arm.regular_) return arm;
  RegularChain& r = *arm.regular_;
  r.rest = RegularChain::Rest::swivel;
  r.signs = 3;
  r.unmeasured = 2;
  r.shoulder = chain.B[0] * (chain.B[1] * arm.shoulder_);
  r.point = inverse(chain.B[7]) * (inverse(chain.B[6]) * arm.wrist_);
  r.wrist_of_4 = arm.wrist_of_4_;
  r.upper_arm = arm.upper_;
  r.forearm = arm.fore_;
  r.sense = (arm.elbow_of_3_ - arm.shoulder_of_3_).z < 0 ? -1 : 1;
  return arm;
}

std::optional<SwivelArm::Triangle> SwivelArm::triangle(const Transform<double>& X_world_tool, double& short_by) const {
  Triangle t;
  t.S = chain_.B[0] * (chain_.B[1] * shoulder_);
  t.W = X_world_tool * (inverse(chain_.B[7]) * (inverse(chain_.B[6]) * wrist_));
  const Vec3<double> arm = t.W - t.S;
  const double distance = norm(arm), longest = upper_ + fore_, shortest = std::abs(upper_ - fore_);
  const double slack = 1e-13 * longest;
  short_by = std::max({0.0, distance - longest, shortest - distance});
  if (!(short_by <= slack)) return std::nullopt;
  short_by = 0;
  const Vec3<double>& axis = chain_.B[0].R.z;
  t.n = distance > 0 ? arm * (1 / distance) : axis;
  t.along = distance > 0 ? (upper_ * upper_ - fore_ * fore_ + distance * distance) / (2 * distance) : 0;
  t.across = std::sqrt(std::max(0.0, upper_ * upper_ - t.along * t.along));
  t.r = axis - t.n * dot(axis, t.n);
  if (norm(t.r) < 1e-9) t.r = chain_.B[0].R.x - t.n * dot(chain_.B[0].R.x, t.n);
  t.r = t.r * (1 / norm(t.r));
  t.side = cross(t.n, t.r);
  return t;
}

void SwivelArm::solve(const Transform<double>& X_world_tool, double psi, SwivelSolutions& out) const {
  RegularSolutions found;
  if (!regular_ || !regular_->solve(X_world_tool, psi, found) || found.count == 0)
    return solve_cases(X_world_tool, psi, out);
  out.count = 0;
  out.reached = true;
  out.short_by = 0;
  for (const RegularSolution& s : found.all()) {
    SevenAngles& q = out.q[static_cast<std::size_t>(out.count++)];
    for (std::size_t i = 0; i < 7; ++i) q[i] = std::remainder(s.q[i], 2 * half_turn);
  }
}

void SwivelArm::solve_cases(const Transform<double>& X_world_tool, double psi, SwivelSolutions& out) const {
  out.count = 0;
  const std::optional<Triangle> t = triangle(X_world_tool, out.short_by);
  out.reached = t.has_value();
  if (!t) return;
  const auto& B = chain_.B;
  const Vec3<double> E = t->elbow(psi);
  const double sense = (elbow_of_3_ - shoulder_of_3_).z < 0 ? -1 : 1;
  const Vec3<double> z3 = (E - t->S) * (sense / upper_);
  const TwoTurns shoulder = two_turns(B[1].R, B[2].R.z, ~B[0].R * z3);
  constexpr double beyond = 1e-9;  // oblique axes do not reach every direction
  if (shoulder.short_by > beyond) return;
  for (int i = 0; i < shoulder.count; ++i) {
    const double q1 = shoulder.a[static_cast<std::size_t>(i)], q2 = shoulder.b[static_cast<std::size_t>(i)];
    const Mat3<double> R2 = B[0].R * rotation_z(q1) * B[1].R * rotation_z(q2) * B[2].R;
    const TwoTurns elbow = two_turns(B[3].R, wrist_of_4_, ~R2 * (t->W - E));
    if (elbow.short_by > beyond) continue;
    for (int j = 0; j < elbow.count; ++j) {
      const double q3 = elbow.a[static_cast<std::size_t>(j)], q4 = elbow.b[static_cast<std::size_t>(j)];
      const Mat3<double> R4 = R2 * rotation_z(q3) * B[3].R * rotation_z(q4) * B[4].R;
      const Mat3<double> rest = ~R4 * X_world_tool.R * ~B[7].R;
      const TwoTurns wrist = two_turns(B[5].R, B[6].R.z, rest.z);
      if (wrist.short_by > beyond) continue;
      for (int k = 0; k < wrist.count; ++k) {
        const double q5 = wrist.a[static_cast<std::size_t>(k)], q6 = wrist.b[static_cast<std::size_t>(k)];
        const Mat3<double> last = ~(rotation_z(q5) * B[5].R * rotation_z(q6) * B[6].R) * rest;
        const double q7 = std::atan2(last.x.y - last.y.x, last.x.x + last.y.y);
        SevenAngles& q = out.q[static_cast<std::size_t>(out.count++)];
        q = {q1, q2, q3, q4, q5, q6, q7};
        for (double& x : q) x = std::remainder(x, 2 * half_turn);
      }
    }
  }
}

double SwivelArm::swivel(const SevenAngles& q) const {
  Transform<double> X = chain_.B[0];
  Vec3<double> E;
  for (int k = 0; k < 7; ++k) {
    X = X * chain_.moved(k, q[static_cast<std::size_t>(k)]);
    if (k == 2) E = X * elbow_of_3_;
    X = X * chain_.B[static_cast<std::size_t>(k + 1)];
  }
  double short_by = 0;
  const std::optional<Triangle> t = triangle(X, short_by);
  if (!t) return 0;
  return std::atan2(dot(E - t->S, t->side), dot(E - t->S, t->r));
}

std::vector<FeasibleInterval> SwivelArm::feasible(const Transform<double>& X_world_tool) const {
  double short_by = 0;
  const std::optional<Triangle> t = triangle(X_world_tool, short_by);
  if (!t) return {};
  const auto& B = chain_.B;
  std::vector<double> edges{-half_turn, half_turn};
  // p . Q(psi) m = value, Q the turn about n by psi
  const auto add = [&](const Vec3<double>& p, const Vec3<double>& m, double value, bool extremes) {
    const double pn = dot(p, t->n), mn = dot(m, t->n);
    const double c = dot(p, m) - pn * mn, s = dot(p, cross(t->n, m)), length = std::hypot(c, s);
    if (!(length > 1e-14)) return;
    const double middle = std::atan2(s, c), asked = (value - pn * mn) / length;
    const auto keep = [&edges](double psi) { edges.push_back(std::remainder(psi, 2 * half_turn)); };
    if (extremes) keep(middle), keep(middle + half_turn);
    if (std::abs(asked) > 1 + 1e-12) return;
    const double half = std::acos(std::clamp(asked, -1.0, 1.0));
    keep(middle + half);
    keep(middle - half);
  };
  SwivelSolutions at;
  solve(X_world_tool, 0, at);
  std::array<Mat3<double>, 8> forearm;  // that were looked at: branches of one elbow share it
  std::size_t forearms = 0;
  for (const SevenAngles& q : at.all()) {
    const Mat3<double> R3 = B[0].R * rotation_z(q[0]) * B[1].R * rotation_z(q[1]) * B[2].R * rotation_z(q[2]);
    const Mat3<double> R4 = R3 * B[3].R * rotation_z(q[3]) * B[4].R, Y = X_world_tool.R * ~B[7].R;
    const auto is_same = [&R4](const Mat3<double>& R) {
      return norm(R.x - R4.x) + norm(R.y - R4.y) < 1e-9;
    };
    if (std::ranges::any_of(std::span(forearm).first(forearms), is_same)) continue;
    const Mat3<double>&C1 = B[1].R, &C2 = B[2].R, &C5 = B[5].R, &C6 = B[6].R;
    const Vec3<double> z = z_axis();
    const auto edges_of = [&](std::size_t joint, const auto& equation) {
      for (const double limit : {chain_.limits[joint].lower, chain_.limits[joint].upper})
        if (std::isfinite(limit)) equation(limit);
    };
    if (forearms == 0) {  // the upper arm is where it is
      edges_of(0, [&](double x) { add(B[0].R * (rotation_z(x) * C1.z), R3.z, C2.z.z, false); });
      edges_of(1, [&](double x) { add(B[0].R.z, R3.z, dot(z, C1 * (rotation_z(x) * C2.z)), true); });
    }
    edges_of(2, [&](double x) { add(B[0].R.z, R3 * (rotation_z(-x) * (~C2 * z)), C1.z.z, false); });
    edges_of(4, [&](double x) { add(Y.z, R4 * (rotation_z(x) * C5.z), C6.z.z, false); });
    edges_of(5, [&](double x) { add(Y.z, R4.z, dot(z, C5 * (rotation_z(x) * C6.z)), true); });
    edges_of(6, [&](double x) { add(Y * (rotation_z(-x) * (~C6 * z)), R4.z, C5.z.z, false); });
    forearm[forearms++] = R4;
  }
  const auto any_inside = [&](double psi) {
    using Inside = RegularChain::Inside;
    const Inside inside = regular_ ? regular_->inside(X_world_tool, psi) : Inside::doubtful;
    if (inside != Inside::doubtful) return inside == Inside::some;
    solve_cases(X_world_tool, psi, at);
    return std::ranges::any_of(at.all(), [this](const SevenAngles& q) {
      for (std::size_t i = 0; i < 7; ++i)
        if (outside(representative(q[i], chain_.limits[i]), chain_.limits[i]) != 0) return false;
      return true;
    });
  };
  std::sort(edges.begin(), edges.end());
  std::vector<FeasibleInterval> out;
  for (std::size_t k = 1; k < edges.size(); ++k) {
    if (edges[k] - edges[k - 1] < 1e-12) continue;
    if (!any_inside((edges[k - 1] + edges[k]) / 2)) continue;
    if (!out.empty() && edges[k - 1] - out.back().to < 1e-11)
      out.back().to = edges[k];
    else
      out.push_back({edges[k - 1], edges[k]});
  }
  return out;
}

}  // namespace torsor
