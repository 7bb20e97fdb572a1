// dy/dt = f(t, y), step by step. One face for all methods, so that a run does not care which one drives it: a step moves
// (t, y) on and leaves an interpolant of its inside, in which a run finds its events. The methods, one file each:
//
//   semi_implicit     Euler's with the new velocities in the positions, fixed steps, order 1: the cheapest
//   runge_kutta_4     the classical one, fixed steps, order 4
//   dormand_prince    explicit, order 8, steps chosen by an error estimate: the one to take if in doubt
//   gauss             implicit, fixed steps, order 6, symplectic: energies of long runs stay where they are
//   radau             implicit, order 5, steps chosen by an error estimate, for stiff springs and friction
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace torsor {

/// A view of the right side f(t, y, dy): a callable object, such as a lambda, that outlives the call it is
/// handed to. Of a mechanical system, y = (q, u, ...), it may tell the rates of its positions, which are cheap:
/// f.count_of_positions() entries q, and f.positions(y, dy) for the front of dy alone.
class Slope {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Slope> && std::is_object_v<std::remove_reference_t<F>>)
  Slope(F&& f)  // NOLINT(bugprone-forwarding-reference-overload): constrained
      : object_(const_cast<void*>(static_cast<const void*>(&f))),
        call_([](void* object, double t, std::span<const double> y, std::span<double> dy) {
          (*static_cast<std::remove_reference_t<F>*>(object))(t, y, dy);
        }) {
    if constexpr (requires(std::span<const double> y, std::span<double> dy) { f.positions(y, dy); }) {
      count_of_positions_ = f.count_of_positions();
      positions_ = [](void* object, std::span<const double> y, std::span<double> dy) {
        static_cast<std::remove_reference_t<F>*>(object)->positions(y, dy);
      };
    }
  }

  void operator()(double t, std::span<const double> y, std::span<double> dy) const { call_(object_, t, y, dy); }

  /// 0 where the system tells of none.
  std::size_t count_of_positions() const { return count_of_positions_; }
  void positions(std::span<const double> y, std::span<double> dy) const {
    if (positions_) positions_(object_, y, dy);
  }

 private:
  void* object_;
  void (*call_)(void*, double, std::span<const double>, std::span<double>);
  std::size_t count_of_positions_ = 0;
  void (*positions_)(void*, std::span<const double>, std::span<double>) = nullptr;
};

struct StepRules {
  double step = 1e-3;       // s, of the methods with fixed steps
  double relative = 1e-10;  // error allowed per step, of each entry of y
  double absolute = 1e-12;
  double longest = 0;  // s; 0: as long as the error allows
};

enum class StepEnd {
  taken,
  too_small,     // no step that t can still feel keeps the error in bounds
  not_finite,    // f is not a number however short the step
  no_convergence  // an implicit method finds no solution however short the step
};

/// What a run has cost so far.
struct StepCount {
  long steps = 0, refused = 0, slopes = 0, factorisations = 0;
  long stiff = 0;  // steps of an explicit method that are as long as its stability allows, not its error
};

/// One method for y of a given size. Nothing is allocated after construction; one thread at a time.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// One step from (t, y), at most to t_end > t; both move on unless something else than `taken` is returned.
  virtual StepEnd step(const Slope&, double& t, std::span<double> y, double t_end) = 0;

  /// y at an instant of the last step: a polynomial of the degree inside_degree().
  virtual void inside(const Slope&, double t, std::span<double> y) = 0;
  virtual int inside_degree() const = 0;

  /// y was changed from outside, as by an event: forget what was remembered of the steps before.
  virtual void restart() = 0;

  /// An event has ended the last step at t, with y from inside it: what that adds to the estimated error.
  virtual void cut(const Slope&, double /*t*/, std::span<const double> /*y*/) {}

  /// Sum over the steps so far of the error estimated in each, in units of y: largest entry. Methods with fixed steps
  /// look at some of them, and at those that follow an event (fixed_step.hpp).
  double estimated_error() const { return estimated_error_; }
  const StepCount& count() const { return count_; }

 protected:
  double estimated_error_ = 0;
  StepCount count_;
};

/// A row of the table of methods.
struct IntegratorRow {
  std::string_view name, title;
  int order;
  bool adaptive, implicit, symplectic;
  std::unique_ptr<Integrator> (*make)(std::size_t size, const StepRules&);
};

/// All methods, by rising cost of a step.
std::span<const IntegratorRow> integrators();

/// The row of that name, or null.
const IntegratorRow* find_integrator(std::string_view name);

std::unique_ptr<Integrator> semi_implicit(std::size_t size, const StepRules&);
std::unique_ptr<Integrator> runge_kutta_4(std::size_t size, const StepRules&);
std::unique_ptr<Integrator> dormand_prince(std::size_t size, const StepRules&);
std::unique_ptr<Integrator> gauss(std::size_t size, const StepRules&);
std::unique_ptr<Integrator> radau(std::size_t size, const StepRules&);

}  // namespace torsor
