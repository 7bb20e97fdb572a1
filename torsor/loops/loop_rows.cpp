#include "torsor/loops/loop_rows.hpp"

#include <cmath>
#include <vector>

namespace torsor {
namespace {

using Numbers = std::vector<double>;

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
  LoopRows(DynamicsEngine& of, int nq, int nv)
      : of_(of), nq_(static_cast<std::size_t>(nq)), nv_(static_cast<std::size_t>(nv)) {}

  using typename RowsEngine<Real>::In;
  using typename RowsEngine<Real>::Out;

  void inverse(std::int64_t states, In q, In qd, In qdd, Out tau) override {
    one_by_one(states, q, qd, qdd, tau, nv_,
               [&](auto at, auto v, auto& a, auto& answer) { of_.inverse(at, v, a, answer); });
  }

  void coriolis(std::int64_t states, In q, In qd, Out tau) override {
    one_by_one(states, q, qd, {}, tau, nv_, [&](auto at, auto v, auto&, auto& answer) { of_.coriolis(at, v, answer); });
  }

  void mass(std::int64_t states, In q, Out M) override {
    one_by_one(states, q, {}, {}, M, nv_ * nv_, [&](auto at, auto, auto&, auto& answer) { of_.mass(at, answer); });
  }

  void forward(std::int64_t states, In q, In qd, In tau, Out qdd) override {
    one_by_one(states, q, qd, tau, qdd, nv_,
               [&](auto at, auto v, auto& torques, auto& answer) { of_.forward(at, v, torques, answer); });
  }

  void tool(std::int64_t states, In q, Out X, Out J) override {
    std::int64_t k = 0;
    one_by_one(states, q, {}, {}, J, 6 * nv_, [&](auto at, auto, auto&, auto& jacobian) {
      Transform<double> pose;
      of_.tool(at, pose, jacobian);
      const Mat3<double> R = ~pose.R;
      Numbers numbers;
      for (const Vec3<double>& v : {R.x, R.y, R.z, pose.p}) numbers.insert(numbers.end(), {v.x, v.y, v.z});
      if (!std::isfinite(pose.p.x)) std::ranges::fill(numbers, pose.p.x);
      put<Real>(numbers, X, k++);
    });
  }

 private:
  DynamicsEngine& of_;
  std::size_t nq_, nv_;

  /// ask(q, qd, x, answer) for every row, and the answers as rows; where there are no rows of x, x is zero.
  template <class Ask>
  void one_by_one(std::int64_t states, In q, In qd, In x, Out out, std::size_t length, const Ask& ask) const {
    Numbers one(nq_), rates(nv_), last(nv_), answer(length);
    for (std::int64_t k = 0; k < states; ++k) {
      row(x, k, last);
      ask(row(q, k, one), row(qd, k, rates), last, answer);
      put<Real>(answer, out, k);
    }
  }
};

}  // namespace

template <class Real>
std::unique_ptr<RowsEngine<Real>> rows_one_by_one(DynamicsEngine& engine, int nq, int nv) {
  return std::make_unique<LoopRows<Real>>(engine, nq, nv);
}

template std::unique_ptr<RowsEngine<double>> rows_one_by_one(DynamicsEngine&, int, int);
template std::unique_ptr<RowsEngine<float>> rows_one_by_one(DynamicsEngine&, int, int);

}  // namespace torsor
