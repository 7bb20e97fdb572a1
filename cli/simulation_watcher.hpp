// Who watches a simulation for a verb: its rows, its curves, and what is to be told of it afterwards.
#pragma once

#include <memory>
#include <numeric>
#include <optional>

#include "torsor/dynamics.hpp"
#include "cli/row_output.hpp"
#include "torsor/report/column_curves.hpp"
#include "torsor/dynamics/limit_watch.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/report/robot_view.hpp"
#include "torsor/loops/loop_model.hpp"
#include "torsor/simulate/simulation.hpp"

namespace torsor {

/// Rows, curves and what is to be told of a run as it goes.
class SimulationWatcher final : public Observer {
 public:
  /// model: the coordinates of the robot; both outlive this.
  SimulationWatcher(const Robot& robot, const Model<double>& model, std::vector<std::string> header, RowOutput& output,
                    bool curves)
      : saturated(static_cast<std::size_t>(model.nv), -1.0),
        limits(model),
        tree(robot.tree()),
        loops_(robot.loops()),
        output_(output),
        keep_curves_(curves) {
    if (curves && loops_) {
      closed_.emplace(robot);
      all_q_.resize(static_cast<std::size_t>(tree.nq)), all_tau_.resize(static_cast<std::size_t>(tree.nv));
    }
    header.erase(header.begin());
    curves_ = std::make_unique<ColumnCurves>(std::move(header));
  }

  void instant(const Simulation& s) override {
    const Account& a = s.account();
    row_.assign(1, s.t());
    for (const auto part : {s.q(), s.qd(), s.qdd(), s.tau(), s.friction()})
      row_.insert(row_.end(), part.begin(), part.end());
    const auto &p = a.momentum.f, &L = a.momentum.n;
    const double power = std::inner_product(s.tau().begin(), s.tau().end(), s.qd().begin(), 0.0);
    for (const double x : {a.kinetic, a.potential, a.torque_work, a.friction_loss, a.stop_work, a.balance_error, power,
                           p.x, p.y, p.z, L.x, L.y, L.z, a.surroundings_work})
      row_.push_back(x);
    if (!all_finite(row_)) {
      if (!beyond_numbers) beyond_numbers = s.t();
      return;
    }
    written = written && output_.row(row_);
    if (keep_curves_) curves_->add(s.t(), std::span(row_).subspan(1));
    if (keep_curves_) add_motion(s);
    ++rows;
    limits.add(s.t(), {s.q(), s.qd(), s.qdd(), s.tau()});
    for (int k = 0; k < s.model().nv; ++k)
      if (saturated[k] < 0 && std::abs(s.tau()[k]) >= s.model().limits[k].effort) saturated[k] = s.t();
  }

  void event(const Simulation&, const Event& e) override {
    if (events.size() < shown) events.push_back(e);
  }

  const ColumnCurves& curves() const { return *curves_; }

  long long rows = 0;
  bool written = true;
  std::optional<double> beyond_numbers;  // when a result was first not finite, s
  std::vector<double> saturated;         // an torque at its limit first seen when, -1: never
  LimitWatch limits;
  const Model<double>& tree;  // of all links, which the motion moves
  std::vector<Event> events;
  RobotMotion motion;  // where curves are kept

 private:
  /// Of all joints: with loops passive ones follow, and are driven by nothing.
  void add_motion(const Simulation& s) {
    if (!loops_) return motion.add(s.t(), s.q(), s.tau());
    if (!closed_->positions(s.q(), all_q_)) return;
    for (std::size_t k = 0; k < loops_->v.size(); ++k) all_tau_[static_cast<std::size_t>(loops_->v[k])] = s.tau()[k];
    motion.add(s.t(), all_q_, all_tau_);
  }

  static constexpr std::size_t shown = 100;  // of the events
  std::shared_ptr<const LoopModel> loops_;
  std::optional<Dynamics> closed_;
  std::vector<double> all_q_, all_tau_;
  RowOutput& output_;
  bool keep_curves_;
  std::unique_ptr<ColumnCurves> curves_;
  std::vector<double> row_;
};

}  // namespace torsor
