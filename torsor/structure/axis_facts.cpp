#include "torsor/structure/axis_facts.hpp"

#include "torsor/structure/exact_round.hpp"

namespace torsor {
namespace {

bool is_zero(const Vec3<Modular>& v) { return is_zero(v.x) && is_zero(v.y) && is_zero(v.z); }

void see(JointFacts& out, const Motion<Modular>& s, const Inertia<Modular>& C, const Vec3<Modular>& g) {
  const Vec3<Modular>& u = out.slides ? s.v : s.w;
  const Force<Modular> momentum = C * s;
  out.along_gravity = out.along_gravity && is_zero(cross(u, g));
  out.across_gravity = out.across_gravity && is_zero(dot(u, g));
  out.massless = out.massless && is_zero(C.m);
  out.balanced = out.balanced && is_zero(momentum.f);
  out.principal = out.principal && out.balanced && is_zero(cross(momentum.n, s.w));
}

void see(PairFacts& out, const Motion<Modular>& a, bool a_slides, const Motion<Modular>& b, bool b_slides) {
  const Vec3<Modular>&u = a_slides ? a.v : a.w, &w = b_slides ? b.v : b.w;
  out.one_path = true;
  out.parallel = out.parallel && is_zero(cross(u, w));
  out.right_angle = out.right_angle && is_zero(dot(u, w));
  out.one_plane = out.one_plane && is_zero(dot(a.w, b.v) + dot(a.v, b.w));
  out.coaxial = out.coaxial && out.parallel && !a_slides && !b_slides && is_zero(b.v - a.v * dot(a.w, b.w));
}

}  // namespace

AxisFacts axis_facts(const ExactRobot& robot, Level level, const ExactOptions& options) {
  AxisFacts out;
  const std::size_t n = static_cast<std::size_t>(robot.model.nv);
  if (robot.model.S.size() != n) return out;
  out.n = robot.model.nv;
  out.joints.resize(n);
  out.pairs.resize(n * n);
  const int rounds = exact_error(robot, level, options).rounds;
  std::mt19937_64 engine(options.seed);
  for (int k = 0; k < rounds; ++k) {
    ExactRound round(robot, level, engine);
    round.evaluate();
    const auto& work = round.work();
    for (std::size_t a = 0; a < n; ++a) {
      const Body<Modular>& joint = round.model()[work.body[a]];
      JointFacts& facts = out.joints[static_cast<std::size_t>(joint.v)];
      facts.slides = joint.kind == JointKind::prismatic;
      see(facts, work.s[a], work.C[static_cast<std::size_t>(work.body[a])], round.model().gravity);
      for (int b = work.inward[a]; b >= 0; b = work.inward[b]) {
        const Body<Modular>& inner = round.model()[work.body[b]];
        PairFacts& pair = out.pairs[static_cast<std::size_t>(inner.v) * n + static_cast<std::size_t>(joint.v)];
        see(pair, work.s[b], inner.kind == JointKind::prismatic, work.s[a], facts.slides);
        out.pairs[static_cast<std::size_t>(joint.v) * n + static_cast<std::size_t>(inner.v)] = pair;
      }
    }
  }
  return out;
}

}  // namespace torsor
