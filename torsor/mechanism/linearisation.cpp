#include "torsor/mechanism/linearisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/mechanism/nearby_motions.hpp"
#include "torsor/mechanism/small_state_space.hpp"
#include "torsor/numeric/eigenvalues.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/numeric/null_vector.hpp"
#include "torsor/numeric/row_major.hpp"
#include "torsor/numeric/zero_eigenvalues.hpp"
#include "torsor/spatial/whole_turn.hpp"

namespace torsor {
namespace {

using Shape = std::vector<std::complex<double>>;

double largest_of(const std::vector<double>& numbers) {
  double largest = 0;
  for (const double x : numbers) largest = std::max(largest, std::fabs(x));
  return largest;
}

/// Eigenvalues of (z, z_v')' over a unit of time in which none of its entries is large. rounding: of accelerations, beside what
/// they are summed from; what is not more is zero.
std::vector<std::complex<double>> eigenvalues_of(const NearbyEquations& e, int p, int v, double rounding) {
  const int n = p + v;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  const double fastest = std::max({std::sqrt(largest_of(e.K)), largest_of(e.D), largest_of(e.P_r)}),
               unit = fastest > 0 ? 1 / fastest : 1;
  DoubtfulMatrix A{std::vector<double>(cells(n, n)), std::vector<double>(at(n)), std::vector<double>(at(n))};
  for (int k = 0; k < p; ++k) A.across[at(k)] = e.noise_by_position[at(k)];
  for (int k = 0; k < v; ++k) {
    A.across[at(p + k)] = e.noise_by_velocity[at(k)] / unit;
    A.A[cell(k, n, p + k)] = 1;
    // exact, but sums with it are not
    A.down[at(k)] = rounding / A.across[at(p + k)];
    A.down[at(p + k)] = rounding * e.noise_of_acceleration[at(k)] * unit * unit;
    for (int l = 0; l < p; ++l) A.A[cell(p + k, n, l)] = -e.K[cell(k, p, l)] * unit * unit;
    for (int l = 0; l < v; ++l) A.A[cell(p + k, n, p + l)] = -e.D[cell(k, v, l)] * unit;
  }
  for (int k = v; k < p; ++k) {
    A.down[at(k)] = rounding * e.noise_of_rest[at(k - v)] * unit;
    for (int l = 0; l < p; ++l) A.A[cell(k, n, l)] = e.P_r[cell(k - v, p, l)] * unit;
  }
  std::vector<std::complex<double>> all(at(take_out_zeros(A)));
  for (const std::complex<double>& s : eigenvalues(A.A, A.size())) all.push_back(s / unit);
  return all;
}

/// Positions that equations join, velocities first: what nothing joins would only lose digits beside what is faster.
std::vector<std::vector<int>> joined_positions(const NearbyEquations& e, int p, int v) {
  std::vector<int> first(static_cast<std::size_t>(p));
  std::iota(first.begin(), first.end(), 0);
  const auto join = [&](int i, int k, double entry) {
    const int a = first[static_cast<std::size_t>(i)], b = first[static_cast<std::size_t>(k)];
    if (entry != 0 && a != b) std::ranges::replace(first, std::max(a, b), std::min(a, b));
  };
  for (int i = 0; i < v; ++i) {
    for (int k = 0; k < p; ++k) join(i, k, e.K[cell(i, p, k)]);
    for (int k = 0; k < v; ++k) join(i, k, e.D[cell(i, v, k)]);
  }
  for (int i = v; i < p; ++i)
    for (int k = 0; k < p; ++k) join(i, k, e.P_r[cell(i - v, p, k)]);
  std::vector<std::vector<int>> parts;
  for (int i = 0; i < p; ++i) {
    std::vector<int> part;
    for (int k = 0; k < p; ++k)
      if (first[static_cast<std::size_t>(k)] == i) part.push_back(k);
    if (!part.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

/// The equations of some of the positions alone; v of all velocities.
NearbyEquations equations_of(const NearbyEquations& e, int p, int v, const std::vector<int>& part) {
  NearbyEquations out;
  const auto at = [](int k) { return static_cast<std::size_t>(k); };
  for (const int i : part) {
    for (const int k : part) {
      (i < v ? out.K : out.P_r).push_back(i < v ? e.K[cell(i, p, k)] : e.P_r[cell(i - v, p, k)]);
      if (i < v && k < v) out.D.push_back(e.D[cell(i, v, k)]);
    }
    if (i < v)
      out.noise_of_acceleration.push_back(e.noise_of_acceleration[at(i)]);
    else
      out.noise_of_rest.push_back(e.noise_of_rest[at(i - v)]);
    out.noise_by_position.push_back(e.noise_by_position[at(i)]);
    if (i < v) out.noise_by_velocity.push_back(e.noise_by_velocity[at(i)]);
  }
  return out;
}

/// The eigenvalues, of a pair the one with positive imaginary part.
void find_modes(Linearisation& out, const NearbyEquations& equations) {
  constexpr double cautious = 1e-12, trusting = 1e-14;  // rounding of accelerations, with many equations and with few
  constexpr double few = 1e-13;  // of the square of the fastest: what is below has three digits at most
  const int p = out.positions, v = out.freedoms;
  struct Found {
    std::complex<double> s;
    double fastest;  // of those it is found with
  };
  std::vector<Found> all;
  double known = 0, beside = 0;  // the largest that has few digits, and the fastest that takes them from it
  for (const std::vector<int>& part : joined_positions(equations, p, v)) {
    const int velocities = static_cast<int>(std::ranges::count_if(part, [v](int k) { return k < v; }));
    const NearbyEquations alone = equations_of(equations, p, v, part);
    const auto with = [&](double rounding) {
      return eigenvalues_of(alone, static_cast<int>(part.size()), velocities, rounding);
    };
    const std::vector<std::complex<double>> found = with(cautious);
    const auto zeros = [](const std::vector<std::complex<double>>& of) { return std::ranges::count(of, 0.0); };
    double fastest = 0;
    for (const auto& s : found) fastest = std::max(fastest, std::abs(s));
    for (const auto& s : found)
      if (const double speed = std::abs(s); speed > known && speed * speed < few * fastest * fastest)
        known = speed, beside = fastest;
    // zeros that are none for who trusts rounding more
    if (zeros(found) > 0 && zeros(found) > zeros(with(trusting)) && std::sqrt(cautious) * fastest > known)
      known = std::sqrt(cautious) * fastest, beside = fastest;
    for (const auto& s : found) all.push_back({s, fastest});
  }
  if (known > 0)
    out.uncertain = fmt::format(
        "eigenvalues of {:.3g} 1/s and less have few digits or none: they are found beside one of {:.3g} 1/s, "
        "and their squares are lost beside its square",
        known, beside);
  std::ranges::stable_sort(all, {}, [](const Found& each) { return std::abs(each.s); });
  for (const auto& [s, fastest] : all) {
    const bool turns = std::fabs(s.imag()) > 1e-7 * std::abs(s) + 1e-12 * fastest;
    if (turns && s.imag() < 0) continue;
    const double radius = std::abs(s);
    Mode mode;
    mode.s = turns ? s : s.real();
    mode.frequency = turns ? radius / whole_turn : 0;
    mode.damping = radius > 0 ? -s.real() / radius : 0;
    out.modes.push_back(std::move(mode));
  }
}

/// z of a mode: of eigenvalues that are the same, each takes a vector of its own.
Shape shape_of(const Linearisation& out, std::size_t index) {
  const int v = out.freedoms, p = out.positions;
  const std::complex<double> s = out.modes[index].s;
  int same = 0, before = 0;
  for (std::size_t k = 0; k < out.modes.size(); ++k) {
    if (std::abs(out.modes[k].s - s) > 1e-6 * std::abs(s)) continue;
    ++same;
    before += k < index;
  }
  std::vector<std::complex<double>> P(cells(p, p));
  for (int k = 0; k < p; ++k) {
    for (int i = 0; i < v; ++i)
      P[cell(i, p, k)] = out.K[cell(i, p, k)] + (k < v ? s * out.D[cell(i, v, k)] : 0.0) + (i == k ? s * s : 0.0);
    for (int i = v; i < p; ++i) P[cell(i, p, k)] = -out.P_r[cell(i - v, p, k)] + (i == k ? s : 0.0);
  }
  return null_vector(std::move(P), p, std::min(same, p), before, std::norm(s));
}

/// Shapes in the named coordinates and as motions of the bodies' frames, the largest coordinate (lengths in sizes of the
/// mechanism) being 1.
void name_shape(const Mechanism& m, const MechanismState& state, const FreeBasis& N, const SmallCoordinates& names,
                Shape z, Mode& mode) {
  const int n = static_cast<int>(z.size());
  const double size = size_of(m);
  mode.shape.assign(z.size(), 0);
  double largest = 0;
  std::complex<double> one = 1;
  for (int i = 0; i < n; ++i) {
    std::complex<double>& q = mode.shape[static_cast<std::size_t>(i)];
    for (int k = 0; k < n; ++k) q += names.C[cell(i, n, k)] * z[static_cast<std::size_t>(k)];
    const double reach = std::abs(q) / (names.names[static_cast<std::size_t>(i)].unit == "m" ? size : 1);
    if (reach > largest * (1 + 1e-9)) largest = reach, one = q;
  }
  for (std::complex<double>& q : mode.shape) q /= one;
  mode.bodies.resize(state.bodies.size()), mode.bodies_late.resize(state.bodies.size());
  for (int b = 0; b < m.bodies(); ++b) {
    const auto at = static_cast<std::size_t>(b);
    Motion<double> now, late;
    for (std::size_t k = 0; k < z.size(); ++k) {
      const std::complex<double> part = z[k] / one;
      now += N[k][at] * part.real(), late += N[k][at] * part.imag();
    }
    // from the mass centre to the frame
    const Vec3<double> way = rotation(state.bodies[at].p) * -m.description.bodies[at].com;
    for (Motion<double>* x : {&now, &late}) x->v += cross(x->w, way);
    mode.bodies[at] = now, mode.bodies_late[at] = late;
  }
}

/// The motion a moment later, with its free motions, if it is steady.
struct Later {
  MechanismState state;
  FreeMotion free;
};

/// Equations about a motion, in the frames in which they do not change with time; where there are none, as they are at the
/// instant, and why.
class AboutMotion {
 public:
  AboutMotion(const Mechanism& m, const MechanismState& state, const FreeMotion& free)
      : m_(m), state_(state), free_(free), size_(size_of(m)) {
    for (const BodyState& b : state.bodies) speed_ = std::max({speed_, norm(b.w), norm(b.v) / size_});
    for (const MechanismCarrier& each : m.description.carriers)
      speed_ = std::max(speed_, norm(carrier_motion(each, state.t).V.w));
  }

  NearbyEquations find() {
    unsteady = prescribed_change(m_, state_.t);
    if (!(speed_ > 0)) {
      const FramesAtRest rest = frames_at_rest(m_, state_);
      if (unsteady.empty()) unsteady = rest.unsteady;
      return equations(state_, free_, rest.frames);
    }
    const std::vector<Motion<double>> A = accelerations(state_);
    double least = std::numeric_limits<double>::infinity();
    TurningFrames nearest(state_.bodies.size());
    for (const TurningFrames& each : frames_to_try(m_, state_, A)) {
      const double left = unsteadiness(state_, A, each, size_);
      if (left < least) least = left, nearest = each;
      if (!unsteady.empty() || !(left <= allowed())) continue;
      NearbyEquations here = equations(state_, free_, each);
      if (stays(here, each)) return here;
    }
    if (unsteady.empty())
      unsteady = least <= allowed()
                     ? "its equations change along the motion, in whatever frame that turns evenly they are written"
                     : fmt::format("accelerations of {:.3g} 1/s^2 are left beside those of even turning", least);
    // of the instant, as seen from where it changes least
    return equations(state_, free_, nearest);
  }

  double speed() const { return speed_; }
  std::string unsteady;

 private:
  const Mechanism& m_;
  const MechanismState& state_;
  const FreeMotion& free_;
  double size_, speed_ = 0;

  double allowed() const { return 1e-6 * std::max(1.0, speed_ * speed_); }

  NearbyEquations equations(const MechanismState& state, const FreeMotion& free, const TurningFrames& frames) const {
    return NearbyMotions(m_, state, free, frames).equations();
  }

  std::vector<Motion<double>> accelerations(const MechanismState& state) const {
    std::vector<Motion<double>> A(state.bodies.size());
    MechanismForward forward(m_);
    forward.expect_redundancy(free_.redundant);
    forward.accelerations(state, A);
    return A;
  }

  /// Whether a while later, after a turn that is no part of a whole one, everything is the same.
  bool stays(const NearbyEquations& here, const TurningFrames& frames) const {
    const double seconds = 0.7391 / speed_;
    Later later{carried_on(m_, state_, frames, seconds), free_};
    Assembly assembly(m_, EquationSet::all);
    assembly.expect_redundancy(free_.redundant);
    const AssemblyReport closed = assembly.positions(later.state), moves = assembly.velocities(later.state);
    if (!closed.closed || !moves.closed || !(closed.before <= 1e-6 * std::max(1.0, size_))) return false;
    if (!(unsteadiness(later.state, accelerations(later.state), frames, size_) <= 10 * allowed())) return false;
    for (std::vector<Motion<double>>& x : later.free.N)
      for (std::size_t b = 0; b < x.size(); ++b)
        x[b] = {turned_on(frames[b].turn, seconds, x[b].w), turned_on(frames[b].place, seconds, x[b].v)};
    const NearbyEquations there = equations(later.state, later.free, frames);
    const double rate = std::max({speed_, std::sqrt(largest_of(here.K)), largest_of(here.D), largest_of(here.P_r)});
    // nor what rounding may make of them: forces at the length of the mechanism nearly cancel in the couple that turns a body
    // of little inertia
    constexpr double rounding = 1e-14;
    const auto lost_in = [&](std::size_t row) {
      double sum = 0;
      for (std::size_t b = 0; b < state_.bodies.size(); ++b)
        sum += norm(free_.N[row][b].w) * m_.description.bodies[b].m *
               (norm(m_.description.gravity) + speed_ * speed_ * size_) * size_;
      return rounding * sum;
    };
    const auto same = [&](const std::vector<double>& a, const std::vector<double>& b, double scale,
                          std::span<const double> across) {
      for (std::size_t k = 0; k < a.size(); ++k)
        if (const std::size_t row = k / across.size(), column = k % across.size();
            !(std::fabs(a[k] - b[k]) <= 1e-5 * scale + lost_in(row) * across[column]))
          return false;
      return true;
    };
    const std::vector<double> exactly(here.noise_by_position.size());
    return same(here.K, there.K, rate * rate, here.noise_by_position) &&
           same(here.D, there.D, rate, here.noise_by_velocity) && same(here.P_r, there.P_r, rate, exactly);
  }
};

double stiffness_ratio(const MechanismDescription& d) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  const auto add = [&](double k) {
    if (k > 0) least = std::min(least, k), most = std::max(most, k);
  };
  for (const MechanismSpring& spring : d.springs) add(spring.k);
  for (const MechanismActuator& actuator : d.actuators) add(actuator.k);
  return most > 0 ? most / least : 1;
}

}  // namespace

Linearisation linearise(const Mechanism& m, const MechanismState& state) {
  Linearisation out;
  const FreeMotion free = free_motion(m, state);
  out.why = free.why;
  if (out.why.empty() && !solves_equations(m, state)) out.why = masses_apart(m);
  if (!out.why.empty()) return out;
  out.freedoms = free.velocities, out.positions = free.positions();
  AboutMotion about(m, state, free);
  NearbyEquations found = about.find();
  const std::optional<SmallCoordinates> names =
      small_coordinates(m, state, free.N, static_cast<std::size_t>(free.velocities));
  if (!names || !all_finite(found.K) || !all_finite(found.D) || !all_finite(found.P_r)) {
    out.why = masses_apart(m);
    if (out.why.empty())
      out.why =
          "its masses or lengths are too large or too far apart: in double precision its small motions have no numbers";
    return out;
  }
  out.left_over = found.left_over;
  out.unsteady = about.unsteady;
  out.moving = about.speed() > 0;
  out.K = found.K, out.D = found.D, out.P_r = found.P_r;
  find_modes(out, found);
  if (const double ratio = stiffness_ratio(m.description);
      out.uncertain.empty() && ratio > 1e12 &&
      std::ranges::any_of(out.modes, [](const Mode& mode) { return mode.s == 0.0; }))
    out.uncertain = fmt::format(
        "its stiffnesses are a factor of {:.2g} apart, and what the softest alone hold may be counted as free", ratio);
  for (std::size_t k = 0; k < out.modes.size(); ++k)
    name_shape(m, state, free.N, *names, shape_of(out, k), out.modes[k]);
  name_equations(m, state, free, *names, out);
  return out;
}

}  // namespace torsor
