// Robots given one by one: what each has of its own, beside what rows cannot differ in.
#include <algorithm>
#include <cmath>

#include "torsor/row_dynamics.hpp"

namespace torsor {
namespace {

std::vector<double> numbers(const Transform<double>& X) {
  return {X.R.x.x, X.R.x.y, X.R.x.z, X.R.y.x, X.R.y.y, X.R.y.z, X.R.z.x, X.R.z.y, X.R.z.z, X.p.x, X.p.y, X.p.z};
}
std::vector<double> numbers(const Friction<double>& law) {
  std::vector<double> out{law.viscous,           law.coulomb_positive,   law.coulomb_negative,
                          law.breakaway_positive, law.breakaway_negative, law.stribeck_velocity};
  for (const std::vector<double>* part : {&law.table.q, &law.table.qd, &law.table.values})
    out.insert(out.end(), part->begin(), part->end());
  return out;
}

bool is_linear(const Friction<double>& law) {
  return law.stribeck_velocity == 0 && law.table.values.empty() && !law.function;
}

bool same_friction(const Model<double>& a, const Model<double>& b) {
  return std::ranges::equal(a.friction, b.friction, [](const JointFriction<double>& x, const JointFriction<double>& y) {
    return x.body == y.body && !x.law.function && !y.law.function && numbers(x.law) == numbers(y.law);
  });
}

/// What two robots must have in common and have not.
std::string what_differs(const Model<double>& a, const Model<double>& b) {
  if (a.size() != b.size() || a.nq != b.nq || a.nv != b.nv) return "the number of its joints";
  const auto same = [](const Vec3<double>& x, const Vec3<double>& y) { return x.x == y.x && x.y == y.y && x.z == y.z; };
  for (int i = 0; i < a.size(); ++i) {
    const Body<double>&x = a[i], &y = b[i];
    const std::string joint = "joint \"" + a.joint_names[static_cast<std::size_t>(i)] + "\": ";
    if (x.parent != y.parent) return joint + "the link that carries it";
    if (x.kind != y.kind || x.q != y.q || x.v != y.v) return joint + "its kind";
    if (x.ratio != y.ratio || x.offset != y.offset) return joint + "how it follows another";
    if (x.pitch != y.pitch) return joint + "its pitch";
  }
  if (!same(a.gravity, b.gravity)) return "gravity";
  if (numbers(a.base) != numbers(b.base)) return "where its base is";
  if (!std::ranges::equal(a.rotor_coupling, b.rotor_coupling,
                          [](const auto& x, const auto& y) { return x.i == y.i && x.j == y.j && x.value == y.value; }))
    return "rotors of motors that move several joints";
  return {};
}

}  // namespace

std::string NumbersOfRobots::add(const Model<double>& robot) {
  if (count_ == 0) first_ = robot;
  if (std::string found = what_differs(first_, robot); !found.empty()) return found;
  const bool same = same_friction_ && same_friction(first_, robot);
  const bool plain = plain_ && std::ranges::all_of(robot.friction, [&](const JointFriction<double>& f) {
    return robot[f.body].nv == 1 && is_linear(f.law);
  });
  if (!same && !plain) return "friction that is more than viscous and dry";
  same_friction_ = same, plain_ = plain;
  ++count_;
  const auto nv = static_cast<std::size_t>(robot.nv), start = friction_.size();
  friction_.resize(start + 3 * nv);
  for (const auto& [body, law] : robot.friction) {
    const Body<double>& b = robot[body];
    double* const f = friction_.data() + start + static_cast<std::size_t>(b.v);
    // of the coordinate, which may turn the joint by a ratio
    f[0] += b.ratio * b.ratio * law.viscous;
    f[nv] += std::abs(b.ratio) * (b.ratio > 0 ? law.coulomb_positive : law.coulomb_negative);
    f[2 * nv] += std::abs(b.ratio) * (b.ratio > 0 ? law.coulomb_negative : law.coulomb_positive);
  }
  rotors_.insert(rotors_.end(), robot.rotor.begin(), robot.rotor.end());
  for (int i = 0; i < robot.size(); ++i) {
    inertias_.push_back(robot[i].inertia);
    placements_.push_back(robot[i].placement);
    same_lengths_ = same_lengths_ && numbers(robot[i].placement) == numbers(first_[i].placement);
  }
  return {};
}

RobotsOfRows NumbersOfRobots::rows() const {
  RobotsOfRows out{count_, inertias_, rotors_};
  if (!same_friction_) out.friction = friction_;
  if (!same_lengths_) out.placements = placements_;
  return out;
}

}  // namespace torsor
