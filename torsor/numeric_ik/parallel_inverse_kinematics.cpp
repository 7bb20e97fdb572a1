#include "torsor/numeric_ik/parallel_inverse_kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "torsor/loops/cluster_kinematics.hpp"
#include "torsor/loops/loop_map.hpp"
#include "torsor/spatial/quaternion.hpp"

namespace torsor {
namespace {

constexpr double closed_to = 1e-9;  // m or rad: what a combination may leave of its loops
constexpr double same_to = 1e-8;    // rad or m: coordinates closer than this are one solution
constexpr std::size_t most_modes = 4096;

/// One way to put the joints of a leg: positions of the tree, by number.
using Placed = std::vector<std::pair<int, double>>;

}  // namespace

namespace detail {

/// A leg of a parallel robot, or the chain that carries its platform.
struct ParallelLeg {
  std::string name;
  int carrier = -1;         // body of the tree that carries it
  std::vector<int> bodies;  // of the tree, from there on
  Transform<double> X_end;  // where it ends, in the last body
  // the platform's side of the loop, in the platform's body; of a platform's chain: of what it carries
  Transform<double> X_platform;
  MechanismJointKind kind = MechanismJointKind::spherical;
  double length = 0;
  std::optional<Robot> arm;  // as a robot by itself, on a base at the carrier
  std::unique_ptr<InverseKinematics> solver;
};

}  // namespace detail

namespace {

using Leg = detail::ParallelLeg;

Transform<double> pose_of(const Tree<double>& tree, std::span<const double> q, int body) {
  std::vector<int> line;
  for (; body >= 0; body = tree[body].parent) line.push_back(body);
  Transform<double> X = tree.base;
  for (auto at = line.rbegin(); at != line.rend(); ++at) {
    const Body<double>& b = tree[*at];
    JointPosition<double> position;
    if (b.nv == 1) {
      const double x = b.ratio * q[b.q] + b.offset;
      set_joint_position(b.kind, &x, b.pitch, position);
    } else {
      set_joint_position(b.kind, q.data() + b.q, b.pitch, position);
    }
    X = X * joint_transform(b.kind, b.placement, position);
  }
  return X;
}

double away(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] - b[k]);
  return sum;
}

double turn_between(const Mat3<double>& a, const Mat3<double>& b) {
  return std::max({norm(a.x - b.x), norm(a.y - b.y), norm(a.z - b.z)});
}

}  // namespace

struct ParallelInverseKinematics::Parts {
  Robot robot;
  Frame<double> tool;
  TaskWeights weights;
  Leg platform;
  bool ball = false;  // it hangs on a spherical joint: the chain before it reaches the centre
  std::vector<Leg> legs;
  mutable std::vector<ClusterKinematics<double>> clusters;
  mutable LoopMap map;

  Parts(Robot given, Frame<double> frame, const TaskWeights& task)
      : robot(std::move(given)), tool(std::move(frame)), weights(task), map(robot.tree(), robot.loops()) {
    for (const LoopCluster& c : robot.loops()->clusters) clusters.emplace_back(robot.tree(), c);
  }

  const Model<double>& tree() const { return robot.tree(); }

  Fault refuse(std::string who, std::string what) const {
    return {{},
            std::move(who),
            "parallel-leg",
            std::move(what),
            "a position may be sought by the Jacobian (Dynamics::tool, ts.jacobian)"};
  }

  std::vector<int> line_of(int body) const {
    std::vector<int> line;
    for (; body >= 0; body = tree()[body].parent) line.push_back(body);
    std::ranges::reverse(line);
    return line;
  }

  /// The bodies of a leg as a robot of their own, and its solver for a point or a pose at the end.
  std::optional<Fault> prepare(Leg& leg, const TaskWeights& task) const {
    Description own = robot.description();
    own.loops.clear(), own.transmissions.clear(), own.tools.clear(), own.links.clear();
    own.base = {};
    for (const int b : leg.bodies) {
      const std::string& name = tree().link_names[b];
      const auto& links = robot.description().links;
      const auto found = std::ranges::find(links, name, &LinkDescription::name);
      if (found == links.end() || found->mimic || tree()[b].nv > 1)
        return refuse(
            fmt::format("loop \"{}\"", leg.name),
            fmt::format("joint \"{}\" follows another, or has several degrees of freedom", tree().joint_names[b]));
      LinkDescription link = *found;
      link.start.reset();
      if (own.links.empty())
        link.parent.reset();
      else
        link.parent = own.links.back().name;
      own.links.push_back(std::move(link));
    }
    const int last = leg.bodies.back();
    own.tools.push_back({"end", tree().link_names[last], inverse(tree()[last].link) * leg.X_end});
    auto built = Robot::try_build(std::move(own));
    if (!built) return refuse(fmt::format("loop \"{}\"", leg.name), built.faults().front().what);
    leg.arm = *std::move(built);
    leg.solver = std::make_unique<InverseKinematics>(*leg.arm, leg.arm->tool("end"), IkTask{task});
    if (!leg.solver->gives_all())
      return refuse(fmt::format("loop \"{}\"", leg.name), "not every solution of its leg is found by a closed form");
    return std::nullopt;
  }

  /// The frame in which a leg's arm stands: of the link that carries it.
  Transform<double> carrier_of(const Leg& leg, std::span<const double> q) const {
    return leg.carrier < 0 ? tree().base : pose_of(tree(), q, leg.carrier) * tree()[leg.carrier].link;
  }

  std::vector<Placed> by_arm(const Leg& leg, std::span<const double> q, const Transform<double>& X_world_end) const {
    const Transform<double> carrier = carrier_of(leg, q);
    const IkSolutions found = leg.solver->solve(inverse(carrier) * X_world_end);
    std::vector<Placed> out;
    for (const IkSolution& each : found.found) {
      if (each.position_residual > closed_to) continue;
      Placed placed;
      int k = 0;
      for (const int b : leg.bodies)
        if (tree()[b].nv == 1) placed.emplace_back(tree()[b].q, each.q[static_cast<std::size_t>(k++)]);
      out.push_back(std::move(placed));
    }
    return out;
  }

  /// A rod to one joint.
  std::vector<Placed> by_rod(const Leg& leg, std::vector<double> q, const Vec3<double>& c) const {
    int moving = -1;
    for (const int b : leg.bodies)
      if (tree()[b].nv == 1) moving = b;
    const int at = tree()[moving].q;
    const auto point = [&](double x) {
      q[static_cast<std::size_t>(at)] = x;
      const Vec3<double> end = (pose_of(tree(), q, leg.bodies.back()) * leg.X_end).p;
      return end - c;
    };
    std::vector<Placed> out;
    if (tree()[moving].kind == JointKind::prismatic) {
      const Vec3<double> d = point(0), u = point(1) - d;
      const double half = dot(d, u), rest = dot(d, d) - leg.length * leg.length, root = half * half - rest * dot(u, u);
      if (root < 0) return out;
      for (const double sign : {1.0, -1.0}) out.push_back({{at, (-half + sign * std::sqrt(root)) / dot(u, u)}});
      return out;
    }
    // d(theta) = m + a cos theta + b sin theta, a and b across the axis: |d|^2 = L^2
    constexpr double pi = 3.14159265358979323846;
    const Vec3<double> d0 = point(0), d1 = point(pi), quarter = point(pi / 2), m = (d0 + d1) * 0.5, a = (d0 - d1) * 0.5,
                       b = quarter - m;
    const double A = 2 * dot(m, a), B = 2 * dot(m, b), C = leg.length * leg.length - dot(m, m) - dot(a, a),
                 R = std::hypot(A, B);
    if (!(std::abs(C) <= R)) return out;
    const double middle = std::atan2(B, A), away = std::acos(C / R);
    for (const double sign : {1.0, -1.0}) out.push_back({{at, std::remainder(middle + sign * away, 2 * pi)}});
    return out;
  }

  std::vector<Placed> of_platform(const Transform<double>& X_world_tool, std::span<const double> start) const {
    const Transform<double> X_P = X_world_tool * inverse(tool.X_body_frame);
    if (!ball) return by_arm(platform, start, X_world_tool);
    const int P = tool.body;
    const Body<double>& body = tree()[P];
    std::vector<Placed> out = by_arm(platform, start, {Mat3<double>::identity(), X_P.p});
    std::vector<double> q(start.begin(), start.end());
    for (Placed& placed : out) {
      for (const auto& [at, x] : placed) q[static_cast<std::size_t>(at)] = x;
      const Transform<double> before = pose_of(tree(), q, body.parent) * body.placement;
      const Mat3<double> R = ~before.R * X_P.R;
      const Quaternion<double> e = quaternion(R);
      int k = 0;
      for (const double x : {e.e0, e.e1, e.e2, e.e3}) placed.emplace_back(body.q + k++, x);
    }
    return out;
  }

  std::vector<Placed> of_leg(const Leg& leg, std::span<const double> q) const {
    const Transform<double> target = pose_of(tree(), q, tool.body) * leg.X_platform;
    if (leg.kind == MechanismJointKind::distance) return by_rod(leg, {q.begin(), q.end()}, target.p);
    return by_arm(leg, q, target);
  }
};

ParallelInverseKinematics::ParallelInverseKinematics(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ParallelInverseKinematics::ParallelInverseKinematics(ParallelInverseKinematics&&) noexcept = default;
ParallelInverseKinematics::~ParallelInverseKinematics() = default;

const Robot& ParallelInverseKinematics::robot() const { return parts_->robot; }

Result<ParallelInverseKinematics> ParallelInverseKinematics::make(const Robot& robot, const Frame<double>& tool,
                                                                  const TaskWeights& weights) {
  TORSOR_EXPECT(robot.loops() != nullptr);
  auto parts = std::make_unique<Parts>(robot, tool, weights);
  const Model<double>& tree = parts->tree();
  const std::vector<int> chain = parts->line_of(tool.body);
  if (chain.empty()) return parts->refuse(tool.name, "it does not move");
  std::set<int> taken(chain.begin(), chain.end());

  Leg& platform = parts->platform;
  platform.name = "platform";
  platform.bodies = chain;
  platform.X_end = tool.X_body_frame;
  parts->ball = tree[tool.body].kind == JointKind::spherical;
  TaskWeights task = weights;
  if (parts->ball) {
    if (chain.size() < 2) return parts->refuse("platform", "a ball on the base carries it");
    platform.bodies.pop_back();
    platform.X_end = {Mat3<double>::identity(), tree[tool.body].placement.p};
    task = TaskWeights::position();
  }
  if (auto fault = parts->prepare(platform, task)) return *fault;

  for (const LoopCluster& cluster : robot.loops()->clusters)
    for (const ClusterLoop& loop : cluster.loops) {
      const LoopDescription& from = robot.description().loops[static_cast<std::size_t>(loop.loop)];
      const std::string who = fmt::format("loop \"{}\"", from.name);
      const bool first = loop.i.tree_body == tool.body, second = loop.j.tree_body == tool.body;
      if (first == second) return parts->refuse(who, "it does not end at the link of the tool");
      const ClusterLoop::Side &on_platform = first ? loop.i : loop.j, &on_leg = first ? loop.j : loop.i;
      Leg leg;
      leg.name = from.name;
      leg.kind = loop.kind, leg.length = loop.sizes.length;
      leg.X_platform = on_platform.X, leg.X_end = on_leg.X;
      int moving = 0;
      for (const int b : parts->line_of(on_leg.tree_body)) {
        if (std::ranges::find(chain, b) != chain.end()) {
          leg.carrier = b;
          continue;
        }
        if (!taken.insert(b).second) return parts->refuse(who, "its leg shares joints with another");
        leg.bodies.push_back(b);
        moving += tree[b].nv;
      }
      if (leg.bodies.empty() || moving == 0) return parts->refuse(who, "no joint of its own lies in its leg");
      using enum MechanismJointKind;
      if (leg.kind == distance) {
        const int last = leg.bodies.back();
        if (moving != 1 || tree[last].ratio != 1 || tree[last].offset != 0 ||
            (tree[last].kind != JointKind::revolute && tree[last].kind != JointKind::prismatic))
          return parts->refuse(who, "a rod is solved for one joint, revolute or prismatic");
      } else if (leg.kind == fixed) {
        if (auto fault = parts->prepare(leg, {})) return *fault;
      } else if ((leg.kind == spherical || leg.kind == revolute) && moving <= 3) {
        if (auto fault = parts->prepare(leg, TaskWeights::position())) return *fault;
      } else {
        return parts->refuse(
            who, "legs are solved for a spherical or revolute joint with at most three more, a rod, or a weld");
      }
      parts->legs.push_back(std::move(leg));
    }
  return ParallelInverseKinematics(std::move(parts));
}

ParallelSolutions ParallelInverseKinematics::solve(const Transform<double>& X_world_tool) const {
  const Parts& p = *parts_;
  const Model<double>& tree = p.tree();
  const LoopModel& loops = *p.robot.loops();
  ParallelSolutions out;
  const auto put = [](const Placed& placed, std::vector<double>& q) {
    for (const auto& [at, x] : placed) q[static_cast<std::size_t>(at)] = x;
  };
  std::vector<double> q = loops.reference;
  const std::vector<Placed> platforms = p.of_platform(X_world_tool, q);
  out.legs.push_back({"platform", static_cast<int>(platforms.size())});
  for (const Leg& leg : p.legs) out.legs.push_back({leg.name, 0});
  if (platforms.empty()) {
    out.status = PoseStatus::unreachable;
    out.unreachable = "platform";
    return out;
  }
  std::string farthest;
  for (std::size_t chain = 0; chain < platforms.size(); ++chain) {
    put(platforms[chain], q);
    std::vector<std::vector<Placed>> options;
    bool reached = true;
    std::size_t modes = 1;
    for (std::size_t l = 0; l < p.legs.size(); ++l) {
      std::vector<Placed> all = p.of_leg(p.legs[l], q), distinct;
      // those with the same independent coordinates are one: a fork turned round with its rod
      const auto key = [&](const Placed& placed) {
        std::vector<double> numbers;
        for (const auto& [at, x] : placed)
          if (std::ranges::binary_search(loops.q, at)) numbers.push_back(x);
        return numbers;
      };
      const auto from_reference = [&](const Placed& placed) {
        double sum = 0;
        for (const auto& [at, x] : placed)
          sum += std::abs(std::remainder(x - loops.reference[static_cast<std::size_t>(at)], 6.283185307179586));
        return sum;
      };
      for (Placed& each : all) {
        const auto same = std::ranges::find_if(distinct, [&](const Placed& other) {
          const std::vector<double> a = key(each), b = key(other);
          if (a.empty()) return false;
          for (std::size_t i = 0; i < a.size(); ++i)
            if (std::abs(a[i] - b[i]) > same_to) return false;
          return true;
        });
        if (same == distinct.end())
          distinct.push_back(std::move(each));
        else if (from_reference(each) < from_reference(*same))
          *same = std::move(each);
      }
      if (distinct.empty() && reached) {
        reached = false;
        farthest = p.legs[l].name;
      }
      out.legs[l + 1].count = std::max(out.legs[l + 1].count, static_cast<int>(distinct.size()));
      modes = std::min(modes * std::max<std::size_t>(distinct.size(), 1), most_modes + 1);
      options.push_back(std::move(distinct));
    }
    if (!reached) continue;
    std::vector<std::size_t> choice(options.size());
    for (std::size_t mode = 0; mode < std::min(modes, most_modes); ++mode) {
      ParallelSolution s;
      s.all = q;
      s.branch.push_back(static_cast<int>(chain) + 1);
      for (std::size_t l = 0; l < options.size(); ++l) {
        put(options[l][choice[l]], s.all);
        s.branch.push_back(static_cast<int>(choice[l]) + 1);
      }
      for (std::size_t l = 0; l < choice.size() && ++choice[l] == options[l].size(); ++l) choice[l] = 0;
      for (ClusterKinematics<double>& cluster : p.clusters) {
        cluster.place(s.all);
        s.residual = std::max(s.residual, cluster.residual());
      }
      if (!(s.residual < closed_to)) continue;
      const Transform<double> X = pose_of(tree, s.all, p.tool.body) * p.tool.X_body_frame;
      const bool turns_count = p.weights.turn.x != 0 && p.weights.turn.y != 0 && p.weights.turn.z != 0;
      s.pose_residual = std::max(norm(X.p - X_world_tool.p), turns_count ? turn_between(X.R, X_world_tool.R) : 0.0);
      // whole turns: inside the limits, else next to where the loops were assembled
      for (const Body<double>& body : tree.bodies) {
        if (body.kind != JointKind::revolute || body.ratio != 1 || body.offset != 0) continue;
        constexpr double turn = 6.283185307179586;
        double& x = s.all[static_cast<std::size_t>(body.q)];
        const Limits& limits = tree.limits[static_cast<std::size_t>(body.v)];
        const double near = x + turn * std::round((loops.reference[static_cast<std::size_t>(body.q)] - x) / turn);
        x = near;
        for (const double other : {near + turn, near - turn})
          if ((x < limits.lower || x > limits.upper) && other >= limits.lower && other <= limits.upper) x = other;
      }
      for (const int at : loops.q) s.q.push_back(s.all[static_cast<std::size_t>(at)]);
      for (std::size_t k = 0; k < s.q.size() && s.q.size() == loops.v.size(); ++k) {
        const Limits& limits = loops.coordinates.limits[k];
        if (s.q[k] < limits.lower - same_to || s.q[k] > limits.upper + same_to) s.inside_limits = false;
      }
      if (s.inside_limits) p.map.return_to_start();
      if (s.inside_limits && p.map.place(s.q)) {
        const Transform<double> there = pose_of(tree, p.map.q(), p.tool.body) * p.tool.X_body_frame;
        s.assembled = norm(there.p - X.p) < 1e-7 && turn_between(there.R, X.R) < 1e-7;
      }
      // a chain of the platform turned round, as its fork with the leg, moves the same actuators
      const auto same = std::ranges::find_if(out.found, [&](const ParallelSolution& other) {
        for (std::size_t k = 0; k < s.q.size(); ++k)
          if (std::abs(other.q[k] - s.q[k]) > same_to) return false;
        return true;
      });
      if (same == out.found.end())
        out.found.push_back(std::move(s));
      else if (away(s.all, loops.reference) < away(same->all, loops.reference))
        *same = std::move(s);
    }
  }
  if (out.found.empty()) {
    out.status = PoseStatus::unreachable;
    out.unreachable = farthest;
  }
  std::ranges::stable_sort(out.found, [](const ParallelSolution& a, const ParallelSolution& b) {
    return std::pair{!a.assembled, !a.inside_limits} < std::pair{!b.assembled, !b.inside_limits};
  });
  return out;
}

}  // namespace torsor
