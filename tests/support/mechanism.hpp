// Mechanisms put together in few words, those of the golden files as descriptions, and states as their seven coordinates per
// body.
#pragma once

#include <cmath>

#include "tests/support/golden.hpp"
#include "torsor/mechanism/mechanism.hpp"

namespace torsor::testing {

/// A joint frame with its z axis there, its x axis that way as nearly as z lets it.
inline Transform<double> joint_frame(const Vec3<double>& P, const Vec3<double>& z, const Vec3<double>& x) {
  const Vec3<double> zu = unit(z), yu = unit(cross(zu, x));
  return {{cross(yu, zu), yu, zu}, P};
}

inline Vec3<double> across(const Vec3<double>& z) {
  return std::fabs(z.x) < 0.7 * norm(z) ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
}

/// A body with its frame at its mass centre; its number.
inline int add_body(MechanismDescription& d, const std::string& name, double m, const Sym3<double>& I,
                    const Vec3<double>& at = {}, const Mat3<double>& R = Mat3<double>::identity()) {
  MechanismBody body;
  body.name = name;
  body.m = m;
  body.I = I;
  body.X_world_body = {R, at};
  d.bodies.push_back(body);
  return static_cast<int>(d.bodies.size()) - 1;
}

/// A joint at a point of the world where the bodies stand, with its axis; its number.
inline int add_joint(MechanismDescription& d, const std::string& name, MechanismJointKind kind, int i, int j,
                     const Vec3<double>& P, const Vec3<double>& z) {
  MechanismJoint joint;
  joint.name = name;
  joint.kind = kind;
  joint.i.body = i;
  joint.j.body = j;
  place_joint(joint, d, joint_frame(P, z, across(z)));
  d.joints.push_back(joint);
  return static_cast<int>(d.joints.size()) - 1;
}

inline int add_joint(MechanismDescription& d, MechanismJointKind kind, int i, int j, const Vec3<double>& P,
                     const Vec3<double>& z) {
  return add_joint(d, "joint" + std::to_string(d.joints.size()), kind, i, j, P, z);
}

inline int add_hinge(MechanismDescription& d, const std::string& name, int i, int j, const Vec3<double>& P,
                     const Vec3<double>& z) {
  return add_joint(d, name, MechanismJointKind::revolute, i, j, P, z);
}

/// Rods of 1 m and 1 kg in line along x, on hinges about y.
inline MechanismDescription rods_in_line(int n) {
  MechanismDescription d;
  for (int k = 0; k < n; ++k) {
    add_body(d, "rod" + std::to_string(k), 1, {0.1, 0.1, 0.1, 0, 0, 0}, {0.5 + k, 0, 0});
    add_hinge(d, "hinge" + std::to_string(k), k - 1, k, {static_cast<double>(k), 0, 0}, {0, 1, 0});
  }
  return d;
}

inline MechanismJoint golden_joint(const Json& json, int number) {
  MechanismJoint joint;
  joint.name = "joint" + std::to_string(number);
  const std::string type = json.at("type");
  for (const MechanismJointRow& row : mechanism_joint_kinds)
    if (row.name == type) joint.kind = row.kind;
  REQUIRE(row(joint.kind).name == type);
  joint.i.body = json.at("i");
  joint.j.body = json.at("j");
  const auto axis = [&](const char* key) { return json.contains(key) ? vector(json[key]) : Vec3<double>{0, 0, 1}; };
  const Vec3<double> zi = axis("ai"), zj = axis("aj");
  joint.i.X = joint_frame(vector(json.at("Pi")), zi, json.contains("bi") ? vector(json["bi"]) : across(zi));
  joint.j.X = joint_frame(vector(json.at("Pj")), zj, json.contains("cj") ? vector(json["cj"]) : across(zj));
  // a slide keeps b_i square to c_j: x_i square to y_j
  if (json.contains("cj")) joint.j.X.R = Mat3<double>{cross(vector(json["cj"]), zj), vector(json["cj"]), zj};
  return joint;
}

/// Bodies (frames at the mass centres) and gravity of a golden mechanism, standing as at one of its instants.
inline MechanismDescription golden_bodies(const Json& json, std::size_t instant) {
  MechanismDescription d;
  d.name = json.at("name");
  d.gravity = vector(json.at("gravity"));
  for (const Json& b : json.at("bodies")) {
    MechanismBody body;
    body.name = b.at("name");
    body.m = b.at("m");
    body.I = symmetric(matrix(b.at("I")));
    const Json& q = json.at("q")[instant];
    const std::size_t at = 7 * d.bodies.size();
    body.X_world_body = {rotation(Quaternion<double>{q[at + 3], q[at + 4], q[at + 5], q[at + 6]}),
                         {q[at], q[at + 1], q[at + 2]}};
    d.bodies.push_back(body);
  }
  return d;
}

/// q, q', q'' as in Sim, Yoo & Lee 1985: r and Euler parameters of every body; the sign of p as in `like`.
inline Numbers coordinates(const MechanismState& s, const Numbers& like) {
  Numbers q;
  for (const BodyState& b : s.bodies) {
    const std::size_t at = q.size();
    const Quaternion<double> p = nearer(b.p, {like[at + 3], like[at + 4], like[at + 5], like[at + 6]});
    for (const double x : {b.r.x, b.r.y, b.r.z, p.e0, p.e1, p.e2, p.e3}) q.push_back(x);
  }
  return q;
}

/// (0, w) p / 2, w along the world's axes.
inline Quaternion<double> world_rate(const Quaternion<double>& p, const Vec3<double>& w) {
  const Quaternion<double> r = Quaternion<double>{0, w.x / 2, w.y / 2, w.z / 2} * p;
  return r;
}

inline Numbers coordinate_rates(const MechanismState& s, const Numbers& like) {
  Numbers out;
  for (const BodyState& b : s.bodies) {
    const std::size_t at = out.size();
    const Quaternion<double> p = nearer(b.p, {like[at + 3], like[at + 4], like[at + 5], like[at + 6]});
    const Quaternion<double> pd = world_rate(p, b.w);
    for (const double x : {b.v.x, b.v.y, b.v.z, pd.e0, pd.e1, pd.e2, pd.e3}) out.push_back(x);
  }
  return out;
}

inline Numbers coordinate_accelerations(const MechanismState& s, std::span<const Motion<double>> A,
                                        const Numbers& like) {
  Numbers out;
  for (std::size_t k = 0; k < s.bodies.size(); ++k) {
    const BodyState& b = s.bodies[k];
    const std::size_t at = out.size();
    const Quaternion<double> p = nearer(b.p, {like[at + 3], like[at + 4], like[at + 5], like[at + 6]});
    const Quaternion<double> first = world_rate(p, A[k].w), second = world_rate(world_rate(p, b.w), b.w);
    for (const double x : {A[k].v.x, A[k].v.y, A[k].v.z, first.e0 + second.e0, first.e1 + second.e1,
                           first.e2 + second.e2, first.e3 + second.e3})
      out.push_back(x);
  }
  return out;
}

}  // namespace torsor::testing
