#include "torsor/mechanism/small_state_space.hpp"

#include <algorithm>

#include "torsor/mechanism/named_measure.hpp"
#include "torsor/numeric/lu.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// Row-major, with its shape.
struct Table {
  int rows, columns;
  std::vector<double> entries;

  Table(int m, int n) : rows(m), columns(n), entries(cells(m, n)) {}
  Table(int m, int n, std::vector<double> given) : rows(m), columns(n), entries(std::move(given)) {}
  double& operator()(int i, int k) { return entries[cell(i, columns, k)]; }
  double operator()(int i, int k) const { return entries[cell(i, columns, k)]; }
};

Table operator*(const Table& a, const Table& b) {
  Table out(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int l = 0; l < a.columns; ++l)
      for (int k = 0; k < b.columns; ++k) out(i, k) += a(i, l) * b(l, k);
  return out;
}

Table transposed(const Table& a) {
  Table out(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < a.columns; ++k) out(k, i) = a(i, k);
  return out;
}

void put(Table& into, int row, int column, const Table& part, double factor = 1) {
  for (int i = 0; i < part.rows; ++i)
    for (int k = 0; k < part.columns; ++k) into(row + i, column + k) = factor * part(i, k);
}

Table part_of(const Table& a, int row, int column, int rows, int columns) {
  Table out(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < columns; ++k) out(i, k) = a(row + i, column + k);
  return out;
}

/// How a measure changes along each free motion.
std::vector<double> row_of(const MeasureValue& at, const FreeBasis& N, int count) {
  std::vector<double> row;
  for (int k = 0; k < count; ++k) row.push_back(second_derivative(at, N[static_cast<std::size_t>(k)]) - at.bias);
  return row;
}

}  // namespace

void name_equations(const Mechanism& m, const MechanismState& state, const FreeMotion& free,
                    const SmallCoordinates& names, Linearisation& out) {
  const int p = free.positions(), v = free.velocities, r = p - v, n = p + v;
  const Table C(p, p, names.C), T(p, p, names.T), T_vv(v, v, names.T_first), P_r(r, p, out.P_r);
  out.coordinates = names.names;

  // x = X (z, z_v'), and back
  Table X(n, n), back(n, n), A(n, n);
  const Table bend = part_of(C, 0, v, v, r) * P_r;
  put(X, 0, 0, C), put(X, p, 0, bend), put(X, p, p, part_of(C, 0, 0, v, v));
  put(back, 0, 0, T), put(back, p, 0, T_vv * (bend * T), -1), put(back, p, p, T_vv);
  for (int k = 0; k < v; ++k) A(k, p + k) = 1;
  put(A, v, 0, P_r), put(A, p, 0, Table(v, p, out.K), -1), put(A, p, p, Table(v, v, out.D), -1);
  A = X * (A * back);
  // rates of the first coordinates are states
  for (int i = 0; i < v; ++i)
    for (int k = 0; k < n; ++k) A(i, k) = k == p + i ? 1 : 0;

  const TurningFrames still(state.bodies.size());
  const Table G(v, v, NearbyMotions(m, state, free, still).masses());
  const Table M = transposed(T_vv) * (G * T_vv);
  const auto times_minus = [&](const Table& of) {
    Table product = M * of;
    for (double& x : product.entries) x = x == 0 ? 0 : -x;
    return product.entries;
  };
  out.named_M = M.entries;
  out.named_K = times_minus(part_of(A, p, 0, v, p));
  out.named_D = times_minus(part_of(A, p, p, v, v));

  StateSpace& space = out.state_space;
  space.states = names.names;
  for (int k = 0; k < v; ++k) {
    const SmallCoordinate& q = names.names[static_cast<std::size_t>(k)];
    space.states.push_back({"rate." + q.name, q.unit + "/s"});
  }
  space.A = A.entries;
  MechanismEquations equations(m);
  equations.evaluate(state);
  const int inputs = static_cast<int>(m.description.actuators.size());
  Table B(n, inputs);
  std::vector<double> LU = G.entries;
  std::vector<int> order(static_cast<std::size_t>(v));
  if (v > 0) lu_factor<double>(LU, v, order);
  for (int k = 0; k < inputs; ++k) {
    const MechanismActuator& actuator = m.description.actuators[static_cast<std::size_t>(k)];
    space.inputs.push_back({actuator.name, actuator.measure.what == Measure::What::angle ? "N m" : "N"});
    Table push(v, 1);
    const std::vector<double> force = row_of(equations.measure(actuator.measure), free.N, v);
    lu_solve<double>(LU, v, order, force, push.entries);
    put(B, p, k, part_of(C, 0, 0, v, v) * push);
  }
  space.B = B.entries;
  // what is measured, and what of the coordinates is not
  std::vector<std::vector<double>> rows;
  for (const NamedMeasure& each : reported_measures(m.description)) {
    space.outputs.push_back({each.name, each.measure.what == Measure::What::angle ? "rad" : "m"});
    rows.push_back((Table(1, p, row_of(equations.measure(each.measure), free.N, p)) * T).entries);
  }
  for (int k = 0; k < p; ++k) {
    const SmallCoordinate& q = names.names[static_cast<std::size_t>(k)];
    if (std::ranges::any_of(space.outputs, [&](const SmallCoordinate& y) { return y.name == q.name; })) continue;
    space.outputs.push_back(q);
    rows.emplace_back(static_cast<std::size_t>(p)).at(static_cast<std::size_t>(k)) = 1;
  }
  const int outputs = static_cast<int>(rows.size());
  Table Y(outputs, n);
  for (int i = 0; i < outputs; ++i) put(Y, i, 0, Table(1, p, std::move(rows[static_cast<std::size_t>(i)])));
  space.C = Y.entries;
  space.D.assign(cells(outputs, inputs), 0);
}

}  // namespace torsor
