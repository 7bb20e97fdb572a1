// How near an arm comes to a pose with the tool turned as asked, found without any knowledge of the arm: from many random
// positions onto the orientation by Newton's steps, then towards the place by Gauss and Newton's along what leaves the
// orientation alone. Every position that ends there is a witness: the answer may not be farther.
#pragma once

#include <functional>

#include "tests/support/random.hpp"
#include "torsor/kinematics/base_motion.hpp"
#include "torsor/kinematics/body_motions.hpp"
#include "torsor/kinematics/configuration_rate.hpp"
#include "torsor/kinematics/forward_kinematics.hpp"
#include "torsor/kinematics/frame_motion.hpp"
#include "torsor/kinematics/jacobian.hpp"
#include "torsor/kinematics/reach.hpp"
#include "torsor/kinematics/row_jump.hpp"
#include "torsor/spatial/articulated_inertia.hpp"
#include "torsor/spatial/inertia.hpp"
#include "torsor/spatial/mat3.hpp"
#include "torsor/spatial/mat4.hpp"
#include "torsor/spatial/motion.hpp"
#include "torsor/spatial/quaternion.hpp"
#include "torsor/spatial/roll_pitch_yaw.hpp"
#include "torsor/spatial/rotation.hpp"
#include "torsor/spatial/transform.hpp"
#include "torsor/spatial/turn.hpp"
#include "torsor/spatial/turning.hpp"
#include "torsor/spatial/vec3.hpp"

namespace torsor::testing {

class NearestWitness {
 public:
  explicit NearestWitness(const Model<double>& m) : model(m), configuration(model), X(model.bodies.size()) {
    n = static_cast<std::size_t>(model.nv);
    J.resize(6 * n);
  }

  Transform<double> tool(std::span<const double> q) {
    configuration.set(model, q);
    forward_kinematics<double>(model, configuration, X);
    return frame_pose<double>(model.frames.back(), X);
  }

  /// The least distance of `starts` descents from random positions, slides drawn up to `slide` (m); infinite where none finds
  /// the orientation to 1e-10 rad.
  double distance(Random& random, const Transform<double>& target, int starts, double slide, bool turned = true) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < starts; ++k) {
      std::vector<double> q(n);
      for (std::size_t i = 0; i < n; ++i)
        q[i] = random.uniform(-1, 1) * (model.bodies[i].kind == JointKind::prismatic ? slide : std::numbers::pi);
      least = std::min(least, descend(q, target, turned));
    }
    return least;
  }

  double descend(std::vector<double>& q, const Transform<double>& target, bool turned) {
    if (turned && !orient(q, target)) return std::numeric_limits<double>::infinity();
    double best = norm(tool(q).p - target.p), damping = 1e-3;
    for (int step = 0; step < 100 && damping < 1e6; ++step) {
      const Vec3<double> e = target.p - tool(q).p;
      jacobian<double>(model, X, model.frames.back().body, tool(q).p, J);
      // rows of the place without what would turn the tool
      std::vector<std::vector<double>> rows, basis;
      const auto row = [&](std::size_t i) {
        std::vector<double> v(n);
        for (std::size_t k = 0; k < n; ++k) v[k] = J[i * n + k];
        return v;
      };
      const auto without = [&](std::vector<double> v) {
        for (int round = 0; round < 2; ++round)
          for (const auto& b : basis) {
            double along = 0;
            for (std::size_t k = 0; k < n; ++k) along += b[k] * v[k];
            for (std::size_t k = 0; k < n; ++k) v[k] -= along * b[k];
          }
        return v;
      };
      for (std::size_t i = 0; turned && i < 3; ++i) {
        std::vector<double> v = without(row(i));
        double length = 0;
        for (const double x : v) length += x * x;
        length = std::sqrt(length);
        if (length < 1e-9) continue;
        for (double& x : v) x /= length;
        basis.push_back(v);
      }
      for (std::size_t i = 3; i < 6; ++i) rows.push_back(without(row(i)));
      // (A A^T + damping) y = e, dq = A^T y
      Mat3<double> M;
      double trace = 0;
      const auto product = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += rows[a][k] * rows[b][k];
        return sum;
      };
      for (std::size_t a = 0; a < 3; ++a) trace += product(a, a);
      const double shift = damping * trace + 1e-300;
      M.x = {product(0, 0) + shift, product(1, 0), product(2, 0)};
      M.y = {product(0, 1), product(1, 1) + shift, product(2, 1)};
      M.z = {product(0, 2), product(1, 2), product(2, 2) + shift};
      const double det = dot(M.x, cross(M.y, M.z));
      const Vec3<double> y{dot(e, cross(M.y, M.z)) / det, dot(M.x, cross(e, M.z)) / det, dot(M.x, cross(M.y, e)) / det};
      std::vector<double> tried = q;
      double longest = 0;
      std::vector<double> by(n);
      for (std::size_t k = 0; k < n; ++k) {
        by[k] = rows[0][k] * y.x + rows[1][k] * y.y + rows[2][k] * y.z;
        longest = std::max(longest, std::abs(by[k]));
      }
      for (std::size_t k = 0; k < n; ++k) tried[k] += by[k] * (longest > 0.5 ? 0.5 / longest : 1);
      const bool oriented = !turned || orient(tried, target);
      const double there = norm(tool(tried).p - target.p);
      if (oriented && there < best) {
        const bool done = best - there < 1e-13 * best;
        best = there;
        q = tried;
        damping /= 4;
        if (done) break;
      } else {
        damping *= 8;
      }
    }
    return best;
  }

  /// The place alone, from a position inside the limits and never outside: one joint after the other, each by golden section
  /// over all that it may do, or about where it is.
  double inside(std::vector<double>& q, const Transform<double>& target) {
    double best = norm(tool(q).p - target.p);
    double width = 1;
    for (int round = 0; round < 400 && width > 1e-7; ++round) {
      const double before = best;
      for (std::size_t k = 0; k < n; ++k) {
        const Limits& l = model.limits[k];
        const double old = q[k];
        double low = std::max(l.lower, old - width), high = std::min(l.upper, old + width), least = best, at = old;
        for (int halving = 0; halving < 20; ++halving) {
          const double x1 = high - 0.618 * (high - low), x2 = low + 0.618 * (high - low);
          q[k] = x1;
          const double one = norm(tool(q).p - target.p);
          q[k] = x2;
          const double two = norm(tool(q).p - target.p);
          if (one < least) least = one, at = x1;
          if (two < least) least = two, at = x2;
          (one < two ? high : low) = one < two ? x2 : x1;
        }
        q[k] = at;
        best = least;
      }
      if (before - best < 1e-4 * best) width /= 2;
    }
    return best;
  }

  /// Onto the orientation, by the shortest steps.
  bool orient(std::vector<double>& q, const Transform<double>& target) {
    for (int step = 0; step < 60; ++step) {
      const Transform<double> at = tool(q);
      const Quaternion<double> e = quaternion(target.R * ~at.R);
      const Vec3<double> v = vector_part(e);
      const double s = norm(v), angle = 2 * std::atan2(s, e.e0);
      const Vec3<double> phi = v * (s > 0 ? angle / s : 2);
      if (norm(phi) < 1e-13) return true;
      jacobian<double>(model, X, model.frames.back().body, at.p, J);
      Mat3<double> M;
      const auto product = [&](std::size_t a, std::size_t b) {
        double sum = a == b ? 1e-13 + 1e-6 * dot(phi, phi) : 0;
        for (std::size_t k = 0; k < n; ++k) sum += J[a * n + k] * J[b * n + k];
        return sum;
      };
      M.x = {product(0, 0), product(1, 0), product(2, 0)};
      M.y = {product(0, 1), product(1, 1), product(2, 1)};
      M.z = {product(0, 2), product(1, 2), product(2, 2)};
      const double det = dot(M.x, cross(M.y, M.z));
      const Vec3<double> y{dot(phi, cross(M.y, M.z)) / det, dot(M.x, cross(phi, M.z)) / det,
                           dot(M.x, cross(M.y, phi)) / det};
      for (std::size_t k = 0; k < n; ++k)
        q[k] += std::clamp(J[k] * y.x + J[n + k] * y.y + J[2 * n + k] * y.z, -1.0, 1.0);
    }
    const Quaternion<double> e = quaternion(target.R * ~tool(q).R);
    return norm(vector_part(e)) < 1e-11;
  }

 private:
  const Model<double>& model;
  Configuration<double> configuration;
  std::vector<Transform<double>> X;
  std::vector<double> J;
  std::size_t n = 0;
};

}  // namespace torsor::testing
