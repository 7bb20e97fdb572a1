#include "torsor/report/robot_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/model/coordinate_kind.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/loops/start_position.hpp"
#include "torsor/numeric/finite.hpp"
#include "torsor/report/joint_symbol.hpp"
#include "torsor/report/robot_sketch.hpp"
#include "torsor/trajectory/showing_motion.hpp"

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

/// All but the motions; with the joints that close its loops, where it has some.
MovingView still_robot(const Model<double>& m, std::string title, const LoopModel* loops = nullptr,
                       const Description* description = nullptr) {
  MovingView view;
  view.title = std::move(title);
  view.gravity = m.gravity;
  if (m.size() > most_links) {
    view.note = fmt::format("A robot of {} links is not drawn; up to {} are.", m.size(), most_links);
    return view;
  }
  const std::vector<double> q = neutral_position(m);
  const std::vector<RobotSketch::LoopEnd> ends = RobotSketch::ends_of(m, loops);
  RobotSketch sketch(m, q, ends);
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
  for (std::size_t k = 0; k < ends.size(); k += 2) {
    const RobotSketch::LoopEnd &i = ends[k], &j = ends[k + 1];
    const std::string& name = description->loops[static_cast<std::size_t>(i.loop->loop)].name;
    if (i.loop->kind == MechanismJointKind::distance)
      view.bars.push_back({name, "rod", i.body, j.body, i.X.p, j.X.p, -1});
    else
      view.symbols.push_back({name, std::string(symbol_of(i.loop->kind)), j.body, j.X, -1, 0});
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

/// Each coordinate of one degree of freedom in turn through its range from q: up and down from there, as far as `place` finds
/// the position of the tree. places: where the coordinates stand among the positions of the tree; all of them, where empty.
template <class Place, class Restart>
MovingView range_view(MovingView view, const Model<double>& tree, const Model<double>& coordinates,
                      std::span<const int> places, std::span<const double> q, const Place& place, const Restart& restart) {
  view.axis = "joint";
  view.unit = "";
  view.clip_label = "joint";
  view.fits_start = true;
  if (tree.size() > most_links) return view;
  ClipWriter writer(tree, false);
  const std::size_t bodies = std::max<std::size_t>(1, tree.bodies.size());
  const std::size_t poses = most_poses / (static_cast<std::size_t>(std::max(1, coordinates.nv)) * bodies);
  const int steps = static_cast<int>(std::clamp<std::size_t>(poses, 8, 60));
  const std::size_t most_clips = std::max<std::size_t>(1, most_poses / (10 * bodies));
  const auto start = place(q);
  const std::vector<double> tree_q =
      start ? std::vector<double>(start->begin(), start->end()) : neutral_position(tree);
  const double extent = half_extent(RobotSketch(tree, tree_q));
  const std::vector<CoordinateKind> kinds = velocity_kinds(tree);
  std::vector<char> taken(static_cast<std::size_t>(tree.nv), 0);
  for (int i = 0; i < tree.size() && start; ++i) {
    const Body<double>& b = tree[i];
    if (b.nv != 1 || taken[static_cast<std::size_t>(b.v)] || view.clips.size() == most_clips) continue;
    const auto found = std::ranges::find(places, b.q);
    if (!places.empty() && found == places.end()) continue;  // another joint moves it
    taken[static_cast<std::size_t>(b.v)] = 1;
    const auto k = places.empty() ? static_cast<std::size_t>(b.q) : static_cast<std::size_t>(found - places.begin());
    const Limits& limits = tree.limits[static_cast<std::size_t>(b.v)];
    const bool turns = kinds[static_cast<std::size_t>(b.v)] == CoordinateKind::angle;
    const double reach = turns ? std::numbers::pi : extent / 2;
    const double low = std::isfinite(limits.lower) ? limits.lower : std::min(q[k], q[k] - reach),
                 high = std::isfinite(limits.upper) ? limits.upper : std::max(q[k], q[k] + reach);
    MovingView::Clip clip;
    clip.name = tree.velocity_names[static_cast<std::size_t>(b.v)];
    clip.unit = turns ? "deg" : "mm";
    const double per = turns ? 180 / std::numbers::pi : 1000;
    std::vector<double> values;
    for (int s = 0; s <= steps; ++s) values.push_back(low + (high - low) * s / steps);
    values.push_back(q[k]);  // the position itself is among them
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    const auto middle = static_cast<std::size_t>(std::ranges::find(values, q[k]) - values.begin());
    std::vector<double> at(q.begin(), q.end());
    std::vector<std::pair<double, std::vector<double>>> shown;
    const auto take = [&](std::size_t s) {
      at[k] = values[s];
      const auto closed = place(at);
      if (closed) shown.emplace_back(values[s], std::vector<double>(closed->begin(), closed->end()));
      return closed.has_value();
    };
    const auto return_to = [&] {
      restart();
      (void)place(q);
    };
    return_to();
    for (std::size_t s = middle; s-- > 0 && take(s);) {
    }
    std::ranges::reverse(shown);
    clip.start = shown.size();
    return_to();
    for (std::size_t s = middle; s < values.size() && take(s); ++s) {
    }
    for (const auto& [value, position] : shown) writer.add(clip, std::round(value * per * 1e6) / 1e6, position, {});
    view.clips.push_back(std::move(clip));
  }
  if (view.clips.empty()) {
    view.clips.emplace_back();
    writer.add(view.clips.back(), 0, tree_q, {});
  }
  name_shares(view, false);
  return view;
}

/// The motions of a model on its picture. place(q, tau): positions and torques of the model at an instant, or nothing where it
/// cannot be.
template <class Place>
MovingView along(MovingView view, const Model<double>& m, std::span<const RobotMotion> motions, const Place& place) {
  if (m.size() > most_links || m.size() == 0) return view;
  bool limited = std::ranges::any_of(m.limits, [](const Limits& l) { return std::isfinite(l.effort); });
  for (const RobotMotion& motion : motions)
    for (const RobotMotion::Instant& at : motion.instants()) limited = limited && !at.tau.empty();
  ClipWriter writer(m, limited);
  std::size_t left_out = 0;
  double first = 0;
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
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (k % step != 0 && k + 1 != all.size()) continue;
      if (const auto now = place(all[k].q, all[k].tau))
        writer.add(clip, all[k].t, now->first, now->second);
      else if (left_out++ == 0)
        first = all[k].t;
    }
    if (!clip.t.empty()) view.clips.push_back(std::move(clip));
  }
  name_shares(view, limited);
  if (left_out > 0)
    view.note += fmt::format("{}Of the instants {} are not shown, the first at {:.6g} s: the loops cannot be closed there.",
                             view.note.empty() ? "" : " ", left_out, first);
  return view;
}

using Instant = std::pair<std::span<const double>, std::span<const double>>;  // positions and torques

}  // namespace

void RobotMotion::add(double t, std::span<const double> q, std::span<const double> tau) {
  if (!std::isfinite(t) || !all_finite(q)) return;
  frames_.push({t, {q.begin(), q.end()}, {tau.begin(), tau.end()}});
}

MovingView robot_view(const Model<double>& m, std::string title, std::span<const RobotMotion> motions) {
  return along(still_robot(m, std::move(title)), m, motions,
               [](std::span<const double> q, std::span<const double> tau) { return std::optional(Instant{q, tau}); });
}

MovingView robot_view(const Robot& robot, std::string title, std::span<const RobotMotion> motions) {
  if (!robot.loops()) return robot_view(robot.model(), std::move(title), motions);
  const LoopModel& loops = *robot.loops();
  LoopMap map(robot.tree(), robot.loops());
  std::vector<double> all;  // torques of the tree, of which independent joints alone have some
  return along(still_robot(robot.tree(), std::move(title), &loops, &robot.description()), robot.tree(), motions,
               [&](std::span<const double> q, std::span<const double> tau) -> std::optional<Instant> {
                 if (map.place(q).kind == LoopStatus::open) return std::nullopt;
                 all.assign(tau.empty() ? 0 : robot.tree().limits.size(), std::numeric_limits<double>::quiet_NaN());
                 for (std::size_t k = 0; k < tau.size(); ++k) all[static_cast<std::size_t>(loops.v[k])] = tau[k];
                 return Instant{map.q(), all};
               });
}

std::vector<double> posture_of(const Robot& robot) {
  return robot.loops() ? start_position(robot) : showing_posture(robot.model());
}

MovingView joint_range_view(const Model<double>& m, std::string title, std::span<const double> q) {
  std::vector<double> at(q.begin(), q.end());
  const auto stays = [&at](std::span<const double> moved) -> std::optional<std::span<const double>> {
    at.assign(moved.begin(), moved.end());
    return at;
  };
  return range_view(still_robot(m, std::move(title)), m, m, {}, q, stays, [] {});
}

MovingView joint_range_view(const Robot& robot, std::string title, std::span<const double> q) {
  if (!robot.loops()) return joint_range_view(robot.model(), std::move(title), q);
  const LoopModel& loops = *robot.loops();
  LoopMap map(robot.tree(), robot.loops());
  const auto close = [&](std::span<const double> moved) -> std::optional<std::span<const double>> {
    if (!map.place(moved)) return std::nullopt;
    return map.q();
  };
  std::vector<double> from(q.begin(), q.end());
  if (!close(from))
    for (std::size_t k = 0; k < from.size(); ++k) from[k] = loops.reference[static_cast<std::size_t>(loops.q[k])];
  return range_view(still_robot(robot.tree(), std::move(title), &loops, &robot.description()), robot.tree(),
                    robot.coordinates(), loops.q, from, close, [&] { map.return_to_start(); });
}

}  // namespace torsor
