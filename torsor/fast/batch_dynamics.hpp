// BatchDynamics, the part of Dynamics for rows: the same questions for many states at once, a register full of states at a
// time, on one thread or several. States and answers are rows of numbers (state_rows.hpp).
//
// A serial arm runs on its canonical chain, every other model on the tree algorithms. A state that is no number (NaN, inf)
// spoils its own answer and no other. Nothing is allocated after set-up, to which set_loads belongs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "torsor/dynamics/tree_dynamics.hpp"
#include "torsor/fast/kernel_tables.hpp"
#include "torsor/fast/prepared_chain.hpp"
#include "torsor/fast/row_robots.hpp"
#include "torsor/fast/rows_engine.hpp"
#include "torsor/fast/workers.hpp"

namespace torsor {

struct BatchOptions {
  int threads = 1;
  InstructionSet instruction_set = widest_instruction_set();
};

template <class Real>
class BatchDynamics final : public RowsEngine<Real> {
 public:
  explicit BatchDynamics(const Model<double>& model, BatchOptions = {});
  BatchDynamics(const Model<double>&&, BatchOptions = {}) = delete;  // the model must outlive its dynamics
  ~BatchDynamics() override;

  using In = StateRows<const Real>;
  using Out = StateRows<Real>;

  void inverse(std::int64_t states, In q, In qd, In qdd, Out tau) override;
  void coriolis(std::int64_t states, In q, In qd, Out tau) override;
  void mass(std::int64_t states, In q, Out M) override;
  /// What moves no mass is decided as FastDynamics::forward does.
  void forward(std::int64_t states, In q, In qd, In tau, Out qdd) override;
  void tool(std::int64_t states, In q, Out X, Out J) override;
  /// Rows of x (nv) of M x = b; NaN where forward has it.
  void solve(std::int64_t states, In q, In b, Out x);

  /// Motion of the base (components in the world) and external forces (copied), alike in all states, kept until changed; in
  /// inverse and forward. Forces on the last link of a chain stay on it, others take the tree, which is made at their first.
  void set_loads(const BodyLoads<double>&);

  /// What differs from row to row, in inverse, mass and forward, in doubles alone; `row` is that of the first state of the calls
  /// that follow, a multiple of a register's lanes. Robots are those that `differences` points to; both and what they point
  /// to must stay. None: nothing differs. Loads that are set are left out meanwhile.
  void set_differences(const RowDifferences<Real>* differences, const RowRobots* robots, std::int64_t row);
  /// Of this model, with lanes as many as its kernels have.
  RowRobots row_robots(const RobotNumbers&) const;
  /// Adds what chains need to know of the base and of the frame of the wrench.
  void complete(RowDifferences<double>& differences) const;

  bool canonical() const;
  int threads() const;
  InstructionSet instruction_set() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

extern template class BatchDynamics<double>;
extern template class BatchDynamics<float>;

}  // namespace torsor
