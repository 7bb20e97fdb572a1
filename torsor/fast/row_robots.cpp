#include "torsor/fast/row_robots.hpp"

#include <algorithm>
#include <new>

#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// What is left of a link's moments, of robots one of which has this and one that: what is zero in both.
LinkInertia common(LinkInertia a, LinkInertia b) {
  if (a == b || b == LinkInertia::bare) return a;
  return a == LinkInertia::bare ? b : LinkInertia::any;
}

/// The links of all rows, regrouped each as its canonical chain asks.
template <int lanes>
AlignedRoom links_in_lanes(const Model<double>& model, const CanonicalChain& chain, const RowRobots& robots) {
  using Link = CanonicalLink<double, LaneNumbers<double, lanes>>;
  const std::int64_t blocks = (robots.count() + lanes - 1) / lanes;
  const auto n = static_cast<std::size_t>(chain.n());
  AlignedRoom room = aligned_room(std::max<std::size_t>(static_cast<std::size_t>(blocks) * n, 1) * sizeof(Link));
  Link* const links = reinterpret_cast<Link*>(room.get());
  CanonicalChain own = chain;
  Model<double> robot = model;
  std::vector<LinkInertia> kinds(n, LinkInertia::bare);
  for (std::int64_t k = 0; k < blocks * lanes; ++k) {
    robots.make(std::min(k, robots.count() - 1), robot);
    refill(robot, own);
    for (std::size_t i = 0; i < n; ++i) {
      const CanonicalLink<double>& l = own.links[i];
      const auto lane = static_cast<std::size_t>(k % lanes);
      Link& to = links[static_cast<std::size_t>(k / lanes) * n + i];
      if (lane == 0) {
        new (&to) Link;
        to.prismatic = l.prismatic, to.twist = l.twist, to.offset = l.offset;
        to.ca = l.ca, to.sa = l.sa, to.theta0 = l.theta0, to.c0 = l.c0, to.s0 = l.s0;
        to.a = l.a, to.b = l.b, to.d = l.d;
      }
      const auto set = [lane](LaneNumbers<double, lanes>& numbers, double x) { numbers.lane[lane] = x; };
      set(to.m, l.m), set(to.hx, l.hx), set(to.hy, l.hy), set(to.hz, l.hz);
      set(to.xx, l.xx), set(to.yy, l.yy), set(to.xy, l.xy), set(to.xz, l.xz), set(to.yz, l.yz);
      set(to.oxx, l.oxx), set(to.oyy, l.oyy), set(to.oxy, l.oxy), set(to.oxz, l.oxz), set(to.oyz, l.oyz);
      set(to.rotor, robot.rotor[i]);
      kinds[i] = common(kinds[i], l.inertia);
    }
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(blocks) * n; ++k) links[k].inertia = kinds[k % n];
  return room;
}

/// Registers of `numbers` numbers for `count` rows; lanes beyond the last row repeat it.
class NumbersInLanes {
 public:
  NumbersInLanes(std::int64_t count, int numbers, int lanes) : count_(count), numbers_(numbers), lanes_(lanes) {
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
  NumbersInLanes out(count, numbers, lanes);
  for (std::int64_t row = 0; row < count; ++row)
    for (int k = 0; k < numbers; ++k) out.set(row, k, rows[static_cast<std::size_t>(row * numbers + k)]);
  return std::move(out.room);
}

}  // namespace

RowRobots::RowRobots(const Model<double>& model, const CanonicalChain* chain, const RobotNumbers& numbers, int lanes)
    : count_(numbers.count),
      inertias_(numbers.inertias.begin(), numbers.inertias.end()),
      rotors_(numbers.rotors.begin(), numbers.rotors.end()),
      friction_(numbers.friction.begin(), numbers.friction.end()),
      placements_(numbers.placements.begin(), numbers.placements.end()) {
  const auto at = [&](std::int64_t row, std::size_t width) { return static_cast<std::size_t>(row) * width; };
  const std::size_t bodies = model.bodies.size();
  if (!inertias_.empty()) {
    TORSOR_EXPECT(inertias_.size() == at(count_, bodies));
    NumbersInLanes out(count_, body_numbers * model.size(), lanes);
    for (std::int64_t row = 0; row < count_; ++row) {
      int k = 0;
      for (std::size_t i = 0; i < bodies; ++i) {
        const auto& [m, h, I] = inertias_[at(row, bodies) + i];
        for (const double x : {m, h.x, h.y, h.z, I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}) out.set(row, k++, x);
      }
    }
    bodies_ = std::move(out.room);
  }
  if (!placements_.empty()) {
    TORSOR_EXPECT(placements_.size() == at(count_, bodies) && !chain);
    NumbersInLanes out(count_, placement_numbers * model.size(), lanes);
    for (std::int64_t row = 0; row < count_; ++row) {
      int k = 0;
      for (std::size_t i = 0; i < bodies; ++i) {
        const auto& [R, p] = placements_[at(row, bodies) + i];
        for (const Vec3<double>& v : {R.x, R.y, R.z, p})
          for (const double x : {v.x, v.y, v.z}) out.set(row, k++, x);
      }
    }
    placement_lanes_ = std::move(out.room);
  }
  TORSOR_EXPECT(rotors_.empty() || rotors_.size() == at(count_, static_cast<std::size_t>(model.nv)));
  TORSOR_EXPECT(friction_.empty() || friction_.size() == at(count_, 3 * static_cast<std::size_t>(model.nv)));
  rotor_lanes_ = in_lanes(rotors_, count_, model.nv, lanes);
  friction_lanes_ = in_lanes(friction_, count_, 3 * model.nv, lanes);
  if (!chain) return;

  switch (lanes) {
    case 2: links_ = links_in_lanes<2>(model, *chain, *this); break;
    case 4: links_ = links_in_lanes<4>(model, *chain, *this); break;
    case 8: links_ = links_in_lanes<8>(model, *chain, *this); break;
    default: TORSOR_EXPECT(false);
  }
}

void RowRobots::point(RowDifferences<double>& differences) const {
  const auto numbers = [](const AlignedRoom& room) { return reinterpret_cast<const double*>(room.get()); };
  differences.links = links_.get();
  differences.bodies = numbers(bodies_);
  differences.rotors = numbers(rotor_lanes_);
  differences.friction = numbers(friction_lanes_);
  differences.placements = numbers(placement_lanes_);
}

void RowRobots::make(std::int64_t row, Model<double>& copy) const {
  const std::size_t r = static_cast<std::size_t>(row), nv = static_cast<std::size_t>(copy.nv);
  for (std::size_t i = 0; !inertias_.empty() && i < copy.bodies.size(); ++i)
    copy.bodies[i].inertia = inertias_[r * copy.bodies.size() + i];
  for (std::size_t i = 0; !placements_.empty() && i < copy.bodies.size(); ++i)
    copy.bodies[i].placement = placements_[r * copy.bodies.size() + i];
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
