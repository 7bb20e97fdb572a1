// A joint motion whose kind is known only when the program runs: what a file describes, or a user chooses.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "torsor/trajectory/motion.hpp"

namespace torsor {

class AnyMotion {
 public:
  AnyMotion() = default;
  template <JointMotion M>
  requires(!std::same_as<M, AnyMotion>) explicit AnyMotion(M motion)
      : motion_(std::make_shared<const Held<M>>(std::move(motion))) {}

  std::size_t size() const { return motion_ ? motion_->size() : 0; }
  double duration() const { return motion_ ? motion_->duration() : 0; }

  /// Position, velocity, acceleration at time t [s], size() entries each; at rest before 0 and after duration().
  void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const {
    if (motion_) motion_->sample(t, q, qd, qdd);
  }

 private:
  struct Holder {
    virtual ~Holder() = default;
    virtual std::size_t size() const = 0;
    virtual double duration() const = 0;
    virtual void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const = 0;
  };
  template <JointMotion M>
  struct Held final : Holder {
    explicit Held(M m) : motion(std::move(m)) {}
    std::size_t size() const override { return motion.size(); }
    double duration() const override { return motion.duration(); }
    void sample(double t, std::span<double> q, std::span<double> qd, std::span<double> qdd) const override {
      motion.sample(t, q, qd, qdd);
    }
    M motion;
  };

  std::shared_ptr<const Holder> motion_;  // never changes, so copies may share it
};

static_assert(JointMotion<AnyMotion>);

}  // namespace torsor
