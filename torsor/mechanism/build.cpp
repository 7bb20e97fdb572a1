#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "torsor/mechanism/coupling_check.hpp"
#include "torsor/mechanism/mechanism.hpp"
#include "torsor/model/mass_spread.hpp"
#include "torsor/scalar/infinity.hpp"

namespace torsor {
namespace {

bool all_finite(const Vec3<double>& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

constexpr double farthest = 1e100;  // m: of squares, and of their products with masses, numbers are left

/// What is no number has a fault of its own.
bool in_reach(const Vec3<double>& a) {
  return !all_finite(a) || std::max({std::fabs(a.x), std::fabs(a.y), std::fabs(a.z)}) < farthest;
}

bool is_rotation(const Mat3<double>& R) {
  const auto off = [](double x, double target) { return !(std::fabs(x - target) < 1e-9); };
  return !(off(dot(R.x, R.x), 1) || off(dot(R.y, R.y), 1) || off(dot(R.x, R.y), 0) ||
           off(dot(cross(R.x, R.y), R.z), 1));
}

/// Whether a joint holds its bodies across its axis z, as a bearing does.
bool bears_across(MechanismJointKind kind) {
  using enum MechanismJointKind;
  return kind == revolute || kind == cylindrical || kind == screw || kind == translational || kind == point_on_line;
}

/// Collects the faults of one description.
struct BuildFaults {
  const MechanismDescription& d;
  Faults errors = {};

  void add(const Where& where, std::string offender, std::string rule, std::string what, std::string remedy) {
    errors.push_back({where, std::move(offender), std::move(rule), std::move(what), std::move(remedy)});
  }

  void add_out_of_reach(const Where& where, std::string offender) {
    add(where, std::move(offender), "number-size", "a place of it is beyond all measure",
        fmt::format("nothing beyond {:.0e} m is taken: check digits and exponent", farthest));
  }

  void check_names() {
    // bodies and carriers are named in the same places, the other kinds each in their own
    std::map<std::string, std::string> seen;
    const auto look = [&](const auto& list, const char* word) {
      if (std::string_view(word) != "carrier") seen.clear();
      for (const auto& element : list) {
        const std::string offender = fmt::format("{} \"{}\"", word, element.name);
        if (element.name.empty())
          add(element.where, word, "name-missing", "it has no name", "give it one, so that reports can speak of it");
        else if (const auto [at, fresh] = seen.emplace(element.name, offender); !fresh)
          add(element.where, offender, "name-twice", fmt::format("the name is taken by {}", at->second),
              "choose another name");
      }
    };
    look(d.bodies, "body");
    look(d.carriers, "carrier");
    look(d.joints, "joint");
    look(d.couplings, "coupling");
    look(d.drivers, "driver");
    look(d.actuators, "actuator");
    look(d.springs, "spring");
    look(d.frictions, "friction");
    look(d.laws, "law");
    look(d.forces, "force");
  }

  void check_bodies() {
    if (d.bodies.empty()) add({}, d.name, "no-bodies", "the mechanism has no bodies", "describe at least one");
    if (!all_finite(d.gravity))
      add({}, "gravity", "not-finite", "gravity is not finite", "give three numbers in m/s^2");
    for (const MechanismJoint& j : d.joints)
      if (!std::isfinite(j.angle_rate.value_or(0) + j.slide_rate.value_or(0) + j.length_rate.value_or(0)))
        add(j.where, fmt::format("joint \"{}\"", j.name), "not-finite", "a rate of it is not finite", "mend it");
    for (const MechanismBody& b : d.bodies) {
      const std::string offender = fmt::format("body \"{}\"", b.name);
      const bool finite = std::isfinite(b.m) && all_finite(b.com) && std::isfinite(b.I.xx + b.I.yy + b.I.zz) &&
                          std::isfinite(b.I.xy + b.I.xz + b.I.yz) && all_finite(b.X_world_body.p) &&
                          all_finite(b.velocity.w) && all_finite(b.velocity.v);
      if (!finite) {
        add(b.where, offender, "not-finite", "one of its numbers is not finite",
            "check mass, inertia, place and velocity");
        continue;
      }
      if (!in_reach(b.com) || !in_reach(b.X_world_body.p)) add_out_of_reach(b.where, offender);
      if (!is_rotation(b.X_world_body.R))
        add(b.where, offender, "no-rotation", "its orientation is no rotation", "give three unit axes that are square");
      if (!(b.m > 0))
        add(b.where, offender, "massless-body", fmt::format("its mass is {} kg", b.m),
            "give it a mass, or describe the link as a joint of kind distance or revolute-spherical");
      const MassSpread spread = mass_spread(b.m, b.I);
      if (spread.moments[0] < -1e-12 * std::max(spread.moments[2], 0.0) || spread.moments[2] < 0)
        add(b.where, offender, "negative-moment",
            fmt::format("its least principal moment is {} kg m^2", spread.moments[0]),
            "check signs of the products of inertia");
    }
  }

  std::string measured(const Measure& m, const Where& where, const std::string& offender) {
    if (m.joint < 0 || m.joint >= static_cast<int>(d.joints.size())) {
      add(where, offender, "joint-unknown", "it measures at no joint of the mechanism", "name a joint");
      return {};
    }
    const MechanismJointRow& kind = row(d.joints[static_cast<std::size_t>(m.joint)].kind);
    const bool can = m.what == Measure::What::angle   ? kind.angle
                     : m.what == Measure::What::slide ? kind.slide
                                                      : kind.length;
    if (!can)
      add(where, offender, "measure-kind",
          fmt::format("a {} joint has no {} of its own", kind.name,
                      m.what == Measure::What::angle   ? "angle"
                      : m.what == Measure::What::slide ? "slide"
                                                       : "length"),
          "measure at another joint, or add a joint of kind free, which has no equations, for the purpose");
    return fmt::format("{} {}", m.joint, static_cast<int>(m.what));
  }

  void check_side(const JointSide& side, const MechanismJoint& joint, const std::string& offender) {
    if (side.carrier >= static_cast<int>(d.carriers.size()) ||
        (side.carrier < 0 && (side.body < ground || side.body >= static_cast<int>(d.bodies.size()))))
      add(joint.where, offender, "body-unknown", "one of its sides is on no body",
          "name two bodies, or a body and ground");
    if (!all_finite(side.X.p) || !is_rotation(side.X.R))
      add(joint.where, offender, "joint-frame", "one of its frames is no frame",
          "give a finite point and an axis of some length");
  }

  void check_joints() {
    for (const MechanismJoint& j : d.joints) {
      const std::string offender = fmt::format("joint \"{}\"", j.name);
      check_side(j.i, j, offender);
      check_side(j.j, j, offender);
      if (!in_reach(j.i.X.p) || !in_reach(j.j.X.p)) add_out_of_reach(j.where, offender);
      const bool i_moves = j.i.carrier < 0 && j.i.body != ground, j_moves = j.j.carrier < 0 && j.j.body != ground;
      if (!i_moves && !j_moves)
        add(j.where, offender, "joint-moves-nothing", "neither side is a body", "join at least one body");
      if (i_moves && j_moves && j.i.body == j.j.body)
        add(j.where, offender, "joint-of-one-body", "both sides are on the same body", "join two bodies");
      using enum MechanismJointKind;
      const auto need = [&](bool has, const char* what, double number, const char* remedy) {
        if (!has) add(j.where, offender, "joint-size", fmt::format("its {} is {}", what, number), remedy);
      };
      if (j.kind == distance)
        need(j.length > 0 && std::isfinite(j.length), "length", j.length, "give a length above zero");
      if (j.kind == revolute_spherical)
        need(std::isfinite(j.offset) && std::isfinite(j.length) && j.length > std::fabs(j.offset), "length", j.length,
             "give the distance of the two points, longer than the offset along the axis");
      if (j.kind == screw)
        need(j.pitch != 0 && std::isfinite(j.pitch), "pitch", j.pitch, "give metres per radian, not zero");
      if (j.kind == rolling_ball || j.kind == rolling_disc)
        need(j.radius > 0 && std::isfinite(j.radius), "radius", j.radius, "give a radius above zero");
      if (j.kind == point_on_plane) need(std::isfinite(j.offset), "offset", j.offset, "give a finite height");
    }
  }

  void check_connected() {
    // the ground and the carriers are one place, the last
    const auto bodies = static_cast<int>(d.bodies.size());
    std::vector<int> leader(d.bodies.size() + 1);
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int b) {
      while (leader[static_cast<std::size_t>(b)] != b) b = leader[static_cast<std::size_t>(b)];
      return b;
    };
    std::vector<bool> joined(d.bodies.size());
    for (const MechanismJoint& j : d.joints) {
      const auto end = [&](const JointSide& side) {
        if (side.carrier >= 0 || side.body < 0 || side.body >= bodies) return bodies;
        joined[static_cast<std::size_t>(side.body)] = true;
        return side.body;
      };
      const int i_end = find(end(j.i)), j_end = find(end(j.j));
      leader[static_cast<std::size_t>(std::min(i_end, j_end))] = std::max(i_end, j_end);
    }
    std::map<int, std::vector<std::size_t>> islands;
    for (std::size_t b = 0; b < joined.size(); ++b)
      if (!joined[b])
        add(d.bodies[b].where, fmt::format("body \"{}\"", d.bodies[b].name), "body-alone", "no joint holds it",
            "join it to another body or to ground; a body that is to fly gets a joint of kind free");
      else if (const int island = find(static_cast<int>(b)); island != find(bodies))
        islands[island].push_back(b);
    for (const auto& [leading, members] : islands)
      add(d.bodies[members[0]].where, fmt::format("body \"{}\"", d.bodies[members[0]].name), "body-island",
          fmt::format("it and {} more are joined to each other, but not to the ground", members.size() - 1),
          "join one of them to ground; what is to fly gets a joint of kind free");
  }

  void check_terms(const std::vector<MechanismCoupling::Term>& terms, const Where& where, const std::string& offender) {
    if (terms.empty()) add(where, offender, "no-terms", "it names no joint", "name the joints it couples or drives");
    for (const MechanismCoupling::Term& term : terms) {
      measured(term.measure, where, offender);
      if (!std::isfinite(term.factor) || term.factor == 0)
        add(where, offender, "factor", fmt::format("one of its factors is {}", term.factor),
            "give finite factors, not zero");
    }
    const auto same = [](const MechanismCoupling::Term& a, const MechanismCoupling::Term& b) {
      return a.measure.joint == b.measure.joint && a.measure.what == b.measure.what && !a.profile && !b.profile;
    };
    for (std::size_t k = 1; k < terms.size(); ++k)
      if (std::any_of(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(k),
                      [&](const auto& before) { return same(before, terms[k]); }))
        add(where, offender, "term-twice", "it names the same measure of the same joint twice",
            "name two joints, or write one term with the sum of the factors");
  }

  void check_rest() {
    for (const MechanismCoupling& c : d.couplings) {
      check_terms(c.terms, c.where, fmt::format("coupling \"{}\"", c.name));
      if (c.offset && !std::isfinite(*c.offset))
        add(c.where, fmt::format("coupling \"{}\"", c.name), "not-finite", "its offset is not finite",
            "give a number or none");
    }
    std::map<std::string, std::string> driven;
    for (const MechanismDriver& driver : d.drivers) {
      const std::string offender = fmt::format("driver \"{}\"", driver.name);
      std::string what;
      if (driver.joint >= 0) {
        const bool known = driver.joint < static_cast<int>(d.joints.size());
        const MechanismJoint* const j = known ? &d.joints[static_cast<std::size_t>(driver.joint)] : nullptr;
        if (!j || (j->i.carrier < 0 && j->j.carrier < 0))
          add(driver.where, offender, "driver-carrier", "the joint it takes is not on a prescribed frame",
              "join the body to a prescribed frame, whose motion is then the driver's");
        what = fmt::format("joint {}", driver.joint);
      } else {
        if (!driver.function) add(driver.where, offender, "driver-function", "it has no function of time", "give one");
        check_terms(driver.terms, driver.where, offender);
        if (driver.terms.size() == 1)
          what = fmt::format("{} {}", driver.terms[0].measure.joint, static_cast<int>(driver.terms[0].measure.what));
      }
      if (what.empty()) continue;
      if (const auto [at, fresh] = driven.emplace(what, offender); !fresh)
        add(driver.where, offender, "drivers-fight", fmt::format("{} drives the same", at->second),
            "leave one of them out");
    }
    for (const MechanismActuator& a : d.actuators) {
      const std::string offender = fmt::format("actuator \"{}\"", a.name);
      measured(a.measure, a.where, offender);
      if (!(a.weight > 0) || !std::isfinite(a.weight + a.k + a.c + a.rest) ||
          (a.effort_limit && !(*a.effort_limit > 0)))
        add(a.where, offender, "actuator-numbers", "weight and limit must be above zero, all numbers finite",
            "mend them");
    }
    for (const MechanismSpring& s : d.springs) {
      const std::string offender = fmt::format("spring \"{}\"", s.name);
      measured(s.measure, s.where, offender);
      if (!std::isfinite(s.k + s.c + s.rest))
        add(s.where, offender, "not-finite", "a number of it is not finite", "mend it");
      if (s.play && !(s.play->lower <= s.play->upper))
        add(s.where, offender, "stop-order", "its lower end lies above the upper one", "exchange the two");
    }
    for (const MechanismLaw& law : d.laws) {
      const std::string offender = fmt::format("law \"{}\"", law.name);
      measured(law.measure, law.where, offender);
      if (!law.f) add(law.where, offender, "no-terms", "it has no function", "give one of the state");
      for (const StateSignal& each : law.signals) {
        const bool of_point = each.kind == StateSignal::Kind::place || each.kind == StateSignal::Kind::velocity;
        if (!of_point)
          measured(each.measure, law.where, offender);
        else if (each.point < 0 || each.point >= static_cast<int>(d.points.size()))
          add(law.where, offender, "name-unknown", "it looks at a point that is none", "name a [[point]]");
      }
    }
    for (const MechanismFriction& f : d.frictions) {
      const std::string offender = fmt::format("friction \"{}\"", f.name);
      measured(f.measure, f.where, offender);
      const double sum = f.coulomb + f.breakaway + f.coefficient + f.static_coefficient + f.radius + f.stribeck;
      const double least = std::min({f.coulomb, f.breakaway - f.coulomb, f.coefficient,
                                     f.static_coefficient - f.coefficient, f.radius, f.stribeck});
      if (!std::isfinite(sum) || least < 0)
        add(f.where, offender, "friction-size",
            "a number of it is below zero, less at rest than in motion or not finite", "mend it");
      if (f.measure.what == Measure::What::length)
        add(f.where, offender, "friction-place", "it rubs along a length",
            "take the angle or the displacement (`slide`) of a joint");
      if (f.by_load() && f.measure.joint >= 0 && f.measure.joint < static_cast<int>(d.joints.size()) &&
          !bears_across(d.joints[static_cast<std::size_t>(f.measure.joint)].kind))
        add(f.where, offender, "friction-place",
            "its joint bears nothing across its axis, so that a coefficient has no load",
            "give coulomb, or take a revolute, cylindrical, screw, translational or point-on-line joint");
    }
    for (const MechanismForce& f : d.forces)
      if (f.body < 0 || f.body >= static_cast<int>(d.bodies.size()) || !all_finite(f.point))
        add(f.where, fmt::format("force \"{}\"", f.name), "body-unknown", "it acts on no body, or at no point",
            "name a body and a finite point of it");
    for (const MechanismPoint& p : d.points)
      if (p.body < 0 || p.body >= static_cast<int>(d.bodies.size()) || !all_finite(p.point))
        add(p.where, fmt::format("point \"{}\"", p.name), "body-unknown", "it is on no body, or not finite",
            "name a body and a finite point of it");
  }
};

PlacedSide placed(const JointSide& side, const MechanismDescription& d) {
  PlacedSide out{side.body, side.carrier, side.X.p, side.X.R};
  if (side.carrier >= 0) out.body = ground;
  if (out.body != ground) out.s -= d.bodies[static_cast<std::size_t>(out.body)].com;
  return out;
}

/// The bodies that fixed joints make one, by the number of one of them; those fixed to the ground by -1.
std::vector<int> rigid_groups(const Mechanism& m) {
  std::vector<int> group(m.description.bodies.size());
  std::iota(group.begin(), group.end(), 0);
  for (std::size_t k = 0; k < m.description.joints.size(); ++k) {
    if (m.description.joints[k].kind != MechanismJointKind::fixed || m.side_i[k].carrier >= 0 ||
        m.side_j[k].carrier >= 0)
      continue;
    const auto of = [&](int body) { return body == ground ? -1 : group[static_cast<std::size_t>(body)]; };
    const auto [first, second] = std::minmax({of(m.side_i[k].body), of(m.side_j[k].body)});
    std::ranges::replace(group, second, first);
  }
  return group;
}

/// A body that is fixed to another, or to the ground, moves with it whatever it weighs. Where it weighs as nothing beside it,
/// as the frames do that files hang on links, the forces that it hands on are lost beside its own weight: it borrows a
/// thousandth of the heaviest that it is one with, of all bodies where that is the ground.
void borrow_for_the_fixed(const Mechanism& m, std::vector<BorrowedInertia>& borrowed) {
  constexpr double light = 1e-6, part = 1e-3;
  const std::vector<MechanismBody>& bodies = m.description.bodies;
  const std::vector<int> group = rigid_groups(m);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const MechanismBody* heaviest = &bodies[b];
    for (std::size_t other = 0; other < bodies.size(); ++other)
      if ((group[b] < 0 || group[other] == group[b]) && bodies[other].m > heaviest->m) heaviest = &bodies[other];
    if (bodies[b].m > light * heaviest->m) continue;
    const double moment = part * mass_spread(heaviest->m, heaviest->I).moments[0];
    borrowed[b].m = part * heaviest->m;
    if (moment > borrowed[b].I.xx) borrowed[b].I = {moment, moment, moment, 0, 0, 0};
  }
}

/// What to add to tensors that cannot be inverted: a millionth of what the body has in other directions, or of its mass at
/// the distance of its joints. A tensor that is as nothing beside the mass at the nearest of them is no better than none:
/// a pendulum whose bob is a point but for rounding.
std::vector<BorrowedInertia> inertia_to_borrow(const Mechanism& m) {
  std::vector<BorrowedInertia> borrowed(m.description.bodies.size());
  std::vector<double> reach(borrowed.size()), nearest(borrowed.size(), infinity);
  for (const std::vector<PlacedSide>* sides : {&m.side_i, &m.side_j})
    for (const PlacedSide& s : *sides)
      if (s.body != ground) {
        const auto b = static_cast<std::size_t>(s.body);
        reach[b] = std::max(reach[b], norm(s.s));
        nearest[b] = std::min(nearest[b], norm(s.s));
      }
  for (std::size_t b = 0; b < borrowed.size(); ++b) {
    const MechanismBody& body = m.description.bodies[b];
    const MassSpread spread = mass_spread(body.m, body.I);
    const double at_nearest = reach[b] > 0 ? body.m * nearest[b] * nearest[b] : 0;
    if (spread.moments[0] > 1e-9 * std::max(spread.moments[2], at_nearest)) continue;
    const double at_reach = body.m * reach[b] * reach[b];
    const double scale = std::max(spread.moments[2], at_reach > 0 ? at_reach : spread.moments[2] > 0 ? 0 : body.m);
    borrowed[b].I = {1e-6 * scale, 1e-6 * scale, 1e-6 * scale, 0, 0, 0};
  }
  borrow_for_the_fixed(m, borrowed);
  return borrowed;
}

}  // namespace

Result<Mechanism> build(const MechanismDescription& description) {
  BuildFaults faults{description};
  faults.check_names();
  faults.check_bodies();
  faults.check_joints();
  faults.check_rest();
  faults.check_connected();
  if (!faults.errors.empty()) return faults.errors;
  if (Faults fights = couplings_that_fight(description); !fights.empty()) return fights;

  Mechanism m;
  m.description = description;
  for (const MechanismJoint& j : description.joints) {
    m.side_i.push_back(placed(j.i, description));
    m.side_j.push_back(placed(j.j, description));
    m.sizes.push_back({j.length, j.offset, j.pitch, j.radius, 0});
  }
  m.borrowed = inertia_to_borrow(m);

  std::size_t gradients = 0;
  const auto add_block = [&](ConstraintBlock block) {
    block.first_row = m.rows;
    block.first_gradient = gradients;
    m.rows += block.rows;
    gradients += block.bodies.size() * static_cast<std::size_t>(block.rows) * 6;
    m.blocks.push_back(std::move(block));
  };
  const auto with_bodies_of = [&](ConstraintBlock block, int joint) {
    for (const std::vector<PlacedSide>* sides : {&m.side_i, &m.side_j}) {
      const int body = (*sides)[static_cast<std::size_t>(joint)].body;
      if (body != ground && std::find(block.bodies.begin(), block.bodies.end(), body) == block.bodies.end())
        block.bodies.push_back(body);
    }
    return block;
  };
  using enum ConstraintBlock::Origin;
  for (std::size_t k = 0; k < description.joints.size(); ++k) {
    const MechanismJointRow& kind = row(description.joints[k].kind);
    const int index = static_cast<int>(k);
    const bool drives = std::any_of(description.drivers.begin(), description.drivers.end(),
                                    [&](const MechanismDriver& driver) { return driver.joint == index; });
    add_block(with_bodies_of({joint, index, drives, kind.equations + kind.velocity_only, kind.velocity_only, 0, {}, 0},
                             index));
  }
  const auto add_sum = [&](ConstraintBlock::Origin origin, std::size_t index, const auto& terms) {
    ConstraintBlock block{origin, static_cast<int>(index), origin == driver, 1, 0, 0, {}, 0};
    for (const MechanismCoupling::Term& term : terms) block = with_bodies_of(std::move(block), term.measure.joint);
    add_block(std::move(block));
  };
  for (std::size_t k = 0; k < description.couplings.size(); ++k) add_sum(coupling, k, description.couplings[k].terms);
  for (std::size_t k = 0; k < description.drivers.size(); ++k)
    if (description.drivers[k].joint < 0) add_sum(driver, k, description.drivers[k].terms);

  // phases that are "as at the start"
  m.offsets.assign(description.couplings.size(), 0);
  set_phases(m);
  set_row_units(m);
  return m;
}

std::string Mechanism::block_name(const ConstraintBlock& block) const {
  const auto k = static_cast<std::size_t>(block.index);
  switch (block.origin) {
    case ConstraintBlock::Origin::joint:
      // a driver of a point or a pose is a joint to its carrier
      for (const MechanismDriver& driver : description.drivers)
        if (driver.joint == block.index) return fmt::format("driver \"{}\"", driver.name);
      return fmt::format("joint \"{}\"", description.joints[k].name);
    case ConstraintBlock::Origin::coupling: return fmt::format("coupling \"{}\"", description.couplings[k].name);
    default: return fmt::format("driver \"{}\"", description.drivers[k].name);
  }
}

}  // namespace torsor
