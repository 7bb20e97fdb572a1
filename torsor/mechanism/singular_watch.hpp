// Positions where the joints alone lose rank, looked for at the instants of a run where that is quick.
#pragma once

#include <vector>

#include "torsor/mechanism/mobility.hpp"

namespace torsor {

class SingularWatch {
 public:
  /// freedoms: those of the joints, where none is lost. The mechanism must outlive this.
  SingularWatch(const Mechanism& m, int freedoms) : mechanism_(m), freedoms_(freedoms), small_(m.rows <= 2000) {}

  void look(const MechanismState& state) {
    constexpr long long most_looks = 20000;
    if (!small_ || ++looks_ > most_looks) return;
    if (mobility(mechanism_, state, EquationSet::without_drivers).freedoms > freedoms_) times_.push_back(state.t);
  }

  /// The instants [s] at which it has more freedoms.
  const std::vector<double>& times() const { return times_; }

 private:
  const Mechanism& mechanism_;
  int freedoms_;
  bool small_;
  long long looks_ = 0;
  std::vector<double> times_;
};

}  // namespace torsor
