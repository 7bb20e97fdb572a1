#include "torsor/trajectory/showing_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/numeric/singular_values.hpp"
#include "torsor/trajectory/known_motion.hpp"

namespace torsor {
namespace {

constexpr double half_turn = std::numbers::pi;

/// Above this many joints the search would be waited for; they are shown in the middle of their ranges.
constexpr int most_joints = 32;

/// Below this share of the largest singular value the least one is refused; below that a direction is as good as lost.
constexpr double least_determined = 0.05, lost_share = 0.01;

/// Where a joint may be shown: inside its limits, and where these are wider than a turn, or than any slide is long, inside
/// the part about zero.
std::vector<Limits> shown_ranges(const Model<double>& m) {
  constexpr double longest_slide = 10, shown_slide = 1;  // m; files have limits of a million, too
  std::vector<Limits> ranges = position_bounds(m);
  const std::vector<CoordinateKind> kinds = position_kinds(m);
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    Limits& r = ranges[k];
    const bool turns = kinds[k] == CoordinateKind::angle;
    if (r.upper - r.lower <= (turns ? 2 * half_turn : longest_slide)) continue;
    const double half = turns ? half_turn : shown_slide, middle = std::clamp(0.0, r.lower + half, r.upper - half);
    r.lower = middle - half, r.upper = middle + half;
  }
  return ranges;
}

/// What a position costs who looks at it, of some parts in lengths of the robot; least is best.
class Looks {
 public:
  Looks(const Model<double>& m, std::optional<int> held)
      : m_(m), held_(held), ranges_(shown_ranges(m)), at_(m), X_(m.bodies.size()), along_(m.bodies.size() + 1) {
    double longest = 0;
    for (int i = 0; i < m.size(); ++i) {
      along_[at(i)] = (m[i].parent < 0 ? 0 : along_[at(m[i].parent)]) + norm(m[i].placement.p);
      // slides add what they come out by
      if (m[i].kind == JointKind::prismatic) {
        const Limits& r = ranges_[at(m[i].q)];
        along_[at(i)] += std::max(std::abs(r.lower), std::abs(r.upper));
      }
      longest = std::max(longest, along_[at(i)]);
    }
    if (!m.frames.empty() && m.frames.back().body >= 0) tool_ = &m.frames.back();
    const double to_tool = tool_ ? along_[at(tool_->body)] + norm(tool_->X_body_frame.p) : 0;
    length_ = std::max({longest, to_tool, 1e-9});
    along_.back() = to_tool > 0 ? to_tool : length_;
    up_ = norm(m.gravity) > 0 ? m.gravity * (-1 / norm(m.gravity)) : Vec3<double>{0, 0, 1};
    // what hangs from a ceiling has its floor above
    set(neutral_position(m));
    for (int i = 0; i < m.size(); ++i) {
      const double h = height(X_[at(i)].p);
      if (std::abs(h) < 0.02 * length_) continue;
      if (h < 0) up_ = -up_;
      break;
    }
  }

  const std::vector<Limits>& ranges() const { return ranges_; }

  /// `still`: a position to stay at, not one on the way.
  double cost(std::span<const double> q, bool still) {
    set(q);
    double sum = 0, depth = 0, close = 0;
    const std::size_t n = X_.size() + (tool_ ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i) {
      depth = std::max(depth, 0.04 * std::min(1.0, along_of(i) / (0.3 * length_)) - height(point(i)) / length_);
      if (along_of(i) > 0.25 * length_) close = std::max(close, 0.35 - norm(point(i) - m_.base.p) / along_of(i));
      // only what hangs on the other is as far from it along the links as the difference says
      for (int k = parent_of(i); k >= 0; k = m_[k].parent)
        if (const double apart = along_of(i) - along_[at(k)]; apart > 0.25 * length_)
          close = std::max(close, 0.35 - norm(point(i) - X_[at(k)].p) / apart);
    }
    sum += 8 * depth + 3 * close;
    if (!still) return sum;
    for (std::size_t k = 0; k < q.size(); ++k) {
      const Limits& r = ranges_[k];
      if (const double half = (r.upper - r.lower) / 2; half > 0)
        sum += 0.25 / static_cast<double>(q.size()) *
               std::abs(q[k] - std::clamp(0.0, r.lower + 0.3 * half, r.upper - 0.3 * half)) / half;
    }
    if (!tool_) return sum;
    const Transform<double> T = frame_pose(*tool_, std::span<const Transform<double>>(X_));
    const Vec3<double> r = T.p - m_.base.p;
    const double h = dot(r, up_);
    sum +=
        1.2 * std::abs(norm(r) / along_.back() - 0.62) + 0.8 * std::max(0.0, 0.3 - norm(r - up_ * h) / along_.back());
    sum += 0.25 * std::max(0.0, 0.3 + dot(T.R.z, up_));
    // an arm is held as an arch, not as a hammock
    double sag = 0;
    for (int k = tool_->body; k >= 0; k = m_[k].parent)
      sag = std::max(sag, (h * along_[at(k)] / along_.back() - height(X_[at(k)].p)) / length_);
    sum += 1.5 * sag;
    // refused, whatever else speaks for it, is where a direction is nearly lost
    const double share = share_of_least_singular_value();
    return sum + 1.5 * std::max(0.0, 0.15 - share) / 0.15 + 50 * std::max(0.0, least_determined - share) / least_determined;
  }

  /// Whether a direction of the tool is lost there, or nearly.
  bool loses_direction(std::span<const double> q) {
    set(q);
    return tool_ && share_of_least_singular_value() < lost_share;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  void set(std::span<const double> q) {
    at_.set(m_, q);
    forward_kinematics(m_, at_, std::span(X_));
  }
  double height(const Vec3<double>& p) const { return dot(p - m_.base.p, up_); }
  Vec3<double> point(std::size_t i) const {
    return i < X_.size() ? X_[i].p : frame_pose(*tool_, std::span<const Transform<double>>(X_)).p;
  }
  double along_of(std::size_t i) const { return along_[std::min(i, along_.size() - 1)]; }
  int parent_of(std::size_t i) const { return i < X_.size() ? m_[static_cast<int>(i)].parent : tool_->body; }

  /// The least singular value of the tool's Jacobian over its largest. Of seven joints one is held: where the other six lose
  /// a direction, two of the solutions at a value of the redundancy meet.
  double share_of_least_singular_value() {
    const auto n = static_cast<std::size_t>(m_.nv);
    const Vec3<double> p = frame_pose(*tool_, std::span<const Transform<double>>(X_)).p;
    J_.assign(6 * n, 0);
    jacobian(m_, std::span<const Transform<double>>(X_), tool_->body, p, std::span(J_));
    for (std::size_t k = 3 * n; k < 6 * n; ++k) J_[k] /= length_;
    int moving = 0, last = -1;  // joints that move the tool
    for (int k = tool_->body; k >= 0; k = m_[k].parent) {
      if (last < 0 && m_[k].nv > 0) last = m_[k].v;
      moving += m_[k].nv;
    }
    if (moving == 0) return 1;
    if (moving == 7)
      for (std::size_t row = 0; row < 6; ++row) J_[row * n + at(held_.value_or(last))] = 0;
    std::array<double, 6> sigma{};
    std::array<double, 36> U{};
    singular_values<double>(J_, 6, m_.nv, U, sigma);
    return sigma[0] > 0 ? sigma[at(std::min(6, moving) - 1)] / sigma[0] : 0;
  }

  const Model<double>& m_;
  std::optional<int> held_;
  std::vector<Limits> ranges_;
  Configuration<double> at_;
  std::vector<Transform<double>> X_;
  std::vector<double> along_;  // the links from the base to each body, and to the tool
  const Frame<double>* tool_ = nullptr;
  double length_ = 0;
  Vec3<double> up_;
  std::vector<double> J_;
};

/// The best value of each joint in turn, until none is better; `values` of joint k are tried.
template <class Values, class Cost>
double improve(std::vector<double>& q, const Values& values, const Cost& cost) {
  double best = cost(q);
  for (int round = 0, better = 1; round < 6 && better > 0; ++round) {
    better = 0;
    for (std::size_t k = 0; k < q.size(); ++k)
      for (const double x : values(k)) {
        const double before = q[k];
        q[k] = x;
        if (const double now = cost(q); now < best - 1e-9)
          best = now, ++better;
        else
          q[k] = before;
      }
  }
  return best;
}

std::vector<double> middle(const Model<double>& m) {
  std::vector<double> q;
  for (const Limits& r : shown_ranges(m)) q.push_back((r.lower + r.upper) / 2);
  return q;
}

std::vector<double> standing(const Model<double>& m) {
  std::vector<double> q = neutral_position(m);
  const std::vector<Limits> ranges = position_bounds(m);
  const auto turns = [&m](int i) { return i >= 0 && m[i].kind == JointKind::revolute; };
  for (const Body<double>& b : m.bodies) {
    if (b.nv != 1) continue;
    const auto k = static_cast<std::size_t>(b.q);
    const auto& [lower, upper] = std::pair{ranges[k].lower, ranges[k].upper};
    if (q[k] >= lower && q[k] <= upper) continue;
    q[k] = (lower + upper) / 2;
    const double along = b.placement.R.z.z;  // of the axis before it
    if (b.kind != JointKind::revolute || !turns(b.parent) || std::abs(along) < 0.99) continue;
    const auto before = static_cast<std::size_t>(m[b.parent].q);
    const double back = q[before] - std::copysign(q[k] / 2, along * q[k]);
    q[before] = std::clamp(back, ranges[before].lower, ranges[before].upper);
  }
  return q;
}

}  // namespace

std::vector<double> showing_posture(const Model<double>& m, std::optional<int> held) {
  if (m.nq != m.nv) return standing(m);
  if (m.nv == 0 || m.nv > most_joints) return middle(m);
  Looks looks(m, held);
  const std::vector<CoordinateKind> kinds = position_kinds(m);
  std::vector<std::vector<double>> values;
  for (std::size_t k = 0; k < looks.ranges().size(); ++k) {
    const auto [lower, upper] = std::pair(looks.ranges()[k].lower, looks.ranges()[k].upper);
    std::vector<double>& list = values.emplace_back();
    // round angles, and parts of the way of a slide
    if (kinds[k] == CoordinateKind::angle)
      for (int i = -12; i <= 12; ++i)
        if (const double x = i * half_turn / 12;
            x >= lower + 0.1 * (upper - lower) && x <= upper - 0.1 * (upper - lower))
          list.push_back(x);
    if (list.size() < 3)
      for (const double part : {0.3, 0.4, 0.5, 0.6, 0.7}) list.push_back(lower + part * (upper - lower));
    // the nearest to zero first: of two that are as good it is taken
    std::ranges::sort(list, {}, [](double x) { return std::pair(std::abs(x), x); });
  }
  std::vector<double> best;
  double least = infinity;
  for (int start = 0; start < 8; ++start) {
    std::vector<double> q;
    for (std::size_t k = 0; k < values.size(); ++k)
      q.push_back(values[k][(start * (5 * k + 3) + start * start) % values[k].size()]);
    const double cost = improve(
        q, [&](std::size_t k) { return std::span(values[k]); }, [&](const auto& x) { return looks.cost(x, true); });
    if (cost < least - 1e-9) least = cost, best = std::move(q);
  }
  return best.empty() ? middle(m) : best;
}

ViaPointMotion showing_motion(const Model<double>& m, std::optional<int> held) {
  TORSOR_EXPECT(m.nq == m.nv);
  const std::vector<double> near = showing_posture(m, held);
  const std::vector<CoordinateKind> kinds = position_kinds(m);
  Looks looks(m, held);
  std::vector<std::array<double, 2>> ends;
  std::vector<double> far;
  double time = 1;
  constexpr double quintic_peak = 1.875;  // of speed, over the mean
  for (std::size_t k = 0; k < near.size(); ++k) {
    const Limits& r = looks.ranges()[k];
    const double by = std::min((r.upper - r.lower) / 4, kinds[k] == CoordinateKind::angle ? half_turn / 4 : 0.25);
    const auto inside = [&](double x) {
      return std::clamp(x, r.lower + 0.05 * (r.upper - r.lower), r.upper - 0.05 * (r.upper - r.lower));
    };
    ends.push_back({inside(near[k] + by), inside(near[k] - by)});
    // towards the middle, to begin with
    far.push_back(std::abs(ends[k][0]) < std::abs(ends[k][1]) ? ends[k][0] : ends[k][1]);
    const double limit = m.limits[k].velocity, fast = kinds[k] == CoordinateKind::angle ? 1 : 0.5;
    time = std::max(time, quintic_peak * by / (std::isfinite(limit) && limit > 0 ? std::min(fast, 0.5 * limit) : fast));
  }
  const auto worst = [&](const std::vector<double>& q) {
    double sum = looks.cost(q, false);
    std::vector<double> between(q.size());
    for (std::size_t k = 0; k < q.size(); ++k) between[k] = (near[k] + q[k]) / 2;
    // of those as good the one that moves on and does not turn back
    for (std::size_t k = 0; k < q.size(); ++k) sum -= 1e-3 * std::abs(q[k] - near[k]);
    return sum + looks.cost(between, false);
  };
  if (m.nv <= most_joints)
    improve(
        far, [&](std::size_t k) { return std::span<const double>(ends[k]); }, worst);
  const std::array<ViaPoint, 2> points{{{far, time, 0}, {near, time, 0}}};
  return *via_point_motion(near, points, "quintic");
}

NamedMotion motion_to_show(const Model<double>& m, std::string_view robot_name, std::optional<int> held) {
  if (auto known = known_motion(m, robot_name)) return *std::move(known);
  ViaPointMotion motion = showing_motion(m, held);
  std::string name = fmt::format("every joint some way and back, {:.3g} s", motion.duration());
  return {std::move(name), std::move(motion)};
}

std::vector<double> opening_posture(const Model<double>& m, std::string_view robot_name, std::optional<int> held) {
  const auto known = m.nq == m.nv && m.nv > 0 ? known_motion(m, robot_name) : std::nullopt;
  if (!known) return showing_posture(m, held);
  std::vector<double> q(static_cast<std::size_t>(m.nv)), qd = q, qdd = q;
  known->motion.sample(0, q, qd, qdd);
  return Looks(m, held).loses_direction(q) ? showing_posture(m, held) : q;
}

}  // namespace torsor
