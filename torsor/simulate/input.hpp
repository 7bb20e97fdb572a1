// What drives the joints of a simulation: torques as a function of time and state. A control law, a file of samples, the
// inverse dynamics of a motion are all of this kind.
#pragma once

#include <span>
#include <utility>
#include <vector>

namespace torsor {

class TorqueInput {
 public:
  virtual ~TorqueInput() = default;

  /// Joint torques tau (nv, N m or N) at time t [s], position q (nq), velocity qd (nv). Must not allocate.
  virtual void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) = 0;

  /// Instants, increasing, at which the torques or their derivatives may jump as functions of time: steps end there. At
  /// such an instant effort() gives what holds from then on.
  virtual std::span<const double> breaks() const { return {}; }
};

/// When an input is asked: inside the integrator, whenever it wants (period 0); or as a computer does it, every period
/// at the state of that instant, the answer held from a delay later until the next one comes. Until the first answer
/// arrives it is taken as if it were there already. A delay may exceed the period.
struct SampleAndHold {
  double period = 0, delay = 0;  // s
};

/// The same torques for ever.
class ConstantTorque final : public TorqueInput {
 public:
  explicit ConstantTorque(std::vector<double> tau) : tau_(std::move(tau)) {}
  void effort(double, std::span<const double>, std::span<const double>, std::span<double> tau) override {
    for (std::size_t k = 0; k < tau.size(); ++k) tau[k] = tau_[k];
  }

 private:
  std::vector<double> tau_;
};

/// Any callable f(t, q, qd, tau), and the instants at which it jumps.
template <class F>
class TorqueFunction final : public TorqueInput {
 public:
  explicit TorqueFunction(F f, std::vector<double> breaks = {}) : f_(std::move(f)), breaks_(std::move(breaks)) {}
  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    f_(t, q, qd, tau);
  }
  std::span<const double> breaks() const override { return breaks_; }

 private:
  F f_;
  std::vector<double> breaks_;
};

}  // namespace torsor
