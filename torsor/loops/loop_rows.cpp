#include "torsor/loops/loop_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace torsor {
namespace {

using Numbers = std::vector<double>;

constexpr std::int64_t piece_states = 1024;

/// Row k as doubles; none where there are no rows.
template <class Real>
std::span<const double> row(StateRows<const Real> rows, std::int64_t k, Numbers& into) {
  if (!rows.data) return {};
  std::copy_n(rows.row(k), into.size(), into.begin());
  return into;
}

template <class Real>
void put(std::span<const double> numbers, StateRows<Real> rows, std::int64_t k) {
  std::ranges::transform(numbers, rows.row(k), [](double x) { return static_cast<Real>(x); });
}

template <class Real>
class LoopRows final : public RowsEngine<Real> {
 public:
  LoopRows(DynamicsEngine& of, int nq, int nv, std::function<LoopTeam*()> team)
      : of_(of), nq_(static_cast<std::size_t>(nq)), nv_(static_cast<std::size_t>(nv)), team_(std::move(team)) {}

  using typename RowsEngine<Real>::In;
  using typename RowsEngine<Real>::Out;

  void inverse(std::int64_t states, In q, In qd, In qdd, Out tau) override {
    one_by_one(states, q, qd, qdd, tau, nv_, [](DynamicsEngine& e, std::int64_t, auto at, auto v, auto a, auto answer) {
      e.inverse(at, v, a, answer);
    });
  }

  void coriolis(std::int64_t states, In q, In qd, Out tau) override {
    one_by_one(states, q, qd, {}, tau, nv_, [](DynamicsEngine& e, std::int64_t, auto at, auto v, auto, auto answer) {
      e.coriolis(at, v, answer);
    });
  }

  void mass(std::int64_t states, In q, Out M) override {
    one_by_one(states, q, {}, {}, M, nv_ * nv_,
               [](DynamicsEngine& e, std::int64_t, auto at, auto, auto, auto answer) { e.mass(at, answer); });
  }

  void forward(std::int64_t states, In q, In qd, In tau, Out qdd) override {
    one_by_one(states, q, qd, tau, qdd, nv_,
               [](DynamicsEngine& e, std::int64_t, auto at, auto v, auto torques, auto answer) {
                 e.forward(at, v, torques, answer);
               });
  }

  void tool(std::int64_t states, In q, Out X, Out J) override {
    one_by_one(states, q, {}, {}, J, 6 * nv_,
               [&](DynamicsEngine& e, std::int64_t k, auto at, auto, auto, auto jacobian) {
                 Transform<double> pose;
                 e.tool(at, pose, jacobian);
                 const Mat3<double> R = ~pose.R;
                 std::array<double, 12> numbers;
                 std::size_t n = 0;
                 for (const Vec3<double>& v : {R.x, R.y, R.z, pose.p})
                   for (const double x : {v.x, v.y, v.z}) numbers[n++] = std::isfinite(pose.p.x) ? x : pose.p.x;
                 put<Real>(numbers, X, k);
               });
  }

 private:
  DynamicsEngine& of_;
  std::size_t nq_, nv_;
  std::function<LoopTeam*()> team_;

  /// ask(engine, k, q, qd, x, answer) for every row, and the answers as rows; where there are no rows of x, x is zero.
  template <class Ask>
  void one_by_one(std::int64_t states, In q, In qd, In x, Out out, std::size_t length, const Ask& ask) const {
    const auto piece = [&](DynamicsEngine& engine, std::int64_t first, std::int64_t last) {
      Numbers one(nq_), rates(nv_), other(nv_), answer(length);
      for (std::int64_t k = first; k < last; ++k) {
        row(x, k, other);
        ask(engine, k, row(q, k, one), row(qd, k, rates), std::span<const double>(other), std::span<double>(answer));
        put<Real>(answer, out, k);
      }
    };
    LoopTeam* const team = states > piece_states ? team_() : nullptr;
    if (!team) return piece(of_, 0, states);
    team->workers.share((states + piece_states - 1) / piece_states, [&](int worker, std::int64_t k) {
      DynamicsEngine& engine = worker == 0 ? of_ : *team->others[static_cast<std::size_t>(worker) - 1];
      engine.return_to_start();
      piece(engine, k * piece_states, std::min(states, (k + 1) * piece_states));
    });
  }
};

}  // namespace

template <class Real>
std::unique_ptr<RowsEngine<Real>> rows_one_by_one(DynamicsEngine& engine, int nq, int nv,
                                                  std::function<LoopTeam*()> team) {
  return std::make_unique<LoopRows<Real>>(engine, nq, nv, std::move(team));
}

template std::unique_ptr<RowsEngine<double>> rows_one_by_one(DynamicsEngine&, int, int, std::function<LoopTeam*()>);
template std::unique_ptr<RowsEngine<float>> rows_one_by_one(DynamicsEngine&, int, int, std::function<LoopTeam*()>);

}  // namespace torsor
