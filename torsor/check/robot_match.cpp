#include "torsor/check/robot_match.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "torsor/model/configuration.hpp"

namespace torsor {
namespace {

class Matcher {
 public:
  Matcher(const Robot& a, const Robot& b) : A(a.model()), B(b.model()) {
    m.first = moving_bodies(a);
    m.second = moving_bodies(b);
    m.to_second.assign(m.first.bodies.size(), -1);
    to_first.assign(m.second.bodies.size(), -1);
  }

  RobotMatch run() {
    by_name(A.joint_names, B.joint_names, nullptr);
    by_name(A.link_names, B.link_names, "link");
    // the base is the base; then outwards, each body after the one that carries it
    by_place(-1, -1);
    for (std::size_t i = 0; i < m.to_second.size(); ++i)
      if (m.to_second[i] >= 0) by_place(static_cast<int>(i), m.to_second[i]);
    for (std::size_t i = 0; i < m.to_second.size(); ++i)
      if (m.to_second[i] < 0 && !is_rotor(B, m.second, joint(A, m.first, i)))
        m.only_first.push_back(joint(A, m.first, i));
    for (std::size_t k = 0; k < to_first.size(); ++k)
      if (to_first[k] < 0 && !is_rotor(A, m.first, joint(B, m.second, k)))
        m.only_second.push_back(joint(B, m.second, k));
    return std::move(m);
  }

 private:
  const Model<double>&A, &B;
  RobotMatch m;
  std::vector<int> to_first;

  static const std::string& joint(const Model<double>& model, const MovingBodies& moving, std::size_t k) {
    return model.joint_names[static_cast<std::size_t>(moving.bodies[k].body)];
  }

  /// Whether the joint, a link's in one robot, is a rotor of the other: formats without rotors have links that follow.
  static bool is_rotor(const Model<double>& model, const MovingBodies& moving, const std::string& joint) {
    for (std::size_t k = moving.links; k < model.joint_names.size(); ++k)
      if (model.joint_names[k] == joint) return true;
    return false;
  }

  void pair(std::size_t i, std::size_t k, const char* because) {
    m.to_second[i] = static_cast<int>(k);
    to_first[k] = static_cast<int>(i);
    if (because) m.renamed.push_back({joint(A, m.first, i), joint(B, m.second, k), because});
  }

  void by_name(const std::vector<std::string>& a, const std::vector<std::string>& b, const char* because) {
    std::unordered_map<std::string_view, std::size_t> place;
    for (std::size_t k = 0; k < m.second.bodies.size(); ++k)
      if (to_first[k] < 0) place.emplace(b[static_cast<std::size_t>(m.second.bodies[k].body)], k);
    for (std::size_t i = 0; i < m.first.bodies.size(); ++i) {
      if (m.to_second[i] >= 0) continue;
      const auto found = place.find(a[static_cast<std::size_t>(m.first.bodies[i].body)]);
      if (found != place.end() && to_first[found->second] < 0) pair(i, found->second, because);
    }
  }

  /// How unlike two bodies on one carrier are: 0 alike, from 1 on not the same.
  double unlike(std::size_t i, std::size_t k) const {
    const MovingBody &a = m.first.bodies[i], &b = m.second.bodies[k];
    if (A[a.body].kind != B[b.body].kind) return 10;
    const double apart = norm(a.X_parent.p - b.X_parent.p) / (norm(a.X_parent.p) + norm(b.X_parent.p) + 1e-9);
    const double turned = has_axis(A[a.body].kind) ? norm(cross(a.X_parent.R.z, b.X_parent.R.z)) : 0;
    const double heavier = std::abs(a.inertia.m - b.inertia.m) / (a.inertia.m + b.inertia.m + 1e-9);
    return (apart + turned + heavier) / 3;
  }

  void by_place(int on_first, int on_second) {
    std::vector<std::size_t> here, there;
    for (std::size_t i = 0; i < m.to_second.size(); ++i)
      if (m.to_second[i] < 0 && m.first.bodies[i].parent == on_first) here.push_back(i);
    for (std::size_t k = 0; k < to_first.size(); ++k)
      if (to_first[k] < 0 && m.second.bodies[k].parent == on_second) there.push_back(k);
    while (!here.empty() && !there.empty()) {
      double least = std::numeric_limits<double>::infinity();
      std::pair<std::size_t, std::size_t> best{0, 0};
      for (std::size_t i = 0; i < here.size(); ++i)
        for (std::size_t k = 0; k < there.size(); ++k)
          if (const double cost = unlike(here[i], there[k]); cost < least) {
            least = cost;
            best = {i, k};
          }
      if (least >= 1) return;
      pair(here[best.first], there[best.second], "place");
      here.erase(here.begin() + static_cast<std::ptrdiff_t>(best.first));
      there.erase(there.begin() + static_cast<std::ptrdiff_t>(best.second));
    }
  }
};

}  // namespace

MovingBodies moving_bodies(const Robot& robot) {
  const Model<double>& m = robot.model();
  const std::size_t links = robot.description().links.size();  // rotors come after all of them
  MovingBodies out;
  out.links = links;
  out.owner.assign(m.bodies.size(), -1);
  out.X_owner.resize(m.bodies.size());
  Configuration<double> zero(m);
  zero.set(m, neutral_position(m));
  for (std::size_t i = 0; i < links; ++i) {
    const Body<double>& b = m.bodies[i];
    const int on = b.parent < 0 ? -1 : out.owner[static_cast<std::size_t>(b.parent)];
    Transform<double> X = pose_in_parent(m, zero, static_cast<int>(i));
    if (b.parent >= 0) X = out.X_owner[static_cast<std::size_t>(b.parent)] * X;
    if (b.kind == JointKind::fixed) {
      out.owner[i] = on;
      out.X_owner[i] = X;
      if (on >= 0) out.bodies[static_cast<std::size_t>(on)].inertia += X * b.inertia;
      continue;
    }
    out.owner[i] = static_cast<int>(out.bodies.size());
    out.bodies.push_back({static_cast<int>(i), on, X, b.inertia});
  }
  return out;
}

RobotMatch match_robots(const Robot& first, const Robot& second) { return Matcher(first, second).run(); }

}  // namespace torsor
