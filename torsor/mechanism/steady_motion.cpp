#include "torsor/mechanism/steady_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/mechanism/equations.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/symmetric_eigen.hpp"
#include "torsor/spatial/turn_by.hpp"

namespace torsor {
namespace {

/// Bodies that something connects, ground and carriers left aside: of each body the first of its group.
std::vector<int> firsts_of_groups(const Mechanism& m) {
  std::vector<int> first(m.description.bodies.size());
  std::iota(first.begin(), first.end(), 0);
  const auto root = [&](int b) {
    while (first[static_cast<std::size_t>(b)] != b) b = first[static_cast<std::size_t>(b)];
    return b;
  };
  const auto join = [&](int a, int b) {
    if (a == ground || b == ground) return;
    const int p = root(a), q = root(b);
    first[static_cast<std::size_t>(std::max(p, q))] = std::min(p, q);
  };
  for (std::size_t k = 0; k < m.side_i.size(); ++k) join(m.side_i[k].body, m.side_j[k].body);
  for (const ConstraintBlock& block : m.blocks)
    for (const int body : block.bodies) join(block.bodies.front(), body);
  for (int b = 0; b < m.bodies(); ++b) first[static_cast<std::size_t>(b)] = root(b);
  return first;
}

/// Whether a tensor is the same after any turn about an axis.
bool symmetric_about(const Vec3<double>& axis, const Sym3<double>& I) {
  const Vec3<double> u = axis * (1 / norm(axis));
  double worst = 0;
  for (const Vec3<double>& e : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}})
    worst = std::max(worst, norm(cross(u, I * e) - I * cross(u, e)));
  return worst <= 1e-6 * (I.xx + I.yy + I.zz);
}

/// Bodies that share their frames, and how fast they drift if nothing holds them.
struct Group {
  std::vector<int> bodies;
  bool floats = true;
  Vec3<double> drift;
};

std::vector<Group> groups_of(const Mechanism& m, const MechanismState& state) {
  const std::vector<int> first = firsts_of_groups(m);
  std::vector<Group> groups(first.size());
  std::vector<double> mass(first.size());
  for (std::size_t b = 0; b < first.size(); ++b) {
    const auto g = static_cast<std::size_t>(first[b]);
    groups[g].bodies.push_back(static_cast<int>(b));
    groups[g].drift += state.bodies[b].v * m.description.bodies[b].m;
    mass[g] += m.description.bodies[b].m;
  }
  // held by equations that some of its motions as a whole break: those with something outside
  for (const ConstraintBlock& block : m.blocks) {
    if (block.rows == 0 || block.bodies.empty()) continue;
    const bool within = block.origin == ConstraintBlock::Origin::joint && block.bodies.size() == 2;
    if (!within) groups[static_cast<std::size_t>(first[static_cast<std::size_t>(block.bodies.front())])].floats = false;
  }
  for (std::size_t g = 0; g < groups.size(); ++g)
    groups[g].drift = groups[g].floats && mass[g] > 0 ? groups[g].drift * (1 / mass[g]) : Vec3<double>{};
  std::erase_if(groups, [](const Group& each) { return each.bodies.empty(); });
  return groups;
}

/// The Omega with x' = Omega x x of all x: the least, and the directions that are left open.
class EvenTurning {
 public:
  void add(const Vec3<double>& x, const Vec3<double>& rate) {
    // sum of |x|^2 - x x^T, times Omega, is that of x cross x'
    const double parts[] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) S_[cell(i, 3, k)] += (i == k ? dot(x, x) : 0) - parts[i] * parts[k];
    right_ += cross(x, rate);
  }

  void solve() {
    std::vector<double> axes(9);
    symmetric_eigen<double>(S_, 3, axes);
    for (int e = 0; e < 3; ++e) {
      const Vec3<double> axis{axes[cell(0, 3, e)], axes[cell(1, 3, e)], axes[cell(2, 3, e)]};
      const double value = S_[cell(e, 3, e)];
      if (value > 1e-13 * std::max(S_[cell(2, 3, 2)], 1e-300))
        least += axis * (dot(axis, right_) / value);
      else
        open.push_back(axis);
    }
  }

  Vec3<double> least;
  std::vector<Vec3<double>> open;

 private:
  std::vector<double> S_ = std::vector<double>(9);
  Vec3<double> right_;
};

/// Frames that serve a group: the slowest, and where the motion leaves that open, those of which one of the bodies does not
/// spin.
std::vector<TurningFrame> frames_of(const Mechanism& m, const MechanismState& state, std::span<const Motion<double>> A,
                                    const Group& group, double size) {
  constexpr std::size_t most = 4;
  const auto body = [&](int b) -> const BodyState& { return state.bodies[static_cast<std::size_t>(b)]; };
  double speed = 0;
  for (const int b : group.bodies) speed = std::max({speed, norm(body(b).w), norm(body(b).v) / size});
  if (!(speed > 0)) return {{}};
  std::vector<TurningFrame> frames;
  const auto take = [&](const TurningFrame& frame) {
    const auto same = [&](const TurningFrame& f) {
      return norm(f.turn - frame.turn) <= 1e-9 * speed && norm(f.place - frame.place) <= 1e-9 * speed &&
             norm(f.drift - frame.drift) <= 1e-9 * speed * size;
    };
    const auto serves = [&](int b) {
      const Vec3<double> spin = body(b).w - frame.turn;
      return norm(spin) <= 1e-9 * speed ||
             symmetric_about(spin, rotate(rotation(body(b).p), m.description.bodies[static_cast<std::size_t>(b)].I));
    };
    if (frames.size() < most && std::ranges::none_of(frames, same) && std::ranges::all_of(group.bodies, serves))
      frames.push_back(frame);
  };
  const auto take_all = [&](const EvenTurning& turn, const EvenTurning* place, const Vec3<double>& drift) {
    const Vec3<double> least = turn.least * speed;
    const auto with = [&](const Vec3<double>& rate) { take({rate, place ? place->least * speed : rate, drift}); };
    with(least);
    for (const int b : group.bodies) {
      Vec3<double> rate = least;
      for (const Vec3<double>& axis : turn.open) rate += axis * dot(axis, body(b).w - least);
      with(rate);
    }
  };
  const auto from = [&](const Vec3<double>& drift) {
    EvenTurning places, turns, both;
    for (const int b : group.bodies) {
      const Motion<double>& a = A[static_cast<std::size_t>(b)];
      const Vec3<double> v = (body(b).v - drift) * (1 / (speed * size)), vd = a.v * (1 / (speed * speed * size)),
                         w = body(b).w * (1 / speed), wd = a.w * (1 / (speed * speed));
      places.add(v, vd), turns.add(w, wd), both.add(v, vd), both.add(w, wd);
    }
    for (EvenTurning* each : {&places, &turns, &both}) each->solve();
    if (group.floats && group.bodies.size() == 1) take_all(turns, &places, drift);
    take_all(both, nullptr, drift);
  };
  if (group.floats) from(group.drift);
  from({});
  if (frames.empty()) frames.push_back({});
  return frames;
}

}  // namespace

std::vector<TurningFrames> frames_to_try(const Mechanism& m, const MechanismState& state,
                                         std::span<const Motion<double>> A) {
  const double size = size_of(m);
  std::vector<TurningFrames> all{TurningFrames(state.bodies.size())};
  for (const Group& group : groups_of(m, state)) {
    const std::vector<TurningFrame> frames = frames_of(m, state, A, group, size);
    // groups with fewer keep their last
    while (all.size() < frames.size()) all.push_back(all.back());
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const int b : group.bodies) all[k][static_cast<std::size_t>(b)] = frames[std::min(k, frames.size() - 1)];
  }
  return all;
}

std::string prescribed_change(const Mechanism& m, double t) {
  constexpr double rounding = 1e-9, nothing = 1e-14;
  // at times that no period has in it
  constexpr double later[] = {0.1137, 0.3711, 0.7391, 1.9173, 4.571, 11.31, 23.93};  // s
  const MechanismDescription& d = m.description;
  // a function that ends is no number there, and says nothing
  const auto changes = [&](const auto& size) {
    const double now = size(t);
    return std::ranges::any_of(later, [&](double seconds) {
      const double then = size(t + seconds);
      return std::abs(then - now) > rounding * std::max(std::abs(then), std::abs(now)) + nothing;
    });
  };
  const auto value = [](const TimeFunction& f, double at) { return f ? f(at).f : 0.0; };
  for (const MechanismDriver& driver : d.drivers)
    if (driver.function && changes([&](double at) { return driver.function(at).fd; }))
      return fmt::format("the speed of driver \"{}\" changes", driver.name);
  for (const MechanismCarrier& carrier : d.carriers) {
    const auto at = [&](double seconds) { return carrier_motion(carrier, seconds); };
    const bool turns = norm(at(t).V.w) > 0 || changes([&](double s) { return norm(at(s).V.w); });
    const bool alike = turns ? !changes([&](double s) { return norm(at(s).V.w); }) &&
                                   !changes([&](double s) { return norm(at(s).A.w); }) &&
                                   !changes([&](double s) { return norm(at(s).V.v); }) &&
                                   !changes([&](double s) { return norm(at(s).A.v); })
                             : !changes([&](double s) { return norm(at(s).A.v); });
    if (!alike) return fmt::format("prescribed frame \"{}\" does not move evenly", carrier.name);
  }
  for (const MechanismForce& force : d.forces)
    for (const auto* parts : {&force.force, &force.moment})
      if (changes([&](double s) {
            return std::hypot(value((*parts)[0], s), value((*parts)[1], s), value((*parts)[2], s));
          }))
        return fmt::format("force \"{}\" changes with time", force.name);
  for (const MechanismActuator& actuator : d.actuators)
    if (changes([&](double s) { return value(actuator.effort, s); }))
      return fmt::format("the torque of actuator \"{}\" changes with time", actuator.name);
  for (const MechanismSpring& spring : d.springs)
    if (changes([&](double s) { return value(spring.effort, s); }))
      return fmt::format("the torque of spring \"{}\" changes with time", spring.name);
  return "";
}

FramesAtRest frames_at_rest(const Mechanism& m, const MechanismState& state) {
  constexpr double rounding = 1e-9;
  const MechanismDescription& d = m.description;
  FramesAtRest out{TurningFrames(state.bodies.size()), {}};
  const auto differ = [](const Vec3<double>& a, const Vec3<double>& b) {
    return norm(a - b) > rounding * std::max(norm(a), norm(b));
  };
  std::vector<Vec3<double>> acceleration;
  for (const MechanismCarrier& carrier : d.carriers) acceleration.push_back(carrier_motion(carrier, state.t).A.v);
  // of each group what carries it: all alike, or it is drawn apart
  const std::vector<int> first = firsts_of_groups(m);
  std::vector<std::optional<Vec3<double>>> carried(first.size());
  for (std::size_t k = 0; k < m.side_i.size(); ++k)
    for (const auto& [outer, inner] : {std::pair{&m.side_i[k], &m.side_j[k]}, std::pair{&m.side_j[k], &m.side_i[k]}}) {
      if (inner->body == ground || (outer->body != ground && outer->carrier < 0)) continue;
      const Vec3<double> a =
          outer->carrier >= 0 ? acceleration[static_cast<std::size_t>(outer->carrier)] : Vec3<double>{};
      std::optional<Vec3<double>>& group =
          carried[static_cast<std::size_t>(first[static_cast<std::size_t>(inner->body)])];
      if (group && differ(*group, a) && out.unsteady.empty())
        out.unsteady =
            fmt::format("\"{}\" is on what accelerates otherwise than what else carries its bodies", d.joints[k].name);
      if (!group) group = a;
    }
  for (std::size_t b = 0; b < first.size(); ++b)
    out.frames[b].acceleration = carried[static_cast<std::size_t>(first[b])].value_or(Vec3<double>{});
  return out;
}

Motion<double> seen_change(const TurningFrame& frame, const BodyState& s, const Motion<double>& A) {
  return {A.w - cross(frame.turn, s.w), A.v - cross(frame.place, s.v - frame.drift) - frame.acceleration};
}

double unsteadiness(const MechanismState& state, std::span<const Motion<double>> A, const TurningFrames& frames,
                    double size) {
  double most = 0;
  for (std::size_t b = 0; b < A.size(); ++b) {
    const Motion<double> left = seen_change(frames[b], state.bodies[b], A[b]);
    most = std::max({most, norm(left.w), norm(left.v) / size});
  }
  return most;
}

Vec3<double> turned_on(const Vec3<double>& rate, double seconds, const Vec3<double>& x) {
  return rotation(turn_by(rate * seconds)) * x;
}

MechanismState carried_on(const Mechanism& m, const MechanismState& state, const TurningFrames& frames,
                          double seconds) {
  MechanismState later = state;
  later.t += seconds;
  MechanismEquations equations(m);
  equations.evaluate(state);
  for (std::size_t k = 0; k < later.angles.size(); ++k)
    if (row(m.description.joints[k].kind).angle)
      later.angles[k] += seconds * equations.measure({static_cast<int>(k), Measure::What::angle}).rate;
  for (std::size_t b = 0; b < later.bodies.size(); ++b) {
    BodyState& s = later.bodies[b];
    const TurningFrame& frame = frames[b];
    // the spin first, about an axis of the body; then the frame
    s.p = normalized(turn_by(frame.turn * seconds) * turn_by((s.w - frame.turn) * seconds) * s.p);
    s.w = turned_on(frame.turn, seconds, s.w);
    // the way of a velocity that turns: its part along the axis straight on, the rest along an arc
    const Vec3<double> v = s.v - frame.drift;
    const double rate = norm(frame.place), angle = rate * seconds;
    s.r += frame.drift * seconds;
    if (rate > 0) {
      const Vec3<double> u = frame.place * (1 / rate), along = u * dot(u, v), across = v - along;
      const double half = std::sin(angle / 2);
      s.r += along * seconds + (across * std::sin(angle) + cross(u, across) * (2 * half * half)) * (1 / rate);
    } else {
      s.r += v * seconds;
    }
    s.v = frame.drift + turned_on(frame.place, seconds, v);
  }
  return later;
}

}  // namespace torsor
