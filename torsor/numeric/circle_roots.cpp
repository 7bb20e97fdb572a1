#include "torsor/numeric/circle_roots.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace torsor {
namespace {

constexpr int degree = 2 * circle_degree, arcs = 8;
constexpr double first_middle = 0.1234;  // special angles are in the middle of nothing and at the end of nothing
using Coefficients = std::array<double, degree + 1>;

struct ArcTable {
  double half = 0;                    // half tangent at the end of an arc
  std::array<double, arcs> middle{};  // rad
  std::array<std::array<Coefficients, degree + 1>, arcs>
      row{};  // [arc][coefficient of the series][Bernstein coefficient]
};

/// (1 + x^2)^8 exp(ikt) = (1 + ix)^(8+k) (1 - ix)^(8-k): sixteen linear factors, multiplied in scaled Bernstein form.
ArcTable make_table() {
  using Complex = std::complex<double>;
  ArcTable table;
  table.half = std::tan(std::numbers::pi / arcs / 2);
  for (int arc = 0; arc < arcs; ++arc)
    table.middle[static_cast<std::size_t>(arc)] = first_middle + arc * 2 * std::numbers::pi / arcs;
  for (int k = 0; k <= circle_degree; ++k) {
    std::array<Complex, degree + 1> product{};
    product[0] = 1;
    for (int factor = 0; factor < degree; ++factor) {
      const double sign = factor < circle_degree + k ? 1 : -1;
      const Complex at_start(1, -sign * table.half), at_end(1, sign * table.half);
      for (int j = factor + 1; j >= 0; --j) {
        const auto i = static_cast<std::size_t>(j);
        product[i] = product[i] * at_start + (j > 0 ? product[i - 1] * at_end : Complex(0));
      }
    }
    double choose = 1;
    for (int j = 0; j <= degree; ++j) {
      const Complex e = product[static_cast<std::size_t>(j)] / choose;
      choose = choose * (degree - j) / (j + 1);
      for (std::size_t arc = 0; arc < arcs; ++arc) {
        const Complex turned = e * std::polar(1.0, k * table.middle[arc]);
        table.row[arc][static_cast<std::size_t>(k)][static_cast<std::size_t>(j)] = turned.real();
        if (k > 0)
          table.row[arc][static_cast<std::size_t>(circle_degree + k)][static_cast<std::size_t>(j)] = turned.imag();
      }
    }
  }
  return table;
}

struct Piece {
  Coefficients b;
  double from = 0, to = 1;  // of the arc, in the Bernstein parameter
};

/// Both halves of a piece by de Casteljau's scheme; the first in place.
void halve(Piece& first, Piece& second) {
  second.to = first.to;
  second.from = first.to = (first.from + first.to) / 2;
  Coefficients& b = first.b;
  second.b[degree] = b[degree];
  for (int r = 1; r <= degree; ++r) {
    for (int j = degree; j >= r; --j) {
      const auto i = static_cast<std::size_t>(j);
      b[i] = (b[i - 1] + b[i]) / 2;
    }
    second.b[static_cast<std::size_t>(degree - r)] = b[degree];
  }
}

/// A zero between two places where f has different signs, to 1e-11 rad: what follows improves it on the arm itself.
double refined(const CircleSeries& f, double from, double to) {
  double value = f(from);
  const bool rising = value < 0;
  double t = (from + to) / 2;
  for (int step = 0; step < 60 && to - from > 1e-11; ++step) {
    const auto [y, slope] = f.value_and_slope(t);
    if ((y < 0) == rising)
      from = t;
    else
      to = t;
    const double next = t - y / slope;
    if (std::abs(next - t) < 1e-11) return std::clamp(next, from, to);
    t = next > from && next < to ? next : (from + to) / 2;
  }
  return t;
}

}  // namespace

std::array<double, 2> CircleSeries::value_and_slope(double t) const {
  const double ct = std::cos(t), st = std::sin(t);
  double ck = 1, sk = 0, value = c[0], slope = 0;
  for (std::size_t k = 1; k <= circle_degree; ++k) {
    const double next = ck * ct - sk * st;
    sk = sk * ct + ck * st;
    ck = next;
    value += c[k] * ck + s[k] * sk;
    slope += static_cast<double>(k) * (s[k] * ck - c[k] * sk);
  }
  return {value, slope};
}

double CircleSeries::curvature(double t) const {
  double sum = 0;
  for (std::size_t k = 1; k <= circle_degree; ++k) {
    const double order = static_cast<double>(k);
    sum -= order * order * (c[k] * std::cos(order * t) + s[k] * std::sin(order * t));
  }
  return sum;
}

double circle_series(std::span<const double, 24> values, CircleSeries& series) {
  constexpr int n = 24;
  static const auto cosines = [] {
    std::array<double, n> c{};
    for (int m = 0; m < n; ++m) c[static_cast<std::size_t>(m)] = std::cos(2 * std::numbers::pi * m / n);
    return c;
  }();
  double beyond = 0;
  for (int k = 0; k <= n / 2; ++k) {
    double c = 0, s = 0;
    for (int m = 0; m < n; ++m) {
      const double f = values[static_cast<std::size_t>(m)];
      c += f * cosines[static_cast<std::size_t>(k * m % n)];
      s += f * cosines[static_cast<std::size_t>((k * m + 18) % n)];
    }
    const double weight = k == 0 || k == n / 2 ? 1.0 / n : 2.0 / n;
    if (k <= circle_degree) {
      series.c[static_cast<std::size_t>(k)] = c * weight;
      series.s[static_cast<std::size_t>(k)] = k == 0 ? 0 : s * weight;
    } else {
      beyond = std::max({beyond, std::abs(c * weight), std::abs(s * weight)});
    }
  }
  return beyond;
}

void circle_roots(const CircleSeries& f, double error, CircleRoots& out) {
  static const ArcTable table = make_table();
  constexpr double narrow = 1e-5;  // of an arc
  constexpr std::size_t most_pieces = 40;
  out.count = 0;
  out.complete = true;
  const auto add = [&out](const CircleRoot& root) {
    // neighbouring doubtful pieces are one group
    if (!root.simple && out.count > 0) {
      CircleRoot& last = out.root[static_cast<std::size_t>(out.count - 1)];
      if (!last.simple && root.from - last.to < 1e-9) {
        last.to = root.to;
        return;
      }
    }
    if (out.count == static_cast<int>(out.root.size()))
      out.complete = false;
    else
      out.root[static_cast<std::size_t>(out.count++)] = root;
  };
  for (std::size_t arc = 0; arc < arcs; ++arc) {
    std::array<Piece, most_pieces> stack;
    std::size_t depth = 1;
    Coefficients& b = stack[0].b;
    for (std::size_t j = 0; j <= degree; ++j) b[j] = f.c[0] * table.row[arc][0][j];
    for (std::size_t k = 1; k <= circle_degree; ++k)
      for (std::size_t j = 0; j <= degree; ++j)
        b[j] += f.c[k] * table.row[arc][k][j] + f.s[k] * table.row[arc][circle_degree + k][j];
    stack[0].from = 0;
    stack[0].to = 1;
    const auto angle = [&](double u) { return table.middle[arc] + 2 * std::atan(table.half * (2 * u - 1)); };
    while (depth > 0 && out.complete) {
      Piece& piece = stack[depth - 1];
      const auto [least, most] = std::minmax_element(piece.b.begin(), piece.b.end());
      if (*least > error || *most < -error) {
        --depth;
        continue;
      }
      int variations = 0;
      for (std::size_t j = 1; j <= degree; ++j) variations += (piece.b[j - 1] < 0) != (piece.b[j] < 0);
      if (variations == 1 && std::abs(piece.b[0]) > error && std::abs(piece.b[degree]) > error) {
        const double from = angle(piece.from), to = angle(piece.to);
        add({refined(f, from, to), from, to, true});
        --depth;
      } else if (piece.to - piece.from < narrow || depth == most_pieces || (*most <= error && *least >= -error)) {
        const double from = angle(piece.from), to = angle(piece.to);
        add({(from + to) / 2, from, to, false});
        --depth;
      } else {
        // the earlier half on top
        halve(piece, stack[depth]);
        std::swap(stack[depth - 1], stack[depth]);
        ++depth;
      }
    }
  }
  // a doubtful group: where f is nearest to zero
  for (int i = 0; i < out.count; ++i) {
    CircleRoot& root = out.root[static_cast<std::size_t>(i)];
    if (root.simple) continue;
    double best = std::abs(f(root.t = (root.from + root.to) / 2));
    for (int k = 0; k <= 8; ++k) {
      const double t = root.from + (root.to - root.from) * k / 8, y = std::abs(f(t));
      if (y < best) best = y, root.t = t;
    }
  }
}

void circle_touches(const CircleSeries& f, double most, CircleTouches& out) {
  constexpr std::size_t n = 192;
  struct Waves {
    std::array<std::array<double, n>, circle_degree + 1> c, s;
  };
  static const auto waves = [] {
    Waves w{};
    for (std::size_t k = 0; k <= circle_degree; ++k)
      for (std::size_t m = 0; m < n; ++m) {
        const double t = 2 * std::numbers::pi * static_cast<double>(k * m % n) / n;
        w.c[k][m] = std::cos(t);
        w.s[k][m] = std::sin(t);
      }
    return w;
  }();
  out.count = 0;
  std::array<double, n> value, slope{};
  value.fill(f.c[0]);
  for (std::size_t k = 1; k <= circle_degree; ++k) {
    const double ck = f.c[k], sk = f.s[k], order = static_cast<double>(k);
    for (std::size_t m = 0; m < n; ++m) {
      value[m] += ck * waves.c[k][m] + sk * waves.s[k][m];
      slope[m] += order * (sk * waves.c[k][m] - ck * waves.s[k][m]);
    }
  }
  for (std::size_t m = 0; m < n; ++m) {
    const std::size_t after = (m + 1) % n;
    // on its way to zero, and away from it again
    if (!(value[m] * slope[m] <= 0 && value[after] * slope[after] >= 0 && value[m] * value[after] > 0)) continue;
    double from = 2 * std::numbers::pi * static_cast<double>(m) / n, to = from + 2 * std::numbers::pi / n;
    double low = slope[m], high = slope[after];
    for (int step = 0; step < 40 && to - from > 1e-9; ++step) {
      // by the secant, kept off the ends, so that both come nearer
      const double share = std::clamp(low / (low - high), 0.05, 0.95), t = from + share * (to - from);
      const double there = f.value_and_slope(t)[1];
      if ((there < 0) == (low < 0))
        from = t, low = there;
      else
        to = t, high = there;
    }
    const double t = (from + to) / 2;
    if (std::abs(f(t)) < most && out.count < static_cast<int>(out.t.size())) out.t[static_cast<std::size_t>(out.count++)] = t;
  }
}

}  // namespace torsor
