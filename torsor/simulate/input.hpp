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

  /// Of a function of which nothing is known but its values: how far apart, s, two looks at it may be at most, so that steps chosen by
  /// their error do not pass over what it does between. 0: what it does follows from the state and from its breaks.
  virtual double longest_step() const { return 0; }
};

/// Steps of that length see a push of a few milliseconds.
inline constexpr double usual_longest_step = 0.01;

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

/// Any callable f(t, q, qd, tau), the instants at which it jumps, and how far apart looks at it may be (0: as far as the error of the
/// steps allows).
template <class F>
class TorqueFunction final : public TorqueInput {
 public:
  explicit TorqueFunction(F f, std::vector<double> breaks = {}, double longest_step = usual_longest_step)
      : f_(std::move(f)), breaks_(std::move(breaks)), longest_step_(longest_step) {}
  void effort(double t, std::span<const double> q, std::span<const double> qd, std::span<double> tau) override {
    f_(t, q, qd, tau);
  }
  std::span<const double> breaks() const override { return breaks_; }
  double longest_step() const override { return longest_step_; }

 private:
  F f_;
  std::vector<double> breaks_;
  double longest_step_;
};

}  // namespace torsor
