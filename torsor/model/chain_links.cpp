#include "torsor/model/chain_links.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <unordered_map>

#include "torsor/model/configuration.hpp"

namespace torsor {

Part part_of(const Inertia<double>& J, const Where& where, const Transform<double>& X) {
  Part part{J.m, mass_centre(J), tensor_about_centre(J), InertiaAbout::mass_centre, where};
  // what the shift to the mass centre leaves of a point mass is rounding, and may be negative
  const double noise = 64 * std::numeric_limits<double>::epsilon() * J.m * dot(part.com, part.com);
  Sym3<double>& I = part.tensor;
  for (double* entry : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz})
    if (abs(*entry) <= noise) *entry = 0;
  part.com = X * part.com;
  part.tensor = rotate(X.R, part.tensor);
  return part;
}

Description with_payload(Description robot, const Model<double>& model, const Frame<double>& frame, const Part& part) {
  const Transform<double> X = inverse(model[frame.body].link) * frame.X_body_frame;  // in the link frame
  for (LinkDescription& link : robot.links)
    if (link.name == model.link_names[frame.body]) link.parts.push_back(part_of(inertia_of({part}), part.where, X));
  return robot;
}

Result<Model<double>> build_links(const Description& robot) {
  Description plain = robot;
  for (LinkDescription& l : plain.links)
    if (l.rotor) l.rotor->as_body = false;
  return build(plain);
}

std::vector<std::size_t> source_links(const Description& robot, const Model<double>& m) {
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < robot.links.size(); ++i) index.emplace(robot.links[i].name, i);
  std::vector<std::size_t> source;
  for (const std::string& name : m.link_names) source.push_back(index.at(name));
  return source;
}

Result<std::vector<ChainLink>> chain_links(const Description& robot) {
  const auto built = build_links(robot);
  if (!built) return built.faults();
  const Model<double>& m = *built;

  const std::vector<std::size_t> source = source_links(robot, m);

  Faults errors;
  const auto fault = [&](int body, std::string what, std::string remedy) {
    errors.push_back({{robot.file, 0},
                      fmt::format("joint \"{}\"", m.joint_names[body]),
                      "not-serial",
                      std::move(what),
                      std::move(remedy)});
  };
  std::vector<ChainLink> chain;
  std::vector<int> entry(m.bodies.size(), -1);  // chain entry each body belongs to; -1: the base
  std::vector<Transform<double>> X(m.bodies.size());
  const Configuration<double> zero(m);
  int last = -1;
  for (int i = 0; i < m.size(); ++i) {
    const Body<double>& b = m[i];
    X[i] = (b.parent < 0 ? Transform<double>{} : X[b.parent]) * pose_in_parent(m, zero, i);
    entry[i] = b.parent < 0 ? -1 : entry[b.parent];
    if (b.kind == JointKind::fixed) {
      if (entry[i] >= 0) chain[entry[i]].inertia += (~chain[entry[i]].X_base_body * X[i]) * b.inertia;
      continue;
    }
    if (b.nv != 1)
      fault(i, fmt::format("a {} joint has no DH row", row(b.kind).name),
            "only revolute, prismatic and helical joints have one: let the chain begin behind it (--base)");
    if (entry[i] != last)
      fault(i, "it starts a second branch",
            "a DH table describes a single chain: take one of the tree (--tool), or write placements");
    last = static_cast<int>(chain.size());
    entry[i] = last;
    chain.push_back({source[i], m.joint_names[i], X[i], b.link, b.inertia, {}});
  }
  if (chain.empty())
    errors.push_back(
        {{robot.file, 0}, "robot", "not-serial", "no joint moves", "a DH table needs at least one moving joint"});
  for (const Frame<double>& f : m.frames) {
    const int e = entry[f.body];
    if (e < 0) continue;
    chain[e].frames.push_back({f.name, e, (~chain[e].X_base_body * X[f.body]) * f.X_body_frame});
  }
  if (!errors.empty()) return errors;
  // the default tool must sit on the last link, or the last link itself serves
  if (chain.back().frames.empty()) chain.back().frames.push_back({robot.links[chain.back().source].name, last, {}});
  return chain;
}

void compare_tools(const Model<double>& a, const Model<double>& b, double& position, double& angle) {
  TORSOR_EXPECT(a.nq == b.nq);
  const auto pose = [](const Model<double>& m, const std::vector<double>& q) {
    Configuration<double> configuration(m);
    configuration.set(m, q);
    Transform<double> X = m.frames.back().X_body_frame;
    for (int i = m.frames.back().body; i >= 0; i = m[i].parent) X = pose_in_parent(m, configuration, i) * X;
    return m.base * X;
  };
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-sampled_range, sampled_range);
  std::vector<double> q(static_cast<std::size_t>(a.nq), 0.0);
  position = angle = 0;
  for (int draw = 0; draw < 32; ++draw) {
    const Transform<double> A = pose(a, q), B = pose(b, q);
    const Mat3<double> R = ~A.R * B.R;
    const Vec3<double> w{R.y.z - R.z.y, R.z.x - R.x.z, R.x.y - R.y.x};
    position = std::max(position, norm(A.p - B.p));
    angle = std::max(angle, std::atan2(norm(w), R.x.x + R.y.y + R.z.z - 1));
    for (double& x : q) x = uniform(random);
  }
}

}  // namespace torsor
