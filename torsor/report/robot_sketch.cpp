#include "torsor/report/robot_sketch.hpp"

#include <algorithm>

#include "torsor/kinematics/forward_kinematics.hpp"

namespace torsor {

RobotSketch::RobotSketch(const Model<double>& m, std::span<const double> q, std::span<const LoopEnd> ends)
    : model(m), X(m.bodies.size()), leaf_(m.bodies.size(), 1) {
  Configuration<double> configuration(m);
  configuration.set(m, q);
  forward_kinematics(m, configuration, std::span(X));
  for (const Body<double>& b : m.bodies)
    if (b.parent >= 0) leaf_[b.parent] = 0;
  for (const LoopEnd& end : ends)
    if (end.body >= 0) leaf_[static_cast<std::size_t>(end.body)] = 0;
  add_links();
  for (const LoopEnd& end : ends) {
    const Vec3<double> from = end.body < 0 ? m.base.p : X[static_cast<std::size_t>(end.body)].p,
                       to = end.body < 0 ? end.X.p : X[static_cast<std::size_t>(end.body)] * end.X.p;
    if (norm(to - from) > 1e-9) strokes.push_back({end.body, from, to});
  }
}

std::vector<RobotSketch::LoopEnd> RobotSketch::ends_of(const Model<double>& tree, const LoopModel* loops) {
  std::vector<LoopEnd> ends;
  if (!loops) return ends;
  for (const LoopCluster& cluster : loops->clusters)
    for (const ClusterLoop& loop : cluster.loops)
      for (const ClusterLoop::Side* side : {&loop.i, &loop.j})
        ends.push_back({side->tree_body, side->tree_body < 0 ? tree.base * side->X : side->X, &loop});
  return ends;
}

bool RobotSketch::floats() const {
  return std::ranges::all_of(model.bodies, [](const auto& b) { return b.parent >= 0 || b.kind == JointKind::free; });
}

bool RobotSketch::is_rotor(int i) const {
  const Body<double>& b = model[i];
  return leaf_[i] && b.nv == 1 && b.inertia.m == 0 && model.velocity_names[b.v] != model.joint_names[i];
}

// From the origin of a body's frame to a point as DH tables count: along its own axis, across to the axis of the next
// joint (zero if there is none), and along that.
void RobotSketch::add_path(int body, const Vec3<double>& to, const Vec3<double>& next) {
  const Transform<double>& from = body < 0 ? model.base : X[body];
  const Vec3<double> r = to - from.p, z = body < 0 || has_axis(model[body].kind) ? from.R.z : Vec3<double>{};
  const double c = dot(z, next), square = dot(z, z) - c * c;
  double along = dot(r, z), along_next = 0;
  if (norm(next) > 0 && square > 0.1) {  // far enough from parallel to have feet of a common normal nearby
    along = (dot(r, z) - c * dot(r, next)) / square;
    along_next = (dot(r, next) - c * dot(r, z)) / square;
  }
  const Vec3<double> corners[4] = {from.p, from.p + z * along, to - next * along_next, to};
  for (int k = 0; k < 3; ++k)
    if (norm(corners[k + 1] - corners[k]) > 1e-9) strokes.push_back({body, corners[k], corners[k + 1]});
}

void RobotSketch::add_links() {
  for (int i = 0; i < model.size(); ++i) {
    if (is_rotor(i)) continue;
    const Body<double>& b = model[i];
    const Vec3<double> joint = joint_pose(i).p;
    if (b.parent >= 0 || b.kind != JointKind::free)
      add_path(b.parent, joint, has_axis(b.kind) ? joint_pose(i).R.z : Vec3<double>{});
    const bool slides = b.kind == JointKind::prismatic || b.kind == JointKind::helical || b.kind == JointKind::planar;
    if (slides && norm(X[i].p - joint) > 1e-9) strokes.push_back({i, joint, X[i].p, true});
    const bool held = std::ranges::any_of(model.frames, [i](const Frame<double>& frame) { return frame.body == i; });
    if (leaf_[i] && !held) add_path(i, (X[i] * b.link).p);
  }
  for (const Frame<double>& frame : model.frames)
    add_path(frame.body, frame_pose(frame, std::span<const Transform<double>>(X)).p);
}

// A symbol may sit anywhere on its axis. The middle of a stroke along the axis shows best; else its origin.
std::vector<Vec3<double>> RobotSketch::places(int i, double apart) const {
  const Body<double>& b = model[i];
  if (!has_axis(b.kind) || b.kind == JointKind::planar) return {X[i].p};
  const Vec3<double> joint = joint_pose(i).p, &z = X[i].R.z;
  const bool slides = b.kind == JointKind::prismatic;
  std::vector<Vec3<double>> found;
  if (slides) found.push_back(joint);
  for (const Stroke& s : strokes) {
    const bool in = s.body == b.parent && norm(s.to - joint) < 1e-9, out = s.body == i && norm(s.from - X[i].p) < 1e-9;
    if (!in && !out && !(s.body == i && s.rod)) continue;
    const Vec3<double> d = s.to - s.from;
    const double size = norm(s.to - s.from), away = std::max(size / 2, std::min(size, 1.05 * apart));
    if (size > apart && norm(cross(d, z)) < 1e-6 * size)
      found.push_back(in ? s.to - d * (away / size) : s.from + d * (away / size));
  }
  if (!slides) found.push_back(joint);
  return found;
}

void RobotSketch::place_symbols(double apart) {
  const double step = 1.3 * apart;
  for (int i = 0; i < model.size(); ++i) {
    if (is_rotor(i)) continue;
    const Vec3<double>&p = X[i].p, &z = X[i].R.z;
    symbols.push_back({i, places(i, apart), {p + z * step, p - z * step}});
  }
  // those with one place come first, the others find room between them
  std::vector<Symbol*> order;
  for (Symbol& s : symbols) order.push_back(&s);
  std::ranges::stable_sort(order, {}, [](const Symbol* s) { return s->places.size(); });
  std::vector<Vec3<double>> taken;
  const auto is_free = [&](const Vec3<double>& p) {
    return std::ranges::none_of(taken, [&](const Vec3<double>& t) { return norm(t - p) < apart; });
  };
  for (Symbol* s : order) {
    s->at = s->places.front();
    if (const auto place = std::ranges::find_if(s->places, is_free); place != s->places.end()) {
      s->at = *place;
    } else if (const auto free = std::ranges::find_if(s->beside, is_free); free != s->beside.end()) {
      s->at = *free;
      strokes.push_back({s->body, X[s->body].p, s->at});
    }
    if (model[s->body].kind != JointKind::fixed) taken.push_back(s->at);
  }
}

}  // namespace torsor
