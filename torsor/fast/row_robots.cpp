#include "torsor/fast/row_robots.hpp"

#include <algorithm>

#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// Registers of `numbers` numbers for `count` rows; lanes beyond the last row repeat it.
class LaneNumbers {
 public:
  LaneNumbers(std::int64_t count, int numbers, int lanes) : count_(count), numbers_(numbers), lanes_(lanes) {
    const std::int64_t blocks = (count + lanes - 1) / lanes;
    room = aligned_room(static_cast<std::size_t>(std::max<std::int64_t>(blocks * numbers * lanes, 1)) * sizeof(double));
  }
  /// number k of a row.
  void set(std::int64_t row, int k, double x) {
    double* const block = reinterpret_cast<double*>(room.get()) + row / lanes_ * numbers_ * lanes_;
    const int lane = static_cast<int>(row % lanes_), end = row == count_ - 1 ? lanes_ : lane + 1;
    for (int l = lane; l < end; ++l) block[k * lanes_ + l] = x;
  }
  AlignedRoom room;

 private:
  std::int64_t count_;
  int numbers_, lanes_;
};

AlignedRoom in_lanes(std::span<const double> rows, std::int64_t count, int numbers, int lanes) {
  if (rows.empty()) return nullptr;
  LaneNumbers out(count, numbers, lanes);
  for (std::int64_t row = 0; row < count; ++row)
    for (int k = 0; k < numbers; ++k) out.set(row, k, rows[static_cast<std::size_t>(row * numbers + k)]);
  return std::move(out.room);
}

}  // namespace

RowRobots::RowRobots(const Model<double>& model, const CanonicalChain* chain, const RobotNumbers& numbers, int lanes)
    : count_(numbers.count),
      inertias_(numbers.inertias.begin(), numbers.inertias.end()),
      rotors_(numbers.rotors.begin(), numbers.rotors.end()),
      friction_(numbers.friction.begin(), numbers.friction.end()) {
  const auto at = [&](std::int64_t row, std::size_t width) { return static_cast<std::size_t>(row) * width; };
  if (!inertias_.empty()) {
    const std::size_t bodies = model.bodies.size();
    TORSOR_EXPECT(inertias_.size() == at(count_, bodies));
    LaneNumbers out(count_, body_numbers * model.size(), lanes);
    for (std::int64_t row = 0; row < count_; ++row) {
      int k = 0;
      for (std::size_t i = 0; i < bodies; ++i) {
        const auto& [m, h, I] = inertias_[at(row, bodies) + i];
        for (const double x : {m, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}) out.set(row, k++, x);
      }
    }
    bodies_ = std::move(out.room);
  }
  TORSOR_EXPECT(rotors_.empty() || rotors_.size() == at(count_, static_cast<std::size_t>(model.nv)));
  TORSOR_EXPECT(friction_.empty() || friction_.size() == at(count_, 3 * static_cast<std::size_t>(model.nv)));
  rotor_lanes_ = in_lanes(rotors_, count_, model.nv, lanes);
  friction_lanes_ = in_lanes(friction_, count_, 3 * model.nv, lanes);
  if (!chain) return;

  // each robot regrouped as its canonical chain asks
  CanonicalChain own = *chain;
  Model<double> robot = model;
  LaneNumbers out(count_, link_numbers * own.n(), lanes);
  for (std::int64_t row = 0; row < count_; ++row) {
    make(row, robot);
    refill(robot, own);
    int k = 0;
    for (int i = 0; i < own.n(); ++i) {
      const CanonicalLink<double>& l = own.links[static_cast<std::size_t>(i)];
      for (const double x : {l.m, l.hx, l.hy, l.hz, l.xx, l.yy, l.xy, l.xz, l.yz, l.oxx, l.oyy, l.oxy, l.oxz, l.oyz,
                             robot.rotor[static_cast<std::size_t>(i)]})
        out.set(row, k++, x);
    }
  }
  links_ = std::move(out.room);
}

void RowRobots::point(RowDifferences<double>& differences) const {
  const auto numbers = [](const AlignedRoom& room) { return reinterpret_cast<const double*>(room.get()); };
  differences.links = numbers(links_);
  differences.bodies = numbers(bodies_);
  differences.rotors = numbers(rotor_lanes_);
  differences.friction = numbers(friction_lanes_);
}

void RowRobots::make(std::int64_t row, Model<double>& copy) const {
  const std::size_t r = static_cast<std::size_t>(row), nv = static_cast<std::size_t>(copy.nv);
  for (std::size_t i = 0; !inertias_.empty() && i < copy.bodies.size(); ++i)
    copy.bodies[i].inertia = inertias_[r * copy.bodies.size() + i];
  for (std::size_t k = 0; !rotors_.empty() && k < nv; ++k) copy.rotor[k] = rotors_[r * nv + k];
  if (friction_.empty()) return;
  // a plain law for every coordinate that a joint of its own moves
  copy.friction.clear();
  for (int i = 0; i < copy.size(); ++i) {
    const Body<double>& b = copy[i];
    if (b.nv != 1) continue;
    const auto same = [&](const JointFriction<double>& other) { return copy[other.body].v == b.v; };
    if (std::ranges::any_of(copy.friction, same)) continue;
    const double* const f = friction_.data() + r * 3 * nv + b.v;
    Friction<double> law;
    // at the coordinate, where the joint may turn by a ratio of it
    law.viscous = f[0] / (b.ratio * b.ratio);
    law.coulomb_positive = (b.ratio > 0 ? f[nv] : f[2 * nv]) / std::abs(b.ratio);
    law.coulomb_negative = (b.ratio > 0 ? f[2 * nv] : f[nv]) / std::abs(b.ratio);
    copy.friction.push_back({i, law});
  }
}

}  // namespace torsor
