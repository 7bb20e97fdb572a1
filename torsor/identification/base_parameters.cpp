#include "torsor/identification/base_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "torsor/identification/robot_regressor.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/ldlt.hpp"
#include "torsor/numeric/qr.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;

double either_way(std::mt19937_64& engine, double size) { return size * (2 * uniform(engine) - 1); }

Vec3<double> drawn_vector(std::mt19937_64& engine, double size) {
  const double x = either_way(engine, size), y = either_way(engine, size);
  return {x, y, either_way(engine, size)};
}

/// The regressor at many random states, one below the other.
struct StackedRegressor {
  int rows = 0;
  Numbers W;
};

StackedRegressor stacked_regressor(const RegressorSubject& subject, const std::vector<DynamicParameter>& parameters,
                                   const BaseParameterOptions& options) {
  // what can be felt is a matter of the equations, not of a range, where there is no end to it
  Model<double> anywhere = subject.coordinates;
  if (!subject.loops) std::ranges::fill(anywhere.limits, Limits{});
  RobotRegressor regressor(subject, parameters);
  const int p = regressor.columns(), nv = anywhere.nv;
  const int states = nv == 0 ? 0 : 12 + 3 * p / (2 * nv);
  StackedRegressor out{states * nv, Numbers(cells(states * nv, p))};
  std::mt19937_64 engine(options.seed);
  Numbers qd(static_cast<std::size_t>(nv)), qdd(qd.size());
  for (int state = 0; state < states; ++state) {
    const std::span<double> Y = std::span(out.W).subspan(cell(state * nv, p, 0), cells(nv, p));
    bool closes = false;
    for (int trial = 0; trial < 1000 && !closes; ++trial) {
      const Numbers q = random_position(anywhere, engine);
      for (double& x : qd) x = either_way(engine, 2);
      for (double& x : qdd) x = either_way(engine, 4);
      if (options.moving_base)
        regressor.base() = {drawn_vector(engine, 2), drawn_vector(engine, 4), drawn_vector(engine, 4)};
      closes = regressor.at(q, qd, qdd, Y);
    }
    if (!closes) std::ranges::fill(Y, 0.0);  // says nothing
  }
  return out;
}

/// The order in which parameters are given up where columns depend on each other.
std::vector<int> giving_up_order(const std::vector<DynamicParameter>& parameters, const std::vector<int>& felt) {
  // Iyy, m, mz first, and Izz last
  constexpr int places[inertial_count] = {1, 8, 7, 2, 3, 4, 5, 0, 6, 9};
  std::vector<int> order(felt.size());
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](int column) {
    const DynamicParameter& p = parameters[felt[column]];
    const bool link = p.kind == ParameterKind::inertial;
    return std::tuple(link, -p.index, link ? places[p.which] : -static_cast<int>(p.kind));
  };
  std::ranges::stable_sort(order, {}, rank);
  return order;
}

/// Brings the rows of N (count x columns) to echelon form, Gauss-Jordan along the order; returns the pivot of each row.
std::vector<int> echelon(Numbers& N, int count, int columns, const std::vector<int>& order) {
  constexpr double nothing = 1e-7;  // entries are of order one, their rounding is not
  std::vector<int> pivots;
  const auto row_begin = [&](int row) { return N.begin() + static_cast<std::ptrdiff_t>(cell(row, columns, 0)); };
  for (const int column : order) {
    const int done = static_cast<int>(pivots.size());
    if (done == count) break;
    int best = done;
    for (int row = done; row < count; ++row)
      if (std::abs(N[cell(row, columns, column)]) > std::abs(N[cell(best, columns, column)])) best = row;
    const double pivot = N[cell(best, columns, column)];
    if (!(std::abs(pivot) > nothing)) continue;
    std::swap_ranges(row_begin(best), row_begin(best) + columns, row_begin(done));
    for (int j = 0; j < columns; ++j) N[cell(done, columns, j)] /= pivot;
    for (int row = 0; row < count; ++row) {
      const double factor = N[cell(row, columns, column)];
      if (row == done || factor == 0) continue;
      for (int j = 0; j < columns; ++j) N[cell(row, columns, j)] -= factor * N[cell(done, columns, j)];
      N[cell(row, columns, column)] = 0;
    }
    pivots.push_back(column);
  }
  return pivots;
}

/// Vectors that the columns take to zero, one per row, from a pivoted factorisation A = Q R: [-R1^-1 R2, 1].
Numbers null_space(const Numbers& R, int columns, int rank, const std::vector<int>& permutation) {
  const int count = columns - rank;
  Numbers N(cells(count, columns), 0.0), x(static_cast<std::size_t>(rank));
  for (int t = 0; t < count; ++t) {
    for (int k = rank - 1; k >= 0; --k) {
      x[k] = R[cell(k, columns, rank + t)];
      for (int j = k + 1; j < rank; ++j) x[k] -= R[cell(k, columns, j)] * x[j];
      N[cell(t, columns, permutation[k])] = -x[k];
    }
    N[cell(t, columns, permutation[rank + t])] = 1;
  }
  return N;
}

/// Distance that stands for the size of the robot.
double typical_length(const Model<double>& model) {
  double length = 0;
  for (const Body<double>& b : model.bodies)
    length = std::max({length, norm(b.placement.p), norm(mass_centre(b.inertia))});
  return length > 0 ? length : 1;
}

}  // namespace

BaseParameters base_parameters(const RegressorSubject& subject, std::vector<DynamicParameter> parameters,
                               const BaseParameterOptions& options) {
  BaseParameters out;
  out.parameters = std::move(parameters);
  const StackedRegressor stacked = stacked_regressor(subject, out.parameters, options);
  const int all = static_cast<int>(out.parameters.size()), rows = stacked.rows;

  // columns without any effect
  Numbers length(static_cast<std::size_t>(all), 0.0);
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < all; ++c) length[c] = std::hypot(length[c], stacked.W[cell(row, all, c)]);
  const double longest = all > 0 ? *std::ranges::max_element(length) : 0;
  std::vector<int> felt;
  for (int c = 0; c < all; ++c) (length[c] > options.tolerance * longest ? felt : out.unfelt).push_back(c);
  const int columns = static_cast<int>(felt.size());
  if (columns == 0) return out;

  // the others, of unit length, and their rank
  Numbers A(cells(rows, columns)), R(cells(columns, columns), 0.0);
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < columns; ++c) A[cell(row, columns, c)] = stacked.W[cell(row, all, felt[c])] / length[felt[c]];
  std::vector<int> permutation(static_cast<std::size_t>(columns));
  const int rank = qr_factor_pivoted<double>(A, rows, columns, R, permutation, options.tolerance);
  for (int k = 0; k < rank; ++k) out.weakest_kept = std::min(out.weakest_kept, std::sqrt(R[cell(k, columns, k)]));
  for (int c = rank; c < columns; ++c) {
    double left = 0;
    for (int row = 0; row < rows; ++row) left = std::hypot(left, A[cell(row, columns, c)]);
    out.strongest_left = std::max(out.strongest_left, left);
  }

  // which columns are given up, and in favour of which combination
  const int count = columns - rank;
  Numbers N = null_space(R, columns, rank, permutation);
  const std::vector<int> pivots = echelon(N, count, columns, giving_up_order(out.parameters, felt));
  TORSOR_EXPECT(static_cast<int>(pivots.size()) == count);
  std::vector<int> row_of(static_cast<std::size_t>(columns), -1), given_up;
  for (int t = 0; t < static_cast<int>(pivots.size()); ++t) row_of[pivots[t]] = t;
  std::vector<int> kept;
  for (int c = 0; c < columns; ++c) (row_of[c] < 0 ? kept : given_up).push_back(c);
  for (const int c : kept) out.kept.push_back(felt[c]);
  for (const int c : given_up) out.regrouped.push_back(felt[c]);
  // twists near a quarter turn have small shares that are none of rounding's
  const double rounding = std::clamp(100 * out.strongest_left / out.weakest_kept, 1e-13, 1e-9);
  for (const int k : kept)
    for (const int d : given_up) {
      const double share = N[cell(row_of[d], columns, k)];
      out.K.push_back(std::abs(share) > rounding ? -share * length[felt[d]] / length[felt[k]] : 0);
    }
  return out;
}

std::vector<double> BaseParameters::values(std::span<const double> phi) const {
  TORSOR_EXPECT(phi.size() == parameters.size());
  const int columns = static_cast<int>(regrouped.size());
  Numbers b;
  for (int k = 0; k < count(); ++k) {
    double sum = phi[kept[k]];
    for (int d = 0; d < columns; ++d) sum += K[cell(k, columns, d)] * phi[regrouped[d]];
    b.push_back(sum);
  }
  return b;
}

// phi + S^2 P^T (P S^2 P^T)^-1 (b - P phi), with P = [1 K] and S the scales
std::vector<double> BaseParameters::nearest(std::span<const double> phi, std::span<const double> scale,
                                            std::span<const double> base) const {
  TORSOR_EXPECT(scale.size() == parameters.size() && base.size() == kept.size());
  const int n = count(), columns = static_cast<int>(regrouped.size());
  // the rows of P S, each of unit length
  Numbers size, A(cells(n, n));
  const auto weighted = [&](int k, int d) { return K[cell(k, columns, d)] * scale[regrouped[d]]; };
  for (int k = 0; k < n; ++k) {
    double length = scale[kept[k]];
    for (int d = 0; d < columns; ++d) length = std::hypot(length, weighted(k, d));
    size.push_back(length);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = i == j ? scale[kept[i]] * scale[kept[i]] : 0;
      for (int d = 0; d < columns; ++d) sum += weighted(i, d) * weighted(j, d);
      A[cell(i, n, j)] = A[cell(j, n, i)] = sum / (size[i] * size[j]);
    }
  ldlt_factor<double>(A, n);

  Numbers out(phi.begin(), phi.end());
  constexpr int rounds = 2;  // the second takes out what rounding left of the first
  for (int round = 0; round < rounds; ++round) {
    Numbers y = values(out);
    for (int k = 0; k < n; ++k) y[k] = (base[k] - y[k]) / size[k];
    ldlt_solve<double>(A, n, y);
    for (int k = 0; k < n; ++k) {
      y[k] /= size[k];
      out[kept[k]] += scale[kept[k]] * scale[kept[k]] * y[k];
      for (int d = 0; d < columns; ++d) out[regrouped[d]] += scale[regrouped[d]] * weighted(k, d) * y[k];
    }
  }
  return out;
}

std::vector<double> parameter_scales(const Model<double>& model, std::span<const DynamicParameter> list) {
  constexpr double light = 0.01, small = 0.001;
  double heaviest = 0;
  for (const Body<double>& b : model.bodies) heaviest = std::max(heaviest, b.inertia.m);
  if (!(heaviest > 0)) heaviest = 1;
  const double length = typical_length(model);
  Numbers scale;
  for (const DynamicParameter& p : list) {
    if (p.kind != ParameterKind::inertial) {
      const double value = std::abs(parameter_value(model, p));
      scale.push_back(value > 0 ? value : 1);
      continue;
    }
    const auto& [m, h, I] = model[p.index].inertia;
    const double mass = std::max(m, light * heaviest);
    // no moment of a possible body is negative; of an impossible one the sum could be next to nothing
    const double moments = std::abs(I.xx) + std::abs(I.yy) + std::abs(I.zz);
    const double moment = std::max(moments / 2, small * mass * length * length);
    scale.push_back(p.which == 0 ? mass : p.which < 4 ? std::sqrt(mass * moment) : moment);
  }
  return scale;
}

}  // namespace torsor
