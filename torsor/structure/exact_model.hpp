// Model<T> from an ExactRobot, over whatever a source makes of its angles and numbers: residues modulo a prime, or their
// magnitudes. And its positions: each coordinate is one point of the circle for the angles it drives and one number for
// the slides, which are independent of each other (x and the cosine of x satisfy no polynomial relation).
#pragma once

#include "torsor/model/configuration.hpp"
#include "torsor/structure/exact_robot.hpp"

namespace torsor {

template <class T>
struct TurnOf {
  T c{1}, s{0};
};

/// What makes numbers of T from what an ExactRobot says.
template <class S, class T>
concept ExactSource = requires(S source, const ExactAngle& angle, double x, const std::vector<Part>& parts) {
  { source.turn(angle) } -> std::convertible_to<TurnOf<T>>;
  { source.number(x) } -> std::convertible_to<T>;
  { source.inertia(parts, true) } -> std::convertible_to<Inertia<T>>;
  { source.rotor(x) } -> std::convertible_to<T>;
};

namespace detail {

template <class T, ExactSource<T> Source>
Transform<T> follow(Transform<T> X, const std::vector<ExactStep>& steps, Source& source) {
  for (const ExactStep& step : steps) {
    if (step.axis < 0) {
      X.p = X.p + X.R * Vec3<T>{source.number(step.shift.x), source.number(step.shift.y), source.number(step.shift.z)};
      continue;
    }
    const auto [c, s] = source.turn(step.angle);
    X.R = X.R * (step.axis == 0 ? rotation_x(c, s) : step.axis == 1 ? rotation_y(c, s) : rotation_z(c, s));
  }
  return X;
}

}  // namespace detail

/// The tree over T; names, limits, friction and transmissions are left out.
template <class T, ExactSource<T> Source>
Model<T> exact_model(const ExactRobot& robot, Source& source) {
  Model<T> out;
  out.nq = robot.model.nq;
  out.nv = robot.model.nv;
  out.base = detail::follow(Transform<T>{}, robot.base, source);
  const Vec3<double>& g = robot.model.gravity;
  out.gravity = {source.number(g.x), source.number(g.y), source.number(g.z)};
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    const Body<double>& b = robot.model.bodies[i];
    const ExactBody& exact = robot.bodies[i];
    const Transform<T> X_parent_link =
        b.parent < 0 ? Transform<T>{} : out.bodies[static_cast<std::size_t>(b.parent)].link;
    const Transform<T> placement = detail::follow(X_parent_link, exact.to_joint, source);
    const Transform<T> link = detail::follow(Transform<T>{}, exact.to_link, source);
    Body<T> body{b.parent,
                 b.kind,
                 b.q,
                 b.v,
                 b.column,
                 b.nv,
                 source.number(b.ratio),
                 source.number(b.offset),
                 source.number(b.pitch),
                 placement,
                 link,
                 link * source.inertia(exact.parts, exact.is_rotor)};
    for (int k = 0; k < b.nv; ++k) out.S.push_back(joint_motion(b.kind, k, body.pitch) * body.ratio);
    out.bodies.push_back(std::move(body));
  }
  for (const double r : robot.model.rotor) out.rotor.push_back(source.rotor(r));
  for (const auto& [i, j, value] : robot.model.rotor_coupling)
    out.rotor_coupling.push_back({i, j, source.rotor(value)});
  return out;
}

}  // namespace torsor
