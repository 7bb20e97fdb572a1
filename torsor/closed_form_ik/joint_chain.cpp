#include "torsor/closed_form_ik/joint_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "torsor/spatial/rotation.hpp"

namespace torsor {

Transform<double> JointChain::moved(int k, double q) const {
  if (slides[static_cast<std::size_t>(k)]) return Transform<double>::translation({0, 0, q});
  return Transform<double>::rotation(rotation_z(q));
}

Transform<double> JointChain::tool_pose(std::span<const double> q) const {
  Transform<double> X = B[0];
  for (int k = 0; k < joints(); ++k)
    X = X * moved(k, q[static_cast<std::size_t>(k)]) * B[static_cast<std::size_t>(k + 1)];
  return X;
}

Fault no_closed_form(const Model<double>& model, std::string why) {
  return {{}, fmt::format("robot \"{}\"", model.name), "no-closed-form", std::move(why),
          "a general numeric solver has no such limit"};
}

Result<JointChain> joint_chain(const Model<double>& model, const Frame<double>& tool) {
  const auto refuse = [&model](std::string why) { return no_closed_form(model, std::move(why)); };
  std::vector<int> bodies;
  for (int i = tool.body; i >= 0; i = model[i].parent) bodies.insert(bodies.begin(), i);
  JointChain chain;
  Transform<double> X = model.base;
  chain.size = 0;
  for (const int i : bodies) {
    const Body<double>& body = model[i];
    X = X * body.placement;
    if (body.kind == JointKind::fixed) continue;
    const std::string& name = model.joint_names[static_cast<std::size_t>(i)];
    if (body.kind != JointKind::revolute && body.kind != JointKind::prismatic)
      return refuse(fmt::format("\"{}\" is neither revolute nor prismatic", name));
    if (body.ratio != 1 || body.offset != 0)
      return refuse(fmt::format("\"{}\" follows another joint, and has no position of its own", name));
    if (!chain.B.empty()) chain.size += norm(X.p);
    chain.B.push_back(X);
    X = {};
    chain.slides.push_back(body.kind == JointKind::prismatic);
    chain.coordinate.push_back(body.q);
    chain.limits.push_back(model.limits[static_cast<std::size_t>(body.v)]);
  }
  if (chain.slides.empty()) return refuse("no joint moves its tool");
  chain.B.push_back(X * tool.X_body_frame);
  // of slides that all start from one place a metre is as good as any
  const bool slides = std::ranges::any_of(chain.slides, [](bool s) { return s; });
  if (!(chain.size > 0)) chain.size = slides ? 1 : std::max(norm(chain.B.back().p), 1e-3);
  return chain;
}

std::array<Transform<double>, 7> six_of(const JointChain& chain, int held, double value) {
  std::array<Transform<double>, 7> out;
  std::size_t k = 0;
  for (int i = 0; i < 8; ++i) {
    const Transform<double>& b = chain.B[static_cast<std::size_t>(i)];
    if (i == held + 1)
      out[k - 1] = out[k - 1] * chain.moved(held, value) * b;
    else
      out[k++] = b;
  }
  return out;
}

std::array<bool, 6> slides_of(const JointChain& chain, int held) {
  std::array<bool, 6> out{};
  for (int i = 0, k = 0; i < 7; ++i)
    if (i != held) out[static_cast<std::size_t>(k++)] = chain.slides[static_cast<std::size_t>(i)];
  return out;
}

bool axes_meet(const JointChain& chain, int first, double tolerance, Vec3<double>& point) {
  return axes_meet(chain.B[static_cast<std::size_t>(first + 1)], chain.B[static_cast<std::size_t>(first + 2)],
                   tolerance * chain.size, point);
}

bool axes_meet(const Transform<double>& into, const Transform<double>& after, double distance, Vec3<double>& point) {
  // lines of the outer axes in the frame of the middle one, which is z: they cut it at heights that do not depend on
  // its angle
  const Transform<double> before = inverse(into);
  double height[2];
  for (int side = 0; side < 2; ++side) {
    const Vec3<double> l = side == 0 ? before.R.z : after.R.z, p = side == 0 ? before.p : after.p;
    const double across = l.x * l.x + l.y * l.y;
    if (across < 1e-6) return false;  // parallel
    // nearest to the z axis
    const double t = -(p.x * l.x + p.y * l.y) / across;
    const Vec3<double> at = p + l * t;
    if (std::hypot(at.x, at.y) > distance) return false;
    height[side] = at.z;
  }
  if (std::abs(height[0] - height[1]) > distance) return false;
  point = {0, 0, (height[0] + height[1]) / 2};
  return true;
}

}  // namespace torsor
