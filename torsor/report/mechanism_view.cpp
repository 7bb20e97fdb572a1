#include "torsor/report/mechanism_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/expect.hpp"
#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/report/joint_symbol.hpp"
#include "torsor/text/text_table.hpp"

namespace torsor {
namespace {

/// A place of a joint: the part it is on (-1 is the ground; carriers come after the bodies), and its frame there.
struct JointEnd {
  int part = -1;
  Transform<double> X;
};

JointEnd end_of(const Mechanism& m, const PlacedSide& side) {
  if (side.carrier >= 0) return {m.bodies() + side.carrier, {side.R, side.s}};
  if (side.body == ground) return {-1, {side.R, side.s}};
  return {side.body, {side.R, side.s + m.description.bodies[static_cast<std::size_t>(side.body)].com}};
}

std::vector<Transform<double>> with_carriers(const Mechanism& m, double t, std::vector<Transform<double>> poses) {
  for (const MechanismCarrier& carrier : m.description.carriers) {
    const CarrierMotion at = carrier_motion(carrier, t);
    poses.push_back({at.R, at.P});
  }
  return poses;
}

std::vector<Transform<double>> body_poses(const Mechanism& m, const MechanismState& state) {
  std::vector<Transform<double>> poses;
  for (int b = 0; b < m.bodies(); ++b) poses.push_back(body_pose(m, state, b));
  return poses;
}

bool has_way(MechanismJointKind kind) {
  return kind == MechanismJointKind::translational || kind == MechanismJointKind::cylindrical ||
         kind == MechanismJointKind::screw || kind == MechanismJointKind::point_on_line;
}

class MechanismPicture {
 public:
  explicit MechanismPicture(const Mechanism& m) : m_(m) {}

  MovingView draw(std::string title) {
    view_.title = std::move(title);
    view_.gravity = m_.description.gravity;
    view_.stands = false;
    add_bodies();
    find_actuators();
    for (std::size_t k = 0; k < m_.description.joints.size(); ++k) add_joint(k);
    // what a point draws is asked for, what mass centres draw is not
    if (!m_.description.points.empty())
      std::erase_if(view_.traces, [&](const MovingView::Trace& trace) { return trace.part < m_.bodies(); });
    for (const MechanismPoint& point : m_.description.points)
      view_.traces.push_back({point.name, point.body, {Mat3<double>::identity(), point.point}, false});
    for (const MechanismSpring& s : m_.description.springs)
      if (!s.play) add_bar(s.name, s.k != 0 ? "spring" : "cylinder", s.measure, -1);
    for (std::size_t k = 0; k < m_.description.actuators.size(); ++k) {
      const MechanismActuator& a = m_.description.actuators[k];
      if (a.measure.what != Measure::What::angle) add_bar(a.name, "cylinder", a.measure, static_cast<int>(k));
      if (a.k != 0) add_bar(a.name, "spring", a.measure, -1);
    }
    return std::move(view_);
  }

 private:
  JointEnd end_i(std::size_t joint) const { return end_of(m_, m_.side_i[joint]); }
  JointEnd end_j(std::size_t joint) const { return end_of(m_, m_.side_j[joint]); }

  /// Two places: a stroke; more of them, or a mass well off the line: the hull; one: a stroke to the mass.
  void add_bodies() {
    const auto& bodies = m_.description.bodies;
    std::vector<std::vector<Vec3<double>>> places(bodies.size());
    std::vector<char> grounded(bodies.size(), 0);
    for (std::size_t k = 0; k < m_.description.joints.size(); ++k) {
      const JointEnd i = end_i(k), j = end_j(k);
      for (const auto& [here, there] : {std::pair{i, j}, std::pair{j, i}}) {
        if (here.part < 0 || here.part >= m_.bodies()) continue;
        auto& known = places[static_cast<std::size_t>(here.part)];
        const auto same = [&place = here.X.p](const Vec3<double>& p) { return norm(p - place) < 1e-9; };
        if (std::ranges::none_of(known, same)) known.push_back(here.X.p);
        if (there.part < 0 && row(m_.description.joints[k].kind).equations > 2)
          grounded[static_cast<std::size_t>(here.part)] = 1;
      }
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      MovingView::Part part{bodies[b].name, static_cast<int>(b % 8)};
      const Vec3<double>& com = bodies[b].com;
      auto& at = places[b];
      if (at.size() == 1 && norm(at[0] - com) > 1e-9) part.strokes.push_back({at[0], com});
      if (at.size() < 2 && (bodies[b].m > 0 || at.empty()))
        view_.symbols.push_back({bodies[b].name, "mass", static_cast<int>(b), {Mat3<double>::identity(), com}, -1, 0});
      if (at.size() == 2) {
        const Vec3<double> along = at[1] - at[0];
        if (norm(cross(along, com - at[0])) > 0.1 * dot(along, along))
          at.push_back(com);
        else
          part.strokes.push_back({at[0], at[1]});
      }
      if (at.size() > 2) part.plate = at;
      view_.parts.push_back(std::move(part));
      // what no joint to the ground guides draws a curve of its own
      if (!grounded[b] && view_.traces.size() < 4)
        view_.traces.push_back(
            {bodies[b].name + ": mass centre", static_cast<int>(b), {Mat3<double>::identity(), com}, false});
    }
    for (const MechanismCarrier& carrier : m_.description.carriers) {
      view_.parts.push_back({carrier.name});
      view_.traces.push_back({carrier.name, static_cast<int>(view_.parts.size()) - 1, {}, true});
    }
  }

  void find_actuators() {
    turned_by_.assign(m_.description.joints.size(), -1);
    pulled_.assign(m_.description.joints.size(), 0);
    for (std::size_t k = 0; k < m_.description.actuators.size(); ++k) {
      const Measure& measure = m_.description.actuators[k].measure;
      if (measure.joint < 0) continue;
      const auto joint = static_cast<std::size_t>(measure.joint);
      if (measure.what == Measure::What::angle)
        turned_by_[joint] = static_cast<int>(k);
      else
        pulled_[joint] = 1;
    }
  }

  void add_joint(std::size_t k) {
    const MechanismJoint& joint = m_.description.joints[k];
    const JointEnd i = end_i(k), j = end_j(k);
    for (const JointEnd& end : {i, j})
      if (end.part < 0) add_ground(end.X);
    const auto add = [&](std::string_view kind, const JointEnd& end, double radius = 0) {
      view_.symbols.push_back({joint.name, std::string(kind), end.part, end.X, turned_by_[k], radius});
    };
    const auto rod = [&](const Vec3<double>& from, const char* kind) {
      view_.bars.push_back({joint.name, kind, i.part, j.part, from, j.X.p, -1});
    };
    const std::string_view kind = symbol_of(joint.kind);
    switch (joint.kind) {
      case MechanismJointKind::distance:
        rod(i.X.p, "rod");
        add(kind, i);
        add(kind, j);
        return;
      case MechanismJointKind::revolute_spherical: {
        const JointEnd hinge{i.part, {i.X.R, i.X.p + i.X.R.z * joint.offset}};
        rod(hinge.X.p, "rod");
        add(kind, hinge);
        add("spherical", j);
        return;
      }
      case MechanismJointKind::rolling_ball:
      case MechanismJointKind::rolling_disc: add(kind, j, joint.radius); return;
      case MechanismJointKind::free: return;  // drawn is what pulls there
      default: break;
    }
    if (has_way(joint.kind) && !pulled_[k]) rod(i.X.p, "slide");
    add(kind, j);
  }

  void add_ground(const Transform<double>& X) {
    for (const MovingView::Symbol& s : view_.symbols)
      if (s.kind == "ground" && norm(s.X.p - X.p) < 1e-9) return;
    view_.symbols.push_back({"ground", "ground", -1, {Mat3<double>::identity(), X.p}, -1, 0});
  }

  void add_bar(const std::string& name, const char* kind, const Measure& measure, int share) {
    if (measure.joint < 0) return;
    const auto joint = static_cast<std::size_t>(measure.joint);
    const JointEnd i = end_i(joint), j = end_j(joint);
    if (measure.what == Measure::What::angle)
      view_.symbols.push_back({name, "coil", j.part, j.X, -1, 0});
    else
      view_.bars.push_back({name, kind, i.part, j.part, i.X.p, j.X.p, share});
  }

  const Mechanism& m_;
  MovingView view_;
  std::vector<int> turned_by_;
  std::vector<char> pulled_;
};

/// The normal of the plane that every part stays parallel to along a clip; turns of the joints suggest it.
std::optional<Vec3<double>> clip_plane(const MovingView& view, const Mechanism& m) {
  std::optional<Vec3<double>> normal;
  const MovingView::Clip& clip = view.clips.front();
  for (std::size_t k = 0; k < m.description.joints.size(); ++k) {
    const MechanismJointKind kind = m.description.joints[k].kind;
    const JointEnd j = end_of(m, m.side_j[k]);
    const Vec3<double> z = view.pose(clip, 0, j.part).R * j.X.R.z;
    const double along = normal ? std::abs(dot(z, *normal)) : 1;
    switch (kind) {
      case MechanismJointKind::revolute:
      case MechanismJointKind::planar:
        if (!normal)
          normal = z;
        else if (along < 1 - 1e-6)
          return std::nullopt;
        break;
      case MechanismJointKind::spherical:
      case MechanismJointKind::universal:
      case MechanismJointKind::cylindrical:
      case MechanismJointKind::screw: return std::nullopt;
      default: break;
    }
  }
  if (!normal) return std::nullopt;
  double size = 0;
  for (const Transform<double>& X : clip.poses) size = std::max(size, norm(X.p));
  for (std::size_t f = 0; f < clip.t.size(); ++f)
    for (std::size_t p = 0; p < view.parts.size(); ++p) {
      const Transform<double> first = view.pose(clip, 0, static_cast<int>(p)),
                              now = view.pose(clip, f, static_cast<int>(p));
      const Vec3<double> before = ~first.R * *normal, after = ~now.R * *normal;
      if (norm(before - after) > 1e-4 || std::abs(dot(now.p - first.p, *normal)) > 1e-4 * std::max(size, 1e-6))
        return std::nullopt;
    }
  return normal;
}

}  // namespace

void MechanismMotion::add(const MechanismState& state, std::span<const double> efforts) {
  add(state.t, body_poses(*mechanism_, state), efforts);
}

void MechanismMotion::add(double t, std::span<const Transform<double>> bodies, std::span<const double> efforts) {
  TORSOR_EXPECT(bodies.size() == mechanism_->description.bodies.size());
  Instant at{t, with_carriers(*mechanism_, t, {bodies.begin(), bodies.end()}), {}};
  const auto& actuators = mechanism_->description.actuators;
  for (std::size_t k = 0; k < actuators.size(); ++k) {
    const double limit = actuators[k].effort_limit.value_or(0);
    at.shares.push_back(k < efforts.size() && limit > 0 ? std::abs(efforts[k]) / limit
                                                        : std::numeric_limits<double>::quiet_NaN());
  }
  frames_.push(std::move(at));
}

MovingView mechanism_view(const MechanismMotion& motion, std::string title) {
  MovingView view = MechanismPicture(motion.mechanism()).draw(std::move(title));
  if (motion.empty()) return view;
  MovingView::Clip clip;
  clip.name = motion.name();
  for (const MechanismMotion::Instant& at : motion.instants()) {
    clip.t.push_back(at.t);
    clip.poses.insert(clip.poses.end(), at.poses.begin(), at.poses.end());
    clip.shares.insert(clip.shares.end(), at.shares.begin(), at.shares.end());
  }
  if (std::ranges::any_of(clip.shares, [](double share) { return std::isfinite(share); })) view.share = "torque limit";
  view.clips.push_back(std::move(clip));
  view.plane = clip_plane(view, motion.mechanism());
  return view;
}

MovingView mode_view(const Mechanism& m, const MechanismState& about, std::span<const Mode> modes, std::string title,
                     std::size_t most) {
  MovingView view = MechanismPicture(m).draw(std::move(title));
  view.axis = "phase";
  view.unit = "deg";
  view.clip_label = "mode";
  if (!modes.empty()) view.note = "One cycle of each mode, enlarged: only the proportions of the motion are its own.";
  const std::vector<Transform<double>> rest = with_carriers(m, about.t, body_poses(m, about));
  const MovingView::Clip still{"", {0}, rest, {}};
  double radius = 0;
  const std::vector<Vec3<double>> points = points_of(view, still, 0);
  for (const Vec3<double>& p : points)
    for (const Vec3<double>& q : points) radius = std::max(radius, norm(p - q) / 2);

  const auto bodies = static_cast<std::size_t>(m.bodies());
  constexpr int steps = 48;
  for (std::size_t k = 0; k < std::min(most, modes.size()); ++k) {
    const Mode& mode = modes[k];
    // so large that the farthest way is a tenth of the picture, and no turn more than a third of a radian
    double way = 0, turn = 0;
    for (std::size_t b = 0; b < bodies; ++b)
      for (const Motion<double>& x : {mode.bodies[b], mode.bodies_late[b]}) {
        turn = std::max(turn, norm(x.w));
        way = std::max(way, norm(x.v));
        for (const auto& [from, to] : view.parts[b].strokes)
          for (const Vec3<double>& s : {from, to}) way = std::max(way, norm(x.v + cross(x.w, rest[b].R * s)));
      }
    const double scale = std::min(way > 0 ? 0.12 * std::max(radius, 1e-9) / way : 1, turn > 0 ? 0.35 / turn : 1e30);
    MovingView::Clip clip;
    clip.name = mode.frequency > 0 ? fmt::format("mode {}: {} Hz", k + 1, format_number(mode.frequency, 4))
                                   : fmt::format("mode {}: s = {} 1/s", k + 1, format_number(mode.s.real(), 4));
    for (int s = 0; s <= steps; ++s) {
      const double phase = 2 * std::numbers::pi * s / steps;
      clip.t.push_back(360.0 * s / steps);
      for (std::size_t p = 0; p < rest.size(); ++p) {
        Transform<double> X = rest[p];
        if (p < bodies) {
          const Motion<double> x =
              mode.bodies[p] * (scale * std::cos(phase)) - mode.bodies_late[p] * (scale * std::sin(phase));
          const double angle = norm(x.w);
          if (angle > 0) X.R = rotation(quaternion_about(unit(x.w), angle)) * X.R;
          X.p = X.p + x.v;
        }
        clip.poses.push_back(X);
      }
    }
    view.clips.push_back(std::move(clip));
  }
  if (view.clips.empty()) {
    view.clips.push_back(still);
  } else {
    view.loops = view.plays = true;
  }
  view.plane = clip_plane(view, m);
  return view;
}

}  // namespace torsor
