#include "torsor/check/state_difference.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "torsor/dynamics.hpp"
#include "torsor/model/random_position.hpp"

namespace torsor {
namespace {

/// Coordinates that both robots have, by their places.
struct SharedCoordinates {
  std::vector<std::pair<std::size_t, std::size_t>> positions, velocities;
};

SharedCoordinates shared(const Model<double>& A, const Model<double>& B, const RobotMatch& match) {
  SharedCoordinates out;
  const auto own = [](const Model<double>& m, const MovingBody& x) {
    const Body<double>& b = m[x.body];
    return b.nv > 1 ||
           m.velocity_names[static_cast<std::size_t>(b.v)] == m.joint_names[static_cast<std::size_t>(x.body)];
  };
  for (std::size_t i = 0; i < match.first.bodies.size(); ++i) {
    if (match.to_second[i] < 0) continue;
    const MovingBody &x = match.first.bodies[i], &y = match.second.bodies[static_cast<std::size_t>(match.to_second[i])];
    const Body<double>&p = A[x.body], &q = B[y.body];
    // a follower has no coordinate of its own
    if (row(p.kind).nq != row(q.kind).nq || !own(A, x) || !own(B, y)) continue;
    for (int k = 0; k < row(p.kind).nq; ++k) out.positions.emplace_back(p.q + k, q.q + k);
    for (int k = 0; k < p.nv; ++k) out.velocities.emplace_back(p.v + k, q.v + k);
  }
  return out;
}

}  // namespace

double angle_between(const Mat3<double>& R, const Mat3<double>& S) {
  const Mat3<double> T = ~R * S;
  const Vec3<double> w{T.y.z - T.z.y, T.z.x - T.x.z, T.x.y - T.y.x};
  return std::atan2(norm(w), T.x.x + T.y.y + T.z.z - 1);
}

StateDifference compare_states(const Robot& first, const Robot& second, const RobotMatch& match,
                               const std::vector<Transform<double>>& gauge, const DifferenceOptions& options) {
  const Model<double>&A = first.model(), &B = second.model();
  const SharedCoordinates common = shared(A, B, match);
  StateDifference out;
  // about as much work for a large robot as for a small one
  out.states = std::clamp(options.states * 500 / std::max({A.nv, B.nv, 1}), 1, options.states);
  Dynamics one(first, {.questions = Questions::all_but_forward}),
      two(second, {.questions = Questions::all_but_forward});
  const auto n = static_cast<std::size_t>(A.nv), m = static_cast<std::size_t>(B.nv);
  std::vector<double> q = neutral_position(A), q_b = neutral_position(B), qd(n), qdd(n), qd_b(m), qdd_b(m);
  std::vector<double> tau(n), bias(n), g(n), tau_b(m);
  std::vector<Transform<double>> X(A.bodies.size()), Y(B.bodies.size());
  std::mt19937_64 engine(1);
  std::vector<std::pair<Frame<double>, Frame<double>>> tools;
  for (const Frame<double>& frame : A.frames)
    if (const auto found = second.find_frame(&frame.name); found && options.tools_by_name)
      tools.emplace_back(frame, *found);
  if (!options.tools_by_name && !A.frames.empty() && !B.frames.empty())
    tools.emplace_back(A.frames.back(), B.frames.back());

  const auto apart = [&](const Transform<double>& P, const Transform<double>& Q, const std::string& where) {
    const double distance = norm(P.p - Q.p), angle = angle_between(P.R, Q.R);
    if (distance > out.pose.position) {
      out.pose.position = distance;
      out.pose.position_where = where;
      out.pose.q = q;
    }
    if (angle > out.pose.angle) {
      out.pose.angle = angle;
      out.pose.angle_where = where;
    }
  };
  for (int state = 0; state < out.states; ++state) {
    const std::vector<double> drawn = random_position(A, engine);
    for (const auto& [here, there] : common.positions) q[here] = q_b[there] = drawn[here];
    for (const auto& [here, there] : common.velocities) {
      qd[here] = qd_b[there] = 2 * uniform(engine) - 1;
      qdd[here] = qdd_b[there] = 2 * uniform(engine) - 1;
    }
    if (!one.poses(q, X) || !two.poses(q_b, Y)) continue;
    for (std::size_t i = 0; i < match.first.bodies.size(); ++i) {
      if (match.to_second[i] < 0) continue;
      const auto body = static_cast<std::size_t>(match.first.bodies[i].body);
      const auto other =
          static_cast<std::size_t>(match.second.bodies[static_cast<std::size_t>(match.to_second[i])].body);
      apart(X[body], Y[other] * inverse(gauge[i]), A.joint_names[body]);
    }
    for (const auto& [frame, other] : tools)
      apart(X[static_cast<std::size_t>(frame.body)] * frame.X_body_frame,
            Y[static_cast<std::size_t>(other.body)] * other.X_body_frame, frame.name);

    if (!one.inverse(q, qd, qdd, tau) || !one.bias(q, qd, bias) || !one.gravity(q, g) ||
        !two.inverse(q_b, qd_b, qdd_b, tau_b))
      continue;
    double difference = 0, scale = 0;
    for (const auto& [here, there] : common.velocities) {
      const double off = abs(tau[here] - tau_b[there]);
      difference = std::max(difference, off);
      scale =
          std::max({scale, abs(tau[here] - bias[here]) + abs(bias[here] - g[here]) + abs(g[here]), abs(tau_b[there])});
      if (off > out.torque.torque)
        out.torque = {out.torque.relative, off, tau[here], tau_b[there], A.velocity_names[here], q, qd, qdd};
    }
    if (difference > 0) out.torque.relative = std::max(out.torque.relative, difference / scale);
  }
  return out;
}

}  // namespace torsor
