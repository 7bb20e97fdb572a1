#include "torsor/fast/canonical_chain.hpp"

#include <cmath>
#include <string>

#include "torsor/dynamics/regroup.hpp"
#include "torsor/model/common_normal.hpp"
#include "torsor/model/dh.hpp"

namespace torsor {
namespace {

/// An axis of the arm at zero, in the base frame, and the link it carries.
struct Axis {
  int body = 0;
  bool prismatic = false;
  Vec3<double> z, point;  // unit direction; a point on it, the joint's own origin
  Vec3<double> x, origin;  // of the canonical frame
};

Fault refusal(const Model<double>& model, int body, const std::string& what) {
  return {
      {}, "joint \"" + model.joint_names[body] + "\"", "canonical-chain", what, "the tree algorithms take any model"};
}

/// Every moving body, in order, with its pose at zero; or why they are no chain.
Result<std::vector<Axis>> axes_of(const Model<double>& model, CanonicalChain& chain,
                                  std::vector<Transform<double>>& X) {
  std::vector<Axis> axes;
  for (int i = 0; i < model.size(); ++i) {
    const Body<double>& b = model[i];
    const int carrier = b.parent < 0 ? -1 : chain.link_of_body[b.parent];
    X.push_back(b.parent < 0 ? b.placement : X[b.parent] * b.placement);
    if (b.kind == JointKind::fixed) {
      chain.link_of_body.push_back(carrier);
      continue;
    }
    if (b.kind != JointKind::revolute && b.kind != JointKind::prismatic)
      return refusal(
          model, i,
          "is " + std::string(row(b.kind).name) + ", and only revolute and prismatic ones have canonical frames");
    const int k = static_cast<int>(axes.size());
    if (carrier != k - 1) return refusal(model, i, "is one of several on its link: the model branches");
    if (b.v != k || b.q != k || b.ratio != 1 || b.offset != 0) return refusal(model, i, "follows another joint");
    axes.push_back({i, b.kind == JointKind::prismatic, X[i].R.z, X[i].p, X[i].R.x, X[i].p});
    chain.link_of_body.push_back(k);
  }
  if (axes.empty())
    return Fault{{},
                 "model \"" + model.name + "\"",
                 "canonical-chain",
                 "has no joint that moves",
                 "the tree algorithms take any model"};
  return axes;
}

/// Turns x_i along the common normal of axes i and i + 1 and puts origin i + 1 where it meets axis i + 1. A normal that
/// is `far` from the origin is not followed: the nearest point of the axis serves.
void frame_pair(Axis& here, Axis& next, const Vec3<double>& x_before, double far,
                const GeometryClassifier& classifier) {
  const Vec3<double> offset = next.point - here.origin;
  Vec3<double> x = cross(here.z, next.z);
  next.origin = next.point - next.z * dot(offset, next.z);
  if (classifier.parallel(here.z, next.z)) {
    x = across(offset, here.z);
    if (norm(x) <= classifier.length_rounding()) x = x_before;  // one line
  } else {
    const AxisLine line{next.point, next.z};
    const Vec3<double> foot = line.at(common_normal({here.origin, here.z}, line).on_next);
    if (norm(foot - here.origin) <= far) next.origin = foot;
  }
  here.x = unit(across(unit(x), here.z));
  if (dot(here.x, x_before) < 0) here.x = -here.x;
}

void set_circle(double angle, double& c, double& s) {
  const CosSin turn = exact_cos_sin(angle);
  c = turn.c, s = turn.s;
}

Twist twist_kind(double ca, double sa) {
  // both: the cosine of a small angle is 1 as well
  if (ca == 1 && sa == 0) return Twist::none;
  return ca != 0 ? Twist::any : sa == 1 ? Twist::quarter : sa == -1 ? Twist::minus_quarter : Twist::any;
}

LinkOffset reach_kind(double a, double b, double d) {
  if (b != 0) return LinkOffset::any;
  return a != 0 ? (d != 0 ? LinkOffset::a_d : LinkOffset::a) : (d != 0 ? LinkOffset::d : LinkOffset::none);
}

LinkInertia inertia_kind(const CanonicalLink<double>& l) {
  if (l.xy != 0) return LinkInertia::any;
  const bool x = l.hx != 0 || l.xz != 0, y = l.hy != 0 || l.yz != 0;
  return x ? (y ? LinkInertia::any : LinkInertia::mirrored_y) : (y ? LinkInertia::mirrored_x : LinkInertia::bare);
}

/// The numbers of a flat body; of its tensor the moments J = tr(I) / 2 - I.
void set_parameters(const Inertia<double>& body, CanonicalLink<double>& l) {
  l.m = body.m, l.hx = body.h.x, l.hy = body.h.y, l.hz = body.h.z;
  if (l.prismatic) return;
  const Sym3<double>& I = body.I;
  const double half = (I.xx + I.yy + I.zz) / 2;
  l.oxx = half - I.xx, l.oyy = half - I.yy, l.oxy = -I.xy, l.oxz = -I.xz, l.oyz = -I.yz;
  // about (a, b, d): J - h p^T - p h^T, since there is no mass
  l.xx = l.oxx - 2 * l.hx * l.a, l.yy = l.oyy - 2 * l.hy * l.b;
  l.xy = l.oxy - l.hx * l.b - l.hy * l.a, l.xz = l.oxz - l.hx * l.d, l.yz = l.oyz - l.hy * l.d;
  l.inertia = inertia_kind(l);
}

/// Turns frame 0 about axis 1 until gravity has no x; its z and its origin are there already.
void turn_to_gravity(const Model<double>& model, const GeometryClassifier& classifier, CanonicalChain& chain) {
  const Vec3<double> fall = ~model.base.R * model.gravity;
  const Vec3<double> z0 = chain.X_base_0.R.z;
  chain.level = norm(fall) == 0 || classifier.parallel(unit(fall), z0);
  Vec3<double> x0 = chain.level ? chain.x_first : unit(cross(z0, fall));
  if (dot(x0, chain.x_first) < 0) x0 = -x0;
  const Vec3<double> y0 = cross(z0, x0);
  chain.X_base_0.R = {x0, y0, z0};
  chain.X_world_0 = model.base * chain.X_base_0;
  chain.g = {0, chain.level ? 0 : dot(y0, fall), dot(z0, fall)};
  CanonicalLink<double>& first = chain.links[0];
  first.theta0 = classifier.special_angle(turn_about(z0, x0, chain.x_first));
  set_circle(first.theta0, first.c0, first.s0);
  for (int i = 0; i < model.size(); ++i)
    if (chain.link_of_body[i] < 0) {
      const Body<double>& b = model[i];
      const Transform<double> X =
          b.parent < 0 ? b.placement : chain.X_base_0 * chain.X_link_body[b.parent] * b.placement;
      chain.X_link_body[i] = inverse(chain.X_base_0) * X;
    }
}

/// What the links carry, regrouped.
void set_inertias(const Model<double>& model, CanonicalChain& chain) {
  for (Body<double>& body : chain.carried.bodies) body.inertia = {};
  for (int i = 0; i < model.size(); ++i)
    if (const int k = chain.link_of_body[i]; k >= 0)
      chain.carried.bodies[k].inertia += chain.X_link_body[i] * model[i].inertia;
  chain.carried = regrouped<RegroupedLinks::flat>(std::move(chain.carried));
  for (int i = 0; i < chain.n(); ++i) set_parameters(chain.carried[i].inertia, chain.links[i]);
}

/// A classifier for an arm of this length.
GeometryClassifier classifier_for(double length, GeometryTolerance tolerance) {
  return GeometryClassifier(tolerance, length > 0 ? length : 1);
}

}  // namespace

void refill(const Model<double>& model, CanonicalChain& chain, GeometryTolerance tolerance) {
  turn_to_gravity(model, classifier_for(1, tolerance), chain);  // only angles are asked of it
  set_inertias(model, chain);
}

Result<CanonicalChain> canonical_chain(const Model<double>& model, GeometryTolerance tolerance) {
  CanonicalChain chain;
  std::vector<Transform<double>> X;  // of the bodies, at zero
  auto found = axes_of(model, chain, X);
  if (!found) return found.faults();
  std::vector<Axis>& axes = *found;
  const int n = static_cast<int>(axes.size());

  // axes and origins; origin 1 is where the normal to axis 2 starts
  double length = 0;
  for (int i = 0; i + 1 < n; ++i) length += norm(axes[i + 1].point - axes[i].point);
  const double far = 4 * length;
  GeometryClassifier classifier = classifier_for(length, tolerance);
  if (n > 1 && !classifier.parallel(axes[0].z, axes[1].z)) {
    const AxisLine first{axes[0].point, axes[0].z};
    const double foot = common_normal({axes[1].point, axes[1].z}, first).on_next;
    if (std::abs(foot) <= far) axes[0].origin = first.at(foot);
  }
  Vec3<double> x_before = axes[0].x;
  for (int i = 0; i + 1 < n; ++i) {
    frame_pair(axes[i], axes[i + 1], x_before, far, classifier);
    x_before = axes[i].x;
  }
  axes[n - 1].x = n == 1 ? axes[0].x : unit(across(x_before, axes[n - 1].z));

  // frame 0 is on axis 1
  chain.X_base_0 = {{axes[0].x, cross(axes[0].z, axes[0].x), axes[0].z}, axes[0].origin};
  chain.x_first = axes[0].x;
  chain.X_link_body.resize(model.bodies.size());
  chain.links.emplace_back();
  turn_to_gravity(model, classifier, chain);

  // links: geometry against the frame before
  Vec3<double> x_at = chain.X_base_0.R.x, z_at = axes[0].z;
  chain.links.clear();
  for (int i = 0; i < n; ++i) {
    CanonicalLink<double> l;
    l.prismatic = axes[i].prismatic;
    const std::string name = "joint \"" + model.joint_names[axes[i].body] + "\": ";
    set_circle(classifier.angle(turn_about(x_at, z_at, axes[i].z), name + "the angle to the axis before"), l.ca, l.sa);
    l.twist = twist_kind(l.ca, l.sa);
    l.theta0 = classifier.angle(turn_about(axes[i].z, x_at, axes[i].x), name + "the angle at zero");
    set_circle(l.theta0, l.c0, l.s0);
    if (i + 1 < n) {
      const Vec3<double> p = axes[i + 1].origin - axes[i].origin;
      l.a = classifier.length(dot(p, axes[i].x), name + "the distance to the next axis");
      l.b = classifier.length(dot(p, cross(axes[i].z, axes[i].x)), name + "the lateral offset");
      l.d = classifier.length(dot(p, axes[i].z), name + "the offset along the axis");
    }
    l.offset = reach_kind(l.a, l.b, l.d);
    l.rotor = model.rotor[i];
    chain.links.push_back(l);
    x_at = axes[i].x, z_at = axes[i].z;
  }

  // bodies on their links
  for (int i = 0; i < n; ++i) {
    const CanonicalLink<double>& l = chain.links[i];
    Body<double> body;
    body.parent = i - 1;
    body.kind = l.prismatic ? JointKind::prismatic : JointKind::revolute;
    body.placement.R = {{l.c0, l.ca * l.s0, l.sa * l.s0}, {-l.s0, l.ca * l.c0, l.sa * l.c0}, {0, -l.sa, l.ca}};
    if (i > 0) body.placement.p = {chain.links[i - 1].a, chain.links[i - 1].b, chain.links[i - 1].d};
    chain.carried.bodies.push_back(body);
  }
  for (int i = 0; i < model.size(); ++i)
    if (const int k = chain.link_of_body[i]; k >= 0) {
      const Transform<double> C{{axes[k].x, cross(axes[k].z, axes[k].x), axes[k].z}, axes[k].origin};
      chain.X_link_body[i] = ~C * X[i];
    }
  set_inertias(model, chain);
  chain.rotor_coupling = model.rotor_coupling;
  chain.snaps = classifier.snaps();
  return chain;
}

}  // namespace torsor
