#include "torsor/report/robot_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/report/robot_sketch.hpp"

namespace torsor {
namespace {

// more links than that are not drawn, and more poses than that not carried by a page: it has to open
constexpr int most_links = 500;
constexpr std::size_t most_poses = 40000;

double half_extent(const RobotSketch& sketch) {
  if (sketch.strokes.empty()) return 1;
  Vec3<double> low = sketch.strokes.front().from, high = low;
  for (const RobotSketch::Stroke& s : sketch.strokes)
    for (const Vec3<double>& p : {s.from, s.to}) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  const double extent = norm(high - low);
  return extent > 1e-9 ? extent / 2 : 1;
}

/// The normal of the plane that everything moves in: axes of turns along it, slides across it.
std::optional<Vec3<double>> robot_plane(const RobotSketch& sketch) {
  const Model<double>& m = sketch.model;
  std::optional<Vec3<double>> normal;
  for (int i = 0; i < m.size(); ++i)
    if (m[i].kind == JointKind::revolute && !normal) normal = sketch.X[i].R.z;
  if (!normal) return std::nullopt;
  for (int i = 0; i < m.size(); ++i) {
    const double along = std::abs(dot(sketch.X[i].R.z, *normal));
    const bool within = m[i].kind == JointKind::fixed || (m[i].kind == JointKind::revolute && along > 1 - 1e-9) ||
                        (m[i].kind == JointKind::prismatic && along < 1e-6);
    if (!within) return std::nullopt;
  }
  return normal;
}

Transform<double> seen_from(const Transform<double>& X, const Transform<double>& Y) {
  return Transform<double>(~X) * Y;
}

bool is_sliding(JointKind kind) { return kind == JointKind::prismatic || kind == JointKind::helical; }

/// All but the motions.
MovingView still_robot(const Model<double>& m, std::string title) {
  MovingView view;
  view.title = std::move(title);
  view.gravity = m.gravity;
  if (m.size() > most_links) {
    view.note = fmt::format("A robot of {} links is not drawn; up to {} are.", m.size(), most_links);
    return view;
  }
  const std::vector<double> q = neutral_position(m);
  RobotSketch sketch(m, q);
  sketch.place_symbols(0.1 * half_extent(sketch));
  view.stands = !sketch.floats();
  view.plane = robot_plane(sketch);
  view.base.name = "base";
  for (int i = 0; i < m.size(); ++i) view.parts.push_back({m.link_names[static_cast<std::size_t>(i)]});
  const auto pose = [&](int i) { return i < 0 ? Transform<double>{} : sketch.X[static_cast<std::size_t>(i)]; };
  for (const RobotSketch::Stroke& s : sketch.strokes) {
    if (s.rod) continue;
    const Transform<double> X = pose(s.body), Y{~X.R, ~X.R * -X.p};
    MovingView::Part& part = s.body < 0 ? view.base : view.parts[static_cast<std::size_t>(s.body)];
    part.strokes.push_back({Y.R * s.from + Y.p, Y.R * s.to + Y.p});
  }
  // what slides comes out of its joint
  for (int i = 0; i < m.size(); ++i) {
    if (!(is_sliding(m[i].kind) || m[i].kind == JointKind::planar) || sketch.is_rotor(i)) continue;
    const Transform<double> at = seen_from(pose(m[i].parent), sketch.joint_pose(i));
    view.bars.push_back({m.link_names[static_cast<std::size_t>(i)], "slide", m[i].parent, i, at.p, {}, -1});
  }
  for (const RobotSketch::Symbol& s : sketch.symbols) {
    const Body<double>& b = m[s.body];
    const auto kind = std::string(row(b.kind).name);
    const int part = is_sliding(b.kind) ? b.parent : s.body;
    view.symbols.push_back({m.joint_names[static_cast<std::size_t>(s.body)], kind, part,
                            seen_from(pose(part), {sketch.X[static_cast<std::size_t>(s.body)].R, s.at}),
                            b.nv == 1 ? b.v : -1, 0});
  }
  if (view.stands) view.symbols.push_back({"base", "ground", -1, m.base, -1, 0});
  for (const Frame<double>& f : m.frames) view.traces.push_back({f.name, f.body, f.X_body_frame});
  return view;
}

std::vector<double> effort_shares(const Model<double>& m, std::span<const double> tau) {
  std::vector<double> shares(m.limits.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t k = 0; k < shares.size() && k < tau.size(); ++k)
    if (std::isfinite(m.limits[k].effort) && m.limits[k].effort > 0) shares[k] = std::abs(tau[k]) / m.limits[k].effort;
  return shares;
}

/// From the middle of the range, 0, to its ends, 1.
std::vector<double> range_shares(const Model<double>& m, std::span<const double> q) {
  std::vector<double> shares(m.limits.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Body<double>& b : m.bodies) {
    if (b.nv != 1) continue;
    const Limits& limits = m.limits[static_cast<std::size_t>(b.v)];
    if (std::isfinite(limits.lower) && std::isfinite(limits.upper) && limits.upper > limits.lower)
      shares[static_cast<std::size_t>(b.v)] =
          std::abs(2 * q[static_cast<std::size_t>(b.q)] - limits.lower - limits.upper) / (limits.upper - limits.lower);
  }
  return shares;
}

/// One instant more of a clip.
class ClipWriter {
 public:
  ClipWriter(const Model<double>& m, bool efforts) : model_(m), efforts_(efforts), at_(m), X_(m.bodies.size()) {}

  void add(MovingView::Clip& clip, double t, std::span<const double> q, std::span<const double> tau) {
    at_.set(model_, q);
    forward_kinematics(model_, at_, std::span(X_));
    clip.t.push_back(t);
    clip.poses.insert(clip.poses.end(), X_.begin(), X_.end());
    const std::vector<double> shares = efforts_ ? effort_shares(model_, tau) : range_shares(model_, q);
    clip.shares.insert(clip.shares.end(), shares.begin(), shares.end());
  }

 private:
  const Model<double>& model_;
  bool efforts_;
  Configuration<double> at_;
  std::vector<Transform<double>> X_;
};

void name_shares(MovingView& view, bool efforts) {
  const auto known = [](double share) { return std::isfinite(share); };
  for (const MovingView::Clip& clip : view.clips)
    if (std::ranges::any_of(clip.shares, known)) view.share = efforts ? "torque limit" : "position limit";
  if (!view.share.empty() && !efforts)
    view.note = "Joints are coloured by their position: 0 in the middle of the range, 100 % at its ends.";
}

}  // namespace

void RobotMotion::add(double t, std::span<const double> q, std::span<const double> tau) {
  if (!std::isfinite(t) || !all_finite(q)) return;
  frames_.push({t, {q.begin(), q.end()}, {tau.begin(), tau.end()}});
}

MovingView robot_view(const Model<double>& m, std::string title, std::span<const RobotMotion> motions) {
  MovingView view = still_robot(m, std::move(title));
  if (m.size() > most_links || m.size() == 0) return view;
  bool limited = std::ranges::any_of(m.limits, [](const Limits& l) { return std::isfinite(l.effort); });
  for (const RobotMotion& motion : motions)
    for (const RobotMotion::Instant& at : motion.instants()) limited = limited && !at.tau.empty();
  ClipWriter writer(m, limited);
  for (const RobotMotion& motion : motions) {
    if (motion.empty()) continue;
    MovingView::Clip clip;
    clip.name = motion.name();
    // several motions share the room of a page
    const std::vector<RobotMotion::Instant> all = motion.instants();
    const std::size_t share = most_poses / (motions.size() * m.bodies.size()),
                      room = std::max<std::size_t>(
                          20, std::min(share, std::max<std::size_t>(80, 2 * max_view_frames / motions.size()))),
                      step = std::max<std::size_t>(1, (all.size() + room - 1) / room);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (k % step == 0 || k + 1 == all.size()) writer.add(clip, all[k].t, all[k].q, all[k].tau);
    view.clips.push_back(std::move(clip));
  }
  name_shares(view, limited);
  return view;
}

MovingView joint_range_view(const Model<double>& m, std::string title, std::span<const double> q) {
  MovingView view = still_robot(m, std::move(title));
  view.axis = "joint";
  view.unit = "";
  view.clip_label = "joint";
  view.fits_start = true;
  if (m.size() > most_links) return view;
  ClipWriter writer(m, false);
  const std::size_t poses =
      most_poses / (static_cast<std::size_t>(std::max(1, m.nv)) * std::max<std::size_t>(1, m.bodies.size()));
  const int steps = static_cast<int>(std::clamp<std::size_t>(poses, 8, 60));
  const std::size_t most_clips =
      std::max<std::size_t>(1, most_poses / (10 * std::max<std::size_t>(1, m.bodies.size())));
  const double extent = half_extent(RobotSketch(m, q));
  std::vector<char> taken(static_cast<std::size_t>(m.nv), 0);
  for (int i = 0; i < m.size(); ++i) {
    const Body<double>& b = m[i];
    if (b.nv != 1 || taken[static_cast<std::size_t>(b.v)] || view.clips.size() == most_clips) continue;
    taken[static_cast<std::size_t>(b.v)] = 1;
    const Limits& limits = m.limits[static_cast<std::size_t>(b.v)];
    const bool turns = velocity_kinds(m)[static_cast<std::size_t>(b.v)] == CoordinateKind::angle;
    const auto k = static_cast<std::size_t>(b.q);
    const double reach = turns ? std::numbers::pi : extent / 2;
    const double low = std::isfinite(limits.lower) ? limits.lower : std::min(q[k], q[k] - reach),
                 high = std::isfinite(limits.upper) ? limits.upper : std::max(q[k], q[k] + reach);
    MovingView::Clip clip;
    clip.name = m.velocity_names[static_cast<std::size_t>(b.v)];
    clip.unit = turns ? "deg" : "mm";
    const double per = turns ? 180 / std::numbers::pi : 1000;
    std::vector<double> values;
    for (int s = 0; s <= steps; ++s) values.push_back(low + (high - low) * s / steps);
    values.push_back(q[k]);  // the position itself is among them
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<double> at(q.begin(), q.end());
    for (std::size_t s = 0; s < values.size(); ++s) {
      if (values[s] == q[k]) clip.start = s;
      at[k] = values[s];
      writer.add(clip, std::round(values[s] * per * 1e6) / 1e6, at, {});
    }
    view.clips.push_back(std::move(clip));
  }
  if (view.clips.empty()) {
    view.clips.emplace_back();
    writer.add(view.clips.back(), 0, q, {});
  }
  name_shares(view, false);
  return view;
}

}  // namespace torsor
