#include "torsor/mechanism/mobility.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/support/mechanism.hpp"
#include "torsor/files/load_mechanism.hpp"
#include "torsor/mechanism/assembly.hpp"
#include "torsor/mechanism/forward_dynamics.hpp"
#include "bench/timing/mechanism_timing.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

using namespace torsor;
using namespace torsor::testing;

namespace {

/// All rows of the set, each of length 1, as columns: 6 per body x rows; and the block of each.
struct DenseRows {
  std::vector<double> columns;
  std::vector<int> blocks, numbers;
  int m = 0;

  DenseRows(const Mechanism& mechanism, const MechanismState& state, EquationSet set) : m(6 * mechanism.bodies()) {
    MechanismEquations equations(mechanism);
    equations.evaluate(state);
    std::vector<std::vector<double>> rows;
    for (std::size_t b = 0; b < mechanism.blocks.size(); ++b) {
      const ConstraintBlock& block = mechanism.blocks[b];
      if (!counts(block, set)) continue;
      for (int r = 0; r < block.rows; ++r) {
        std::vector<double> row(static_cast<std::size_t>(m));
        double square = 0;
        for (std::size_t slot = 0; slot < block.bodies.size(); ++slot) {
          const Force<double> gradient = equations.gradient(block, slot, r);
          write_gradient(gradient, &row[static_cast<std::size_t>(6 * block.bodies[slot])]);
          square += dot(gradient.n, gradient.n) + dot(gradient.f, gradient.f);
        }
        for (double& x : row) x /= square > 0 ? std::sqrt(square) : 1;
        rows.push_back(row);
        blocks.push_back(static_cast<int>(b));
        numbers.push_back(block.first_row + r);
      }
    }
    columns.resize(cells(m, static_cast<int>(rows.size())));
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (int c = 0; c < m; ++c)
        columns[cell(c, static_cast<int>(rows.size()), static_cast<int>(k))] = rows[k][static_cast<std::size_t>(c)];
  }

  int count() const { return static_cast<int>(blocks.size()); }

  template <class Keep>
  int rank(const Keep& keep) const {
    std::vector<int> kept;
    for (int k = 0; k < count(); ++k)
      if (keep(k)) kept.push_back(k);
    if (kept.empty()) return 0;
    const int n = static_cast<int>(kept.size());
    std::vector<double> A(cells(m, n)), R(cells(n, n));
    for (int c = 0; c < m; ++c)
      for (int k = 0; k < n; ++k) A[cell(c, n, k)] = columns[cell(c, count(), kept[static_cast<std::size_t>(k)])];
    std::vector<int> order(static_cast<std::size_t>(n));
    return qr_factor_pivoted<double>(A, m, n, R, order, 1e-9);
  }
};

void check_against_dense(const Mechanism& mechanism, const MechanismState& state, EquationSet set) {
  const MobilityReport report = mobility(mechanism, state, set);
  const DenseRows dense(mechanism, state, set);
  CHECK(report.rows == dense.count());
  CHECK(report.rank == dense.rank([](int) { return true; }));
  CHECK(report.freedoms == 6 * mechanism.bodies() - report.rank);
  REQUIRE(static_cast<int>(report.dependences.size()) == report.redundant);
  for (const Dependence& d : report.dependences) {
    // the row adds nothing to those of its partners, and each of these is needed
    const auto among = [&](int row, int without) {
      const int block = dense.blocks[static_cast<std::size_t>(row)];
      return dense.numbers[static_cast<std::size_t>(row)] != d.row && block != without &&
             std::find(d.partners.begin(), d.partners.end(), block) != d.partners.end();
    };
    const auto own = [&](int row) { return dense.numbers[static_cast<std::size_t>(row)] == d.row; };
    CHECK(dense.rank([&](int r) { return among(r, -1) || own(r); }) == dense.rank([&](int r) { return among(r, -1); }));
  }
  // velocities of all else vanish with the independent ones: the rows together with these have full rank
  REQUIRE(static_cast<int>(report.independent.size()) == report.freedoms);
  const int n = dense.count() + report.freedoms, m = dense.m;
  std::vector<double> A(cells(m, n)), R(cells(n, n));
  for (int c = 0; c < m; ++c)
    for (int k = 0; k < dense.count(); ++k) A[cell(c, n, k)] = dense.columns[cell(c, dense.count(), k)];
  for (int f = 0; f < report.freedoms; ++f)
    A[cell(report.independent[static_cast<std::size_t>(f)], n, dense.count() + f)] = 1;
  std::vector<int> order(static_cast<std::size_t>(n));
  CHECK(qr_factor_pivoted<double>(A, m, n, R, order, 1e-6) == m);
}

}  // namespace

TEST_CASE("rank, dependences and independent velocities by the tree of joints are those of the whole matrix") {
  for (const char* name :
       {"four_bar", "slider_crank", "rssr", "stewart_platform", "bricard", "andrews_squeezer", "double_four_bar",
        "hand_driven_robot", "palletiser", "geared_two_link", "pendulum", "spatial_slider_crank"}) {
    CAPTURE(std::string(name));
    const Result<MechanismDescription> description = load_mechanism(name);
    REQUIRE(description);
    const Result<Mechanism> built = build(*description);
    REQUIRE(built);
    MechanismState state = described_state(*built);
    Assembly assembly(*built, EquationSet::all);
    assembly.expect_redundancy(true);
    REQUIRE(assembly.positions(state).closed);
    check_against_dense(*built, state, EquationSet::all);
    check_against_dense(*built, state, EquationSet::without_drivers);
  }
}

TEST_CASE("mobility of a chain of thousands of bodies is counted, and of a ring of hundreds") {
  MechanismDescription d = rods_in_line(2000);
  const Result<Mechanism> chain = build(d);
  REQUIRE(chain);
  const MobilityReport open = mobility(*chain, described_state(*chain), EquationSet::all);
  CHECK_FALSE(open.too_large);
  CHECK(open.freedoms == 2000);
  CHECK(open.redundant == 0);
  CHECK(open.independent.size() == 2000);

  // the 300th rod held at its end as well: a plane loop of hinges has three equations too many, and in line one more freedom
  d.bodies.resize(300), d.joints.resize(300);
  add_hinge(d, "last", ground, 299, {300, 0, 0}, {0, 1, 0});
  const Result<Mechanism> ring = build(d);
  REQUIRE(ring);
  const MobilityReport closed = mobility(*ring, described_state(*ring), EquationSet::all);
  CHECK_FALSE(closed.too_large);
  CHECK(closed.freedoms == 299);
  CHECK(closed.redundant == 4);
}

TEST_CASE("gradients and factors of a chain take memory that is linear in its bodies") {
  const auto per_body = [](int n) {
    const Result<Mechanism> chain = build(rods_in_line(n));
    REQUIRE(chain);
    MechanismForward forward(*chain);
    std::vector<Motion<double>> A(static_cast<std::size_t>(n));
    CHECK(forward.accelerations(described_state(*chain), A));
    return static_cast<double>(forward.numbers_kept()) / n;
  };
  CHECK(per_body(4000) == doctest::Approx(per_body(400)).epsilon(0.01));
  CHECK(per_body(4000) < 300);
}

TEST_CASE("gradients and factors of loop upon loop take memory that is linear in the bodies, and so does the work") {
  const auto per_body = [](const MechanismDescription& d) {
    const Result<Mechanism> built = build(d);
    REQUIRE(built);
    MechanismForward forward(*built);
    forward.expect_redundancy(true);
    const MechanismState state = described_state(*built);
    std::vector<Motion<double>> A(state.bodies.size());
    CHECK(forward.accelerations(state, A));
    double largest = 0;
    for (const Motion<double>& a : A) largest = std::max({largest, norm(a.v), norm(a.w)});
    CHECK(forward.gap() < 1e-9 * largest);
    struct PerBody {
      double numbers, products;
    };
    const auto bodies = static_cast<double>(d.bodies.size());
    return PerBody{static_cast<double>(forward.numbers_kept()) / bodies,
                   static_cast<double>(forward.products_of_factorisation()) / bodies};
  };
  for (MechanismDescription (*mesh)(int) : {scissor_lattice, row_of_four_bars}) {
    const auto some = per_body(mesh(100)), more = per_body(mesh(1000));
    CHECK(more.numbers == doctest::Approx(some.numbers).epsilon(0.02));
    CHECK(more.products == doctest::Approx(some.products).epsilon(0.02));
  }

  const Result<Mechanism> ten = build(scissor_lattice(10));
  REQUIRE(ten);
  const MobilityReport mobile = mobility(*ten, described_state(*ten), EquationSet::all);
  // it turns about the ground as a whole, and opens; of each of its nine loops three equations are too many
  CHECK(mobile.freedoms == 2);
  CHECK(mobile.redundant == 27);
  const Result<Mechanism> row = build(row_of_four_bars(10));
  REQUIRE(row);
  const MobilityReport swings = mobility(*row, described_state(*row), EquationSet::all);
  CHECK(swings.freedoms == 1);
  CHECK(swings.redundant == 30);
}
