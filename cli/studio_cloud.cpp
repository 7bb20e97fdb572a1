// The workspace as a cloud for the Studio: where the tool gets inside the joint limits, how heavy the arm is there at rest, and
// how far from singular it stands.
#include <array>
#include <cmath>
#include <random>

#include "cli/studio_robot.hpp"
#include "torsor/fast/terms.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {

void StudioRobot::cloud(const StudioRequest& in, StudioAnswer& out) {
  if (!tool_) refuse_call("cloud", "tool-missing", "the robot has no tool");
  const Model<double>& m = robot_.model();
  const auto nv = static_cast<std::size_t>(m.nv);
  const int count = in.whole_or("samples", 1, 20000, 4000);
  StudioLoaded& at = loaded(in);
  at.dynamics.set_loads({});
  std::mt19937_64 engine(static_cast<std::uint64_t>(in.whole_or("seed", 0, 1 << 30, 1)));
  std::vector<double> places, shares, least, tau(nv), J(6 * nv);
  for (int k = 0; k < count; ++k) {
    const std::vector<double> q = random_position(m, engine);
    Transform<double> X;
    if (!at.dynamics.tool(q, X, J) || !at.dynamics.gravity(q, tau)) continue;
    places.insert(places.end(), {X.p.x, X.p.y, X.p.z});
    double share = 0;
    for (std::size_t i = 0; i < nv; ++i)
      if (m.limits[i].effort > 0) share = std::max(share, std::abs(tau[i]) / m.limits[i].effort);
    shares.push_back(share);
    least.push_back(tool_directions(J, m.nv, arm_length()).least);
  }
  out.rows("places", places, 3);
  out.rows("torque_share", shares);
  out.rows("least_singular_value", least);
}

}  // namespace torsor
