#include "torsor/drives/sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/model/transmission.hpp"
#include "torsor/numeric/adaptive_quadrature.hpp"
#include "torsor/numeric/invert.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double touching = 1 + 1e-9;  // a motion scaled to a limit touches it, up to rounding

/// The row of A^-1 that belongs to a drive: motor speed by joint speeds.
std::vector<double> motor_row(const Model<double>& model, const AssignedDrive& drive) {
  std::vector<double> row(static_cast<std::size_t>(model.nv), 0.0);
  if (drive.gear) {
    row[drive.coordinate] = *drive.gear;
    return row;
  }
  for (const Transmission& t : model.transmissions) {
    const auto place = std::ranges::find(t.dofs, drive.coordinate);
    if (place == t.dofs.end()) continue;
    const int n = static_cast<int>(t.dofs.size()), k = static_cast<int>(place - t.dofs.begin());
    // a model is not built from a matrix that has no inverse
    if (const auto B = invert(t.matrix, n))
      for (int i = 0; i < n; ++i) row[t.dofs[i]] = (*B)[cell(k, n, i)];
  }
  return row;
}

Dynamics dynamics_of(const Model<double>& model, const Robot* closed) {
  const DynamicsOptions options{.questions = Questions::all_but_forward};
  return closed ? Dynamics(*closed, options) : Dynamics(model, options);
}

}  // namespace

Faults refuse_sizing(const Robot& robot) {
  if (!robot.loops()) return {};
  const Model<double>& own = robot.coordinates();
  for (const LinkDescription& link : robot.description().links)
    if (link.rotor && std::ranges::find(own.link_names, link.name) == own.link_names.end())
      return {{link.where, fmt::format("joint \"{}\"", link.joint_name), "robot-loops",
               "it has a motor and is determined by loops: sized are motors of independent joints",
               "name other joints of the loop as actuated, or leave out the rotor"}};
  return {};
}

Sizing::Sizing(SizingSetup setup)
    : setup_(std::move(setup)),
      robot_(dynamics_of(setup_.robot, setup_.closed)),
      load_(dynamics_of(setup_.load, setup_.closed_load)),
      tau_(static_cast<std::size_t>(setup_.robot.nv)),
      motor_load_(tau_.size()),
      motor_rest_(tau_.size()),
      n_(tau_.size()),
      power_(4 * n_ + 3 * setup_.drives.size() + 1),
      width_(power_ + n_ + setup_.drives.size() + 1),
      joints_(n_),
      gears_(setup_.drives.size()),
      torque_over_(n_, never),
      speed_over_(n_, never),
      motors_(setup_.drives.size()),
      sweeps_(setup_.drives.size()),
      moments_(setup_.drives.size()) {
  TORSOR_EXPECT(setup_.load.nv == setup_.robot.nv && setup_.load.nq == setup_.robot.nq);
  robot_.set_loads(setup_.loads);
  load_.set_loads(setup_.loads);
  for (std::size_t d = 0; d < setup_.drives.size(); ++d) {
    to_motor_.push_back(motor_row(setup_.robot, setup_.drives[d]));
    if (setup_.drives[d].gear) sweeps_[d].resize(setup_.ratios.size());
  }
}

double Sizing::at_motor(std::span<const double> rates, std::size_t drive) const {
  double sum = 0;
  for (std::size_t k = 0; k < n_; ++k) sum += to_motor_[drive][k] * rates[k];
  return sum;
}

/// The load as the motor feels it through the losses of the gear.
double Sizing::geared(std::size_t drive, double load, double speed) const {
  const double power = load * speed, eta = setup_.drives[drive].efficiency;
  return power > 0 ? load / eta : power < 0 ? load * eta : load;
}

// an instant: tau, qd, qdd, L of the coordinates; torque, speed and load of the motors; the power of all; then the
// powers that are taken
void Sizing::evaluate(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
                      std::span<double> instant) {
  TORSOR_EXPECT(instant.size() == width_);
  const std::size_t drives = setup_.drives.size();
  const auto tau = instant.first(n_), L = instant.subspan(3 * n_, n_);
  const auto torque = instant.subspan(4 * n_, drives), speed = instant.subspan(4 * n_ + drives, drives),
             load = instant.subspan(4 * n_ + 2 * drives, drives), powers = instant.subspan(power_);
  const Status status = robot_.inverse(q, qd, qdd, tau);
  if (status_ && (status.kind == Status::not_closed || status.kind == Status::dead_centre)) status_ = status;
  load_.inverse(q, qd, qdd, L);
  std::copy(qd.begin(), qd.end(), instant.subspan(n_).begin());
  std::copy(qdd.begin(), qdd.end(), instant.subspan(2 * n_).begin());
  double total = 0;
  for (std::size_t k = 0; k < n_; ++k) {
    const double P = tau[k] * qd[k];
    powers[k] = std::max(P, 0.0);
    total += P;
    tau_[k] = tau[k] - L[k];
  }
  motor_torques(setup_.load, L, motor_load_);
  motor_torques(setup_.robot, tau_, motor_rest_);
  for (std::size_t d = 0; d < drives; ++d) {
    const AssignedDrive& drive = setup_.drives[d];
    const auto at = static_cast<std::size_t>(drive.coordinate);
    speed[d] = at_motor(qd, d);
    load[d] = geared(d, drive.gear ? L[at] / *drive.gear : motor_load_[at], speed[d]);
    torque[d] = load[d] + (drive.as_described ? motor_rest_[at] : drive.inertia * at_motor(qdd, d));
    powers[n_ + d] = std::max(torque[d] * speed[d], 0.0);
    // a motor stands for its joint; through a coupling it is the block that balances
    total += torque[d] * speed[d] - tau[at] * qd[at];
  }
  instant[power_ - 1] = total;
  powers[n_ + drives] = std::max(total, 0.0);
}

void Sizing::add(double t, double weight, std::span<const double> instant) {
  TORSOR_EXPECT(instant.size() == width_);
  const std::size_t drives = setup_.drives.size();
  const auto tau = instant.first(n_), qd = instant.subspan(n_, n_), qdd = instant.subspan(2 * n_, n_),
             L = instant.subspan(3 * n_, n_), load = instant.subspan(4 * n_ + 2 * drives, drives);
  for (std::size_t k = 0; k < n_; ++k) {
    joints_[k].add(t, weight, qd[k], tau[k]);
    const Limits& limits = setup_.robot.limits[k];
    if (std::abs(tau[k]) > limits.effort * touching) torque_over_[k] = std::min(torque_over_[k], t);
    if (std::abs(qd[k]) > limits.velocity * touching) speed_over_[k] = std::min(speed_over_[k], t);
  }
  for (std::size_t d = 0; d < drives; ++d) {
    const AssignedDrive& drive = setup_.drives[d];
    const auto at = static_cast<std::size_t>(drive.coordinate);
    const Motor* motor = drive.motor ? &*drive.motor : nullptr;
    motors_[d].add(t, weight, motor_speed(instant, d), motor_torque(instant, d), motor);
    gears_[d].add(t, weight, qd[at], L[at]);
    if (!drive.gear) continue;
    const double felt = load[d] * *drive.gear;
    moments_[d].acceleration += weight * qdd[at] * qdd[at];
    moments_[d].load += weight * felt * felt;
    for (std::size_t r = 0; r < setup_.ratios.size(); ++r) {
      const double n = setup_.ratios[r];
      sweeps_[d][r].add(t, weight, n * qd[at], drive.inertia * n * qdd[at] + felt / n, motor);
    }
  }
  total_.add(t, weight, 1, total_power(instant));
}

double Sizing::effort(std::span<const double> instant, int coordinate) const {
  return instant[static_cast<std::size_t>(coordinate)];
}
double Sizing::speed(std::span<const double> instant, int coordinate) const {
  return instant[n_ + static_cast<std::size_t>(coordinate)];
}
double Sizing::acceleration(std::span<const double> instant, int coordinate) const {
  return instant[2 * n_ + static_cast<std::size_t>(coordinate)];
}
double Sizing::total_power(std::span<const double> instant) const { return instant[power_ - 1]; }
double Sizing::motor_torque(std::span<const double> instant, std::size_t drive) const {
  return instant[4 * n_ + drive];
}
double Sizing::motor_speed(std::span<const double> instant, std::size_t drive) const {
  return instant[4 * n_ + setup_.drives.size() + drive];
}

double Sizing::best_ratio(std::size_t drive) const {
  const double J = setup_.drives[drive].inertia;
  const Moments& m = moments_[drive];
  if (!(J > 0) || !(m.acceleration > 0)) return never;
  return std::sqrt(std::sqrt(m.load / m.acceleration) / J);
}

SizingError size(Sizing& sizing, const Trajectory& motion, const SizingVisit& visit) {
  const auto [nq, nv] = sizing.coordinates();
  std::vector<double> q(nq), qd(nv), qdd(nv);
  const QuadratureOutcome outcome = integrate_adaptively(
      0.0, motion.duration(), sizing.width(),
      [&](double t, std::span<double> instant) {
        motion.sample(t, q, qd, qdd);
        sizing.evaluate(q, qd, qdd, instant);
      },
      [&](double t, double weight, std::span<const double> instant) {
        sizing.add(t, weight, instant);
        if (visit) visit(t, instant);
      });
  SizingError error{0, outcome.calls, outcome.settled};
  for (std::size_t k = sizing.power_begin(); k < sizing.width(); ++k)
    error.energy = std::max(error.energy, outcome.error[k]);
  return error;
}

void SizingRows::add(const MotionRow& row) {
  const std::size_t first = sizing_.power_begin(), count = sizing_.power_count();
  now_.resize(sizing_.width());
  sizing_.evaluate(row.q, row.qd, row.qdd, now_);
  if (rows_ == 0) {
    fine_sum_.assign(count, 0.0);
    coarse_sum_ = checked_ = fine_sum_;
    sizing_.add(row.t, 0, now_);
  } else {
    const double h = row.t - t_;
    sizing_.add(t_, h / 2, before_);
    sizing_.add(row.t, h / 2, now_);
    for (std::size_t k = 0; k < count; ++k) fine_sum_[k] += h / 2 * (before_[first + k] + now_[first + k]);
  }
  if (visit_) visit_(row.t, now_);
  if (rows_ % 2 == 0) {
    for (std::size_t k = 0; k < count && rows_ > 0; ++k)
      coarse_sum_[k] += (row.t - coarse_t_) / 2 * (coarse_[first + k] + now_[first + k]);
    checked_ = fine_sum_;
    coarse_ = now_;
    coarse_t_ = row.t;
  }
  before_ = now_;
  t_ = row.t;
  ++rows_;
}

SizingError SizingRows::error() const {
  SizingError error{0, rows_, true};
  for (std::size_t k = 0; k < checked_.size(); ++k)
    error.energy = std::max(error.energy, std::abs(checked_[k] - coarse_sum_[k]) / 3);
  return error;
}

void size_rest(Sizing& sizing, std::span<const double> q, double t, double seconds, bool braked,
               const SizingVisit& visit) {
  const std::vector<double> rest(sizing.coordinates().second, 0.0);
  std::vector<double> instant(sizing.width(), 0.0);
  if (!braked) sizing.evaluate(q, rest, rest, instant);
  for (const double when : {t, t + seconds}) {
    sizing.add(when, seconds / 2, instant);
    if (visit) visit(when, instant);
  }
}

std::vector<double> ratio_steps(double low, double high, int count) {
  TORSOR_EXPECT(0 < low && low < high && count >= 2);
  std::vector<double> steps;
  for (int k = 0; k < count; ++k) steps.push_back(low * std::pow(high / low, static_cast<double>(k) / (count - 1)));
  steps.back() = high;
  return steps;
}

std::vector<std::pair<double, double>> fitting_ratios(std::span<const double> ratios, std::span<const MotorUse> sweep,
                                                      const Motor& motor) {
  std::vector<std::pair<double, double>> ranges;
  bool open = false;
  for (std::size_t k = 0; k < sweep.size(); ++k) {
    const bool fits = sweep[k].fits(motor);
    if (fits && !open) ranges.emplace_back(ratios[k], ratios[k]);
    if (fits) ranges.back().second = ratios[k];
    open = fits;
  }
  return ranges;
}

std::string verdict(const MotorUse& use, const Motor& motor) {
  const auto percent = [](double share) {
    return std::isfinite(share) ? fmt::format("{:.3g} %", 100 * share) : std::string("more than all");
  };
  const double speed = use.of_speed(motor), lasting = use.of_continuous(motor);
  std::vector<std::string> shares;
  if (!motor.peak.empty())
    shares.push_back(fmt::format("{} of the peak torque at {:.4g} s", percent(use.of_peak.value), use.of_peak.time));
  shares.push_back(fmt::format("{} of the top speed at {:.4g} s", percent(speed), use.shaft.speed.time));
  if (!motor.continuous.empty()) shares.push_back(fmt::format("{} of the continuous torque", percent(lasting)));
  std::vector<std::string> faults;
  if (use.of_peak.value > 1) faults.emplace_back("too weak for the peak");
  if (speed > 1) faults.emplace_back("too slow");
  if (lasting > 1) {
    const bool above = !motor.continuous.at(use.shaft.mean_speed());
    faults.emplace_back(above ? "its mean speed is above what it may have for ever" : "too hot");
  }
  return fmt::format("{}: {}", faults.empty() ? "fits" : fmt::format("{}", fmt::join(faults, ", ")),
                     fmt::join(shares, ", "));
}

}  // namespace torsor
