#include "torsor/closed_form_ik/loop_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/closed_form_ik/loop_determinant.hpp"
#include "torsor/closed_form_ik/wide_lanes.hpp"
#include "torsor/spatial/rotation.hpp"

namespace torsor {
namespace {

using Fourteen = std::array<double, 14>;
/// Of a cut whose determinant is zero, or of a degree above eight.
constexpr double not_a_series = 1e-7;

using Equations = LoopEquations;

struct Line {
  Vec3<double> p, l;
};

Line operator*(const Transform<double>& X, const Line& line) { return {X * line.p, X.R * line.l}; }

Line turned(const Line& line, double c, double s) {
  const auto turn = [&](const Vec3<double>& v) { return Vec3<double>{c * v.x - s * v.y, s * v.x + c * v.y, v.z}; };
  return {turn(line.p), turn(line.l)};
}

Fourteen numbers(const Line& line) {
  const auto& [p, l] = line;
  const double pp = dot(p, p), pl = dot(p, l);
  const Vec3<double> m = cross(p, l), n = l * pp - p * (2 * pl);
  return {p.x, p.y, p.z, l.x, l.y, l.z, pp, pl, m.x, m.y, m.z, n.x, n.y, n.z};
}

// three angles determine the coefficients of 1, cos and sin
constexpr double third_cos[3] = {1, -0.5, -0.5}, third_sin[3] = {0, 0.8660254037844386, -0.8660254037844386};

/// Replaces values at three angles by coefficients of 1, cos, sin.
void to_coefficients(double& a, double& b, double& c) {
  const double mean = (a + b + c) / 3, cosine = (2 * a - b - c) / 3, sine = (b - c) * (third_sin[1] * 2 / 3);
  a = mean;
  b = cosine;
  c = sine;
}

/// The loop as a cut reads it: constants Ca .. Cf.
TurningLoop as_cut(const TurningLoop& loop, const LoopCut& cut) {
  TurningLoop out;
  const std::size_t first = static_cast<std::size_t>(cut.first);
  for (std::size_t k = 0; k < 6; ++k)
    // backwards: Rz(-q_i) C_(i-1)^-1 Rz(-q_(i-1)) ...
    out.C[k] = cut.backwards ? inverse(loop[first + 11 - k]) : loop[first + k];
  return out;
}

/// Angles of the joints a .. f as positions of the arm's joints.
SixAngles of_arm(const LoopCut& cut, const SixAngles& angle) {
  SixAngles q{};
  const std::size_t first = static_cast<std::size_t>(cut.first);
  for (std::size_t k = 0; k < 6; ++k) {
    if (cut.backwards)
      q[(first + 6 - k) % 6] = -angle[k];
    else
      q[(first + k) % 6] = angle[k];
  }
  return q;
}

/// The 14 numbers of the left side, [14][27], and of the right, [14][9].
struct Sides {
  std::array<std::array<double, 27>, 14> left;
  std::array<std::array<double, 9>, 14> right;

  explicit Sides(const TurningLoop& loop) {
    const auto& [Ca, Cb, Cc, Cd, Ce, Cf] = loop.C;
    const Line axis{{}, {0, 0, 1}}, at_e = Ce * axis, at_a = inverse(Cf) * axis;
    for (std::size_t k = 0; k < 3; ++k) {
      const Line at_d = Cd * turned(at_e, third_cos[k], third_sin[k]);
      for (std::size_t j = 0; j < 3; ++j) {
        const Line at_c = Cc * turned(at_d, third_cos[j], third_sin[j]);
        for (std::size_t i = 0; i < 3; ++i) {
          const Fourteen n = numbers(turned(at_c, third_cos[i], third_sin[i]));
          for (std::size_t r = 0; r < 14; ++r) left[r][9 * i + 3 * j + k] = n[r];
        }
      }
    }
    const Transform<double> Da = inverse(Ca), Db = inverse(Cb);
    for (std::size_t i = 0; i < 3; ++i) {
      const Line at_b = Da * turned(at_a, third_cos[i], -third_sin[i]);
      for (std::size_t j = 0; j < 3; ++j) {
        const Fourteen n = numbers(Db * turned(at_b, third_cos[j], -third_sin[j]));
        for (std::size_t r = 0; r < 14; ++r) right[r][3 * i + j] = n[r];
      }
    }
    for (std::size_t r = 0; r < 14; ++r) {
      auto& l = left[r];
      for (std::size_t m = 0; m < 9; ++m) to_coefficients(l[m], l[m + 9], l[m + 18]);
      for (std::size_t m = 0; m < 27; m += 9)
        for (std::size_t k = 0; k < 3; ++k) to_coefficients(l[m + k], l[m + k + 3], l[m + k + 6]);
      for (std::size_t m = 0; m < 27; m += 3) to_coefficients(l[m], l[m + 1], l[m + 2]);
      auto& g = right[r];
      for (std::size_t m = 0; m < 3; ++m) to_coefficients(g[m], g[m + 3], g[m + 6]);
      for (std::size_t m = 0; m < 9; m += 3) to_coefficients(g[m], g[m + 1], g[m + 2]);
      l[0] -= g[0];
    }
  }
};

/// Reflects the eight products of the right side out of the equations (Householder, columns pivoted); the rows from
/// `rank` on are free of them. Answers the rank; `least` the least pivot per greatest.
int clear_right(Sides& sides, double& least) {
  constexpr double nothing = 1e-10;
  std::array<int, 8> column{1, 2, 3, 4, 5, 6, 7, 8};
  double greatest = 0;
  least = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    std::size_t best = k;
    double most = -1;
    for (std::size_t j = k; j < 8; ++j) {
      double square = 0;
      for (std::size_t r = k; r < 14; ++r) {
        const double x = sides.right[r][static_cast<std::size_t>(column[j])];
        square += x * x;
      }
      if (square > most) most = square, best = j;
    }
    std::swap(column[k], column[best]);
    const std::size_t c = static_cast<std::size_t>(column[k]);
    const double length = std::sqrt(most);
    greatest = std::max(greatest, length);
    if (!(length > nothing * greatest)) {
      least = 0;
      return static_cast<int>(k);
    }
    least = length / greatest;
    Fourteen v{};
    for (std::size_t r = k; r < 14; ++r) v[r] = sides.right[r][c];
    v[k] += std::copysign(length, v[k]);
    double square = 0;
    for (std::size_t r = k; r < 14; ++r) square += v[r] * v[r];
    const double scale = 2 / square;
    const auto reflect = [&](auto& rows, std::size_t width) {
      std::array<double, 27> sum{};
      for (std::size_t r = k; r < 14; ++r)
        for (std::size_t m = 0; m < width; ++m) sum[m] += v[r] * rows[r][m];
      for (std::size_t r = k; r < 14; ++r)
        for (std::size_t m = 0; m < width; ++m) rows[r][m] -= v[r] * scale * sum[m];
    };
    reflect(sides.right, 9);
    reflect(sides.left, 27);
  }
  return 8;
}

/// Six orthonormal combinations of the remaining rows, the longest first.
bool six_rows(const Sides& sides, int rank, std::array<std::array<double, 27>, 6>& out) {
  std::array<std::array<double, 27>, 14> row;
  const std::size_t count = static_cast<std::size_t>(14 - rank);
  std::copy(sides.left.begin() + rank, sides.left.end(), row.begin());
  double greatest = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t best = k;
    double most = -1;
    for (std::size_t i = k; i < count; ++i) {
      double square = 0;
      for (const double x : row[i]) square += x * x;
      if (square > most) most = square, best = i;
    }
    std::swap(row[k], row[best]);
    greatest = std::max(greatest, most);
    if (!(most > 1e-24 * greatest)) return false;
    const double scale = 1 / std::sqrt(most);
    for (std::size_t m = 0; m < 27; ++m) out[k][m] = row[k][m] * scale;
    for (std::size_t i = k + 1; i < count; ++i) {
      double along = 0;
      for (std::size_t m = 0; m < 27; ++m) along += out[k][m] * row[i][m];
      for (std::size_t m = 0; m < 27; ++m) row[i][m] -= along * out[k][m];
    }
  }
  return true;
}

/// (1 + x^2) (1, cos, sin) = (1 + x^2, 1 - x^2, 2 x): coefficients of 1, x, x^2.
void to_half_tangents(double& a, double& b, double& c) {
  const double one = a + b, square = a - b;
  b = 2 * c;
  a = one;
  c = square;
}

Equations half_tangents(const Equations& E) {
  Equations out = E;
  for (auto& part : out)
    for (auto& row : part) {
      for (std::size_t j = 0; j < 3; ++j) to_half_tangents(row[j], row[j + 3], row[j + 6]);
      for (std::size_t i = 0; i < 9; i += 3) to_half_tangents(row[i], row[i + 1], row[i + 2]);
    }
  return out;
}

std::array<std::array<double, 9>, 6> at_angle(const Equations& E, double t) {
  const double c = std::cos(t), s = std::sin(t);
  std::array<std::array<double, 9>, 6> out;
  for (std::size_t r = 0; r < 6; ++r)
    for (std::size_t m = 0; m < 9; ++m) out[r][m] = E[0][r][m] + c * E[1][r][m] + s * E[2][r][m];
  return out;
}

/// The joints a, b and f, given those between: from the direction and the place of the line, of which b sees the parts
/// along axis a.
void complete(const Elimination& e, const std::array<double, 3>& cde, LoopCandidates& out) {
  const auto& [Ca, Cb, Cc, Cd, Ce, Cf] = e.loop.C;
  const auto turn = [](double angle) { return Transform<double>::rotation(rotation_z(angle)); };
  const Transform<double> K = Cb * turn(cde[0]) * Cc * turn(cde[1]) * Cd * turn(cde[2]) * Ce, Df = inverse(Cf);
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
  complete(e, in_order(e.cut, t, 2 * std::atan2(x[1], x[0]), 2 * std::atan2(y[1], y[0])), out);
}

}  // namespace

int LoopCut::joint() const {
  const int k = 2 + left_over;
  return backwards ? (first + 6 - k) % 6 : (first + k) % 6;
}

bool eliminate(const TurningLoop& loop, const LoopCut& cut, Elimination& e) {
  e.cut = cut;
  e.loop = as_cut(loop, cut);
  Sides sides(e.loop);
  const int rank = clear_right(sides, e.least_pivot);
  std::array<std::array<double, 27>, 6> row;
  if (!six_rows(sides, rank, row)) return false;
  constexpr std::size_t stride[3][3] = {{9, 3, 1}, {3, 9, 1}, {1, 9, 3}};
  const auto& [of_t, of_first, of_second] = stride[cut.left_over];
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) e.E[k][r][3 * i + j] = row[r][k * of_t + i * of_first + j * of_second];

  std::array<double, 24> values;
  e.E_xy = half_tangents(e.E);
  sample_determinant(e.E_xy, values);
  const double beyond = circle_series(values, e.series);
  double size = 0;
  for (std::size_t k = 0; k <= circle_degree; ++k) size += std::abs(e.series.c[k]) + std::abs(e.series.s[k]);
  e.error = 8 * beyond + 1e-15 * size;
  if (!(size > 0) || e.error > not_a_series * size) return false;
  circle_roots(e.series, e.error, e.roots);
  return e.roots.complete;
}

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
  const auto gram = [&](double x) {
    const double u[3] = {1, std::cos(x), std::sin(x)};
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
    if (length > 0) complete(e, in_order(e.cut, t, x, std::atan2(sign * y.z, sign * y.y)), out);
  }
}

void sample_determinant(const LoopEquations& E_xy, std::span<double, 24> values) {
  static const auto sample =
      has_wide_lanes() ? sample_determinant_in_wide_lanes : sample_determinant_in_lanes<Pack<double, 4>>;
  sample(E_xy, values);
}

}  // namespace torsor
