#include "torsor/mechanism/forward_dynamics.hpp"

#include <algorithm>
#include <cmath>

#include "torsor/mechanism/friction_forces.hpp"

namespace torsor {

MechanismForward::MechanismForward(const Mechanism& m)
    : mechanism_(m),
      equations_(m),
      own_(std::make_unique<ConstrainedMotion>(m, EquationSet::all)),
      motion_(*own_),
      g_(m.description.bodies.size()),
      before_(m.description.bodies.size()),
      lambda_(static_cast<std::size_t>(m.rows)),
      friction_(std::make_unique<FrictionForces>(m)),
      zero_(friction_->empty() ? 0 : lambda_.size()) {}

MechanismForward::MechanismForward(const Mechanism& m, ConstrainedMotion& shared)
    : mechanism_(m),
      equations_(m),
      motion_(shared),
      g_(m.description.bodies.size()),
      before_(m.description.bodies.size()),
      lambda_(static_cast<std::size_t>(m.rows)),
      friction_(std::make_unique<FrictionForces>(m)),
      zero_(friction_->empty() ? 0 : lambda_.size()) {}

MechanismForward::~MechanismForward() = default;

std::function<void(std::span<const Force<double>>, std::span<Motion<double>>, std::span<double>)>
MechanismForward::alone() {
  return [this](auto g, auto x, auto lambda) {
    double gap = 0;
    solve(g, zero_, x, lambda, gap);
  };
}

bool MechanismForward::find(const MechanismState& state, std::span<Motion<double>> A, bool factor) {
  equations_.evaluate(state);
  if (factor || !motion_.follow(equations_)) motion_.factor(equations_);
  account_ = applied_forces(mechanism_, state, equations_, ActuatorTorques::given, g_);
  const bool found = solve(g_, equations_.gamma, A, lambda_, gap_);
  share_left_ = motion_.share_left(), worst_block_ = motion_.worst_block();
  if (!friction_->empty()) account_.power += friction_->act(state, equations_, A, lambda_, alone());
  return found;
}

bool MechanismForward::solve(std::span<const Force<double>> g, std::span<const double> target,
                             std::span<Motion<double>> A, std::span<double> lambda, double& gap) {
  const auto from = [&](bool lend) {
    for (std::size_t b = 0; b < A.size(); ++b) {
      const int body = static_cast<int>(b);
      const Force<double> lent = lend ? motion_.borrowed(body, before_[b]) : Force<double>{};
      A[b] = motion_.inverse_mass(body, g[b] + lent);
    }
    gap = motion_.constrain(A, target, lambda);
  };
  from(false);
  if (!motion_.borrows()) return true;

  // what was borrowed is given back: g + B A instead of g, until A is that of the masses as they are
  constexpr int most_rounds = 30;
  for (int round = 0; round < most_rounds; ++round) {
    std::copy(A.begin(), A.end(), before_.begin());
    from(true);
    double change = 0, size = 0;
    for (std::size_t b = 0; b < A.size(); ++b) {
      change = std::max({change, norm(A[b].w - before_[b].w), norm(A[b].v - before_[b].v)});
      size = std::max({size, norm(A[b].w), norm(A[b].v)});
    }
    if (!(change > 1e-14 * size)) return true;
    if (round > 3 && change > 1e-3 * size) return false;
  }
  return true;
}

void MechanismForward::try_modes(bool trying) { friction_->try_modes(trying); }

void MechanismForward::stop_rates(MechanismState& state, const std::vector<bool>& wanted) {
  equations_.evaluate(state);
  if (!motion_.follow(equations_)) motion_.factor(equations_);
  friction_->stop(state, equations_, wanted, alone());
}

int MechanismForward::most_loaded_block() const {
  int most = -1;
  double largest = 0;
  for (std::size_t b = 0; b < mechanism_.blocks.size(); ++b) {
    const ConstraintBlock& block = mechanism_.blocks[b];
    for (int r = block.first_row; r < block.first_row + block.rows; ++r)
      if (const double l = std::fabs(lambda_[static_cast<std::size_t>(r)]); l > largest)
        largest = l, most = static_cast<int>(b);
  }
  return most;
}

double MechanismForward::driver_power() const {
  double power = 0;
  for (std::size_t r = 0; r < lambda_.size(); ++r) power -= lambda_[r] * equations_.nu[r];
  return power;
}

bool solves_equations(const Mechanism& m, const MechanismState& state) {
  constexpr double solved = 1e-9;
  MechanismForward forward(m);
  forward.expect_redundancy(true);  // as those who ask for reactions do
  std::vector<Motion<double>> A(state.bodies.size());
  return forward.accelerations(state, A) && forward.share_left() < solved;
}

}  // namespace torsor
