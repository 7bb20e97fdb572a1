#include "torsor/mechanism/start_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "torsor/mechanism/carrier_motion.hpp"
#include "torsor/mechanism/freedoms.hpp"
#include "torsor/numeric/qr.hpp"
#include "torsor/numeric/row_major.hpp"

namespace torsor {
namespace {

/// One thing that is given: a rate of a joint, or an angular velocity or a velocity of a body.
struct Given {
  enum class What { rate, turn, way };
  What what;
  Measure measure;  // of a rate
  double rate = 0;
  int body = -1;  // of a velocity
  Vec3<double> velocity;
};

/// All of them, those first that are to be kept first.
std::vector<Given> all_given(const MechanismDescription& d) {
  std::vector<Given> all;
  for (std::size_t k = 0; k < d.joints.size(); ++k) {
    const MechanismJoint& joint = d.joints[k];
    const auto add = [&](Measure::What what, const std::optional<double>& rate) {
      if (rate) all.push_back({Given::What::rate, {static_cast<int>(k), what}, *rate, -1, {}});
    };
    add(Measure::What::angle, joint.angle_rate);
    add(Measure::What::slide, joint.slide_rate);
    add(Measure::What::length, joint.length_rate);
  }
  for (const bool zero : {false, true})
    for (std::size_t b = 0; b < d.bodies.size(); ++b) {
      const auto add = [&](Given::What what, const Vec3<double>& x, bool also_zero) {
        if ((norm(x) == 0) == zero && (!zero || also_zero)) all.push_back({what, {}, 0, static_cast<int>(b), x});
      };
      add(Given::What::turn, d.bodies[b].velocity.w, d.bodies[b].turn_given);
      add(Given::What::way, d.bodies[b].velocity.v, d.bodies[b].way_given);
    }
  return all;
}

/// The mechanism with equations for what is given besides: a rate is driven, a velocity is that of a carrier.
Mechanism with_given(const Mechanism& m, const MechanismState& state, std::span<const Given> given) {
  Mechanism out = m;
  MechanismDescription& d = out.description;
  const double t = state.t;
  const auto evenly = [t](double at, double rate) { return polynomial_in_time({at - rate * t, rate}); };
  std::size_t gradients = 0;
  for (const ConstraintBlock& block : out.blocks)
    gradients =
        std::max(gradients, block.first_gradient + block.bodies.size() * static_cast<std::size_t>(block.rows) * 6);
  const auto add_block = [&](ConstraintBlock::Origin origin, std::size_t index, int rows, std::vector<int> bodies) {
    ConstraintBlock block{origin, static_cast<int>(index), true, rows, 0, out.rows, std::move(bodies), gradients};
    out.rows += rows;
    gradients += block.bodies.size() * static_cast<std::size_t>(rows) * 6;
    out.blocks.push_back(std::move(block));
  };
  MechanismEquations equations(m);
  equations.evaluate(state);
  for (const Given& each : given) {
    if (each.what == Given::What::rate) {
      const MeasureValue at = equations.measure(each.measure);
      std::vector<int> bodies;
      for (const int b : {at.body_i, at.body_j})
        if (b != ground) bodies.push_back(b);
      add_block(ConstraintBlock::Origin::driver, d.drivers.size(), 1, std::move(bodies));
      MechanismDriver driver;
      driver.terms = {{each.measure, 1, {}}};
      driver.function = evenly(at.value, each.rate);
      d.drivers.push_back(std::move(driver));
      continue;
    }
    const bool turns = each.what == Given::What::turn;
    const Transform<double> X = body_pose(m, state, each.body);
    MechanismCarrier carrier;
    const double parts[] = {X.p.x, X.p.y, X.p.z}, rates[] = {each.velocity.x, each.velocity.y, each.velocity.z};
    for (std::size_t k = 0; k < 3; ++k) carrier.position[k] = evenly(parts[k], turns ? 0 : rates[k]);
    if (const double speed = norm(each.velocity); turns && speed > 0)
      carrier.turns.push_back({each.velocity * (1 / speed), evenly(0, speed)});
    MechanismJoint joint;
    joint.kind = turns ? MechanismJointKind::orientation : MechanismJointKind::spherical;
    joint.i.carrier = static_cast<int>(d.carriers.size());
    joint.i.X.R = X.R;
    joint.j.body = each.body;
    out.side_i.push_back({ground, joint.i.carrier, {}, X.R});
    out.side_j.push_back({each.body, -1, -d.bodies[static_cast<std::size_t>(each.body)].com, Mat3<double>::identity()});
    out.sizes.push_back({});
    add_block(ConstraintBlock::Origin::joint, d.joints.size(), 3, {each.body});
    d.carriers.push_back(std::move(carrier));
    d.joints.push_back(std::move(joint));
  }
  set_row_units(out);
  return out;
}

/// A mechanism with some of what is given, and velocities that have it.
struct Kept {
  Mechanism mechanism;
  MechanismState state;
  bool closed = false;
};

Kept keep(const Mechanism& m, const MechanismState& state, std::span<const Given> given) {
  Kept out{with_given(m, state, given), state};
  out.state.angles.resize(out.mechanism.description.joints.size());
  Assembly assembly(out.mechanism, EquationSet::all);
  assembly.expect_redundancy(true);
  out.closed = assembly.velocities(out.state).closed;
  return out;
}

/// All that is given, or what of it can be had at once.
Kept keep_possible(const Mechanism& m, const MechanismState& state, const std::vector<Given>& given) {
  Kept all = keep(m, state, given);
  if (all.closed) return all;
  std::vector<Given> possible;
  Kept best = keep(m, state, {});
  if (const MobilityReport mobile = mobility(m, state, EquationSet::all); !mobile.too_large && mobile.freedoms == 0)
    return best;
  for (const Given& each : given) {
    possible.push_back(each);
    Kept with = keep(m, state, possible);
    if (with.closed)
      best = std::move(with);
    else
      possible.pop_back();
  }
  return best;
}

/// How the joints move with velocities of the bodies, and with those of the carriers: turns, and ways in sizes of the mechanism.
class JointMotions {
 public:
  JointMotions(const Mechanism& m, const MechanismState& state)
      : m_(m), state_(state), size_(size_of(m)), equations_(m) {
    equations_.evaluate(state);
    // joints with equations; others where nothing else leads to the ground
    std::vector<int> first(m.description.bodies.size() + 1);
    std::iota(first.begin(), first.end(), 0);
    const auto root = [&](int b) {
      while (first[static_cast<std::size_t>(b)] != b)
        b = first[static_cast<std::size_t>(b)] = first[static_cast<std::size_t>(first[static_cast<std::size_t>(b)])];
      return b;
    };
    for (const bool free : {false, true})
      for (std::size_t k = 0; k < m.side_i.size(); ++k) {
        if ((m.description.joints[k].kind == MechanismJointKind::free) != free) continue;
        const int i = root(m.side_i[k].body + 1), j = root(m.side_j[k].body + 1);
        if (free && i == j) continue;
        first[static_cast<std::size_t>(std::max(i, j))] = std::min(i, j);
        joints_.push_back(static_cast<int>(k));
      }
  }

  std::size_t numbers() const { return 6 * joints_.size(); }

  /// Row by row; of the carriers only if asked for.
  std::vector<double> of(const std::vector<Motion<double>>& V, bool carriers) const {
    std::vector<double> out;
    for (const int k : joints_) {
      const auto at = static_cast<std::size_t>(k);
      // two places that nothing joins: at the frame of the body
      const bool free = m_.description.joints[at].kind == MechanismJointKind::free;
      const int own = m_.side_j[at].body != ground ? m_.side_j[at].body : m_.side_i[at].body;
      const Vec3<double> P = free && own != ground ? body_pose(m_, state_, own).p : equations_.place_j(k).P;
      const auto side = [&](const PlacedSide& s) -> Motion<double> {
        if (s.carrier >= 0 && carriers) {
          const CarrierMotion c =
              carrier_motion(m_.description.carriers[static_cast<std::size_t>(s.carrier)], state_.t);
          return {c.V.w, c.V.v + cross(c.V.w, P - c.P)};
        }
        if (s.carrier >= 0 || s.body == ground) return {};
        const Motion<double>& v = V[static_cast<std::size_t>(s.body)];
        return {v.w, v.v + cross(v.w, P - state_.bodies[static_cast<std::size_t>(s.body)].r)};
      };
      const Motion<double> i = side(m_.side_i[at]), j = side(m_.side_j[at]);
      const Vec3<double> w = j.w - i.w, v = (j.v - i.v) * (1 / size_);
      out.insert(out.end(), {w.x, w.y, w.z, v.x, v.y, v.z});
    }
    return out;
  }

 private:
  const Mechanism& m_;
  const MechanismState& state_;
  double size_;
  MechanismEquations equations_;
  std::vector<int> joints_;
};

/// Of all velocities that the equations of `kept` leave, those with which the joints move least.
void let_joints_rest(const Mechanism& m, const Kept& kept, MechanismState& state) {
  constexpr double most_work = 1e9;  // multiplications: beyond it the nearest to those given are as good as any
  const JointMotions joints(m, state);
  std::vector<Motion<double>> V;
  for (const BodyState& b : state.bodies) V.push_back({b.w, b.v});
  std::vector<double> moves = joints.of(V, true);
  if (std::ranges::all_of(moves, [](double x) { return x == 0; })) return;
  const MobilityReport mobile = mobility(kept.mechanism, kept.state, EquationSet::all);
  const double columns = mobile.freedoms;
  if (mobile.freedoms == 0 || !too_many_freedoms(mobile).empty() ||
      static_cast<double>(joints.numbers()) * columns * columns > most_work)
    return;
  const std::vector<std::vector<Motion<double>>> N = freedoms(kept.mechanism, kept.state, EquationSet::all);
  const int rows = static_cast<int>(joints.numbers()), n = static_cast<int>(N.size());
  if (n == 0) return;
  std::vector<double> A(cells(rows, n)), R(cells(n, n)), a(N.size());
  std::vector<int> order(N.size());
  for (int k = 0; k < n; ++k) {
    // of light bodies and heavy ones alike
    const auto& x = N[static_cast<std::size_t>(k)];
    const double scale = 1 / reach_of(x, size_of(m));
    const std::vector<double> column = joints.of(x, false);
    for (int r = 0; r < rows; ++r) A[cell(r, n, k)] = scale * column[static_cast<std::size_t>(r)];
  }
  const int rank = qr_factor_pivoted<double>(A, rows, n, R, order);
  qr_solve<double>(A, R, rows, n, order, rank, moves, a);
  for (int k = 0; k < n; ++k) {
    const auto& x = N[static_cast<std::size_t>(k)];
    const double part = a[static_cast<std::size_t>(k)] / reach_of(x, size_of(m));
    if (!std::isfinite(part)) return;
    for (std::size_t b = 0; b < V.size(); ++b) V[b] = V[b] - x[b] * part;
  }
  for (std::size_t b = 0; b < V.size(); ++b) state.bodies[b].w = V[b].w, state.bodies[b].v = V[b].v;
}

}  // namespace

AssemblyReport start_velocities(const Mechanism& m, Assembly& assembly, MechanismState& state) {
  const MechanismState described = described_state(m, state.t);
  const bool ours = std::ranges::equal(described.bodies, state.bodies, [](const BodyState& a, const BodyState& b) {
    return norm(a.w - b.w) == 0 && norm(a.v - b.v) == 0;
  });
  if (!ours) return assembly.velocities(state);
  // a velocity is given of the frame, which may have turned since
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const MechanismBody& body = m.description.bodies[b];
    state.bodies[b].v = body.velocity.v + cross(body.velocity.w, rotation(state.bodies[b].p) * body.com);
  }
  MechanismState possible = state;
  if (const AssemblyReport report = assembly.velocities(possible); !report.closed) return report;
  const std::vector<Given> given = all_given(m.description);
  const Kept kept = given.empty() ? Kept{m, possible, true} : keep_possible(m, state, given);
  if (kept.closed)
    for (std::size_t b = 0; b < state.bodies.size(); ++b)
      state.bodies[b].w = kept.state.bodies[b].w, state.bodies[b].v = kept.state.bodies[b].v;
  if (kept.closed) let_joints_rest(m, kept, state);
  return assembly.velocities(state);
}

}  // namespace torsor
