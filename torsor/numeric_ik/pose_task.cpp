#include "torsor/numeric_ik/pose_task.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "torsor/numeric/row_major.hpp"
#include "torsor/scalar/infinity.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor {
namespace {


std::array<double, 3> entries(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

Vec3<double> axis(int k) { return {k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0}; }

/// A turning error and its rate per angular velocity.
struct OrientationError {
  Vec3<double> phi;
  Mat3<double> M;
};

/// The rotation vector of R, and the inverse of the left Jacobian.
OrientationError rotation_error(const Mat3<double>& R) {
  const Quaternion<double> e = quaternion(R);
  const Vec3<double> v = vector_part(e);
  const double s = norm(v), angle = 2 * std::atan2(s, e.e0);
  const Vec3<double> phi = v * (s > 0 ? angle / s : 2);
  // 1/angle^2 (1 - angle/2 cot(angle/2)), by its series where that cancels
  const double c = angle < 1e-3 ? 1.0 / 12 + angle * angle / 720 : (1 - angle / 2 * e.e0 / s) / (angle * angle);
  const Mat3<double> K = skew(phi);
  return {phi, Mat3<double>::identity() + K * -0.5 + K * K * c};
}

/// The tilt of axis a of R from where it should be.
OrientationError tilt_error(const Mat3<double>& R, int k) {
  const Vec3<double> a = axis(k), u = R * a, normal = cross(a, u);
  const double s = norm(normal), angle = std::atan2(s, dot(a, u));
  const Mat3<double> across = Mat3<double>::identity() - outer(a, a);
  if (s < 1e-8 && angle < 1) return {normal, across};
  // the axis turned over: any direction leads back
  const Vec3<double> b = s > 1e-12 ? normal * (1 / s) : axis((k + 1) % 3), c = cross(a, b);
  const double around = angle * dot(a, u) / std::max(s, 1e-3);
  return {b * angle, outer(b, b) + outer(c, c) * around + outer(c, a) * angle};
}

}  // namespace

bool is_task(const TaskWeights& weights) {
  int counted = 0, turns = 0;
  for (const double w : entries(weights.turn)) {
    if (!(w >= 0 && w < infinity)) return false;
    turns += w > 0 ? 1 : 0;
  }
  for (const double w : entries(weights.shift)) {
    if (!(w >= 0 && w < infinity)) return false;
    counted += w > 0 ? 1 : 0;
  }
  return counted + turns > 0 && turns != 1;
}

PoseTask::PoseTask(const Model<double>& model, const Frame<double>& frame)
    : frame_{frame.name, -1, frame.X_body_frame}, configuration_(chain_) {
  chain_.base = model.base;
  std::vector<int> way;
  for (int i = frame.body; i >= 0; i = model[i].parent) way.push_back(i);
  std::reverse(way.begin(), way.end());

  double slides = 0, lengths = norm(frame.X_body_frame.p);
  for (const int i : way) {
    Body<double> b = model[i];
    b.parent = chain_.size() - 1;
    lengths += norm(b.placement.p);
    if (row(b.kind).nv != 1) {
      if (row(b.kind).nv > 1) held_.push_back({chain_.size(), b});
      if (b.kind == JointKind::planar || b.kind == JointKind::free) slides = infinity;
      b.kind = JointKind::fixed;
      b.nv = 0;
      chain_.bodies.push_back(b);
      continue;
    }
    // a coordinate is new, or shared with a joint further in
    const int v = b.v;
    const auto known = std::find_if(joints_.begin(), joints_.end(), [v](const TaskJoint& j) { return j.v == v; });
    const int k = static_cast<int>(known - joints_.begin());
    const bool is_new = known == joints_.end();
    const Limits& limits = model.limits[static_cast<std::size_t>(v)];
    if (is_new) {
      joints_.push_back({b.q, v, true, 1, limits.lower, limits.upper});
      chain_.limits.push_back(limits);
    }
    TaskJoint& joint = joints_[static_cast<std::size_t>(k)];
    joint.turns = joint.turns && b.kind == JointKind::revolute && b.ratio == std::nearbyint(b.ratio);
    joint.slides = (joint.slides || is_new) && b.kind == JointKind::prismatic;
    if (b.kind == JointKind::prismatic && is_new) joint.unit = 0;
    if (b.kind == JointKind::prismatic || b.kind == JointKind::helical) {
      const double pitch = b.kind == JointKind::helical ? b.pitch : 1;
      slides += std::abs(pitch * b.ratio) * std::max(std::abs(limits.lower), std::abs(limits.upper)) +
                std::abs(pitch * b.offset);
    }
    const Motion<double> s = model.S[static_cast<std::size_t>(b.column)];
    b.q = b.v = k;
    b.column = static_cast<int>(chain_.S.size());
    chain_.S.push_back(s);
    chain_.bodies.push_back(b);
  }
  chain_.nq = chain_.nv = static_cast<int>(joints_.size());
  frame_.body = chain_.size() - 1;
  reach_ = lengths + slides;
  length_ = (slides < infinity ? reach_ : lengths) / 2;
  if (!(length_ > 0)) length_ = 1;
  for (TaskJoint& joint : joints_)
    if (joint.unit == 0) joint.unit = length_;

  configuration_ = Configuration<double>(chain_);
  X_.resize(chain_.bodies.size());
  v_.resize(chain_.bodies.size());
  J_world_.resize(cells(6, chain_.nv));
  Jd_world_.resize(J_world_.size());
  J_.resize(J_world_.size());
}

void PoseTask::hold(std::span<const double> q) {
  for (const Held& h : held_) {
    JointPosition<double> position;
    set_joint_position(h.given.kind, q.data() + h.given.q, h.given.pitch, position);
    chain_.bodies[static_cast<std::size_t>(h.body)].placement =
        joint_transform(h.given.kind, h.given.placement, position);
  }
}

void PoseTask::aim(const Transform<double>& target, const TaskWeights& weights) {
  TORSOR_EXPECT(is_task(weights));
  target_ = target;
  const auto turn = entries(weights.turn), shift = entries(weights.shift);
  m_ = 0;
  free_axis_ = -1;
  int free = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    weight_[k] = turn[k];
    weight_[3 + k] = shift[k] / length_;
    m_ += (turn[k] > 0 ? 1 : 0) + (shift[k] > 0 ? 1 : 0);
    if (turn[k] == 0) free_axis_ = static_cast<int>(k), ++free;
  }
  if (free != 1) free_axis_ = -1;
}

double PoseTask::place(std::span<const double> x) {
  configuration_.set(chain_, x);
  forward_kinematics<double>(chain_, configuration_, X_);
  X_frame_ = frame_.body < 0 ? chain_.base * frame_.X_body_frame : frame_pose<double>(frame_, X_);

  const Mat3<double> R = ~target_.R * X_frame_.R;
  const OrientationError turning = free_axis_ < 0 ? rotation_error(R) : tilt_error(R, free_axis_);
  M_ = turning.M;
  const auto phi = entries(turning.phi), p = entries(~target_.R * (X_frame_.p - target_.p));
  double square = 0, angle = 0, position = 0;
  std::size_t r = 0;
  for (std::size_t k = 0; k < 6; ++k) {
    if (weight_[k] == 0) continue;
    const double error = k < 3 ? phi[k] : p[k - 3];
    (k < 3 ? angle : position) += error * error;
    e_[r] = weight_[k] * error;
    square += e_[r] * e_[r];
    ++r;
  }
  angle_error_ = std::sqrt(angle);
  position_error_ = std::sqrt(position);
  return square / 2;
}

void PoseTask::rows_from(std::span<const double> J_world, std::span<double> out) const {
  const int n = chain_.nv;
  for (int k = 0; k < n; ++k) {
    const auto at = [&](int i) { return J_world[cell(i, n, k)]; };
    const auto w = entries(M_ * (~target_.R * Vec3<double>{at(0), at(1), at(2)}));
    const auto v = entries(~target_.R * Vec3<double>{at(3), at(4), at(5)});
    const double unit = joints_[static_cast<std::size_t>(k)].unit;
    int r = 0;
    for (std::size_t c = 0; c < 6; ++c)
      if (weight_[c] != 0) out[cell(r++, n, k)] = weight_[c] * (c < 3 ? w[c] : v[c - 3]) * unit;
  }
}

void PoseTask::linearise() {
  if (frame_.body < 0) return;
  jacobian<double>(chain_, X_, frame_.body, X_frame_.p, J_world_);
  rows_from(J_world_, J_);
}

void PoseTask::jacobian_rate(std::span<const double> xd, const Vec3<double>& w_target, std::span<double> rate) {
  if (frame_.body < 0) return;
  torsor::jacobian_rate<double>(chain_, X_, xd, frame_.body, X_frame_.p, v_, Jd_world_);
  // what stands still seems to turn backwards from axes that turn
  const int n = chain_.nv;
  if (w_target.x != 0 || w_target.y != 0 || w_target.z != 0)
    for (int k = 0; k < n; ++k)
      for (int r = 0; r < 6; r += 3) {
        const auto at = [&](int i) { return J_world_[cell(r + i, n, k)]; };
        const auto back = entries(cross(w_target, Vec3<double>{at(0), at(1), at(2)}));
        for (int i = 0; i < 3; ++i)
          Jd_world_[cell(r + i, n, k)] -= back[static_cast<std::size_t>(i)];
      }
  rows_from(Jd_world_, rate);
}

Motion<double> PoseTask::times(std::span<const double> world, std::span<const double> xd) const {
  std::array<double, 6> sum{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < xd.size(); ++k) sum[i] += world[i * xd.size() + k] * xd[k];
  return {{sum[0], sum[1], sum[2]}, {sum[3], sum[4], sum[5]}};
}

void PoseTask::components(const Motion<double>& in_world, std::span<double> out) const {
  const auto w = entries(M_ * (~target_.R * in_world.w)), v = entries(~target_.R * in_world.v);
  std::size_t r = 0;
  for (std::size_t c = 0; c < 6; ++c)
    if (weight_[c] != 0) out[r++] = weight_[c] * (c < 3 ? w[c] : v[c - 3]);
}

Motion<double> PoseTask::in_world(std::span<const double> components) const {
  std::array<double, 6> full{};
  std::size_t r = 0;
  for (std::size_t c = 0; c < 6; ++c)
    if (weight_[c] != 0) full[c] = components[r++];
  return {target_.R * Vec3<double>{full[0], full[1], full[2]}, target_.R * Vec3<double>{full[3], full[4], full[5]}};
}

}  // namespace torsor
