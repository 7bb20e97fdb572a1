// The workspace as a cloud for the Studio: where the tool gets inside the joint limits, how heavy the arm is there at rest, what it
// could carry besides, and how far from singular it stands.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "cli/studio_robot.hpp"
#include "torsor/fast/terms.hpp"
#include "torsor/model/random_position.hpp"
#include "torsor/trajectory/showing_motion.hpp"

namespace torsor {
namespace {

/// The largest point mass at the tool that no joint's limit forbids at rest, kg: |gravity + m u| <= limit, u = -J^T g of the tool's
/// point; infinite where no limit says anything.
double largest_payload(const Model<double>& m, std::span<const double> gravity, std::span<const double> J) {
  const auto nv = static_cast<std::size_t>(m.nv);
  const std::array<double, 3> g{m.gravity.x, m.gravity.y, m.gravity.z};
  double most = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < nv; ++i) {
    const double limit = m.limits[i].effort;
    if (!(limit > 0) || !std::isfinite(limit)) continue;
    double u = 0;
    for (std::size_t r = 0; r < 3; ++r) u -= J[(3 + r) * nv + i] * g[r];
    if (std::abs(gravity[i]) > limit)
      most = 0;
    else if (u != 0)
      most = std::min(most, (std::copysign(limit, u) - gravity[i]) / u);
  }
  return most;
}

}  // namespace

void StudioRobot::cloud(const StudioRequest& in, StudioAnswer& out) {
  if (!tool_) refuse_call("cloud", "tool-missing", "the robot has no tool");
  const Model<double>& m = robot_.model();
  const auto nv = static_cast<std::size_t>(m.nv);
  const int count = in.whole_or("samples", 1, 20000, 4000);
  StudioLoaded& at = loaded(in);
  at.dynamics.set_loads({});
  // what is free stays where it is: the tool moves by the joints behind it
  const auto present = in.numbers_if("q", static_cast<std::size_t>(m.nq));
  const std::vector<double> still = present ? *present : opening_posture(m, name_, held_);
  std::mt19937_64 engine(static_cast<std::uint64_t>(in.whole_or("seed", 0, 1 << 30, 1)));
  std::vector<double> places, shares, least, products, payloads, tau(nv), J(6 * nv);
  for (int k = 0; k < count; ++k) {
    std::vector<double> q = random_position(m, engine);
    for (const Body<double>& b : m.bodies)
      if (b.parent < 0 && b.kind == JointKind::free) std::copy_n(still.begin() + b.q, row(b.kind).nq, q.begin() + b.q);
    Transform<double> X;
    if (!at.dynamics.tool(q, X, J) || !at.dynamics.gravity(q, tau) || !at.dynamics.poses(q, X_)) continue;
    places.insert(places.end(), {X.p.x, X.p.y, X.p.z});
    double share = 0;
    for (std::size_t i = 0; i < nv; ++i)
      if (m.limits[i].effort > 0) share = std::max(share, std::abs(tau[i]) / m.limits[i].effort);
    shares.push_back(share);
    const ToolDirections freedom = directions(J, X.p, X_);
    least.push_back(freedom.least);
    products.push_back(freedom.product);
    if (const double most = largest_payload(at.robot.model(), tau, J); std::isfinite(most)) payloads.push_back(most);
  }
  // of all places or of none
  if (payloads.size() != shares.size()) payloads.clear();
  out.rows("places", places, 3);
  out.rows("torque_share", shares);
  out.rows("least_singular_value", least);
  out.rows("manipulability", products);
  out.rows("payload", payloads);
}

}  // namespace torsor
