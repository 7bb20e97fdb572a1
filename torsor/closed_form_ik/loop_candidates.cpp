// Positions of all six joints near a zero of the determinant: the two that were eliminated with it from null vectors, the
// other three from the line.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/loop_determinant.hpp"
#include "torsor/closed_form_ik/loop_sides.hpp"
#include "torsor/closed_form_ik/wide_lanes.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

using detail::of_arm, detail::others_slide;

Transform<double> joint_motion(bool slides, double q) {
  return slides ? Transform<double>::translation({0, 0, q}) : Transform<double>::rotation(rotation_z(q));
}

std::array<std::array<double, 9>, 6> at_angle(const LoopEquations& E, double t) {
  const double c = std::cos(t), s = std::sin(t);
  std::array<std::array<double, 9>, 6> out;
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t m = 0; m < 9; ++m) out[r][m] = E[0][r][m] + c * E[1][r][m] + s * E[2][r][m];
  return out;
}

/// Where a or b slides: J_a Ca J_b K leads the line of f to Df, of which a slide sees only the place.
void complete_slides(const Elimination& e, const Transform<double>& K, const Transform<double>& Df,
                     const std::array<double, 3>& cde, LoopCandidates& out) {
  const Transform<double>& Ca = e.loop.C[0];
  const auto finish = [&](double a, double b) {
    const Transform<double> X = joint_motion(e.loop.slides[0], a) * Ca * joint_motion(e.loop.slides[1], b) * K;
    const Mat3<double> R = ~X.R * Df.R;
    out.add(of_arm(e.cut, {a, b, cde[0], cde[1], cde[2], std::atan2(R.x.y - R.y.x, R.x.x + R.y.y)}));
  };
  const Vec3<double> at = Ca * K.p, along_b = Ca.R.z;  // of both at zero
  if (e.loop.slides[0] && e.loop.slides[1]) {
    // a z + b along_b = what is missing, by least squares
    const Vec3<double> missing = Df.p - at;
    const double c = along_b.z, determinant = 1 - c * c;
    if (determinant < 1e-12) return;
    const double wa = missing.z, wb = dot(missing, along_b);
    finish((wa - c * wb) / determinant, (wb - c * wa) / determinant);
  } else if (e.loop.slides[0]) {
    // b turns: the direction, and the place but for its part along axis a, seen from joint b
    const Vec3<double> l = ~Ca.R * Df.R.z, h{Ca.R.x.z, Ca.R.y.z, Ca.R.z.z};
    const Vec3<double> w = ~Ca.R * (Df.p - Ca.p);
    const auto across = [&h](const Vec3<double>& v) { return v - h * dot(v, h); };
    // sum over both of |Rz(b) u - v|^2 least; of the place across h: the turn of u about z has the columns ux, uy
    double cosine = K.R.z.x * l.x + K.R.z.y * l.y, sine = K.R.z.x * l.y - K.R.z.y * l.x;
    if (std::hypot(K.R.z.x, K.R.z.y) < 1e-3) {
      // the direction is axis b: c ux + s uy + z = w across h
      const Vec3<double> ux = across({K.p.x, K.p.y, 0}), uy = across({-K.p.y, K.p.x, 0});
      const Vec3<double> rest = across(w - Vec3<double>{0, 0, K.p.z});
      const double xx = dot(ux, ux), xy = dot(ux, uy), yy = dot(uy, uy), det = xx * yy - xy * xy;
      if (!(std::abs(det) > 1e-12 * (xx + yy) * (xx + yy))) {
        // only one component: both angles
        const Vec3<double> n = xx > yy ? ux : uy;
        const double A = dot(n, ux), B = dot(n, uy), length = std::hypot(A, B);
        if (!(length > 0)) return;
        const double middle = std::atan2(B, A), half = std::acos(std::clamp(dot(n, rest) / length, -1.0, 1.0));
        for (const double b : {middle + half, middle - half})
          finish(Df.p.z - (Ca * (rotation_z(b) * K.p)).z, b);
        return;
      }
      const double wx = dot(ux, rest), wy = dot(uy, rest);
      cosine = (wx * yy - wy * xy) / det;
      sine = (wy * xx - wx * xy) / det;
    }
    const double b = std::atan2(sine, cosine);
    finish(Df.p.z - (Ca * (rotation_z(b) * K.p)).z, b);
  } else {
    // a turns: from the direction, or where that is axis a, from the place
    const Vec3<double> l = Ca.R * K.R.z;
    if (std::hypot(l.x, l.y) > 1e-3) {
      const double a = std::atan2(l.x * Df.R.z.y - l.y * Df.R.z.x, l.x * Df.R.z.x + l.y * Df.R.z.y);
      finish(a, dot(~rotation_z(a) * Df.p - at, along_b));
      return;
    }
    const auto turned_to = [&](double b) {
      const Vec3<double> p = at + along_b * b;
      finish(std::atan2(p.x * Df.p.y - p.y * Df.p.x, p.x * Df.p.x + p.y * Df.p.y), b);
    };
    if (std::abs(along_b.z) > 1e-3) return turned_to((Df.p.z - at.z) / along_b.z);
    // b moves across axis a: to the distance that is asked for
    const double half = at.x * along_b.x + at.y * along_b.y, across = along_b.x * along_b.x + along_b.y * along_b.y;
    const double rest = at.x * at.x + at.y * at.y - Df.p.x * Df.p.x - Df.p.y * Df.p.y;
    const double root = std::sqrt(std::max(0.0, half * half - across * rest));
    turned_to((-half + root) / across);
    turned_to((-half - root) / across);
  }
}

/// The joints a, b and f, given those between: from the direction and the place of the line, of which b sees the parts
/// along axis a.
void complete(const Elimination& e, const std::array<double, 3>& cde, LoopCandidates& out) {
  const auto& [Ca, Cb, Cc, Cd, Ce, Cf] = e.loop.C;
  const auto turn = [](double angle) { return Transform<double>::rotation(rotation_z(angle)); };
  const auto& slides = e.loop.slides;
  const Transform<double> K = Cb * joint_motion(slides[2], cde[0]) * Cc * joint_motion(slides[3], cde[1]) * Cd *
                              joint_motion(slides[4], cde[2]) * Ce,
                          Df = inverse(Cf);
  if (slides[0] || slides[1]) return complete_slides(e, K, Df, cde, out);
  // rows h of Ca along axis a: h . Rz(b) k = w, for direction and place
  const Vec3<double> h{Ca.R.x.z, Ca.R.y.z, Ca.R.z.z}, k[2] = {K.R.z, K.p};
  const double w[2] = {Df.R.z.z, Df.p.z - Ca.p.z};
  double A[2][3];
  for (int i = 0; i < 2; ++i) {
    A[i][0] = h.x * k[i].x + h.y * k[i].y;
    A[i][1] = h.y * k[i].x - h.x * k[i].y;
    A[i][2] = w[i] - h.z * k[i].z;
  }
  const double determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0];
  const double n0 = std::hypot(A[0][0], A[0][1]), n1 = std::hypot(A[1][0], A[1][1]);
  const auto finish = [&, &Ca = e.loop.C[0]](double b) {
    const Transform<double> X = Ca * turn(b) * K;  // Ra X Rf = Df
    const double sine = X.R.z.x * Df.R.z.y - X.R.z.y * Df.R.z.x + X.p.x * Df.p.y - X.p.y * Df.p.x;
    const double cosine = X.R.z.x * Df.R.z.x + X.R.z.y * Df.R.z.y + X.p.x * Df.p.x + X.p.y * Df.p.y;
    double a = std::atan2(sine, cosine);
    // rotation left for f, or where axis a sees nothing of the line, for the sum of both
    const Mat3<double> R = ~(rotation_z(a) * X.R) * Df.R;
    const double f = std::atan2(R.x.y - R.y.x, R.x.x + R.y.y);
    out.add(of_arm(e.cut, {a, b, cde[0], cde[1], cde[2], f}));
  };
  if (std::abs(determinant) > 1e-3 * std::max(n0 * n0, n1 * n1)) {
    finish(std::atan2((A[0][0] * A[1][2] - A[1][0] * A[0][2]) / determinant,
                      (A[0][2] * A[1][1] - A[1][2] * A[0][1]) / determinant));
    return;
  }
  // the two say the same: both angles of the longer
  const double* const row = n0 > n1 ? A[0] : A[1];
  const double length = std::max(n0, n1);
  if (length < 1e-9) {
    for (int m = 0; m < 4; ++m) finish(m * std::numbers::pi / 2 + 0.3);
    return;
  }
  const double middle = std::atan2(row[1], row[0]), half = std::acos(std::clamp(row[2] / length, -1.0, 1.0));
  finish(middle + half);
  if (half > 1e-9) finish(middle - half);
}

/// The three angles in the order c, d, e.
std::array<double, 3> in_order(const LoopCut& cut, double t, double first, double second) {
  if (cut.left_over == 0) return {t, first, second};
  if (cut.left_over == 1) return {first, t, second};
  return {first, second, t};
}

/// The two angles that a null vector stands for, x^i y^j: neighbours are as x^i to x^(i+1), y^j to y^(j+1), whatever
/// the signs.
void candidate_of(const Elimination& e, double t, const std::array<double, 12>& v, LoopCandidates& out) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < 12; ++i)
    if (std::abs(v[i]) > std::abs(v[best])) best = i;
  const double scale = 1 / std::abs(v[best]);
  if (!std::isfinite(scale)) return;
  // the row and the column of the largest entry determine the ratios best
  const std::size_t row = best / 3, column = best % 3;
  double x[2] = {0, 0}, y[2] = {0, 0};
  const auto add = [scale](double a, double b, double* sum) {
    a *= scale;
    b *= scale;
    const double sign = a * sum[0] + b * sum[1] < 0 ? -1 : 1;
    sum[0] += sign * a;
    sum[1] += sign * b;
  };
  for (std::size_t k = 0; k < 3; ++k) add(v[3 * k + column], v[3 * k + 3 + column], x);
  for (std::size_t k = 0; k < 2; ++k) add(v[3 * row + k], v[3 * row + k + 1], y);
  const auto slides = others_slide(e.loop, e.cut);
  const auto position = [](bool slide, const double* ratio) {
    return slide ? ratio[1] / ratio[0] : 2 * std::atan2(ratio[1], ratio[0]);
  };
  complete(e, in_order(e.cut, t, position(slides[0], x), position(slides[1], y)), out);
}

}  // namespace

void candidates_at(const Elimination& e, std::span<const double> t, LoopCandidates& out) {
  static const auto null_vectors =
      has_wide_lanes() ? null_vectors_in_wide_lanes : null_vectors_in_lanes<Pack<double, 4>>;
  for (std::size_t first = 0; first < t.size(); first += 4) {
    std::array<double, 4> c, s;
    for (std::size_t k = 0; k < 4; ++k) {
      const double angle = t[std::min(first + k, t.size() - 1)];
      c[k] = std::cos(angle);
      s[k] = std::sin(angle);
    }
    std::array<std::array<double, 4>, 12> vectors;
    null_vectors(e.E_xy, c, s, vectors);
    for (std::size_t k = 0; k < 4 && first + k < t.size(); ++k) {
      std::array<double, 12> v;
      for (std::size_t i = 0; i < 12; ++i) v[i] = vectors[i][k];
      candidate_of(e, t[first + k], v, out);
    }
  }
}

void all_candidates_at(const Elimination& e, double t, LoopCandidates& out) {
  // E(t) is A(x) (1, cos y, sin y) = 0 with A 6 x 3: the places x where A^T A is nearly singular
  const auto E = at_angle(e.E, t);
  std::array<std::array<double, 9>, 9> G{};
  for (std::size_t a = 0; a < 9; ++a)
    for (std::size_t b = 0; b < 9; ++b)
      for (std::size_t r = 0; r < 6; ++r) G[a][b] += E[r][a] * E[r][b];
  // a slide goes from -infinity to infinity while the angle x turns once
  const std::array<bool, 2> slide = others_slide(e.loop, e.cut);
  const bool x_slides = slide[0], y_slides = slide[1];
  const auto gram = [&, slides = x_slides](double x) {
    const double co = std::cos(x / 2), si = std::sin(x / 2);
    const double u[3] = {slides ? co * co : 1, slides ? co * si : std::cos(x), slides ? si * si : std::sin(x)};
    std::array<std::array<double, 3>, 3> g{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t a = 0; a < 3; ++a)
          for (std::size_t b = 0; b < 3; ++b) g[a][b] += u[i] * u[k] * G[3 * i + a][3 * k + b];
    return g;
  };
  const auto det = [&](double x) {
    const auto g = gram(x);
    return g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) - g[0][1] * (g[1][0] * g[2][2] - g[1][2] * g[2][0]) +
           g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]);
  };
  constexpr int n = 64;
  std::array<double, n> value;
  double most = 0;
  for (int m = 0; m < n; ++m)
    most = std::max(most, value[static_cast<std::size_t>(m)] = det(m * 2 * std::numbers::pi / n));
  for (int m = 0; m < n; ++m) {
    const double here = value[static_cast<std::size_t>(m)], before = value[static_cast<std::size_t>((m + n - 1) % n)],
                 after = value[static_cast<std::size_t>((m + 1) % n)];
    if (here > before || here > after || here > 0.1 * most) continue;
    // the bottom between, by thirds
    double from = (m - 1) * 2 * std::numbers::pi / n, to = (m + 1) * 2 * std::numbers::pi / n;
    for (int step = 0; step < 30; ++step) {
      const double a = from + (to - from) * 0.4, b = from + (to - from) * 0.6;
      if (det(a) < det(b))
        to = b;
      else
        from = a;
    }
    const double x = (from + to) / 2;
    // the null vector of A: the longest cross product of rows of A^T A
    const auto g = gram(x);
    const Vec3<double> rows[3] = {
        {g[0][0], g[0][1], g[0][2]}, {g[1][0], g[1][1], g[1][2]}, {g[2][0], g[2][1], g[2][2]}};
    Vec3<double> y;
    for (int i = 0; i < 3; ++i) {
      const Vec3<double> c = cross(rows[i], rows[(i + 1) % 3]);
      if (dot(c, c) > dot(y, y)) y = c;
    }
    const double sign = y.x < 0 ? -1 : 1, length = std::hypot(y.y, y.z);
    const double first = x_slides ? std::tan(x / 2) : x;
    if (y_slides)
      complete(e, in_order(e.cut, t, first, y.x != 0 ? y.y / y.x : 0), out);
    else if (length > 0)
      complete(e, in_order(e.cut, t, first, std::atan2(sign * y.z, sign * y.y)), out);
  }
}

}  // namespace torsor
