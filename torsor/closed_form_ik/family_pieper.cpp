// Any three joints, turns and slides in any order (Pieper 1968; Craig 1986, section 4.6, for three turns). With f the
// wrist point behind joint 2, a function of joint 3 alone, and g the one behind joint 1,
//
//   g = (c2 f_x - s2 f_y + a_1,  ca1 y - sa1 (f_z + d_2),  sa1 y + ca1 (f_z + d_2)),   y = s2 f_x + c2 f_y
//
// joint 1 leaves two numbers of the wrist point alone: |g|^2 and g_z if it turns, g_x and g_y if it slides. Eliminating
// joint 2 from the two equations leaves one in joint 3, of degree two in its cosine and sine or four in its shift:
//
//   turn, turn    (r - k3)^2 sa1^2 + 4 a_1^2 (z - k4)^2 = 4 a_1^2 sa1^2 (f_x^2 + f_y^2)
//                 r = k3 if a_1 = 0,  z = k4 if sa1 = 0
//   turn, slide   ca1^2 (f_x + a_1)^2 + (f_y - sa1 z)^2 = ca1^2 rho^2                      sa1 f_y = z if ca1 = 0
//   slide, turn   ca1^2 (f_x^2 + f_y^2 - X^2) = (p_y + sa1 (f_z + d_2))^2                  likewise if ca1 = 0
//   slide, slide  f_x + a_1 = p_x
//
// with k3 = |f|^2 + 2 f_z d_2 + d_2^2 + a_1^2 and k4 = ca1 (f_z + d_2). Every root is polished with Newton's steps on
// all three joints, and kept if it puts the wrist point where it should be.
#include <cmath>
#include <utility>

#include "torsor/closed_form_ik/circle_conic.hpp"
#include "torsor/closed_form_ik/nearest_wrist_point.hpp"
#include "torsor/closed_form_ik/shoulder_planes.hpp"

namespace torsor {
namespace {

constexpr double merged_apart = 3e-6;     // roots nearer than this (rad, arm lengths) are one
constexpr double near_double = 1e-8;      // squares this far below zero may be zero (per arm length squared)
constexpr double beside_known = 1e-3;     // a turning point this near a root tells nothing new

/// Newton's steps with a damping (0: none) on the three joints; the distance that remains.
double polish(const WristArm& arm, const Vec3<double>& p, ArmPose& pose, int steps, double damping) {
  double distance = norm(p - wrist_point(arm, pose));
  for (int step = 0; step < steps && distance > 1e-17 * arm.size; ++step) {
    const PointColumns at = point_columns(arm, pose);
    const Vec3<double> e = p - at.point;
    const auto& J = at.C;
    // (J^T J + damping) x = J^T e, columns scaled to one
    std::array<double, 3> length{}, b{};
    Sym3<double> A;
    for (std::size_t i = 0; i < 3; ++i) {
      length[i] = std::max(norm(J[i]), 1e-9 * arm.size);
      b[i] = dot(J[i], e) / length[i];
    }
    const auto entry = [&](std::size_t i, std::size_t k) { return dot(J[i], J[k]) / (length[i] * length[k]); };
    A = {entry(0, 0) + damping, entry(1, 1) + damping, entry(2, 2) + damping, entry(0, 1), entry(0, 2), entry(1, 2)};
    const Mat3<double> F = full(A);
    const double det = dot(F.x, cross(F.y, F.z));
    if (!(abs(det) > 1e-13)) break;
    const Vec3<double> rhs{b[0], b[1], b[2]};
    const double x[3] = {dot(rhs, cross(F.y, F.z)) / det, dot(F.x, cross(rhs, F.z)) / det,
                         dot(F.x, cross(F.y, rhs)) / det};
    ArmPose tried = pose;
    for (std::size_t i = 0; i < 3; ++i) {
      const double by = x[i] / length[i];
      move_joint(arm, tried, i, arm.joint[i].prismatic ? by : std::clamp(by, -1.0, 1.0));
    }
    const double left = norm(p - wrist_point(arm, tried));
    if (!(left < distance)) {
      if (damping == 0) break;
      damping *= 10;
      continue;
    }
    damping /= 3;
    pose = tried;
    distance = left;
  }
  return distance;
}

/// Collects what the equations give.
class Collector {
 public:
  Collector(const WristArm& a, const Vec3<double>& point, ArmPoses& poses) : arm(a), p(point), out(poses) {}

  /// Whether what follows comes from a place where two roots may have fallen together.
  bool doubtful = false;

  /// Joints 2 and 3 of the pose are known; joint 1 follows.
  void close(ArmPose pose) {
    pose.c[0] = arm[1].ct;
    pose.s[0] = arm[1].st;
    pose.d[0] = arm[1].d;
    if (arm[1].prismatic) {
      pose.d[0] += p.z - wrist_point(arm, pose).z;
    } else {
      pose.c[0] = 1;
      pose.s[0] = 0;
      const Vec3<double> g = wrist_point(arm, pose);
      const double tolerance = singular_distance * arm.size;
      pose.free[0] = detail::hypotenuse(p.x, p.y) <= tolerance;
      if (!pose.free[0]) detail::turn_onto(g.x, g.y, p.x, p.y, pose.c[0], pose.s[0]);
    }
    double left = polish(arm, p, pose, 4, 0);
    const double kept = singular_distance * (arm.size + norm(p));
    if (left > 0.1 * kept) left = polish(arm, p, pose, 60, 1e-3);
    if (!(left <= kept)) return;
    // det J is the volume of the directions times the lengths; those of turns vanish where the wrist point is on the axis
    const PointColumns at = point_columns(arm, pose);
    const auto distance = [&](std::size_t i) { return arm.joint[i].prismatic ? 1 : norm(at.C[i]) / arm.size; };
    const double factor = volume(at, arm.size);
    pose.shoulder_factor = std::min(1.0, distance(0));
    pose.elbow_factor = std::min(factor, distance(1));
    pose.elbow_singular = factor <= singular_volume;
    pose.shoulder_singular = pose.free[0];
    for (int k = 0; k < out.count; ++k) {
      ArmPose& known = out.pose[static_cast<std::size_t>(k)];
      const double by = apart(known, pose);
      if (!doubtful && by <= merged_apart) known.elbow_singular = true;
      if (by <= (doubtful ? beside_known : merged_apart)) return;
    }
    pose.root = out.count + 1;
    out.add(pose);
  }

  /// Joint 2 turns (f_x, f_y) onto (X, Y).
  void turn_second(ArmPose pose, const Vec3<double>& f, double X, double Y) {
    pose.c[1] = 1;
    pose.s[1] = 0;
    pose.free[1] = detail::hypotenuse(f.x, f.y) <= singular_distance * arm.size;
    if (!pose.free[1]) detail::turn_onto(f.x, f.y, X, Y, pose.c[1], pose.s[1]);
    close(pose);
  }

 private:
  double apart(const ArmPose& a, const ArmPose& b) const {
    double by = 0;
    for (std::size_t i = 0; i < 3; ++i)
      by = std::max({by, abs(a.c[i] - b.c[i]), abs(a.s[i] - b.s[i]), abs(a.d[i] - b.d[i]) / arm.size});
    return by;
  }

  const WristArm& arm;
  const Vec3<double>& p;
  ArmPoses& out;
};

/// Both square roots, then zero where the square is near it.
template <class Use>
void both_roots(double square, double scale, bool& doubtful, const Use& use) {
  if (square > 0) {
    use(std::sqrt(square));
    use(-std::sqrt(square));
  }
  if (abs(square) > near_double * scale) return;
  const bool before = std::exchange(doubtful, true);
  use(0.0);
  doubtful = before;
}

/// How near the arm comes to a point it does not reach.
void nearest(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  ArmPose pose;
  const double left = nearest_wrist_point(arm, p, {}, pose);
  pose.root = 1;
  pose.elbow_singular = true;
  pose.elbow_factor = volume(point_columns(arm, pose), arm.size);
  // a root that rounding hid is a root all the same
  if (left <= singular_distance * (arm.size + norm(p)))
    out.add(pose);
  else
    out.miss(pose, left);
}

}  // namespace

std::string pieper_premise(const WristArm& arm) {
  // somewhere the three joints must move the wrist point in all directions
  double largest = 0;
  for (int sample = 0; sample < 24; ++sample) {
    ArmPose pose;
    for (std::size_t i = 0; i < 3; ++i) {
      const SixAxisJoint& j = arm.joint[i];
      pose.c[i] = j.ct;
      pose.s[i] = j.st;
      pose.d[i] = j.d;
      move_joint(arm, pose, i, std::sin(1.7 * sample + 2.3 * static_cast<double>(i)) * (j.prismatic ? arm.size : 3));
    }
    largest = std::max(largest, volume(point_columns(arm, pose), arm.size));
  }
  return largest > 1e-6 ? "" : "joints 1 to 3 move the wrist point on a surface only";
}

void solve_pieper(const WristArm& arm, const Vec3<double>& p, ArmPoses& out) {
  const SixAxisJoint &one = arm[1], &two = arm[2], &three = arm[3];
  const double a1 = one.a, ca1 = one.ca, sa1 = one.sa;

  // f as a form in joint 3
  Form Mx, My, Mz, square;
  if (three.prismatic) {
    Mx.k = three.ct * arm.w.x - three.st * arm.w.y;
    My.k = three.st * arm.w.x + three.ct * arm.w.y;
    Mz = {.k = arm.w.z, .u = 1};
    square = Mz * Mz + (Mx.k * Mx.k + My.k * My.k);
  } else {
    Mx = {.u = arm.w.x, .v = -arm.w.y};
    My = {.u = arm.w.y, .v = arm.w.x};
    Mz.k = arm.w.z + three.d;
    square.k = arm.w.x * arm.w.x + arm.w.y * arm.w.y + Mz.k * Mz.k;
  }
  const Form fx = Mx + two.a, fy = My * two.ca - Mz * two.sa, fz = My * two.sa + Mz * two.ca;
  // behind a slide the constant turn of joint 2
  const Form tx = fx * two.ct - fy * two.st, ty = fx * two.st + fy * two.ct;
  // before a slide the constant turn of joint 1
  const double px = one.ct * p.x + one.st * p.y, py = one.ct * p.y - one.st * p.x, z = p.z - one.d;
  const double rho = detail::hypotenuse(p.x, p.y), X = px - a1;

  const bool turns[2] = {!one.prismatic, !two.prismatic};
  Form equation;
  const double r = rho * rho + z * z;
  const Form k4 = (fz + two.d) * ca1;
  const Form k3 = square + Mx * (2 * two.a) + fz * (2 * two.d) + (two.a * two.a + two.d * two.d + a1 * a1);
  const Form beside = fz * sa1 + (py + sa1 * two.d);  // ca1 y of a slide before a turn
  if (turns[0] && turns[1]) {
    const Form lr = k3 * -1 + r, lz = k4 * -1 + z;
    if (a1 == 0)
      equation = lr;
    else if (sa1 == 0)
      equation = lz;
    else
      equation = lr * lr * (sa1 * sa1) + (lz * lz - (fx * fx + fy * fy) * (sa1 * sa1)) * (4 * a1 * a1);
  } else if (turns[0]) {
    const Form gx = tx + a1, gy = ty + -sa1 * z;
    equation = ca1 == 0 ? ty * sa1 + -z : gx * gx * (ca1 * ca1) + gy * gy + -ca1 * ca1 * rho * rho;
  } else if (turns[1]) {
    equation = ca1 == 0 ? beside : (fx * fx + fy * fy + -X * X) * (ca1 * ca1) - beside * beside;
  } else {
    equation = tx + -X;
  }

  const FormZeros zeros = three.prismatic ? zeros_along_slide(equation, arm.size, arm.size + norm(p))
                                          : zeros_on_circle(equation);
  Collector collect(arm, p, out);
  for (std::size_t i = 0; i < static_cast<std::size_t>(zeros.count); ++i) {
    const double u = zeros.u[i], v = zeros.v[i];
    collect.doubtful = i >= static_cast<std::size_t>(zeros.crossings);
    ArmPose pose;
    pose.c = {1, two.ct, three.prismatic ? three.ct : u};
    pose.s = {0, two.st, three.prismatic ? three.st : v};
    pose.d = {one.d, two.d, three.prismatic ? u : three.d};
    const Vec3<double> f{fx(u, v), fy(u, v), fz(u, v)};
    const double h = f.x * f.x + f.y * f.y, scale = arm.size * arm.size;
    if (turns[0] && turns[1]) {
      if (a1 == 0) {
        const double Y = (z - k4(u, v)) / sa1;
        both_roots(h - Y * Y, scale, collect.doubtful, [&](double root) { collect.turn_second(pose, f, root, Y); });
      } else {
        const double x = (r - k3(u, v)) / (2 * a1);
        if (sa1 == 0)
          both_roots(h - x * x, scale, collect.doubtful, [&](double root) { collect.turn_second(pose, f, x, root); });
        else
          collect.turn_second(pose, f, x, (z - k4(u, v)) / sa1);
      }
    } else if (turns[0]) {
      const double gx = tx(u, v) + a1, gy = ty(u, v);
      const auto slide = [&](double shift) {
        pose.d[1] = shift - f.z;
        collect.close(pose);
      };
      if (ca1 == 0)
        both_roots(rho * rho - gx * gx, scale + rho * rho, collect.doubtful, [&](double root) { slide(-root / sa1); });
      else
        slide((z - sa1 * gy) / ca1);
    } else if (turns[1]) {
      if (ca1 == 0)
        both_roots(h - X * X, scale, collect.doubtful, [&](double root) { collect.turn_second(pose, f, X, root); });
      else
        collect.turn_second(pose, f, X, beside(u, v) / ca1);
    } else {
      pose.d[1] = (ca1 * ty(u, v) - py) / sa1 - f.z;
      collect.close(pose);
    }
  }
  out.is_certain = out.count > 0 || zeros.count == 0;
  if (out.count == 0 && out.wants_nearest) nearest(arm, p, out);
}

}  // namespace torsor
