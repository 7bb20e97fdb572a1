// The two sides of the equation that loop_elimination.hpp starts from: 14 numbers of a line, as products of one of 1, cos,
// sin (1, d, d^2) per joint; and the elimination of the right one. Over any scalar: intervals make a proof of it.
#pragma once

#include <algorithm>
#include <cmath>

#include "torsor/closed_form_ik/loop_elimination.hpp"
#include "torsor/scalar/interval.hpp"

namespace torsor::detail {

template <class T>
struct Line {
  Vec3<T> p, l;
};

template <class T>
Line<T> operator*(const Transform<T>& X, const Line<T>& line) {
  return {X * line.p, X.R * line.l};
}

template <class T>
Line<T> turned(const Line<T>& line, const T& c, const T& s) {
  const auto turn = [&](const Vec3<T>& v) { return Vec3<T>{c * v.x - s * v.y, s * v.x + c * v.y, v.z}; };
  return {turn(line.p), turn(line.l)};
}

template <class T>
std::array<T, 14> numbers(const Line<T>& line) {
  const auto& [p, l] = line;
  const T pp = dot(p, p), pl = dot(p, l);
  const Vec3<T> m = cross(p, l), n = l * pp - p * (T(2) * pl);
  return {p.x, p.y, p.z, l.x, l.y, l.z, pp, pl, m.x, m.y, m.z, n.x, n.y, n.z};
}

// three angles determine the coefficients of 1, cos and sin, three shifts those of 1, d, d^2
constexpr double third_cos[3] = {1, -0.5, -0.5}, third_shift[3] = {0, 1, -1};
constexpr double half_root_3 = 0.8660254037844386;

inline double third_sin(std::size_t k, double) { return k == 0 ? 0 : k == 1 ? half_root_3 : -half_root_3; }
inline Interval third_sin(std::size_t k, Interval) {
  const Interval sine = Interval::outward(half_root_3, half_root_3);
  return k == 0 ? Interval(0) : k == 1 ? sine : -sine;
}
inline double per_three(double x) { return x / 3; }
inline Interval per_three(const Interval& x) { return x * Interval::outward(1.0 / 3, 1.0 / 3); }

/// Replaces values at three angles by coefficients of 1, cos, sin; at three shifts by those of 1, d, d^2.
template <class T>
void to_coefficients(bool slides, T& a, T& b, T& c) {
  if (slides) {
    const T linear = (b - c) * T(0.5), square = (b + c) * T(0.5) - a;
    b = linear;
    c = square;
    return;
  }
  const T mean = per_three(a + b + c), cosine = per_three(T(2) * a - b - c);
  const T sine = (b - c) * per_three(third_sin(1, T()) * T(2));
  a = mean;
  b = cosine;
  c = sine;
}

/// The 14 numbers of the left side, [14][27], and of the right, [14][9], of a loop Ca .. Cf.
template <class T>
struct LoopSides {
  std::array<std::array<T, 27>, 14> left;
  std::array<std::array<T, 9>, 14> right;

  LoopSides(const std::array<Transform<T>, 6>& C, const std::array<bool, 6>& slides) {
    const auto& [Ca, Cb, Cc, Cd, Ce, Cf] = C;
    // moved by a joint as the k-th of three samples has it, or back
    const auto moved = [&slides](std::size_t joint, const Line<T>& line, std::size_t k, double sense) {
      if (!slides[joint]) return turned(line, T(third_cos[k]), sense > 0 ? third_sin(k, T()) : -third_sin(k, T()));
      return Line<T>{line.p + Vec3<T>{0, 0, T(sense * third_shift[k])}, line.l};
    };
    const Line<T> axis{{}, {0, 0, 1}}, at_e = Ce * axis, at_a = inverse(Cf) * axis;
    for (std::size_t k = 0; k < 3; ++k) {
      const Line<T> at_d = Cd * moved(4, at_e, k, 1);
      for (std::size_t j = 0; j < 3; ++j) {
        const Line<T> at_c = Cc * moved(3, at_d, j, 1);
        for (std::size_t i = 0; i < 3; ++i) {
          const std::array<T, 14> n = numbers(moved(2, at_c, i, 1));
          for (std::size_t r = 0; r < 14; ++r) left[r][9 * i + 3 * j + k] = n[r];
        }
      }
    }
    const Transform<T> Da = inverse(Ca), Db = inverse(Cb);
    for (std::size_t i = 0; i < 3; ++i) {
      const Line<T> at_b = Da * moved(0, at_a, i, -1);
      for (std::size_t j = 0; j < 3; ++j) {
        const std::array<T, 14> n = numbers(Db * moved(1, at_b, j, -1));
        for (std::size_t r = 0; r < 14; ++r) right[r][3 * i + j] = n[r];
      }
    }
    for (std::size_t r = 0; r < 14; ++r) {
      auto& l = left[r];
      for (std::size_t m = 0; m < 9; ++m) to_coefficients(slides[2], l[m], l[m + 9], l[m + 18]);
      for (std::size_t m = 0; m < 27; m += 9)
        for (std::size_t k = 0; k < 3; ++k) to_coefficients(slides[3], l[m + k], l[m + k + 3], l[m + k + 6]);
      for (std::size_t m = 0; m < 27; m += 3) to_coefficients(slides[4], l[m], l[m + 1], l[m + 2]);
      auto& g = right[r];
      for (std::size_t m = 0; m < 3; ++m) to_coefficients(slides[0], g[m], g[m + 3], g[m + 6]);
      for (std::size_t m = 0; m < 9; m += 3) to_coefficients(slides[1], g[m], g[m + 1], g[m + 2]);
      l[0] -= g[0];
    }
  }
};

/// Reflects the eight products of the right side out of the equations (Householder, columns pivoted); the rows of the left
/// from `rank` on are free of them. Answers the rank; `least` the least pivot per greatest.
template <std::size_t width>
int clear_right(std::array<std::array<double, 9>, 14>& right, std::array<std::array<double, width>, 14>& left,
                double& least) {
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
        const double x = right[r][static_cast<std::size_t>(column[j])];
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
    std::array<double, 14> v{};
    for (std::size_t r = k; r < 14; ++r) v[r] = right[r][c];
    v[k] += std::copysign(length, v[k]);
    double square = 0;
    for (std::size_t r = k; r < 14; ++r) square += v[r] * v[r];
    const double scale = 2 / square;
    const auto reflect = [&]<std::size_t w>(std::array<std::array<double, w>, 14>& rows) {
      std::array<double, w> sum{};
      for (std::size_t r = k; r < 14; ++r)
        for (std::size_t m = 0; m < w; ++m) sum[m] += v[r] * rows[r][m];
      for (std::size_t r = k; r < 14; ++r)
        for (std::size_t m = 0; m < w; ++m) rows[r][m] -= v[r] * scale * sum[m];
    };
    reflect(right);
    reflect(left);
  }
  return 8;
}

/// Six combinations of the remaining rows, orthonormal in their first 27 entries, the longest first.
template <std::size_t width>
bool six_rows(const std::array<std::array<double, width>, 14>& left, int rank,
              std::array<std::array<double, width>, 6>& out) {
  std::array<std::array<double, width>, 14> row;
  const std::size_t count = static_cast<std::size_t>(14 - rank);
  std::copy(left.begin() + rank, left.end(), row.begin());
  double greatest = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t best = k;
    double most = -1;
    for (std::size_t i = k; i < count; ++i) {
      double square = 0;
      for (std::size_t m = 0; m < 27; ++m) square += row[i][m] * row[i][m];
      if (square > most) most = square, best = i;
    }
    std::swap(row[k], row[best]);
    greatest = std::max(greatest, most);
    if (!(most > 1e-24 * greatest)) return false;
    const double scale = 1 / std::sqrt(most);
    for (std::size_t m = 0; m < width; ++m) out[k][m] = row[k][m] * scale;
    for (std::size_t i = k + 1; i < count; ++i) {
      double along = 0;
      for (std::size_t m = 0; m < 27; ++m) along += out[k][m] * row[i][m];
      for (std::size_t m = 0; m < width; ++m) row[i][m] -= along * out[k][m];
    }
  }
  return true;
}

/// [of 1, cos t, sin t][equation][3 i + j] of six rows of 27 products, for the joint left over.
template <class T, std::size_t width>
std::array<std::array<std::array<T, 9>, 6>, 3> by_joint_left_over(const std::array<std::array<T, width>, 6>& row,
                                                                  int left_over) {
  constexpr std::size_t stride[3][3] = {{9, 3, 1}, {3, 9, 1}, {1, 9, 3}};
  const auto& [of_t, of_first, of_second] = stride[left_over];
  std::array<std::array<std::array<T, 9>, 6>, 3> E;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) E[k][r][3 * i + j] = row[r][k * of_t + i * of_first + j * of_second];
  return E;
}

/// (1 + x^2) (1, cos, sin) = (1 + x^2, 1 - x^2, 2 x): coefficients of 1, x, x^2.
template <class T>
void to_half_tangents(T& a, T& b, T& c) {
  const T one = a + b, square = a - b;
  b = T(2) * c;
  a = one;
  c = square;
}

template <class Equations>
Equations half_tangents(const Equations& E, const std::array<bool, 2>& slides) {
  Equations out = E;
  for (auto& part : out)
    for (auto& row : part) {
      if (!slides[0])
        for (std::size_t j = 0; j < 3; ++j) to_half_tangents(row[j], row[j + 3], row[j + 6]);
      if (!slides[1])
        for (std::size_t i = 0; i < 9; i += 3) to_half_tangents(row[i], row[i + 1], row[i + 2]);
    }
  return out;
}

/// The loop as a cut reads it: constants Ca .. Cf.
inline TurningLoop as_cut(const TurningLoop& loop, const LoopCut& cut) {
  TurningLoop out;
  const std::size_t first = static_cast<std::size_t>(cut.first);
  for (std::size_t k = 0; k < 6; ++k)
    // backwards: Rz(-q_i) C_(i-1)^-1 Rz(-q_(i-1)) ...
    out.C[k] = cut.backwards ? inverse(loop[first + 11 - k]) : loop[first + k];
  for (std::size_t k = 0; k < 6; ++k) out.slides[k] = loop.slides[(cut.backwards ? first + 6 - k : first + k) % 6];
  return out;
}

/// Angles of the joints a .. f as positions of the arm's joints.
inline SixAngles of_arm(const LoopCut& cut, const SixAngles& angle) {
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

/// Of the two joints that are not left over, which slide.
inline std::array<bool, 2> others_slide(const TurningLoop& loop, const LoopCut& cut) {
  const auto& slides = loop.slides;
  if (cut.left_over == 0) return {slides[3], slides[4]};
  if (cut.left_over == 1) return {slides[2], slides[4]};
  return {slides[2], slides[3]};
}

}  // namespace torsor::detail
