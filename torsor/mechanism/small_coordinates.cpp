#include "torsor/mechanism/small_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "torsor/mechanism/named_measure.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// Something that may serve: how it changes with each z, and what is left of that, measured in rad and in sizes of the
/// mechanism, beside those taken before.
struct Candidate {
  SmallCoordinate coordinate;
  std::vector<double> row, left;
};

double length(const std::vector<double>& x) {
  double square = 0;
  for (const double each : x) square += each * each;
  return std::sqrt(square);
}

/// Takes candidates until n are there or none tells anything new: the first that tells nearly as much as the best.
void take(std::vector<Candidate> from, std::size_t n, std::vector<Candidate>& taken) {
  constexpr double nearly = 0.3, nothing = 1e-3;
  const auto take_out = [](const std::vector<double>& unit, std::vector<double>& x) {
    double part = 0;
    for (std::size_t k = 0; k < x.size(); ++k) part += unit[k] * x[k];
    for (std::size_t k = 0; k < x.size(); ++k) x[k] -= part * unit[k];
  };
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

}  // namespace

SmallCoordinates small_coordinates(const Mechanism& m, const MechanismState& state,
                                   const std::vector<std::vector<Motion<double>>>& freedoms) {
  const double size = size_of(m);
  const std::size_t count = freedoms.size();
  MechanismEquations equations(m);
  equations.evaluate(state);
  const auto candidate = [&](std::string name, bool turn, const auto& rate) {
    Candidate c{{std::move(name), turn ? "rad" : "m"}, {}, {}};
    for (const auto& x : freedoms) c.row.push_back(rate(x));
    c.left = c.row;
    if (!turn)
      for (double& x : c.left) x /= size;
    return c;
  };
  std::vector<Candidate> taken, measures;
  for (const NamedMeasure& each : reported_measures(m.description)) {
    const MeasureValue at = equations.measure(each.measure);
    measures.push_back(
        candidate(each.name, each.measure.what == Measure::What::angle,
                  [&](std::span<const Motion<double>> x) { return second_derivative(at, x) - at.bias; }));
  }
  take(std::move(measures), count, taken);
  if (taken.size() < count) {
    std::vector<Candidate> bodies;
    for (int c = 0; c < 6 * m.bodies(); ++c)
      bodies.push_back(candidate(coordinate_name(m, c), c % 6 < 3, [&](std::span<const Motion<double>> x) {
        const Motion<double>& v = x[static_cast<std::size_t>(c / 6)];
        const double parts[] = {v.w.x, v.w.y, v.w.z, v.v.x, v.v.y, v.v.z};
        return parts[c % 6];
      }));
    take(std::move(bodies), count, taken);
  }
  TORSOR_EXPECT(taken.size() == count);
  const int n = static_cast<int>(count);
  SmallCoordinates out;
  for (const Candidate& each : taken) {
    out.names.push_back(each.coordinate);
    out.C.insert(out.C.end(), each.row.begin(), each.row.end());
  }
  // T = C^-1, column by column
  std::vector<double> LU = out.C, unit(count), column(count);
  std::vector<int> rows(count);
  out.T.resize(LU.size());
  if (n > 0) lu_factor<double>(LU, n, rows);
  for (int k = 0; k < n; ++k) {
    std::fill(unit.begin(), unit.end(), 0.0);
    unit[static_cast<std::size_t>(k)] = 1;
    lu_solve<double>(LU, n, rows, unit, column);
    for (int i = 0; i < n; ++i) out.T[cell(i, n, k)] = column[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace torsor
