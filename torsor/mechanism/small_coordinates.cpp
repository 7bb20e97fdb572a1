#include "torsor/mechanism/small_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/named_measure.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

using Motions = std::vector<Motion<double>>;

/// Something that may serve: how it changes with each z, how with motions of length 1 in rad and sizes of the mechanism, and
/// what is left of that beside those taken before.
struct Candidate {
  SmallCoordinate coordinate;
  std::vector<double> row, told, left;
};

double length(const std::vector<double>& x) {
  double square = 0;
  for (const double each : x) square += each * each;
  return std::sqrt(square);
}

void take_out(const std::vector<double>& unit, std::vector<double>& x) {
  double part = 0;
  for (std::size_t k = 0; k < x.size(); ++k) part += unit[k] * x[k];
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * unit[k];
}

/// Takes candidates until n are there or none tells more than `nothing` times the longest: the first that tells nearly as
/// much as the best.
void take(std::vector<Candidate> from, std::size_t n, double nothing, std::vector<Candidate>& taken) {
  constexpr double nearly = 0.3;
  double longest = 0;
  for (Candidate& each : from) {
    longest = std::max(longest, length(each.left));
    for (const Candidate& before : taken) take_out(before.left, each.left);
  }
  while (taken.size() < n) {
    double best = 0;
    for (const Candidate& each : from) best = std::max(best, length(each.left));
    if (!(best > nothing * longest)) return;
    const auto next = std::find_if(from.begin(), from.end(),
                                   [&](const Candidate& each) { return length(each.left) >= nearly * best; });
    taken.push_back(*next);
    std::vector<double>& unit = taken.back().left;
    for (double scale = 1 / length(unit); double& x : unit) x *= scale;
    for (Candidate& each : from) take_out(unit, each.left);
  }
}

/// The same motions, orthogonal and of length 1 in rad and sizes of the mechanism whatever their masses, the first of them
/// made of the first alone; empty: they are no numbers, or depend on one another.
std::vector<Motions> of_length_one(std::vector<Motions> x, double size) {
  const auto product = [size](const Motions& a, const Motions& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
      sum += dot(a[k].w, b[k].w) + dot(a[k].v * (1 / size), b[k].v * (1 / size));
    return sum;
  };
  const auto shorten = [](Motions& a, double by) {
    for (Motion<double>& each : a) each = each * (1 / by);
  };
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double reach = reach_of(x[k], size);
    if (!(reach > 0) || !std::isfinite(reach) || !std::isfinite(1 / reach)) return {};
    shorten(x[k], reach);
    // twice: what the first leaves is rounding
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t before = 0; before < k; ++before) {
        const double part = product(x[before], x[k]);
        for (std::size_t b = 0; b < x[k].size(); ++b) x[k][b] = x[k][b] - x[before][b] * part;
      }
    const double left = std::sqrt(product(x[k], x[k]));
    if (!(left > 1e-12)) return {};
    shorten(x[k], left);
  }
  return x;
}

/// Column by column, whatever the scales of the columns are; empty: it has none.
std::vector<double> inverse_of(std::vector<double> A, int n) {
  const auto count = static_cast<std::size_t>(n);
  std::vector<double> out(A.size()), unit(count), column(count);
  std::vector<int> rows(count);
  if (n > 0 && !(lu_factor<double>(A, n, rows) > 0)) return {};
  for (int k = 0; k < n; ++k) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[static_cast<std::size_t>(k)] = 1;
    lu_solve<double>(A, n, rows, unit, column);
    for (int i = 0; i < n; ++i) out[cell(i, n, k)] = column[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace

std::optional<SmallCoordinates> small_coordinates(const Mechanism& m, const MechanismState& state,
                                                  const std::vector<Motions>& freedoms, std::size_t first) {
  const double size = size_of(m);
  const std::size_t count = freedoms.size();
  const std::vector<Motions> units = of_length_one(freedoms, size);
  if (units.size() != count) return {};
  MechanismEquations equations(m);
  equations.evaluate(state);
  std::vector<Candidate> measures, bodies, taken;
  const auto add = [&](std::vector<Candidate>& to, std::string name, bool turn, const auto& rate) {
    Candidate c{{std::move(name), turn ? "rad" : "m"}, {}, {}, {}};
    for (const Motions& x : freedoms) c.row.push_back(rate(x));
    for (const Motions& x : units) c.told.push_back(turn ? rate(x) : rate(x) / size);
    to.push_back(std::move(c));
  };
  for (const NamedMeasure& each : reported_measures(m.description)) {
    const MeasureValue at = equations.measure(each.measure);
    add(measures, each.name, each.measure.what == Measure::What::angle,
        [&](std::span<const Motion<double>> x) { return second_derivative(at, x) - at.bias; });
  }
  for (int c = 0; c < 6 * m.bodies(); ++c)
    add(bodies, coordinate_name(m, c), c % 6 < 3, [&](std::span<const Motion<double>> x) {
      const Motion<double>& v = x[static_cast<std::size_t>(c / 6)];
      const double parts[] = {v.w.x, v.w.y, v.w.z, v.v.x, v.v.y, v.v.z};
      return parts[c % 6];
    });
  // the first motions by themselves, then all of them
  for (const std::size_t n : {first, count}) {
    std::vector<Candidate> before;
    const auto looked_at = [n](Candidate& c) {
      c.left.assign(c.told.begin(), c.told.begin() + static_cast<std::ptrdiff_t>(n));
    };
    for (Candidate& each : taken) {
      looked_at(each);
      for (const Candidate& other : before) take_out(other.left, each.left);
      for (double scale = 1 / length(each.left); double& x : each.left) x *= scale;
      before.push_back(each);
    }
    for (std::vector<Candidate>* from : {&measures, &bodies}) std::for_each(from->begin(), from->end(), looked_at);
    take(measures, n, 1e-3, taken);
    take(bodies, n, 1e-6,
         taken);  // of n motions the bodies tell: what is left of all their rows together is 1 at least
    if (taken.size() != n) return {};
  }
  SmallCoordinates out;
  for (const Candidate& each : taken) {
    out.names.push_back(each.coordinate);
    out.C.insert(out.C.end(), each.row.begin(), each.row.end());
  }
  std::vector<double> corner;
  for (std::size_t i = 0; i < first; ++i)
    corner.insert(corner.end(), taken[i].row.begin(), taken[i].row.begin() + static_cast<std::ptrdiff_t>(first));
  out.T = inverse_of(out.C, static_cast<int>(count));
  out.T_first = inverse_of(std::move(corner), static_cast<int>(first));
  if (out.T.size() != count * count || out.T_first.size() != first * first) return {};
  return out;
}

}  // namespace torsor
